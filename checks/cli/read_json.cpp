#include "checks/cli/read_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "theory/source/byte_place.h"
#include "theory/source/nesting.h"

namespace gpe::checks {

namespace {

template <class Json>
Json parsed(std::string_view text, const std::string& source) {
  theory::require_shallow_json(text, source);
  try {
    return Json::parse(text);
  } catch (const typename Json::parse_error& error) {
    // "[…] parse error at line 1, column 2: syntax error …"; error.byte bytes were read
    const std::string_view what = error.what();
    throw theory::error_at_byte(source, text, std::max<std::size_t>(error.byte, 1) - 1,
                                "not JSON: " + std::string(what.substr(what.find(": ") + 2)));
  } catch (const typename Json::out_of_range&) {  // a number beyond every double
    throw theory::SpecError(source + ": not JSON: a number out of range");
  }
}

}  // namespace

nlohmann::json read_json(std::string_view text, const std::string& source) {
  return parsed<nlohmann::json>(text, source);
}

nlohmann::ordered_json read_ordered_json(std::string_view text, const std::string& source) {
  return parsed<nlohmann::ordered_json>(text, source);
}

}  // namespace gpe::checks
