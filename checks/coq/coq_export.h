// check-properties --coq: each verdict as a theorem of Coq, over theory/proofs. docs/proofs.md says what is
// trusted. Tests: tests/proofs/missing.py, tests/proofs/exports.cmake
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checks/report/json_number.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// The folder of --coq.
class CoqFolder {
 public:
  /// Why a law (as certificates have it) may have no value for some of these parameters; empty where it has
  /// one.
  using Definedness = std::function<std::string(const Json& law, const std::set<std::string>& free)>;
  /// Makes it when it is missing. @throws theory::SpecError  when it cannot be made
  CoqFolder(std::string folder, Definedness why_undefined);

  /// Writes NAME__PROPERTY__READING.v for each verdict of a report: for all values of the parameters in their
  /// domains and all content bounds B > 0.
  /// @param context  with what is left of the report's time
  /// @throws theory::SpecError  when a verdict of another report has such a file name
  void write(const EncodingReport& report, const theory::Context& context);

  /// Of all reports so far: the verdicts that have no file, and why.
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  std::string folder_;
  Definedness why_undefined_;
  std::vector<std::string> missing_;
  std::map<std::string, std::string> taken_;  // file name -> certificate
};

}  // namespace gpe::checks
