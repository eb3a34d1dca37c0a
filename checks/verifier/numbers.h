// Numbers of a law without content, or with a bound on it: sums, windows, reach, local ranges.
#pragma once

#include "checks/verifier/law.h"

namespace gpe::verifier {

/// @returns the claim in words. @throws NotShown
std::string check_numbers(const Law& law, const Json& claim, const Json& proof);

}  // namespace gpe::verifier
