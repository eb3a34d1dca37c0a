#include "checks/audit/formula.h"
// Tests: tests/checks/audit/audit_formula_test.cpp
#include <algorithm>
#include <array>

namespace gpe::checks {

const QuantityKind* quantity_kind(std::string_view name) {
  static constexpr auto kinds = std::to_array<QuantityKind>({
      {"Z", "et?", false},
      {"H", "et?", false},
      {"mean", "et?", false},
      {"Zleast", "ett?", false},
      {"Zmost", "ett?", false},
      {"Hleast", "ett?", false},
      {"Hmost", "ett?", false},
      {"bias", "et?", false},
      {"gain", "et?", false},
      {"norm", "et?", false},
      {"parameter", "ew", false},
      {"var", "ett?", false},
      {"P", "ett?t?", false},
      {"within", "et", false},
      {"literal", "et", false},
      {"window", "ett", false},
      {"reach", "ett", false},
      {"selfreach", "ett", false},
      {"growth", "e", false},
      {"limit", "t", false},
      {"limsup", "t", false},
      {"sphere_tail", "tt", false},
      {"sphere_moment", "tt", false},
      {"choose", "tt", false},
      {"measured", "w+", false},
      {"paired", "t", false},
      {"summable", "t", true},
      {"bounded_above", "t", true},
      {"disperses_gaussian", "tt", true},
      {"disperses_edge", "tt", true},
      {"disperses_exponential", "tt", true},
      {"disperses_worst", "tt", true},
      {"disperses_one_above", "tt", true},
      {"defined", "t", true},
      {"fits", "e", true},
      {"agree", "ttt", true},
      {"acyclic", "w+", true},
  });
  const auto* const found = std::ranges::find(kinds, name, &QuantityKind::name);
  return found == kinds.end() ? nullptr : found;
}

const ClaimQuantity* ClaimTerm::single() const {
  const auto* symbol = skeleton.as<theory::node::Symbol>();
  return symbol != nullptr && symbol->name == "_q0" && quantities.size() == 1 ? quantities.data() : nullptr;
}

}  // namespace gpe::checks
