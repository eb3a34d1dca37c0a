// Directions of expressions with steps, against their values one after the other.
#include "checks/halfline/direction.h"

#include <gtest/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/checks/parsed.h"
#include "tests/in_time.h"
#include "theory/exact/form_expr.h"

using gpe::checks::surely_never_rises;
using gpe::testing::parsed;
using gpe::theory::Expr;
using gpe::theory::Rational;

namespace direction_test {

const gpe::theory::Context context = gpe::testing::in_time(std::chrono::seconds(20));

bool never_rises(const std::string& text, std::int64_t from) {
  return surely_never_rises(parsed(text), Rational(from), context);
}

// Whether it rises somewhere in from … from + 300.
bool rises(const std::string& text, std::int64_t from) {
  const Expr e = parsed(text);
  const auto at = [&](std::int64_t n) { return to_form(substitute(e, "n", Expr(n)), context); };
  for (std::int64_t n = from; n < from + 300; ++n)
    if (context.sign(at(n + 1) - at(n)) > 0) return true;
  return false;
}

TEST(Direction, is_proved_of_compositions_of_monotone_functions) {
  for (const char* text :
       {"-floor(n/3)", "-2*log(1 + floor(n/5))", "ceil(5 - n/3)", "1/(1 + floor(sqrt(n)))",
        "-floor(n/7)/3 - log(1 + n)", "exp(-floor(n/4)) - floor(n/9)^2", "-sqrt(floor(n/2))",
        "min(3 - floor(n/2), -n/5)", "-atan(floor(n/3))", "erfc(floor(n/6))", "-floor(n/3)*log(1 + n)",
        "max(-floor(n/5), -7)", "-floor(floor(n/2)/3)"}) {
    EXPECT_FALSE(rises(text, 0)) << text;
    EXPECT_TRUE(never_rises(text, 0)) << text;
  }
}

TEST(Direction, is_not_proved_where_a_step_goes_up) {
  for (const char* text :
       {"floor(n/3)", "n/4 - floor(n/4)", "-floor(n/3) + floor(n/5)", "floor(n/3)*(-1)^n", "floor(5 - n/3)^2",
        "-floor(sin(n))", "1/(floor(n/2) - 99/2)", "exp(floor(n/4)) - n", "-max(5 - floor(n/2), 0)"}) {
    EXPECT_TRUE(rises(text, 0)) << text;
    EXPECT_FALSE(never_rises(text, 0)) << text;
  }
}

}  // namespace direction_test
