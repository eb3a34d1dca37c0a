// Heads with a window and heads without one, by one formula.
#include "theory/score/window.h"

#include <gtest/gtest.h>

#include "checks/arb/expr_ball.h"
#include "tests/refusal.h"
#include "theory/score/score_function.h"
#include "theory/score/spec_parse.h"

namespace window_test {

using gpe::theory::Encoding;

const gpe::theory::Context context = gpe::checks::ball_context({});

Encoding of_window(const std::string& window) {
  return gpe::theory::parse_encoding(
      "schema = 1\nname = \"x\"\n[parameters]\na = { default = \"2\" }\n[score]\n"
      "window = \"" +
          window + "\"\n",
      "x.toml", ".");
}

// The window of this head of 8, and its formula.
std::string at_head(int head, const std::string& window) {
  const Encoding encoding = of_window(window);
  const gpe::theory::Setting setting{64, head, 8, 1, 1};
  const auto law = gpe::theory::instantiate(encoding, setting, {}, context);
  const Encoding own = with_window_of(encoding, setting, context);
  const auto formula = own.formulas.find("window");
  EXPECT_EQ(law.window.has_value(), formula != own.formulas.end());
  return law.window ? std::to_string(*law.window) + " " + formula->second : "none";
}

TEST(Window, some_heads_have_none) {
  EXPECT_EQ(at_head(5, "if(h >= 5, 256, none)"), "256 256");
  EXPECT_EQ(at_head(4, "if(h >= 5, 256, none)"), "none");
  EXPECT_EQ(at_head(1, "none"), "none");
  EXPECT_EQ(at_head(3, "if(h < 2, none, if(h < 4, 8*a, none))"), "16 8*a");
  EXPECT_EQ(at_head(1, "if(h < 2, none, if(h < 4, 8*a, none))"), "none");
  EXPECT_EQ(at_head(4, "if(h < 2, none, if(h < 4, 8*a, none))"), "none");
  // as checkpoints cut windows
  EXPECT_EQ(at_head(1, "min(if(h >= 5, 256, none), 64)"), "64 64");
  EXPECT_EQ(at_head(5, "min(if(h >= 5, 256, none), 64)"), "64 min(256, 64)");
  EXPECT_EQ(at_head(1, "min(if(h >= 5, 256, none), none)"), "none");
}

TEST(Window, where_none_has_no_meaning) {
  for (const char* window :
       {"if(none < 3, 4, none)", "if(2*none < 3, 4, 5)", "min(none, if(none < 1, 2, 3))"})
    EXPECT_THROW(at_head(1, window), gpe::theory::SpecError) << window;
  const auto refused = [](const std::string& window) {
    return gpe::tests::refusal([&] { gpe::theory::instantiate(of_window(window), {}, {}, context); });
  };
  EXPECT_EQ(refused("1 + none"),
            "x.toml: window: none is expected alone, as a value of if, or in min, and not in 1 + none");
  EXPECT_EQ(refused("if(h < a, 4, none)"),
            "x.toml: window: the condition of an if with none is of h, heads, layer, layers and d alone");
}

}  // namespace window_test
