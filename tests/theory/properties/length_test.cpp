// Scores that mention L, the index of the query: Z and H are the largest over all lengths in the limit.
#include "tests/generators/subjects.h"
#include "tests/in_time.h"
#include "tests/theory/findings.h"

namespace length_test {

using gpe::testing::finding;
using gpe::testing::key_of;
using gpe::testing::oracle;
using gpe::theory::encoding_of;
using gpe::theory::Expr;
using gpe::theory::Finding;
using gpe::theory::Verdict;

struct Case {
  const char* bias;
  const char* gain;
  const char* key;
  const char* expected;
  const char* why;  // by hand
};

TEST(Length, verdicts_follow_from_bounds_over_all_distances) {
  const std::vector<Case> cases = {
      {"-n/(1 + L)", "", "cn/every-content", "fails", "every weight is at least 1/e"},
      {"-n/(1 + L)", "", "eb/uniform", "fails", "the spread of the scores is 1: H_L >= log(L + 1) - 1"},
      {"-n/(1 + L)", "", "ldcp/weight", "holds", "b(L; L) tends to -1"},
      {"-n/(1 + L)", "", "ldcp/literal", "holds", "b(L; L) tends to -1"},
      {"-n/(1 + L)", "", "ldcp/signed", "fails", "b <= 0"},
      {"n/(1 + L)", "", "ldcp/signed", "holds", "b(L; L) tends to 1"},
      {"0", "log(1 + L)/8", "cn/some-content", "fails", "(L + 1)^(1 - 1/8)"},
      {"0", "log(1 + L)/8", "cn/every-content", "fails", "(L + 1)^(1 + 1/8)"},
      {"0", "log(1 + L)/8", "ldcp/content", "holds", "the gain grows"},
      {"0", "1/log(2 + L)", "ldcp/content", "fails", "the gain tends to 0"},
      {"0", "1/log(2 + L)", "ldcp/probability", "fails", "the gain tends to 0, and b = 0"},
      {"n/(1 + L)^2", "1/log(2 + L)", "ldcp/literal", "fails", "at most L/(1 + L)^2"},
      {"n/(1 + L)^2", "1/log(2 + L)", "ldcp/probability", "fails", "both tend to 0"},
      {"n/(1 + L)^2", "", "ldcp/probability", "holds", "by content"},
      {"0", "2*log(1 + L)", "cn/some-content", "holds", "(L + 1)^(1 - 2)"},
      {"-2*log(1 + n)", "log(2 + L)/(1 + L)", "cn/every-content", "holds", "the gain is bounded"},
      {"-2*log(1 + n)", "log(2 + L)/(1 + L)", "cn/expected", "holds", "the gain is bounded"},
      {"-log(1 + n)/2", "1/log(2 + L)", "cn/every-content", "fails", "the gain is bounded"},
  };
  for (const Case& one : cases) {
    const Finding found = finding(encoding_of({one.bias, one.gain, "", "", 0}), one.key);
    EXPECT_EQ(name_of(found.verdict), one.expected) << one.bias << " | " << one.gain << " " << one.key << ": "
                                                    << found.reason << "; by hand: " << one.why;
  }
}

// What the bounds do not settle is undecided; these are never answered with the opposite.
TEST(Length, verdicts_outside_the_rules_are_right_or_undecided) {
  const std::vector<Case> cases = {
      {"-n*log(1 + L)", "", "cn/every-content", "holds", "1 + sum (1 + L)^-n <= 1 + 2/L"},
      {"-n*log(1 + L)", "", "eb/limit", "holds", "all weights but the first vanish"},
      {"-n*log(1 + L)", "", "ldcp/weight", "fails", "b(n; L) <= -log(1 + L) for n >= 1"},
      {"-3*log(1 + n*L)", "", "cn/every-content", "holds", "below sum (1 + n)^-3"},
      {"-2*log(1 + n) + log(1 + L)*n/(1 + L)", "", "cn/every-content", "holds",
       "(1 + L)^(n/(1 + L)) <= 1 + n"},
      {"-log(1 + n)", "1/log(2 + L)", "cn/every-content", "fails", "the gain is bounded"},
      {"-2*log(1 + n)", "log(2 + L)", "cn/every-content", "fails", "times 2 + L"},
  };
  for (const Case& one : cases) {
    const Finding found = finding(encoding_of({one.bias, one.gain, "", "", 0}), one.key);
    EXPECT_TRUE(name_of(found.verdict) == one.expected || found.verdict == Verdict::undecided)
        << one.bias << " | " << one.gain << " " << one.key << ": " << found.reason
        << "; by hand: " << one.why;
    EXPECT_FALSE(found.reason.empty());
  }
}

// b(first; L) = 0: a function of L alone changes no weight, and no verdict.
TEST(Length, what_depends_on_length_alone_is_normalized_away) {
  int equal = 0;
  for (const auto& encoding : gpe::testing::instance_encodings()) {
    auto lifted = encoding;
    lifted.bias = encoding.bias + gpe::theory::log(Expr(1) + Expr::symbol("L"));
    auto based = encoding;  // the same normalization, by hand
    based.bias = encoding.bias - substitute(encoding.bias, "n", Expr(encoding.first));
    const auto after = gpe::testing::verdicts(lifted, gpe::testing::in_time());
    const auto before = gpe::testing::verdicts(based, gpe::testing::in_time());
    for (std::size_t i = 0; i < before.size(); ++i) {
      equal += after[i].verdict == before[i].verdict ? 1 : 0;
      EXPECT_TRUE(after[i].verdict == before[i].verdict || after[i].verdict == Verdict::undecided)
          << encoding.name << " " << key_of(*before[i].reading) << ": " << before[i].reason << " / "
          << after[i].reason;
    }
  }
  EXPECT_GT(equal, 500);
}

}  // namespace length_test
