// The law of a certificate against the encoding file it should come from. Tests: tests/cli/certificates.cmake
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

struct BadSpecification : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// @returns parameters with other values than in the file, in words. @throws NotShown  when a formula, a
/// domain or a table is another one; BadSpecification  when the file cannot be read
std::string compare_with_specification(const Json& certificate, const std::string& file);

}  // namespace gpe::verifier
