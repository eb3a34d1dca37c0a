#include "checks/halfline/tail_claims.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/generators/tail_text.h"
#include "theory/asymptotics/limit.h"

using gpe::checks::Ball;
using gpe::checks::evaluate;
using gpe::checks::prove_leading_term;
using gpe::checks::prove_on_scale;
using gpe::checks::ScaleClaim;
using gpe::checks::Threshold;
using gpe::testing::parsed;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Rational;
using gpe::theory::SumDecision;

namespace tail_claims_test {

constexpr long kBits = 1500;
const gpe::checks::BallOracle oracle;

Context limited() { return {oracle, gpe::theory::Budget(std::chrono::seconds(5)).question()}; }

// Integers from the threshold on: N, N + 1, then farther and farther.
std::vector<Rational> points_from(const Threshold& threshold) {
  std::vector<Rational> result;
  if (!threshold.first_integer) return result;
  const Rational& n = *threshold.first_integer;
  if (n.bits() > 1000) return result;
  for (const Rational& step :
       {Rational(0), Rational(1), Rational(2), n, n * Rational(100), Rational(10).pow(12)})
    result.push_back(n + step);
  result.push_back(n * n);
  result.push_back(n.pow(5));
  return result;
}

Ball at(const Expr& expression, const Rational& n) {
  return evaluate(expression, {{"n", Ball(n, kBits)}}, kBits);
}

// L_j(n)
Ball iterated_log(Ball x, int j) {
  for (; j > 0; --j) x = log(x, kBits);
  return x;
}

// The inequality of the claim, at one n.
bool holds_at(const ScaleClaim& claim, const Expr& score, const Rational& n) {
  const Ball x(n, kBits);
  Ball right = claim.converges ? Ball(claim.constant, kBits) : neg(Ball(claim.constant, kBits));
  for (int j = 1; j <= claim.level; ++j) right = sub(right, iterated_log(x, j), kBits);
  const Ball factor(claim.converges ? Rational(1) + claim.eta : Rational(1), kBits);
  right = sub(right, mul(factor, iterated_log(x, claim.level + 1), kBits), kBits);
  const Ball left = at(score, n);
  return claim.converges ? left.surely_at_most(right) : right.surely_at_most(left);
}

std::optional<ScaleClaim> by_iterated_logs(const std::string& score) {
  const Context context = limited();
  return prove_on_scale(parsed(score), decide_sum(parsed(score), context), context);
}

std::optional<Threshold> leading(const std::string& text) {
  return prove_leading_term(parsed(text), limited());
}

TEST(TailClaims, a_ladder_claim_holds_from_its_threshold_on) {
  int drawn = 0;
  int proved = 0;
  EXPECT_TRUE(rc::check([&] {
    ++drawn;
    // -a n^p - c1 log n - c2 log log n - c3 log log log n + something small: sums decided by the first
    // coefficient that differs from 1
    const auto coefficient = [] {
      return *rc::gen::element<std::string>("0", "1/2", "1", "1", "1", "11/10", "3/2", "2", "-1", "101/100");
    };
    std::string text = "-(" + coefficient() + ")*log(n + 2) - (" + coefficient() + ")*log(log(n + 3)) - (" +
                       coefficient() + ")*log(log(log(n + 30)))";
    text += *rc::gen::element<std::string>("", "", " - n/100", " - sqrt(n)", " + 7", " + sin(n)", " - 3/n",
                                           " + log(n)/n", " - n^(1/10)", " + exp(-n)", " - floor(n/1000)");
    RC_LOG() << text << "\n";
    const Expr score = parsed(text);
    const Context context = limited();
    SumDecision decision;
    try {
      decision = decide_sum(score, context);
    } catch (const gpe::theory::Undecided&) {
      return;
    }
    const auto claim = prove_on_scale(score, decision, context);
    if (!claim) return;
    ++proved;
    RC_ASSERT(claim->converges == decision.converges);
    for (const Rational& n : points_from(claim->threshold)) RC_ASSERT(holds_at(*claim, score, n));
  }));
  EXPECT_GT(5 * proved, 2 * drawn);
}

TEST(TailClaims, no_claim_for_the_opposite_of_the_truth) {
  const auto coefficient = [] {
    return *rc::gen::element(Rational(1, 2), Rational(1), Rational(1), Rational(11, 10), Rational(2));
  };
  EXPECT_TRUE(rc::check([&] {
    const std::vector<Rational> c = {coefficient(), coefficient(), coefficient()};
    const Expr n = Expr::symbol("n");
    const Expr score = -Expr(c[0]) * log(n) - Expr(c[1]) * log(log(n)) - Expr(c[2]) * log(log(log(n)));
    // Bertrand: Σ n^-c0 (log n)^-c1 (log log n)^-c2 converges iff (c0, c1, c2) > (1, 1, 1) lexicographically
    const bool converges = c > std::vector<Rational>(3, Rational(1));
    RC_ASSERT(decide_sum(score, limited()).converges == converges);
    for (int level = 0; level <= 3; ++level) {
      SumDecision wrong;
      wrong.converges = !converges;
      wrong.level = level;
      RC_ASSERT(!prove_on_scale(score, wrong, limited()).has_value());
    }
  }));
}

TEST(TailClaims, the_bound_of_a_convergent_tail_exceeds_the_tail) {
  // Σ_{n > N} e^A <= e^C·L_level(N)^-eta/eta against sums of many terms.
  for (const char* text :
       {"-2*log(n + 1)", "-n/10", "-sqrt(n) - log(1 + n)", "-log(n) - 2*log(log(n))", "-3*log(n) + 2"}) {
    const auto claim = by_iterated_logs(text);
    ASSERT_TRUE(claim && claim->converges && claim->threshold.first_integer) << text;
    const std::int64_t start = *claim->threshold.first_integer->to_int64();
    Ball bound = iterated_log(Ball(start), claim->level);
    bound = exp(sub(Ball(claim->constant, 64), mul(Ball(claim->eta, 64), log(bound, 64), 64), 64), 64);
    bound = div(bound, Ball(claim->eta, 64), 64);
    Ball sum(0);
    const Expr score = parsed(text);
    for (std::int64_t n = start + 1; n < start + 20000; ++n)
      sum = add(sum, exp(evaluate(score, {{"n", Ball(n)}}, 64), 64), 64);
    EXPECT_TRUE(sum.surely_less(bound)) << text;
  }
}

TEST(TailClaims, levels_and_verdicts_of_known_sums) {
  const auto check = [](const std::string& text, bool converges, int level) {
    const auto claim = by_iterated_logs(text);
    ASSERT_TRUE(claim.has_value()) << text;
    EXPECT_EQ(claim->converges, converges) << text;
    EXPECT_EQ(claim->level, level) << text;
  };
  check("-2*log(n)", true, 0);
  check("-n/256", true, 0);
  check("-log(n)/2", false, 0);
  check("0", false, 0);
  check("-log(n) - 2*log(log(n))", true, 1);
  check("-log(n) - log(log(n))/2", false, 1);
  check("-log(n) - log(log(n)) - 2*log(log(log(n)))", true, 2);
}

TEST(TailClaims, the_first_term_exceeds_the_rest_from_the_threshold_on) {
  int proved = 0, drawn = 0;
  EXPECT_TRUE(rc::check([&] {
    for (int k = 0; k < 3; ++k) {
      ++drawn;
      const Expr expression = *gpe::testing::tail_expression(2);
      const Context context = limited();
      const auto threshold = prove_leading_term(expression, context);
      if (!threshold) continue;
      ++proved;
      std::vector<Expr> terms;
      try {
        terms = dominant_terms(expression, 1, context);
      } catch (const gpe::theory::Undecided&) {
        continue;
      }
      RC_ASSERT(terms.size() == 1U);
      for (const Rational& n : points_from(*threshold)) {
        const Ball lead = at(terms.front(), n);
        const Ball rest = sub(at(expression, n), lead, kBits);
        if (!lead.is_finite() || !rest.is_finite()) continue;
        RC_ASSERT(!abs(lead).surely_less(abs(rest)));
      }
    }
  }));
  EXPECT_GT(3 * proved, drawn);
}

TEST(TailClaims, a_positive_rest_may_exceed_the_first_term_for_long) {
  // n > 1000 log n from n = 9119 on
  const auto threshold = leading("n + 1000*log(n)");
  ASSERT_TRUE(threshold && threshold->first_integer);
  EXPECT_GE(*threshold->first_integer, Rational(9119));
  const auto fraction = leading("1/n + 100/n^2");
  ASSERT_TRUE(fraction && fraction->first_integer);
  EXPECT_GE(*fraction->first_integer, Rational(100));
}

TEST(TailClaims, no_leading_term_is_proved_where_there_is_none) {
  for (const char* text : {"sin(n)", "n*sin(n)", "n - n", "log(-n)", "1 + sin(n)", "floor(sin(n))"}) {
    EXPECT_FALSE(leading(text).has_value()) << text;
  }
}

TEST(TailClaims, thresholds_in_words) {
  EXPECT_EQ(to_text(Threshold{1, 3, Rational(21)}), "n >= 21");
  EXPECT_EQ(to_text(Threshold{2, 50, std::nullopt}), "log(log(n)) >= 50");
  EXPECT_EQ(to_text(Threshold{3, {6, 5}, std::nullopt}), "log(log(log(n))) >= 6/5");
}

}  // namespace tail_claims_test
