// Parts of an expression, at any depth, and the expression itself.
#include "theory/expression/any_part.h"

#include <gtest/gtest.h>

#include "tests/theory/engine.h"

namespace any_part_test {

using gpe::theory::Expr;

TEST(AnyPart, looks_at_every_depth) {
  const auto is_floor = [](const Expr& part) {
    const auto* call = part.as<gpe::theory::node::Call>();
    return call != nullptr && call->function == gpe::theory::Function::floor;
  };
  for (const char* with : {"floor(n/2)", "1 + n*exp(-floor(n/2))", "if(floor(n/2) < 3, 1, 2)"})
    EXPECT_TRUE(any_part(gpe::testing::parse(with), is_floor)) << with;
  for (const char* without : {"n", "1 + n*exp(-n/2)", "min(n, 3)"})
    EXPECT_FALSE(any_part(gpe::testing::parse(without), is_floor)) << without;
}

}  // namespace any_part_test
