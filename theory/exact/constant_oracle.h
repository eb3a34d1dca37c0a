// The one question theory/ cannot answer by exact arithmetic: where a closed constant lies. checks/ answers
// it with balls; a caller may answer "unknown" (nullopt) to everything and still get only sound verdicts.
// Tests: tests/theory/exact/context_test.cpp
#pragma once

#include <optional>

#include "theory/expression/expr.h"

namespace gpe::theory {

struct RationalInterval {
  Rational low;
  Rational high;  ///< low <= value <= high, proved
};

class ConstantOracle {
 public:
  ConstantOracle() = default;
  ConstantOracle(const ConstantOracle&) = delete;
  ConstantOracle& operator=(const ConstantOracle&) = delete;
  virtual ~ConstantOracle() = default;

  /// The sign of an expression without free symbols, from an enclosure with about `bits` bits; 0 only when
  /// the enclosure is the point 0. Nothing when the enclosure contains 0 beside other numbers, or is
  /// undefined.
  virtual std::optional<int> sign(const Expr& closed, int bits) const = 0;
  /// Proved bounds. Nothing when undefined, not enclosed at this precision, or beyond 2^(2^20).
  virtual std::optional<RationalInterval> enclose(const Expr& closed, int bits) const = 0;
};

/// Knows rationals only.
class NoOracle final : public ConstantOracle {
 public:
  std::optional<int> sign(const Expr& closed, int /*bits*/) const override {
    if (const Rational* value = closed.number()) return value->sign();
    return std::nullopt;
  }
  std::optional<RationalInterval> enclose(const Expr& closed, int /*bits*/) const override {
    if (const Rational* value = closed.number()) return RationalInterval{*value, *value};
    return std::nullopt;
  }
};

}  // namespace gpe::theory
