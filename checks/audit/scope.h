// What names mean while a claim is evaluated: bound numbers and encodings, the file's encodings, the library.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "checks/audit/claim_file.h"
#include "checks/audit/dependencies.h"
#include "theory/exact/context.h"
#include "theory/exact/region.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

struct AuditOptions {
  int most_points = 400;                                 ///< tried where nothing is proved, for each reading
  std::filesystem::path results;                         ///< measured results, *.json; empty: none
  std::function<void(double)> progress = [](double) {};  ///< before each claim, with the part that is done
};

/// What was computed on the way to a verdict.
struct Evidence {
  std::vector<std::pair<std::string, std::string>> values;  ///< "H(ape)" = "3.48422…", once each
  bool has_hypothesis = false;                              ///< there was an implication …
  bool hypothesis_held = false;  ///< … whose hypothesis was not refuted, somewhere
  bool absent_compared = false;  ///< numbers were compared that do not exist
  bool present_compared = false;
  std::string ill_posed;           ///< why something is not defined
  ClaimDependencies dependencies;  ///< what certificates have to be about

  void note(const std::string& what, const std::string& value);
  /// The same in other words.
  void rewrite(const std::string& what, const std::string& value);
  bool vacuous() const {
    return (has_hypothesis && !hypothesis_held) || (absent_compared && !present_compared);
  }
};

class AuditScope {
 public:
  AuditScope(const ClaimFile& file, const AuditOptions& options, const theory::Context& context)
      : file_(&file), options_(&options), context_(&context), cache_(std::make_shared<Cache>()) {}

  const AuditOptions& options() const { return *options_; }
  const theory::Context& context() const { return *context_; }
  const ClaimFile& file() const { return *file_; }

  void bind(const std::string& name, const theory::Expr& value) { numbers_.insert_or_assign(name, value); }
  /// @param encoding  what the law is of, with its parameters left open
  void bind(const std::string& name, const theory::ScoreFunction& law,
            std::shared_ptr<const theory::Encoding> encoding) {
    bound_.insert_or_assign(name, BoundEncoding{law, std::move(encoding), {}});
  }
  /// What is known of numbers left open.
  void assume(const theory::Condition& condition) { conditions_.push_back(condition); }
  /// Puts values for symbols that stood open, inside bound encodings too.
  void close(const std::string& symbol, const theory::Expr& value);

  /// An expression of the claim with bound numbers put in.
  theory::Expr with_numbers(const theory::Expr& expression) const;
  /// The law of an encoding; parameters take the value given, else the bound number of their name, else their
  /// default. What is left open are symbols of numbers. @throws theory::SpecError.
  theory::ScoreFunction law_of(const EncodingName& name) const;
  /// The same encoding for a certificate. @throws theory::SpecError.
  ClaimSubject subject_of(const EncodingName& name) const;
  /// A score without content, for the sum of e^score; numbers left open become its parameters.
  ClaimSubject subject_of_sum(const theory::Expr& score) const;
  /// The value of a parameter. @throws theory::SpecError  when there is none of the name.
  theory::Expr parameter_of(const EncodingName& name, const std::string& parameter) const;
  /// An encoding of the library. @throws theory::SpecError.
  const theory::Encoding& library_encoding(const std::string& name) const { return encoding(name, {}); }
  /// The same with all of its parameters open.
  theory::ScoreFunction open_law(const std::string& name) const;

  std::shared_ptr<Evidence> evidence = std::make_shared<Evidence>();

 private:
  using Cache = std::map<std::string, theory::Encoding>;
  using Values = std::vector<std::pair<std::string, theory::Expr>>;
  const theory::Encoding& encoding(const std::string& name, const theory::Setting& setting) const;
  struct BoundEncoding {
    theory::ScoreFunction law;
    std::shared_ptr<const theory::Encoding> encoding;
    std::vector<theory::Override> values;  ///< of parameters that were closed
  };
  struct Instance {
    const theory::Encoding* encoding;
    theory::Setting setting;
    theory::ScoreFunction law;             ///< parameters as symbols
    Values values;                         ///< of every parameter
    std::vector<theory::Override> closed;  ///< those given that mention nothing open
  };
  Instance instance(const EncodingName& name) const;

  const ClaimFile* file_;
  const AuditOptions* options_;
  const theory::Context* context_;
  std::shared_ptr<Cache> cache_;
  std::map<std::string, theory::Expr> numbers_;
  std::map<std::string, BoundEncoding> bound_;
  std::vector<theory::Condition> conditions_;
};

/// The law with every symbol replaced at once: values may mention the names that are replaced.
theory::ScoreFunction replaced(const theory::ScoreFunction& law,
                               const std::vector<std::pair<std::string, theory::Expr>>& values);

}  // namespace gpe::checks
