// A mistake at a byte of a text, as its line and column.
// Tests: tests/cli/hostile_files.cmake, tests/cli/configs.cmake
#pragma once

#include <cstddef>
#include <string_view>

#include "theory/source/spec_error.h"

namespace gpe::theory {

/// error_at, from the character on that holds byte `at`, from 0; behind the last one where the text is
/// shorter.
SpecError error_at_byte(std::string_view source, std::string_view text, std::size_t at,
                        std::string_view message, std::size_t length = 1);

}  // namespace gpe::theory
