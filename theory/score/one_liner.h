// An encoding from formulas alone, without a file.
// Tests: tests/cli/bad_use.cmake, tests/cli/parameters.cmake
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "theory/score/encoding.h"

namespace gpe::theory {

/// An encoding from expressions alone ("--bias", "--gain", …); empty strings mean the default.
struct OneLiner {
  std::string bias;
  std::string gain;
  std::string transform;
  std::string angle;
  std::int64_t first = 0;
  std::vector<std::string> parameters = {};  ///< names that the formulas may have; their value is 1
};
inline constexpr const char* kCommandLine = "command line";
/// @param source  where the expressions stand, for messages: options of the command line, or keys of a file
Encoding encoding_of(const OneLiner& text, const std::string& source = kCommandLine);

}  // namespace gpe::theory
