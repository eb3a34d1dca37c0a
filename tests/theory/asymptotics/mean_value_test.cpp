#include "theory/asymptotics/mean_value.h"

#include <gtest/gtest.h>

#include "tests/theory/engine.h"

namespace gpe::testing {
namespace mean_value_test {

TEST(MeanValue, terms_of_one_wave_are_one_amplitude) {
  const theory::Context context(oracle());
  const auto mean = [&](const std::string& text) { return theory::mean_value(parse(text), context); };
  for (const char* text : {"sin(n)", "3 + sqrt(2)*sin(n) + sin(n)", "sin(n) + 2*cos(n)",
                           "sin(n) + cos(2*n) + pi*sin(n)", "1/(1 + n) + cos(n/3)"}) {
    const auto found = mean(text);
    ASSERT_TRUE(found) << text;
    EXPECT_TRUE(found->has_oscillation) << text;
  }
  // No wave is left; two of one frequency, whose sum may vanish.
  for (const char* text :
       {"5", "(sqrt(2) + sqrt(3))*cos(n) - sqrt(5 + 2*sqrt(6))*cos(n)", "cos(n) + cos(n + 1)"}) {
    const auto found = mean(text);
    ASSERT_TRUE(found) << text;
    EXPECT_FALSE(found->has_oscillation) << text;
  }
  EXPECT_EQ(to_text(mean("3 + sqrt(2)*sin(n) + sin(n)")->mean), "3");
  EXPECT_EQ(to_text(mean("sin(n)^2")->mean), "1/2");
  EXPECT_EQ(to_text(mean("sin(n)*cos(n) + sin(n)/n")->mean), "0");
  EXPECT_FALSE(mean("sin(n^2)"));
}

}  // namespace mean_value_test
}  // namespace gpe::testing
