#include "theory/exact/linear_system.h"

#include <algorithm>
#include <optional>

namespace gpe::theory {

namespace {

using Kind = LinearRow::Kind;

// a + factor·b
LinearRow combined(const LinearRow& a, const Rational& factor, const LinearRow& b, Kind kind) {
  LinearRow result = a;
  result.kind = kind;
  result.constant += factor * b.constant;
  for (const auto& [variable, coefficient] : b.coefficients) {
    Rational& mine = result.coefficients[variable];
    mine += factor * coefficient;
    if (mine.is_zero()) result.coefficients.erase(variable);
  }
  return result;
}

// A row without variables: true, or a contradiction.
bool holds_trivially(const LinearRow& row) {
  const int sign = row.constant.sign();
  switch (row.kind) {
    case Kind::at_least_zero:
      return sign >= 0;
    case Kind::positive:
      return sign > 0;
    case Kind::zero:
      return sign == 0;
  }
  return true;
}

// Uses an equation to remove its first variable from every other row; false when there is no equation left.
bool eliminate_equation(std::vector<LinearRow>& rows) {
  const auto found = std::ranges::find_if(
      rows, [](const LinearRow& row) { return row.kind == Kind::zero && !row.coefficients.empty(); });
  if (found == rows.end()) return false;
  const LinearRow equation = *found;
  rows.erase(found);
  const auto& [variable, pivot] = *equation.coefficients.begin();
  for (LinearRow& row : rows) {
    const auto mine = row.coefficients.find(variable);
    if (mine == row.coefficients.end()) continue;
    row = combined(row, -(mine->second / pivot), equation, row.kind);
  }
  return true;
}

}  // namespace

bool may_be_feasible(std::vector<LinearRow> rows, std::size_t most_rows) {
  while (eliminate_equation(rows)) {
  }
  for (;;) {
    std::optional<int> variable;
    for (const LinearRow& row : rows) {
      if (row.coefficients.empty()) {
        if (!holds_trivially(row)) return false;
      } else {
        variable = row.coefficients.begin()->first;
      }
    }
    if (!variable) return true;
    std::vector<LinearRow> lower;
    std::vector<LinearRow> upper;
    std::vector<LinearRow> rest;
    for (LinearRow& row : rows) {
      const auto found = row.coefficients.find(*variable);
      if (found == row.coefficients.end()) {
        rest.push_back(std::move(row));
      } else {
        (found->second.sign() > 0 ? lower : upper).push_back(std::move(row));
      }
    }
    if (lower.size() * upper.size() + rest.size() > most_rows) return true;
    for (const LinearRow& low : lower) {
      for (const LinearRow& high : upper) {
        const Rational factor = low.coefficients.at(*variable) / -high.coefficients.at(*variable);
        const bool strict = low.kind == Kind::positive || high.kind == Kind::positive;
        rest.push_back(combined(low, factor, high, strict ? Kind::positive : Kind::at_least_zero));
      }
    }
    rows = std::move(rest);
  }
}

}  // namespace gpe::theory
