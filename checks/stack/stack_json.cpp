// A model as a whole, as JSON. Tests: tests/cli/stack.cmake
#include <nlohmann/json.hpp>

#include "checks/cli/version.h"
#include "checks/report/json_number.h"
#include "checks/report/report_content.h"
#include "checks/stack/stack.h"

namespace gpe::checks {

using theory::Rational;

namespace {

Json formats_json(const StackKind& kind) {
  Json json = Json::object();
  for (const DtypeLimit& limit : kind.formats)
    json[limit.format.name] = Json{{"position", json_integer(Rational(2).pow(limit.format.precision))},
                                   {"bias", json_count(limit.bias)},
                                   {"angle", json_count(limit.angle)}};
  return json;
}

Json base_json(const StackKind& kind) {
  if (!kind.least_base) return nullptr;
  const LeastBase& base = *kind.least_base;
  return Json{
      {"last", kind.farthest},
      {"negative_from", json_count(kind.negative)},
      {"any", base.any},
      {"none_up_to", base.any ? Json() : Json(decimal_below(base.below, 10))},
      {"suffices", base.any || base.suffices.is_zero() ? Json() : Json(decimal_above(base.suffices, 10))}};
}

Json kind_json(const StackKind& kind, const Stack& stack, const StackOptions& options) {
  const ConfigEncoding& encoding = kind.encoding;
  Json windows = Json::array();
  for (std::size_t i = 0; i < kind.windows.size(); ++i)
    windows.push_back(Json{{"epsilon", options.epsilons[i].str()}, {"keys", json_count(kind.windows[i])}});
  return Json{
      {"name", encoding.name},
      {"layers", encoding.layers},
      {"position", kind.position},
      {"base", json_text_or_null(kind.base)},
      {"window", kind.window ? Json(*kind.window) : Json()},
      {"chunked", encoding.chunked},
      {"window_longer_than_context",
       kind.window && stack.stated_context != 0 && *kind.window > stack.stated_context},
      {"temperature", json_text_or_null(kind.temperature)},
      {"sink", kind.sink},
      {"heads", encoding.heads},
      {"key_heads", encoding.key_heads},
      {"head_dim", encoding.head_dim},
      {"content_bound", json_text_or_null(encoding.content_bound)},
      {"caveat", json_text_or_null(encoding.caveat)},
      {"entropy", Json{{"grows_like", kind.growth ? Json(*kind.growth) : Json()},
                       {"limit", json_enclosed(kind.entropy, kStackDigits)},
                       {"in_context", json_enclosed(kind.entropy_here, kStackDigits)},
                       {"least", json_enclosed(kind.band.lower, kStackDigits)},
                       {"most", json_enclosed(kind.band.upper, kStackDigits)}}},
      {"windows", windows},
      {"cache", Json{{"keys", kind.keys}, {"numbers", encoding.cached}, {"layers", encoding.cached_layers}}},
      {"formats", formats_json(kind)},
      {"cosine_sum", base_json(kind)}};
}

}  // namespace

std::string stack_json(const Stack& stack, const StackOptions& options) {
  Json kinds = Json::array();
  for (const StackKind& kind : stack.kinds) kinds.push_back(kind_json(kind, stack, options));
  Json mass = Json::array();
  for (std::size_t i = 0; i < stack.mass.size(); ++i)
    mass.push_back(Json{{"epsilon", options.epsilons[i].str()},
                        {"distance", json_integer(stack.mass[i].distance)},
                        {"mass", json_ends(Ball(stack.mass[i].mass, 96), kStackDigits)}});
  return json_text(
      Json{{"schema", 1},
           {"generator", {{"program", "check-properties"}, {"version", kVersion}}},
           {"config", stack.model},
           {"all_layers", stack.all_layers},
           {"other_layers", stack.other_layers},
           {"stated_context", stack.stated_context == 0 ? Json() : Json(stack.stated_context)},
           {"context", stack.context},
           {"content_bound", options.content_bound.str()},
           {"kinds", kinds},
           {"depends_on", Json{{"tokens", stack.tokens ? json_integer(*stack.tokens) : Json()},
                               {"reason", json_text_or_null(stack.unbounded_because)}}},
           {"mass_beyond", mass},
           {"cache",
            Json{{"format", options.format.name}, {"sequences", options.sequences}, {"page", options.page}}},
           {"cache_bytes", Json{{"with_windows", json_integer(stack.cached.ceil())},
                                {"without_windows", json_integer(stack.cached_without.ceil())}}}});
}

}  // namespace gpe::checks
