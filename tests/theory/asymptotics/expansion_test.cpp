// Limits and expansions of random exp-log functions against their values far out, on balls.
//
// f = t1 + t2 + t3 + … says that f/t1 - 1 is close to t2/t1 and (f - t1)/t2 - 1 to t3/t2. Where those ratios
// are small at some reachable n, the values of f must show it.
#include <optional>

#include "tests/generators/exp_log.h"
#include "tests/theory/engine.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/decision.h"

namespace expansion_test {

using gpe::checks::Ball;
using gpe::testing::any_exp_log_text;
using gpe::testing::oracle;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Limit;
using gpe::theory::Rational;

constexpr int kTerms = 4;

struct Place {
  Rational n;
  long bits;
};

// Far first: where exponentials of exponentials are out of reach, a nearer one may do.
const std::vector<Place>& places() {
  static const std::vector<Place> list = {{Rational(10).pow(1000), 16384},
                                          {Rational(10).pow(100), 4096},
                                          {Rational(10).pow(12), 2048},
                                          {Rational(1000), 8192},
                                          {Rational(40), 2048}};
  return list;
}

std::optional<Ball> known(const Expr& f, const Place& place) {
  Ball result = gpe::testing::value(f, {{"n", place.n}}, place.bits);
  if (!result.is_finite() || (!result.surely_zero() && result.relative_bits() < 64)) return std::nullopt;
  return result;
}

// |a/b - 1|
Ball off_one(const Ball& a, const Ball& b, long bits) {
  return gpe::checks::abs(gpe::checks::sub(gpe::checks::div(a, b, bits), Ball(1), bits));
}

// |a/b - 1| <= bound, proved; nothing when not known there.
std::optional<bool> ratio_is_near_one(const Ball& a, const Ball& b, const Rational& bound, long bits) {
  if (!b.surely_nonzero()) return std::nullopt;
  const Ball off = off_one(a, b, bits);
  const Ball most(bound, bits);
  if (off.surely_at_most(most)) return true;
  if (most.surely_less(off)) return false;
  return std::nullopt;
}

bool smaller_by(const Ball& a, const Ball& b, const Rational& factor, long bits) {
  return gpe::checks::abs(a).surely_at_most(gpe::checks::mul(gpe::checks::abs(b), Ball(factor, bits), bits));
}

// Whether |f/term - 1| is smaller at the place than at half its n, as it is where f has a term in a smaller
// scale (3 beside sqrt(n) sin(1/log n), whose terms all lie above it) and the place is too near to see that.
bool still_shrinks(const Expr& f, const Expr& term, const Ball& off, const Place& place) {
  const Place nearer{place.n / Rational(2), place.bits};
  const auto value = known(f, nearer);
  const auto about = known(term, nearer);
  return value && about && smaller_by(off, off_one(*value, *about, place.bits), Rational(9, 10), place.bits);
}

// Whether the last term is less than e^-n of the first at the place, where a term without its own scale
// (e^-n, of Stirling's series at e^n, beside e^(-log(n)^4)) may still be the larger one.
bool is_too_near(const std::vector<Ball>& values, const Place& place) {
  const Ball decay = gpe::testing::value(gpe::theory::exp(-Expr::symbol("n")), {{"n", place.n}}, place.bits);
  const Ball bound = gpe::checks::mul(gpe::checks::abs(values.front()), decay, place.bits);
  return gpe::checks::abs(values.back()).surely_less(bound);
}

enum class Finding { agrees, contradicts, out_of_reach };

// Whether f ~ terms[0] and f - terms[0] ~ terms[1], at a place where each term is below a twentieth of the
// one before it. A last term stands for all the rest.
Finding shows(const Expr& f, const std::vector<Expr>& terms) {
  for (const Place& place : places()) {
    std::vector<Ball> values;
    bool settled = true;
    for (const Expr& term : terms) {
      const auto here = known(term, place);
      settled = settled && here &&
                (values.empty() || smaller_by(*here, values.back(), Rational(1, 20), place.bits));
      if (!settled) break;
      values.push_back(*here);
    }
    if (!settled) continue;
    Expr rest = f;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, terms.size()); ++i) {
      const bool last = i + 1 == terms.size();
      const auto here = known(rest, place);
      if (!here) return Finding::out_of_reach;
      const auto near = ratio_is_near_one(
          *here, values[i],
          last && static_cast<int>(terms.size()) < kTerms ? Rational(2).pow(-32) : Rational(1, 4),
          place.bits);
      if (!near) return Finding::out_of_reach;
      if (!*near) {
        return still_shrinks(rest, terms[i], off_one(*here, values[i], place.bits), place) ||
                       is_too_near(values, place)
                   ? Finding::out_of_reach
                   : Finding::contradicts;
      }
      rest = rest - terms[i];
    }
    return Finding::agrees;
  }
  return Finding::out_of_reach;
}

Finding shows_zero(const Expr& f) {
  for (const Place& place : places()) {
    const Ball here = gpe::testing::value(f, {{"n", place.n}}, place.bits);
    if (!here.is_finite()) continue;
    return here.may_be_zero() ? Finding::agrees : Finding::contradicts;
  }
  return Finding::out_of_reach;
}

void expect_terms_are_seen(const std::string& text) {
  const Expr f = gpe::testing::exp_log_expression(text);
  const Context context(oracle(), gpe::theory::Budget(std::chrono::seconds(1)).question());
  std::vector<Expr> terms;
  try {
    terms = dominant_terms(f, kTerms, context);
  } catch (const gpe::theory::Undefined&) {
    RC_TAG("undefined");
    return;
  } catch (const gpe::theory::Undecided&) {
    RC_TAG("undecided");
    return;
  }
  RC_LOG() << text << "\n";
  for (const Expr& term : terms) RC_LOG() << "  + " << to_text(term) << "\n";
  if (terms.empty()) {
    RC_ASSERT(shows_zero(f) != Finding::contradicts);
    RC_TAG("zero");
    return;
  }
  if (static_cast<int>(terms.size()) < kTerms) RC_LOG() << "  and nothing else\n";
  const Finding finding = shows(f, terms);
  RC_ASSERT(finding != Finding::contradicts);
  RC_TAG(finding == Finding::agrees ? "seen" : "out of reach");
}

RC_GTEST_PROP(Expansion, its_first_terms_are_seen_in_the_values_far_out, ()) {
  expect_terms_are_seen(*any_exp_log_text());
}

RC_GTEST_PROP(Expansion, those_of_special_functions_too, ()) {
  expect_terms_are_seen(*gpe::testing::any_special_text());
}

}  // namespace expansion_test
