// Certificates as files: only what the verifier accepts is written.
// Tests: tests/certificates/library.cmake, tests/certificates/hypotheses_test.cpp
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checks/report/json_number.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// The verifier's answer about a certificate, with the step: proved; not followed, where the search for
/// proofs knows more than the verifier, and no file is written; or refused, a mistake of this program.
struct Answer {
  enum class Kind { proved, not_followed, refused } kind;
  std::string step;
};
/// Asked with the seconds of CPU time that a certificate may take.
using Verifier = std::function<Answer(const std::string& certificate, double seconds)>;
/// What it says of the certificate, within what is left of the context's time. One that it does not follow,
/// with a threshold that was not proved, gets others farther out.
Answer ask(const Verifier& verifier, Json& certificate, const theory::Context& context);
/// That this program made what its own verifier refuses, in words.
std::string refusal(const std::string& name, const Answer& answer);

/// What became of verdicts and numbers.
struct Written {
  using Names = std::map<std::string, std::vector<std::string>>;  ///< under what is said of them
  int asked = 0;
  int written = 0;
  Names without_proof;               ///< no error
  Names at_values;                   ///< proved at the values of the parameters, not for all of them
  std::vector<std::string> refused;  ///< errors of this program, in words
  /// What is missing, in lines.
  std::vector<std::string> lines() const;
};

/// The folder of --certificates.
class CertificateFolder {
 public:
  /// Makes it when it is missing. @throws theory::SpecError  when it cannot be made
  CertificateFolder(std::string folder, Verifier verifier);

  /// Writes one file per verdict and one for the numbers of a report, and puts the file names into the
  /// report; but only what the verifier accepts. @param context  with what is left of the report's time
  void write(EncodingReport& report, const ReportOptions& options, const theory::Context& context);

  /// Of all reports so far.
  const Written& written() const { return written_; }

 private:
  /// Why the verifier does not prove it, in words; empty where it does. May change a threshold of it.
  /// @throws std::runtime_error  where it is wrong
  std::string trouble(Json& certificate, const theory::Context& context) const;
  /// The name of the file, after `trouble`; without a certificate an older file of this name is removed,
  /// which is of another law, or of another question about it.
  std::string write(std::string name, const Json& certificate);
  std::string write_verdict(const std::string& name, const EncodingReport& report,
                            const theory::Finding& finding, const ReportOptions& options,
                            const theory::Context& context);

  void write_numbers(const std::string& name, const EncodingReport& report, const ReportOptions& options,
                     const theory::Context& context);

  std::string folder_;
  Verifier verifier_;
  Written written_;
  std::set<std::string> taken_;  // names of files
};

}  // namespace gpe::checks
