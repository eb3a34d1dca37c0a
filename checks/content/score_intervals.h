// The tokens of a law whose contents are only known to be bounded: token n has its score anywhere in [l_n,
// u_n].
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "checks/sums/range_sums.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// One token, or several alike.
struct Token {
  theory::Rational n;  ///< its distance
  Ball low;
  Ball high;
  int copies = 1;
};

/// κ = (u e^u - l e^l)/(e^u - e^l): the slope of w log w between its ends; nothing when they are equal.
std::optional<Ball> kappa(const Ball& low, const Ball& high, long bits);

/// Whether f is proved not to increase on [from, ∞).
bool never_rises(const theory::Expr& f, std::int64_t from, const theory::Context& context);

/// Whether a score is proved not to increase from the first token on.
bool falls_from_first(const theory::Expr& score, std::int64_t first, const theory::Context& context);

/// What the tokens after the list are wanted for: sums alone; that b and a_n do not increase, or u and l do
/// not; or sums of entropy too, with u and l not increasing, so that κ does not
/// (docs/readings.md#the-entropy-band).
enum class Wants { sums, falling, entropy };

/// A list of tokens, then (for laws) the tokens first … last or first … ∞, in the order asked for, or else
/// with a weight that is negligible beside that of the list, and in no order.
class ScoreIntervals {
 public:
  /// For measured ranges: every token is listed.
  ScoreIntervals(std::vector<Token> tokens, long bits) : head_(std::move(tokens)), bits_(bits) {}

  /// @param law    closed, L put in; @param bound  B;  @param length  none: infinitely many tokens
  /// @param wants  with entropy, Σ A e^A must converge where Σ e^A does
  /// @throws theory::Undecided  where that is not proved of distances for all large n, and the tokens are too
  /// many to be listed and do not become negligible
  static ScoreIntervals of(const theory::ScoreFunction& law, const theory::Rational& bound,
                           const std::optional<theory::Rational>& length, Wants wants, int digits,
                           const theory::Context& context);

  const std::vector<Token>& head() const { return head_; }
  bool has_tail() const { return high_ != nullptr; }
  bool infinite() const { return has_tail() && !high_->last(); }
  /// @pre has_tail()
  RangeSums& high() const { return *high_; }
  RangeSums& low() const { return *low_; }
  int copies() const { return copies_; }  ///< of every token of the tail
  /// Σ e^u and Σ u e^u of the tokens beyond the list where they are negligible; has_tail() is false then.
  const Moments& negligible() const { return negligible_; }
  theory::Rational tail_first() const { return theory::Rational(high_->first()); }
  Ball tail_kappa(const theory::Rational& n) const;
  const std::optional<Ball>& sink() const { return sink_; }  ///< e^sink, in the denominator of weights
  long bits() const { return bits_; }

 private:
  // Leaves the tail where it has less than 10^-digits of the weight of its first token: the last token that
  // is to be listed, or one that is too far.
  std::int64_t list_until_negligible(std::int64_t listed_to, int digits);

  std::vector<Token> head_;
  std::shared_ptr<RangeSums> high_;
  std::shared_ptr<RangeSums> low_;
  theory::Expr bias_ = theory::Expr(0);
  theory::Expr amplitude_ = theory::Expr(0);
  int copies_ = 1;
  Moments negligible_{Ball(0), Ball(0), Ball(0)};
  std::optional<Ball> sink_;
  long bits_;
};

/// Σ e^l and Σ l e^l over all tokens, all at their lowest, less those that are negligible.
Moments all_low(const ScoreIntervals& box);

}  // namespace gpe::checks
