#include "checks/halfline/block_search.h"

#include <algorithm>

namespace gpe::checks {

using theory::Rational;

namespace {

class Search {
 public:
  Search(const Statement& statement, const theory::Context& context, int most_steps, long bits)
      : statement_(statement), context_(context), steps_left_(most_steps), bits_(bits) {}

  // Whether every n in [low, high] was settled; false: the steps ran out. Sets fails_at and stops at a
  // failure.
  bool settle(const Rational& low, const Rational& high) {
    if (--steps_left_ < 0) return false;
    context_.check_time();
    if (low == high) {
      if (!statement_.holds_at(low)) fails_at = low;
      return true;
    }
    if (statement_.holds_on(block(low, high, bits_))) return true;
    const Rational middle = ((low + high) / Rational(2)).floor();
    if (!settle(low, middle)) return false;
    return fails_at || settle(middle + Rational(1), high);
  }

  bool holds_from(const Rational& low) {
    --steps_left_;
    if (statement_.holds_on(block(low, std::nullopt, bits_))) return true;
    return statement_.holds_from && statement_.holds_from(low);
  }

  std::optional<Rational> fails_at;

 private:
  const Statement& statement_;
  const theory::Context& context_;
  int steps_left_;
  long bits_;
};

}  // namespace

SearchResult first_failure(const Statement& statement, const Rational& first,
                           const std::optional<Rational>& last, const theory::Context& context,
                           int most_steps, long bits) {
  static const Rational most = Rational(10).pow(30);
  Search search(statement, context, most_steps, bits);
  SearchResult result{std::nullopt, false, first};
  Rational low = first;
  Rational length(1);
  while (low <= most) {
    if (last && low > *last) {
      result.proved_everywhere = true;
      return result;
    }
    if (!last && search.holds_from(low)) {
      result.proved_everywhere = true;
      return result;
    }
    Rational high = low + length - Rational(1);
    if (last) high = std::min(high, *last);
    const bool settled = search.settle(low, high);
    if (search.fails_at) {
      result.fails_at = search.fails_at;
      result.checked_below = *search.fails_at;
      return result;
    }
    if (!settled) return result;
    low = high + Rational(1);
    result.checked_below = low;
    length *= Rational(2);
  }
  return result;
}

}  // namespace gpe::checks
