// JSON from outside. Tests: tests/model/data/tokenizer_test.cpp, tests/model/data/token_file_test.cpp
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "theory/expression/nesting.h"
#include "theory/expression/spec_error.h"

namespace gpe::checks {

/// @tparam Json  nlohmann::json, or ordered_json
/// @throws theory::SpecError  no JSON, or nested too deeply (theory/expression/nesting.h)
template <class Json = nlohmann::json>
Json read_json(std::string_view text, const std::string& source) {
  theory::require_shallow_json(text, source);
  try {
    return Json::parse(text);
  } catch (const typename Json::parse_error& error) {
    throw theory::SpecError(source + ": not JSON at byte " + std::to_string(error.byte));
  } catch (const typename Json::out_of_range&) {  // a number beyond every double
    throw theory::SpecError(source + ": not JSON: a number out of range");
  }
}

}  // namespace gpe::checks
