#include "theory/score/parameter_ranges.h"

#include "theory/source/toml_document.h"

namespace gpe::theory {

std::optional<ParameterRange> parse_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto low = Rational::parse(text.substr(0, dots)), high = Rational::parse(text.substr(dots + 2));
  if (!low || !high || *low >= *high) return std::nullopt;
  return ParameterRange{*low, *high};
}

std::vector<std::pair<std::string, ParameterRange>> parameter_ranges(std::string_view text) {
  std::vector<std::pair<std::string, ParameterRange>> result;
  const toml::table document = toml_document(text, "an encoding");
  const toml::table* parameters = document["parameters"].as_table();
  if (parameters == nullptr) return result;
  for (const auto& [key, node] : *parameters) {
    const auto written = toml::node_view<const toml::node>(node)["range"].value<std::string>();
    if (const auto range = written ? parse_range(*written) : std::nullopt)
      result.emplace_back(std::string(key.str()), *range);
  }
  return result;
}

}  // namespace gpe::theory
