// Random equivalent rewritings: the same function of n, written otherwise.
//
// Every step keeps the value at every integer n >= first for parameters in their domains, so no verdict may
// change. Steps that need a positive quantity are taken only where its shape proves it positive.
#pragma once

#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "theory/score/encoding.h"

namespace gpe::testing {

using theory::Expr;

/// What is known of an expression by its shape alone.
class Shape {
 public:
  /// @param positive, nonnegative  names of parameters whose domain says so
  Shape(std::int64_t first, std::set<std::string> positive, std::set<std::string> nonnegative)
      : first_(first), positive_(std::move(positive)), nonnegative_(std::move(nonnegative)) {}

  std::int64_t first() const { return first_; }
  bool positive(const Expr& e) const { return at_least(e, 0, true); }
  bool nonnegative(const Expr& e) const { return at_least(e, 0, false); }
  bool above_one(const Expr& e) const { return at_least(e, 1, true); }

 private:
  // e >= bound, or e > bound when strict; bound is 0 or 1.
  bool at_least(const Expr& e, int bound, bool strict) const;

  std::int64_t first_;
  std::set<std::string> positive_;
  std::set<std::string> nonnegative_;
};

/// Draws rewritings; equal seeds give equal ones on every machine.
class Rewriter {
 public:
  Rewriter(std::uint64_t seed, Shape shape) : random_(seed), shape_(std::move(shape)) {}

  /// One to four steps, each at a random place. With `disguises`, also conditions, floors and minima that
  /// change nothing.
  Expr operator()(const Expr& e, bool disguises = false);
  /// Names of the steps of the last call.
  const std::string& steps() const { return steps_; }
  std::size_t pick(std::size_t count) { return random_() % count; }

 private:
  Expr somewhere(const Expr& e, bool& done);
  std::optional<Expr> step(const Expr& e);
  std::optional<Expr> split_log(const Expr& x);
  std::optional<Expr> distributed(const Expr& e);
  std::optional<Expr> regrouped(const Expr& e);
  std::optional<Expr> power_as_exponential(const Expr& e);
  std::optional<Expr> exponential_split(const Expr& e);
  Expr growing();  // positive for every n >= 0

  std::mt19937_64 random_;
  Shape shape_;
  std::string steps_;
  bool disguises_ = false;
};

/// The parts of an encoding rewritten, each on its own.
theory::Encoding rewritten(const theory::Encoding& encoding, Rewriter& rewrite);
/// The shape that the domains of its parameters give.
Shape shape_of(const theory::Encoding& encoding);

}  // namespace gpe::testing
