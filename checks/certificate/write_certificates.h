// Certificates as files: only what the verifier accepts is written.
// Tests: tests/certificates/library.cmake, tests/certificates/hypotheses_test.cpp
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "checks/report/json_number.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// What the verifier says of a certificate, and of which step: it is proved; the search for proofs knows more
/// than the verifier, so that there is none; or it is wrong, as no certificate of ours may be.
struct Answer {
  enum class Kind { proved, not_followed, refused } kind;
  std::string step;
};
using Verifier = std::function<Answer(const std::string& certificate)>;
/// What it says of the certificate. One that it does not follow, with a threshold that was not proved, gets
/// others farther out.
Answer ask(const Verifier& verifier, Json& certificate);
/// That this program made what its own verifier refuses, in words.
std::string refusal(const std::string& name, const Answer& answer);

/// Verdicts and numbers that got no certificate, in words.
struct Missing {
  std::vector<std::string> without_proof;  ///< their names and why: no error
  std::vector<std::string> refused;        ///< errors of this program
};

/// The folder of --certificates.
class CertificateFolder {
 public:
  /// Makes it when it is missing. @throws theory::SpecError  when it cannot be made
  CertificateFolder(std::string folder, Verifier verifier);

  /// Writes one file a verdict and one for the numbers of a report, and puts the file names into the report;
  /// but only what the verifier accepts. @param context  with what is left of the report's time
  void write(EncodingReport& report, const ReportOptions& options, const theory::Context& context);

  /// Of all reports so far.
  const Missing& missing() const { return missing_; }

 private:
  /// No certificate: an older file of this name is of another law, or of another question about it.
  std::string without(std::string name);
  std::string write(std::string name, Json certificate, const std::string& what,
                    const theory::Context& context);

  std::string folder_;
  Verifier verifier_;
  Missing missing_;
  std::set<std::string> taken_;  // names of files
};

}  // namespace gpe::checks
