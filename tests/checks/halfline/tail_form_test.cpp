#include "checks/halfline/tail_form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/checks/tail_values.h"
#include "tests/generators/tail_text.h"

using gpe::checks::Ball;
using gpe::checks::evaluate;
using gpe::checks::NotProved;
using gpe::checks::tail_form;
using gpe::checks::TailDomain;
using gpe::checks::TailForm;
using gpe::checks::with_generators;
using gpe::testing::parsed;
using gpe::testing::points_of;
using gpe::testing::value_at;
using gpe::theory::Context;
using gpe::theory::Expr;
using gpe::theory::Rational;

namespace tail_form_test {

constexpr long kBits = 2500;
const gpe::checks::BallOracle oracle;

Context limited() { return {oracle, gpe::theory::Budget(std::chrono::seconds(2)).question()}; }

// Whether a form was found; it is compared with the expression's own value at points of the half-line.
bool agrees_with_values(const Expr& expression, int depth, const Rational& ell) {
  const Context context = limited();
  bool formed = false;
  try {
    with_generators(context, depth, ell, [&](const TailDomain& domain) {
      const TailForm form = tail_form(expression, domain);
      formed = true;
      const bool positive = form.surely_positive();
      const bool negative = form.surely_negative();
      RC_ASSERT(!(positive && negative));
      for (const Ball& x : points_of(domain, {0, {1, 1000}, {1, 3}, 1, 2}, kBits)) {
        const Ball value = evaluate(expression, {{"n", x}}, kBits);
        const Ball enclosure = value_at(form, x, kBits);
        if (!value.is_finite() || !enclosure.is_finite()) continue;  // an exp that is not a ball
        RC_ASSERT(enclosure.overlaps(value));
        if (positive) RC_ASSERT(!value.surely_negative() && !value.surely_zero());
        if (negative) RC_ASSERT(!value.surely_positive() && !value.surely_zero());
      }
    });
  } catch (const NotProved&) {
  }
  return formed;
}

// The form on the half-line n >= e^ell.
void on_half_line(const std::string& text, const Rational& ell,
                  const std::function<void(const TailForm&)>& look) {
  const Context context = limited();
  with_generators(context, 1, ell, [&](const TailDomain& domain) { look(tail_form(parsed(text), domain)); });
}

TEST(TailForm, contains_the_value_of_random_expressions_all_along_the_half_line) {
  int drawn = 0;
  int formed = 0;
  EXPECT_TRUE(rc::check([&] {
    for (int k = 0; k < 10; ++k) {
      ++drawn;
      const Expr expression = *gpe::testing::tail_expression(*rc::gen::inRange(1, 4));
      const int depth = *rc::gen::inRange(1, 3);
      const Rational ell =
          depth == 1
              ? *rc::gen::element(Rational(6, 5), Rational(2), Rational(4), Rational(10), Rational(50))
              : *rc::gen::element(Rational(6, 5), Rational(3, 2), Rational(2), Rational(3), Rational(5));
      if (agrees_with_values(expression, depth, ell)) ++formed;
    }
  }));
  EXPECT_GT(5 * formed, 2 * drawn);  // else little was tested
}

TEST(TailForm, contains_the_value_of_special_functions_all_along_the_half_line) {
  for (const char* text : {"atan(n)",
                           "atan(-sqrt(n))",
                           "atan(1/n)",
                           "atan(2 + 1/n)",
                           "atan(-1/3 + 2/log(n))",
                           "atan(n + sin(n))",
                           "atan(sin(n)/n)",
                           "n*(atan(n) - pi/2)",
                           "erfc(n/8)",
                           "erfc(log(n))",
                           "erfc(-log(n))",
                           "erfc(1/n)",
                           "erfc(n)*exp(n^2)",
                           "lgamma(n)",
                           "lgamma(n + floor(n/2))",
                           "lgamma(2 + sqrt(n))",
                           "exp(n - lgamma(n))",
                           "digamma(n)",
                           "digamma(1 + sqrt(n)) - log(n)/2",
                           "polygamma(1, n + 1)",
                           "polygamma(2, n + 2)",
                           "polygamma(5, n)*n^5",
                           "digamma(n + sin(n))"}) {
    for (const Rational& ell : {Rational(6, 5), Rational(2), Rational(4), Rational(10), Rational(50)}) {
      const bool formed = agrees_with_values(parsed(text), 1, ell);
      EXPECT_TRUE(formed || ell < Rational(4)) << text << " from e^" << ell.str();
    }
  }
}

RC_GTEST_PROP(TailForm, sums_and_products_keep_every_remainder, ()) {
  const Context context = limited();
  const TailDomain domain(context, 2, *rc::gen::element(Rational(6, 5), Rational(2), Rational(5)),
                          TailDomain::chain(2));
  const auto monomial = [] {
    return gpe::checks::TailMonomial{
        {*rc::gen::element(Rational(0), Rational(1), Rational(-1), Rational(1, 10)),
         *rc::gen::element(Rational(0), Rational(3), Rational(-2), Rational(1)),
         *rc::gen::element(Rational(0), Rational(0), Rational(2), Rational(-5))}};
  };
  const auto any_form = [&] {
    TailForm result = TailForm::constant(domain, gpe::theory::Form(*rc::gen::inRange(-3, 4)));
    for (int k = *rc::gen::inRange(0, 4); k > 0; --k)
      result = result + TailForm::monomial(domain, monomial(), gpe::theory::Form(*rc::gen::inRange(-5, 6)));
    for (int k = *rc::gen::inRange(0, 3); k > 0; --k)
      result = result + TailForm::unknown(domain, monomial(), Ball(*rc::gen::inRange<std::int64_t>(0, 4)));
    return result;
  };
  try {
    const TailForm a = any_form();
    const TailForm b = any_form();
    const TailForm sum = a + b;
    const TailForm product = a * b;
    for (const Ball& x : points_of(domain, {0, {1, 10}, 1}, kBits)) {
      // a radius has 30 bits, and terms may cancel: the enclosure is allowed to be a little too small
      const auto covers = [](const Ball& outer, const Ball& inner) {
        const Ball slack = add(mul(abs(inner).upper(64), Ball(Rational(1, 1000000), 64), 64),
                               Ball(Rational(10).pow(-60), 64), 64);
        return outer.widened(slack).contains(inner);
      };
      const Ball u = value_at(a, x, kBits);
      const Ball v = value_at(b, x, kBits);
      RC_ASSERT(covers(value_at(sum, x, kBits), add(u, v, kBits)));
      RC_ASSERT(covers(value_at(product, x, kBits), mul(u, v, kBits)));
    }
  } catch (const NotProved&) {
  }
}

TEST(TailForm, a_remainder_is_kept_when_a_larger_monomial_takes_it_over) {
  // log(n)^5 = o(n^(1/10)), but it is larger for all n below e^(10^2)
  const Context context = limited();
  const TailDomain domain(context, 1, 900, TailDomain::chain(1));
  const TailForm large = TailForm::unknown(domain, domain.log_power(0, {1, 100}), Ball(1));
  const TailForm small = TailForm::unknown(domain, domain.log_power(1, 5), Ball(1));
  const TailForm sum = large + small;
  ASSERT_EQ(sum.rest().size(), 1U);
  EXPECT_GT(sum.rest().front().second.approximate(), 1e10);  // 900^5/e^9 = 7.3e10
}

TEST(TailForm, a_condition_is_settled_by_equality_too) {
  const auto constant = [](const std::string& text) {
    Rational result(-1);
    on_half_line(text, 5, [&](const TailForm& form) {
      if (form.is_exact() && form.terms().size() == 1 && form.terms().front().second.rational() != nullptr)
        result = *form.terms().front().second.rational();
    });
    return result;
  };
  const std::string equal = "log(n^2)";  // and 2 log n
  const auto chosen = [&](const std::string& relation, const std::string& right) {
    return constant("if(" + equal + relation + right + ", 1, 2)");
  };
  EXPECT_EQ(chosen(" <= ", "2*log(n)"), Rational(1));
  EXPECT_EQ(chosen(" >= ", "2*log(n)"), Rational(1));
  EXPECT_EQ(chosen(" = ", "2*log(n)"), Rational(1));
  EXPECT_EQ(chosen(" < ", "2*log(n)"), Rational(2));
  EXPECT_EQ(chosen(" > ", "2*log(n)"), Rational(2));
  EXPECT_EQ(chosen(" != ", "2*log(n)"), Rational(2));
  EXPECT_EQ(chosen(" <= ", "n"), Rational(1));
  EXPECT_EQ(chosen(" < ", "n"), Rational(1));
  EXPECT_EQ(chosen(" > ", "n"), Rational(2));
  EXPECT_EQ(chosen(" >= ", "n"), Rational(2));
  EXPECT_EQ(chosen(" = ", "n"), Rational(2));
  EXPECT_EQ(chosen(" != ", "n"), Rational(1));
  EXPECT_EQ(constant("min(3, n)"), Rational(3));
  EXPECT_EQ(constant("max(3, 1/n)"), Rational(3));
  EXPECT_EQ(constant("abs(-7 + 0*n)"), Rational(7));
}

TEST(TailForm, terms_of_known_expansions) {
  const auto shown = [](const std::string& text, const std::vector<std::pair<Rational, Rational>>& expected) {
    on_half_line(text, 10, [&](const TailForm& form) {  // expected: (coefficient, power of n)
      ASSERT_GE(form.terms().size(), expected.size()) << text;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(form.terms()[i].second, gpe::theory::Form(expected[i].first)) << text << " term " << i;
        EXPECT_EQ(form.terms()[i].first, form.domain().log_power(0, expected[i].second))
            << text << " term " << i;
      }
    });
  };
  shown("sqrt(n^2 + n)", {{1, 1}, {{1, 2}, 0}, {{-1, 8}, -1}, {{1, 16}, -2}});
  shown("1/(n + 1)", {{1, -1}, {-1, -2}, {1, -3}, {-1, -4}});
  shown("log(1 + 1/n)", {{1, -1}, {{-1, 2}, -2}, {{1, 3}, -3}});
  shown("exp(1/n)", {{1, 0}, {1, -1}, {{1, 2}, -2}, {{1, 6}, -3}});
  shown("sin(1/n)", {{1, -1}, {{-1, 6}, -3}});
  shown("cos(1/n)", {{1, 0}, {{-1, 2}, -2}, {{1, 24}, -4}});
  shown("log(exp(n)*n^2) - 2*log(n)", {{1, 1}});
  shown("atan(1/n)", {{1, -1}, {{-1, 3}, -3}, {{1, 5}, -5}});
  shown("atan(n) - pi/2", {{-1, -1}, {{1, 3}, -3}});
  shown("lgamma(n) - (n - 1/2)*log(n) + n - log(2*pi)/2", {{{1, 12}, -1}, {{-1, 360}, -3}, {{1, 1260}, -5}});
  shown("digamma(n) - log(n)", {{{-1, 2}, -1}, {{-1, 12}, -2}, {{1, 120}, -4}, {{-1, 252}, -6}});
  shown("polygamma(1, n)", {{1, -1}, {{1, 2}, -2}, {{1, 6}, -3}, {{-1, 30}, -5}});
  shown("polygamma(2, n)", {{-1, -2}, {-1, -3}, {{-1, 2}, -4}, {{1, 6}, -6}});
  shown("erfc(sqrt(log(n)))*sqrt(pi*log(n))", {{1, -1}});
}

