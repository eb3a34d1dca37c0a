// M(n) = f(n) W(n), which the gradient ∂A/∂q = M(n) k/√d is made of, block by block: is it the same at two
// distances, of the same size, a multiple of the same matrix?
// Tests: tests/theory/properties/gps_test.cpp, tests/theory/properties/gps_definition_test.cpp
#pragma once

#include <optional>
#include <vector>

#include "theory/score/score_function.h"

namespace gpe::theory {

/// The entropy H(n) in an expression at n = m, written out (m small).
Expr with_cut_entropy(const ScoreFunction& law, const Expr& expression, std::int64_t m);
bool mentions_cut_entropy(const Expr& expression);

/// With scores that depend on L, all answers are for all large L.
class GradientMatrix {
 public:
  enum class Of { gradient, transform };  ///< f(n) W(n), or W(n) alone
  GradientMatrix(const ScoreFunction& law, Of which, const Context& context);

  /// M(n) is factor(n) times a rotation by angle(n), or along an axis that stays (hyperbolic blocks have
  /// two).
  struct Block {
    Expr factor;
    Expr angle;
    bool turns;    ///< the angle mentions n
    bool unknown;  ///< it is not given by the law
  };
  const std::vector<Block>& blocks() const { return blocks_; }

  // At two distances; nothing where it is not settled. `changed` is told the block.
  std::optional<bool> size_differs(std::int64_t n, std::int64_t from, const Block** changed = nullptr) const;
  std::optional<bool> differs(std::int64_t n, std::int64_t from) const;
  std::optional<bool> is_zero(std::int64_t n) const;
  /// Whether M(n) is not a multiple of M(from). @pre M(from) is not zero
  std::optional<bool> leaves_line(std::int64_t n, std::int64_t from) const;

  // At every n >= start, proved; false: not seen.
  bool same_size_from(std::int64_t start, std::int64_t from) const;
  bool same_from(std::int64_t start, std::int64_t from) const;
  bool on_line_from(std::int64_t start, std::int64_t from) const;

 private:
  Form factor_at(const Block& block, std::int64_t n) const;
  std::optional<bool> zero(const Form& form) const;
  /// Whether the angles at n and `from` differ by whole turns, and half a turn more.
  std::optional<bool> whole_turns(const Expr& change, bool half) const;
  Expr change_of_angle(const Block& block, std::int64_t n, std::int64_t from) const;
  bool evaluates(const Block& block, std::int64_t n) const;
  std::optional<bool> block_differs(const Block& block, std::int64_t n, std::int64_t from) const;
  std::optional<bool> leaves_line(const Block& block, const Block& pivot, std::int64_t n,
                                  std::int64_t from) const;
  /// A block that is not zero at n. @throws Undecided
  const Block& pivot(std::int64_t n) const;

  const ScoreFunction& law_;
  const Context& context_;
  std::vector<Block> blocks_;
};

}  // namespace gpe::theory
