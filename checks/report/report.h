// What a report says, as data: verdicts, numbers and where they come from. Text, JSON and Markdown print the
// same thing. Tests: tests/cli/report.cmake
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checks/content/content_numbers.h"
#include "checks/content/dtype_limit.h"
#include "checks/content/growth_error.h"
#include "checks/content/local_range.h"
#include "checks/content/zero_window.h"
#include "checks/report/curves.h"
#include "checks/sums/sums.h"
#include "theory/properties/verdict.h"

namespace gpe::checks {

/// Under which content the printed sums hold (theory.md section 1).
struct ContentModel {
  enum class Kind { zero, bound, sphere, frozen, law };
  Kind kind = Kind::zero;
  std::uint64_t seed = 0;    ///< frozen
  theory::ContentLaw law{};  ///< law
  /// "zero", "bound", "sphere", "frozen:SEED", "gaussian:S", "sub-gaussian:S". @throws theory::SpecError
  /// naming the option.
  static ContentModel parse(const std::string& option, const std::string& text);
  std::string name() const;  ///< as parsed
};

struct ReportOptions {
  ContentModel content;              ///< with the first content bound
  std::vector<FloatFormat> formats;  ///< --dtype
  std::vector<theory::Rational> content_bounds = {1};
  std::vector<std::string> symbolic;
  theory::Rational threshold = 1;
  std::vector<theory::Rational> lengths;   ///< empty: those of default_lengths
  std::int64_t training_length = 0;        ///< that a config.json states; 0: unknown
  std::vector<theory::Rational> epsilons;  ///< effective windows
  std::vector<theory::Rational> weights;   ///< reach
  int curve_points = 0;                    ///< for pictures; up to the last length, or 16384
  bool contents = true;                    ///< numbers for every content with a bound
  bool laws_only = false;                  ///< nothing is decided and no number computed
  int digits = 30;
};

/// The score of one token at a distance, on spheres with |q||k|/√d = the first content bound.
struct SphereAt {
  EnclosedNumber deviation;  ///< standard deviation of A(n)
  EnclosedNumber reaches;    ///< P(A(n) >= threshold)
};

struct EncodingReport {
  std::string name;
  std::string title;
  std::string reference;
  std::string source;
  std::string sha256;
  theory::Setting setting;
  bool one_head_of_several = false;
  int last_head = 0;  ///< the heads from setting.head to this one have the same formulas; 0: nothing is known
  theory::Encoding encoding;
  theory::ScoreFunction law;  ///< parameters with their values
  theory::ScoreFunction
      closed_law;  ///< values put in; gates along the path all at `high`, a query with r = 0
  std::vector<std::string> assumed;  ///< of values of its functions, as nothing settled it
  std::vector<theory::Finding> findings;
  Sums sums;
  std::vector<theory::Rational> lengths;  ///< of what follows
  std::vector<PartialSum> partial_sums;
  std::vector<ContentNumbers> contents;  ///< one for each content bound
  std::vector<std::vector<ContentNumbers>>
      partial_contents;  ///< for each length; windows and reach where the score depends on L
  std::vector<BigCount>
      zero_windows;  ///< one for each content bound, of normalizers with weights of exactly 0
  GrowthLaw growth;
  std::vector<SphereAt> spheres;         ///< --content sphere: one for each length
  std::vector<DtypeLimit> dtype_limits;  ///< one for each format
  LocalRange range;
  std::vector<CurvePoint> curves;
  std::string gps_rate;
  std::set<std::string> overridden;  ///< parameters whose values are not those of the file
  std::vector<std::string>
      certificates;  ///< file of each finding's certificate, or ""; empty when not asked for
};

/// The lengths of a report that names none: T, 2T, 8T and 64T where the content's factor depends on L, T the
/// parameter `train` where it is a whole number from 1 to 2^64, else the training length that is known, else
/// 4096. None where the bias depends on L, as such sums may take long.
std::vector<theory::Rational> default_lengths(const theory::ScoreFunction& law, std::int64_t training_length);

/// Everything asked for about one encoding at one head. @throws theory::SpecError for values outside their
/// domains and functions undefined at some n.
/// @param context  with the time of one report (Context::whole), or of each question
EncodingReport analyse(const theory::Encoding& encoding, const theory::Setting& setting,
                       const std::vector<theory::Override>& overrides, const ReportOptions& options,
                       const theory::Context& context);

}  // namespace gpe::checks
