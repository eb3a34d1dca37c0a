// Certificates as files: only what the verifier accepts is written.
// Tests: tests/certificates/library.cmake, tests/certificates/hypotheses_test.cpp
#pragma once

#include <functional>
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

/// Writes one file a verdict and one for the numbers of each report into the folder, which is made when it is
/// missing, and puts the file names into the reports; but only what the verifier accepts.
/// @throws theory::SpecError  when the folder cannot be written
Missing write_certificates(const std::string& folder, std::vector<EncodingReport>& reports,
                           const ReportOptions& options, const theory::ConstantOracle& oracle,
                           const Verifier& verifier);

}  // namespace gpe::checks
