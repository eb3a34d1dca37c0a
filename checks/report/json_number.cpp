#include "checks/report/json_number.h"

#include <nlohmann/json.hpp>

#include "checks/arb/decimal.h"

namespace gpe::checks {

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_integer(const theory::Rational& integer) {
  const auto small = integer.to_int64();
  const std::int64_t limit = std::int64_t{1} << 53;
  if (small && *small <= limit && *small >= -limit) return *small;
  return integer.str();
}

Json json_count(const BigCount& count) {
  switch (count.kind) {
    case BigCount::Kind::none:
      return nullptr;
    case BigCount::Kind::number:
      return json_integer(count.number);
    case BigCount::Kind::log10:
      return Json{{"log10", count.log10}};
    case BigCount::Kind::unbounded:
      return "unbounded";
    case BigCount::Kind::unknown:
      return Json{{"undecided", count.reason}};
  }
  return nullptr;
}

Json json_ends(const Ball& value, int digits) {
  if (!value.is_finite()) return nullptr;
  const DecimalEnds ends = decimal_ends(value, digits);
  return Json{{"lower", ends.lower}, {"upper", ends.upper}};
}

}  // namespace gpe::checks