TEST(TailForm, exact_cancellation_leaves_nothing) {
  for (const char* text : {"(n + 1)^2 - n^2 - 2*n - 1", "exp(log(n)) - n", "log(n^3) - 3*log(n)",
                           "sqrt(2)*sqrt(3) - sqrt(6)", "exp(n)*exp(-n) - 1", "log(exp(n^2)) - n^2"}) {
    on_half_line(text, 10, [&](const TailForm& form) {
      EXPECT_TRUE(form.terms().empty() && form.is_exact()) << text;
      EXPECT_TRUE(form.surely_nonnegative()) << text;
      EXPECT_FALSE(form.surely_positive() || form.surely_negative()) << text;
    });
  }
}

TEST(TailForm, a_sign_is_not_proved_where_it_does_not_hold) {
  // each is negative somewhere on n >= e^2 = 7.4, and positive for all large n
  for (const char* text :
       {"n - 8", "n - 100*log(n)", "1 - 8/n", "log(n) - 3", "n - 5*sqrt(n)", "exp(n/100) - n",
        "n^2 - n^(3/2)*5", "n + 10*sin(n) - 8", "n - floor(n) + n^(1/2) - 4", "digamma(n) - 2",
        "lgamma(n) - 8", "atan(n) - 3/2", "1/10^12 - erfc(n/2)", "1/7 - polygamma(1, n)"}) {
    on_half_line(text, 2, [&](const TailForm& form) { EXPECT_FALSE(form.surely_positive()) << text; });
  }
}

TEST(TailForm, what_is_outside_its_domain_is_not_proved) {
  for (const char* text : {"log(-n)", "sqrt(-n)", "(-n)^(1/3)", "log(n - n)", "1/(n - n)"}) {
    EXPECT_THROW(on_half_line(text, 5, [](const TailForm&) {}), NotProved) << text;
  }
}

}  // namespace tail_form_test
