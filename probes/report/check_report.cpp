#include "probes/report/check_report.h"

#include <algorithm>
#include <array>

#include "theory/expression/spec_error.h"

namespace gpe::probes {

namespace {

using theory::SpecError;

constexpr std::int64_t kMost = std::int64_t{1} << 40;

// Counts of tokens, keys, rows, layers and heads, under whatever they stand.
constexpr std::array kCounts = {
    "schema", "layer", "head", "length",  "context", "iteration",       "W",     "keys",
    "rows",   "from",  "to",   "windows", "layers",  "heads_per_layer", "pairs", "head_dim"};

bool is_count(const Json& value) { return value.is_number_integer() && value >= 0 && value <= kMost; }

void check_counts(const Json& value, const std::string& source) {
  if (!value.is_structured()) return;
  for (const auto& [key, member] : value.items()) {
    const bool counts = value.is_object() && std::ranges::find(kCounts, key) != kCounts.end();
    if (counts && member.is_number() && !is_count(member))
      throw SpecError(source + ": " + key + " is no whole number from 0 to 2^40");
    check_counts(member, source);
  }
}

}  // namespace

void check_report(const Json& report, const std::string& source) {
  check_counts(report, source);
  const Json* before = nullptr;
  for (const Json& length : report.at("lengths")) {
    if (!is_count(length) || length < 1 || (before != nullptr && length <= *before))
      throw SpecError(source + ": lengths are no numbers of tokens that increase");
    before = &length;
  }
  std::int64_t layer = 0;
  for (const Json& head : report.at("heads")) {
    constexpr std::int64_t most_heads = 1 << 20;
    const bool numbered = is_count(head.at("layer")) && is_count(head.at("head"));
    const std::int64_t own = numbered ? head.at("layer").get<std::int64_t>() : 0;
    if (!numbered || own < 1 || own < layer || own > layer + 1 || head.at("head") < 1 ||
        head.at("head") > most_heads)
      throw SpecError(source + ": heads are not in the order of layers from 1 on");
    layer = own;
    if (!head.at("lengths").is_array()) throw SpecError(source + ": lengths of a head are no list");
  }
}

}  // namespace gpe::probes
