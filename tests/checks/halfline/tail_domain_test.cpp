#include "checks/halfline/tail_domain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/tail_values.h"
#include "tests/generators/show.h"

using gpe::checks::Ball;
using gpe::checks::NotProved;
using gpe::checks::TailDomain;
using gpe::checks::TailGenerator;
using gpe::checks::TailMonomial;
using gpe::checks::TailSum;
using gpe::testing::points_of;
using gpe::testing::value_at;
using gpe::theory::Context;
using gpe::theory::Rational;

namespace tail_domain_test {

constexpr long kBits = 600;
const gpe::checks::BallOracle oracle;

// Powers between -3 and 3, most of them 0.
TailMonomial any_monomial(std::size_t generators) {
  TailMonomial result;
  for (std::size_t i = 0; i < generators; ++i) {
    result.powers.push_back(*rc::gen::element(Rational(0), Rational(0), Rational(1), Rational(-1),
                                              Rational(1, 2), Rational(-3, 2), Rational(3), Rational(-3),
                                              Rational(1, 10)));
  }
  return result;
}

TEST(TailDomain, a_ratio_bound_holds_all_along_the_half_line) {
  int drawn = 0;
  int bounded = 0;
  const Context context(oracle);
  EXPECT_TRUE(rc::check([&] {
    const int depth = *rc::gen::inRange(1, 4);
    const Rational ell = *rc::gen::element(Rational(6, 5), Rational(3, 2), Rational(2), Rational(4));
    std::vector<TailGenerator> generators = TailDomain::chain(depth);
    if (*rc::gen::arbitrary<bool>()) {  // exp(n^p) or exp(n^p log n) among them
      TailMonomial size{std::vector<Rational>(generators.size())};
      size.powers[0] = *rc::gen::element(Rational(1), Rational(1, 2), Rational(2));
      size.powers[1] = *rc::gen::element(Rational(0), Rational(1));
      generators = TailDomain::with_generator(generators, {{size, gpe::theory::Form(1)}});
    }
    const TailDomain domain(context, depth, ell, generators);
    for (int k = 0; k < 10; ++k) {
      ++drawn;
      const TailMonomial a = any_monomial(generators.size());
      const TailMonomial b = any_monomial(generators.size());
      try {
        const Ball bound = domain.ratio_bound(a, b);
        ++bounded;
        RC_ASSERT(!(b < a));  // what grows has no bound
        for (const Ball& x : points_of(domain, {0, {1, 100}, {1, 2}, 1, 2}, kBits)) {
          const Ball ratio = div(value_at(domain, a, x, kBits), value_at(domain, b, x, kBits), kBits);
          RC_ASSERT(!ratio.is_finite() || !bound.surely_less(ratio));
        }
      } catch (const NotProved&) {
      }
    }
  }));
  EXPECT_GT(10 * bounded, drawn);
}

RC_GTEST_PROP(TailDomain, at_the_start_a_monomial_has_its_value, ()) {
  const Context context(oracle);
  const int depth = *rc::gen::inRange(1, 4);
  const TailDomain domain(context, depth, *rc::gen::element(Rational(6, 5), Rational(2), Rational(3)),
                          TailDomain::chain(depth));
  const TailMonomial monomial = any_monomial(domain.generators().size());
  const Ball x = points_of(domain, {0}, kBits).front();
  RC_ASSERT(domain.at_start(monomial).overlaps(value_at(domain, monomial, x, kBits)));
}

RC_GTEST_PROP(TailDomain, growth_order_is_that_of_values_far_out, ()) {
  const Context context(oracle);
  const TailDomain domain(context, 2, Rational(4), TailDomain::chain(2));
  const TailMonomial a = any_monomial(3);
  const TailMonomial b = any_monomial(3);
  RC_PRE(!(a == b));
  const long bits = 3000;
  const Ball x =
      exp(exp(Ball(1000), bits), bits);  // log(x)^(1/10) = e^100 beats every power of log log x = 1000
  RC_ASSERT((a < b) == value_at(domain, a, x, bits).surely_less(value_at(domain, b, x, bits)));
  RC_ASSERT(a * inverse(a) == domain.one());
  RC_ASSERT(pow(a * b, Rational(2)) == a * a * b * b);
}

TEST(TailDomain, the_first_integer_is_the_least_one_in_it) {
  const Context context(oracle);
  const auto first = [&](int depth, const Rational& ell) {
    return TailDomain(context, depth, ell, TailDomain::chain(depth)).first_integer();
  };
  EXPECT_EQ(first(1, 3), Rational(21));                                 // e^3 = 20.08…
  EXPECT_EQ(first(1, {6, 5}), Rational(4));                             // e^1.2 = 3.32…
  EXPECT_EQ(first(2, 2), Rational(1619));                               // e^(e^2) = 1618.17…
  EXPECT_EQ(first(3, {6, 5}), Rational(1033099756886));                 // e^(e^(e^1.2)) = 1033099756885.54…
  EXPECT_EQ(first(1, 50), *Rational::parse("5184705528587072464088"));  // e^50 = 5184705528587072464087.45…
  EXPECT_EQ(first(3, 3), std::nullopt);                                 // 10^(10^8)
}

TEST(TailDomain, equal_monomials_are_collected_and_zeros_dropped) {
  const TailMonomial n{{Rational(1), Rational(0)}};
  const TailMonomial log{{Rational(0), Rational(1)}};
  const TailSum sum = gpe::checks::collected({{log, 2}, {n, 1}, {log, 3}, {n, -1}});
  ASSERT_EQ(sum.size(), 1U);
  EXPECT_EQ(sum[0].first, log);
  EXPECT_EQ(sum[0].second, gpe::theory::Form(5));
}

TEST(TailDomain, generators_stand_in_the_order_of_their_growth) {
  const auto place = [](const Rational& power_of_n, const Rational& power_of_log) {
    const auto generators = TailDomain::with_generator(
        TailDomain::chain(2),
        {{TailMonomial{{power_of_n, power_of_log, Rational(0)}}, gpe::theory::Form(1)}});
    for (std::size_t i = 0; i < generators.size(); ++i) {
      if (generators[i].chain < 0) return i;
    }
    return generators.size();
  };
  EXPECT_EQ(place(1, 0), 0U);               // exp(n) before n
  EXPECT_EQ(place(0, 2), 0U);               // exp(log(n)^2) too
  EXPECT_EQ(place(0, Rational(1, 2)), 1U);  // exp(sqrt(log n)) between n and log n
}

}  // namespace tail_domain_test
