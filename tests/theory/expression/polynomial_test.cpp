#include "theory/expression/polynomial.h"

#include <gtest/gtest.h>

#include "theory/expression/expr_parse.h"

namespace polynomial_test {

TEST(Polynomial, is_made_of_sums_and_products_of_numbers_and_symbols) {
  gpe::theory::NameScope scope;
  scope.names = {"n", "L"};
  const auto is = [&](const std::string& text) {
    return is_polynomial(gpe::theory::parse_expression(text, scope));
  };
  for (const char* text : {"0", "n", "-L/3", "2*n - L*n + 1/7", "-(n + L)*(n - 1)", "(n - L)^3"})
    EXPECT_TRUE(is(text)) << text;
  for (const char* text :
       {"1/L", "n^(1/2)", "n^L", "2^n", "sqrt(n)", "n + log(L)", "floor(n/2)", "n*exp(L)", "if(n < 3, 1, 2)"})
    EXPECT_FALSE(is(text)) << text;
}

}  // namespace polynomial_test
