// JSON from outside.
// Tests: tests/cli/configs.cmake, tests/model/data/tokenizer_test.cpp, tests/model/data/token_file_test.cpp
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gpe::checks {

/// @throws theory::SpecError  no JSON, with the place and what stands there, or nested too deeply
/// (theory/source/nesting.h)
nlohmann::json read_json(std::string_view text, const std::string& source);
/// The same, with keys in the order of the text.
nlohmann::ordered_json read_ordered_json(std::string_view text, const std::string& source);

}  // namespace gpe::checks
