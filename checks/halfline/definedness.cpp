#include "checks/halfline/definedness.h"

#include <chrono>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/block_search.h"
#include "checks/halfline/plane_search.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/polynomial.h"
#include "theory/score/defined_at.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::chrono::seconds kSearchTime(2);
constexpr int kMaxSteps = 3000;

// L written as n + beyond; polynomials collected, so that ranges of L - n are those of `beyond`.
Expr with_length_beyond(const Expr& function, const std::string& beyond, const Context& context) {
  const Expr put_in =
      substitute(function, theory::kLength, Expr::symbol(theory::kIndex) + Expr::symbol(beyond));
  return rewrite(put_in, [&](const Expr& part) {
    return part.as<theory::node::Add>() != nullptr && is_polynomial(part) ? simplify(part, context) : part;
  });
}

// One function of the law: refused where it has no value somewhere, and what is open about it.
class Question {
 public:
  Question(const Expr& function, const std::string& what, const std::string& source, const Context& context)
      : function_(function), what_(what), source_(source), context_(context) {}

  // What is assumed; nothing when the function is proved to have a value at every n from `first` to `last`.
  std::optional<std::string> of_constant() const {
    const auto trouble = theory::why_undefined_at(function_, Rational(0), std::nullopt, context_);
    if (!trouble) return what_ + " is assumed to have a value (not settled: " + trouble.reason() + ")";
    if (*trouble) refuse("", **trouble);
    return std::nullopt;
  }

  std::optional<std::string> of_distance(const Rational& first, const std::optional<Rational>& last) {
    const Statement defined{[&](const Range& n) {
                              return over(function_, {{theory::kIndex, n}}).defined;
                            },
                            [&](const Rational& n) { return holds_at(n, std::nullopt); }};
    const auto searched = theory::attempt<theory::TimeUp>(
        [&] { return first_failure(defined, first, last, context_, kMaxSteps); });
    if (searched && searched->fails_at) {
      const Rational& n = *searched->fails_at;
      const auto next = theory::why_undefined_at(function_, Rational(1), std::nullopt, context_);
      const bool at_the_query = n.is_zero() && next && !*next;
      refuse(
          " at n = " + n.str(),
          reason_ +
              (at_the_query
                   ? "; n begins at 0, the query itself: write 1 + n for n, or first = 1 for keys before it"
                   : ""));
    }
    if (searched && searched->proved_everywhere && open_.empty()) return std::nullopt;
    return assumed("at every n", searched ? "seen below n = " + searched->checked_below.str() : "time is up");
  }

  // Of the n and L with first <= n <= last and n <= L.
  std::optional<std::string> of_distance_and_length(const Rational& first,
                                                    const std::optional<Rational>& last) {
    static const std::string kBeyond = "beyond";
    const Expr function = with_length_beyond(function_, kBeyond, context_);
    const PlaneStatement defined{
        [&](const Range& n, const Range& beyond) {
          return over(function, {{theory::kIndex, n}, {kBeyond, beyond}}).defined;
        },
        [&](const Rational& n, const Rational& beyond) { return holds_at(n, n + beyond); }};
    const Statement on_diagonal{
        [&](const Range& n) {
          return over(function, {{theory::kIndex, n}, {kBeyond, block(0, Rational(0), kSearchBits)}}).defined;
        },
        [&](const Rational& n) { return holds_at(n, n); }};
    const auto searched = theory::attempt<theory::TimeUp>([&] {
      auto result =
          first_failure_in_plane(defined, {first, last}, {Rational(0), std::nullopt}, context_, kMaxSteps);
      if (result.fails_at || result.proved_everywhere) return result;
      if (const auto n = first_failure(on_diagonal, first, last, context_, kMaxSteps).fails_at)
        result.fails_at = {*n, Rational(0)};
      return result;
    });
    if (searched && searched->fails_at) {
      const auto& [n, beyond] = *searched->fails_at;
      refuse(" at n = " + n.str() + ", L = " + (n + beyond).str(), reason_);
    }
    if (searched && searched->proved_everywhere && open_.empty()) return std::nullopt;
    return assumed("at every n and L",
                   searched ? "seen below L = " + searched->checked_below.str() : "time is up");
  }

 private:
  Range over(const Expr& function, const std::vector<std::pair<std::string, Range>>& blocks) const {
    return over_blocks(function, blocks, kSearchBits, context_.budget());
  }

  bool holds_at(const Rational& n, const std::optional<Rational>& length) {
    const auto trouble = theory::why_undefined_at(function_, n, length, context_);
    if (!trouble) {
      if (open_.empty()) open_ = "n = " + n.str() + (length ? ", L = " + length->str() : "");
      return true;  // an undecided constant does not justify refusing the file
    }
    if (*trouble) reason_ = **trouble;
    return !*trouble;
  }

  [[noreturn]] void refuse(const std::string& where, const std::string& reason) const {
    throw theory::SpecError(source_ + ": " + what_ + " is undefined" + where + ": " + reason);
  }

  std::string assumed(const std::string& where, const std::string& seen) const {
    return what_ + " is assumed to have a value " + where + " (" +
           (open_.empty() ? seen : "not settled at " + open_) + ")";
  }

  const Expr& function_;
  const std::string& what_;
  const std::string& source_;
  const Context& context_;
  std::string reason_;
  std::string open_;  // where a constant resists first
};

}  // namespace

std::vector<std::string> require_defined(const theory::ScoreFunction& open, const std::string& source,
                                         const Context& base) {
  const theory::ScoreFunction law = at_values(open);
  const Context context = base.within(theory::Budget(kSearchTime).question());
  const Rational first(law.first);
  const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
  std::vector<std::string> assumed;
  const auto check = [&](const Expr& function, const std::string& what) {
    Question question(function, what, source, context);
    const auto open_about = [&] {
      if (function.mentions(theory::kLength)) return question.of_distance_and_length(first, last);
      if (function.mentions(theory::kIndex) || !theory::free_symbols(function).empty())
        return question.of_distance(first, last);
      return question.of_constant();
    }();
    if (open_about) assumed.push_back(*open_about);
  };
  for (const auto& [function, name] : functions_of(law)) check(function, name);
  return assumed;
}

}  // namespace gpe::checks
