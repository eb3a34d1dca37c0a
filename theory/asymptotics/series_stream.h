// A series (multiseries.h): a lazy stream of terms in powers of a generator, or a constant.
// Tests: tests/theory/asymptotics/expansion_test.cpp
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "theory/exact/form.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

struct Series;
using SeriesPtr = std::shared_ptr<const Series>;

struct SeriesTerm {
  SeriesPtr coefficient;  ///< may turn out to be zero
  Form exponent;
};

/// A lazy list of terms, exponents decreasing.
struct StreamCell;
struct LazyStream;
using Stream = std::shared_ptr<LazyStream>;
struct StreamCell {
  SeriesTerm term;
  Stream next;
};
struct LazyStream {
  std::function<std::shared_ptr<const StreamCell>()> compute;  ///< empty once computed
  std::shared_ptr<const StreamCell> value;                     ///< null: the end
};

/// Tends to infinity. `log` is its logarithm as a series in smaller generators; null for the last of the
/// chain n, log n, log log n, … until asked for.
struct Generator {
  Expr expression;
  SeriesPtr log;
  int chain = -1;    ///< k for the k-fold logarithm of n, else -1
  int position = 0;  ///< place in the scale, 0 largest
};

struct Series {
  Expr expression;
  const Generator* head = nullptr;  ///< null: the constant `constant`
  Form constant;
  Stream terms;
};

inline Stream lazy(std::function<std::shared_ptr<const StreamCell>()> compute) {
  return std::make_shared<LazyStream>(LazyStream{std::move(compute), nullptr});
}

inline Stream ended() { return std::make_shared<LazyStream>(LazyStream{nullptr, nullptr}); }

inline Stream cons(SeriesTerm term, Stream next) {
  return std::make_shared<LazyStream>(
      LazyStream{nullptr, std::make_shared<const StreamCell>(StreamCell{std::move(term), std::move(next)})});
}

inline bool is_constant(const SeriesPtr& f) { return f->head == nullptr; }
inline bool is_exact_zero(const SeriesPtr& f) { return is_constant(f) && f->constant.is_zero(); }
inline bool is_exact_one(const SeriesPtr& f) { return is_constant(f) && f->constant.is_rational(1); }

}  // namespace gpe::theory
