#include "checks/design/requirement.h"
// Tests: tests/cli/design.cmake, tests/fuzz/requirement_fuzz.cpp
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "checks/cli/command_line.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Rational;
using theory::Relation;
using theory::SpecError;

namespace {

const Rational kUsualShare(1, 1000);  // of the weight, beyond a cache

const char* name_of(DesignQuantity quantity) {
  switch (quantity) {
    case DesignQuantity::parameter:
      return "parameter";
    case DesignQuantity::convergence:
      return "Z";
    case DesignQuantity::entropy:
      return "entropy";
    case DesignQuantity::range:
      return "range";
    case DesignQuantity::cache:
      return "cache";
    case DesignQuantity::reach:
      return "reach";
  }
  return "";
}

std::string trimmed(const std::string& text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const auto from = std::ranges::find_if_not(text, is_space);
  const auto to = std::find_if_not(text.rbegin(), text.rend(), is_space).base();
  return from < to ? std::string(from, to) : std::string();
}

Rational place(DesignQuantity quantity, const std::string& option, const std::string& text) {
  if (quantity == DesignQuantity::range) return positive_option(option, text);
  if (quantity != DesignQuantity::entropy) return share_option(option, text);
  Rational length = number_option(option, text);
  if (length.sign() < 0 || !length.is_integer() || !length.to_int64())
    throw SpecError(option + ": " + text + " is not a length; expected a whole number L from 0 to 2^63 - 1");
  return length;
}

const char* expected(DesignQuantity quantity) {
  switch (quantity) {
    case DesignQuantity::range:
      return "'C1 >= TOKENS'";
    case DesignQuantity::cache:
      return "KEYS, or 'EPSILON <= KEYS'";
    case DesignQuantity::reach:
      return "'WEIGHT >= DISTANCE'";
    default:
      return "'<= NATS' or '>= NATS'";
  }
}

}  // namespace

Requirement negation(const Requirement& r) {
  Requirement result = r;
  switch (r.relation) {
    case Relation::less:
      result.relation = Relation::greater_equal;
      break;
    case Relation::greater_equal:
      result.relation = r.measure.is_count() ? Relation::less_equal : Relation::less;
      if (r.measure.is_count()) result.value -= Rational(1);
      break;
    case Relation::greater:
      result.relation = Relation::less_equal;
      break;
    default:
      result.relation = r.measure.is_count() ? Relation::greater_equal : Relation::greater;
      if (r.measure.is_count()) result.value += Rational(1);
  }
  return result;
}

Requirement requirement_option(DesignQuantity quantity, const std::string& option, const std::string& text) {
  const bool at_most = text.find("<=") != std::string::npos;
  const std::size_t sign = text.find(at_most ? "<=" : ">=");
  if (quantity == DesignQuantity::cache && sign == std::string::npos && number_of_tokens(text))
    return requirement_option(quantity, option, kUsualShare.str() + " <= " + text);
  Requirement result;
  result.measure.quantity = quantity;
  result.relation = at_most ? Relation::less_equal : Relation::greater_equal;
  if (sign == std::string::npos) throw SpecError(option + " '" + text + "': expected " + expected(quantity));
  const std::string at = trimmed(text.substr(0, sign)), value = trimmed(text.substr(sign + 2));
  const bool without = option == "--entropy";
  if (at.empty() != without)
    throw SpecError(option + " '" + text + "': expected " +
                    (option == "--entropy-at" ? "'L <= NATS' or 'L >= NATS'" : expected(quantity)));
  if (!without) result.measure.at = place(quantity, option, at);
  const auto keys = quantity == DesignQuantity::cache ? number_of_tokens(value) : std::nullopt;
  result.value = keys ? *keys : number_option(option, value);
  if (result.measure.is_count() && (!result.value.is_integer() || result.value.sign() < 0))
    throw SpecError(option + ": " + value + " is not a whole number >= 0");
  return result;
}

Measure measure_option(const std::string& option, const std::string& text,
                       const std::vector<Requirement>& otherwise) {
  const std::size_t equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  for (const DesignQuantity quantity :
       {DesignQuantity::entropy, DesignQuantity::range, DesignQuantity::cache, DesignQuantity::reach}) {
    if (name != name_of(quantity)) continue;
    Measure result{quantity, std::nullopt, ""};
    if (equals != std::string::npos) {
      result.at = place(quantity, option, trimmed(text.substr(equals + 1)));
      return result;
    }
    if (quantity == DesignQuantity::entropy) return result;
    const auto same =
        std::ranges::find_if(otherwise, [&](const Requirement& r) { return r.measure.quantity == quantity; });
    if (same != otherwise.end()) return same->measure;
    result.at = Rational(1, 2);
    if (quantity == DesignQuantity::range) result.at = Rational(1);
    if (quantity == DesignQuantity::cache) result.at = kUsualShare;
    return result;
  }
  if (equals != std::string::npos || name.empty())
    throw SpecError(option + " '" + text +
                    "': expected entropy, range, cache or reach, perhaps with =AT, or a parameter");
  return {DesignQuantity::parameter, std::nullopt, name};
}

std::string to_text(const Measure& measure) {
  if (measure.quantity == DesignQuantity::parameter) return measure.parameter;
  std::string result = name_of(measure.quantity);
  if (measure.at)
    result += measure.quantity == DesignQuantity::entropy
                  ? " of " + (*measure.at + Rational(1)).str() + " tokens"
                  : "(" + measure.at->str() + ")";
  return result;
}

std::string to_text(const Requirement& requirement) {
  if (requirement.measure.quantity == DesignQuantity::convergence)
    return requirement.relation == Relation::less ? "Z < infinity" : "Z = infinity";
  return to_text(requirement.measure) + " " + std::string(symbol_of(requirement.relation)) + " " +
         requirement.value.str();
}

Json measure_json(const Measure& measure) {
  Json at = nullptr;
  if (measure.at) at = measure.at->str();
  if (measure.quantity == DesignQuantity::parameter) at = measure.parameter;
  return {{"quantity", name_of(measure.quantity)}, {"at", at}};
}

Json requirement_json(const Requirement& requirement) {
  Json result = measure_json(requirement.measure);
  result["relation"] = symbol_of(requirement.relation);
  result["value"] =
      requirement.measure.quantity == DesignQuantity::convergence ? "infinity" : requirement.value.str();
  return result;
}

}  // namespace gpe::checks
