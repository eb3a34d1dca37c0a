// Which of two laws has the larger entropy, mean distance, local range, window or reach (docs/compare.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checks/arb/big_count.h"
#include "checks/sums/sums.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

enum class ComparedQuantity {
  entropy,
  mean_distance,
  local_range,
  window,
  reach,
  self_reach,
  deviation,   ///< of A(n) on spheres, at one distance
  probability  ///< P(A(n) >= C1) on spheres, at one distance
};

struct ComparisonOptions {
  theory::Rational threshold = 1;            ///< C1
  theory::Rational epsilon{1, 1000};         ///< of the window
  theory::Rational weight{1, 2};             ///< of the reach
  theory::Rational content_bound = 1;        ///< B of window and reach; |q||k|/√d on spheres
  std::optional<theory::Rational> distance;  ///< n of the quantities on spheres
  int digits = 30;
};

/// Those that are compared: with a distance also the two on spheres.
std::vector<ComparedQuantity> quantities(const ComparisonOptions& options);
/// "entropy", "local-range", …
std::string name_of(ComparedQuantity quantity);
/// "window for 1/1000, B = 1", …
std::string title_of(ComparedQuantity quantity, const ComparisonOptions& options);
/// Whether it changes continuously with the parameters of a law: real numbers, not counts.
bool is_continuous(ComparedQuantity quantity);

/// A number, or a count of tokens.
struct Amount {
  bool is_count = false;
  EnclosedNumber number;
  BigCount count;
};
/// Undecided parts are values with a reason; nothing is thrown.
Amount amount_of(const theory::ScoreFunction& law, ComparedQuantity quantity,
                 const ComparisonOptions& options, int digits, const theory::Context& context);

/// Which one is larger. A window that does not exist (`none`) is larger than any; a range or reach that does
/// not exist is smaller than any.
enum class Order { first, second, tie, undecided };
std::string name_of(Order order);
struct Ordered {
  Order order = Order::undecided;
  std::string reason;    ///< of a tie or of what is undecided
  bool overlap = false;  ///< undecided, and more digits may decide it
};
Ordered compare(const Amount& first, const Amount& second, ComparedQuantity quantity);

/// A proof that b(n) is the same at every n, over the same distances; `with_content`: and so are f and ‖W‖.
bool same_scores(const theory::ScoreFunction& first, const theory::ScoreFunction& second, bool with_content,
                 const theory::Context& context);

/// All exponents that are rounded to the digits of this one. @pre Kind::log10
Ball exponent_of(const BigCount& count);

struct Comparison {
  ComparedQuantity quantity = ComparedQuantity::entropy;
  Amount first;
  Amount second;
  Ordered larger;
};
using AmountTo = std::function<Amount(int digits)>;
/// With up to four times the digits while two enclosures overlap.
Comparison compare(const AmountTo& first, const AmountTo& second, ComparedQuantity quantity, int digits);
/// The same for two closed laws, and a tie when the scores are the same.
Comparison compare(const theory::ScoreFunction& first, const theory::ScoreFunction& second,
                   ComparedQuantity quantity, const ComparisonOptions& options,
                   const theory::Context& context);

}  // namespace gpe::checks
