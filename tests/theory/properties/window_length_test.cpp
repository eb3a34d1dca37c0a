// Windows of scores that mention L: the sums have as many terms at every length, but their scores may grow.
// And contents under a soft cap: at most |f| s tanh(w B/s).
#include <limits>

#include "tests/generators/expression.h"
#include "tests/theory/findings.h"
#include "theory/source/spec_error.h"

namespace window_length_test {

using gpe::testing::encoding_with;
using gpe::testing::finding;

struct Case {
  std::string score;
  const char* key;
  const char* expected;
  const char* why;  // by hand
};

void expect(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const auto found = finding(encoding_with("", one.score), one.key);
    EXPECT_EQ(name_of(found.verdict), one.expected) << one.key << " of\n"
                                                    << one.score << "\nby hand: " << one.why << "\n"
                                                    << found.reason;
  }
}

TEST(WindowOfLengths, scores_that_grow_with_the_length_have_an_infinite_normalizer) {
  const std::string rises = "window = \"4\"\nbias = \"n*log(1 + L)\"";
  const std::string falls = "window = \"4\"\nbias = \"-n*log(1 + L)\"";
  const std::string gain = "window = \"4\"\ngain = \"log(2 + L)\"";
  const std::string wide = "window = \"5000\"\nbias = \"n/(1 + L)\"";
  const std::string late = "window = \"5000\"\nbias = \"max(0, n - 40)*log(1 + L)\"";
  const std::string beyond = "window = \"20\"\nbias = \"max(0, n - 40)*log(1 + L)\"";
  const std::string even = "window = \"4\"\nbias = \"n*L*(1 + cos(pi*L))\"";
  const std::string one = "window = \"1\"\nbias = \"n*log(1 + L)\"";
  const std::string far = "first = 3\nwindow = \"2\"\nbias = \"n*log(1 + L)\"";
  expect({
      {rises, "cn/every-content", "fails", "Z_L >= (1 + L)^3/e"},
      {rises, "cn/some-content", "fails", "Z_L >= (1 + L)^3/e"},
      {rises, "cn/expected", "fails", "E Z_L >= (1 + L)^3"},
      {rises, "eb/limit", "fails", "Z is infinite"},
      {rises, "eb/some-content", "fails", "Z is infinite"},
      {rises, "eb/uniform", "holds", "H_L <= log 4"},
      {rises, "ldcp/weight", "fails", "no far token is seen"},
      {falls, "cn/every-content", "holds", "Z_L <= 4 e"},
      {falls, "eb/limit", "holds", "H_L <= log 4"},
      {gain, "cn/every-content", "fails", "(2 + L)^B"},
      {gain, "cn/some-content", "holds", "(2 + L)^-B"},
      {gain, "cn/expected", "fails", "E e^{u x} grows like e^u u^(-63/2), u = log(2 + L)"},
      {gain, "eb/limit", "fails", "Z is infinite"},
      {gain, "eb/some-content", "holds", "Z is finite"},
      {gain, "eb/uniform", "holds", "H_L <= log 4"},
      {wide, "cn/every-content", "holds", "n/(1 + L) tends to 0 within the window"},
      {late, "cn/every-content", "fails", "n = 41 is seen"},
      {beyond, "cn/every-content", "holds", "n = 41 is not seen"},
      {even, "cn/every-content", "fails", "along even L"},
      {one, "cn/every-content", "holds", "b(0; L) = 0"},
      {far, "cn/every-content", "fails", "b(4; L) - b(3; L) = log(1 + L)"},
  });
}

TEST(WindowOfLengths, the_size_of_the_window_is_a_case) {
  const auto found = finding(encoding_with("W = { default = \"4\", domain = \"W >= 1\" }",
                                           "window = \"W\"\nbias = \"n*log(1 + L)\""),
                             "cn/every-content");
  EXPECT_EQ(name_of(found.verdict), "fails");
  EXPECT_EQ(found.region, "W < 2") << found.reason;
}

TEST(SoftCap, content_is_at_most_the_gain_times_the_cap) {
  const auto with = [](const std::string& gain, const std::string& scale, const std::string& rest) {
    return "gain = \"" + gain + "\"\n" + rest +
           "\ntransform = \"scaled-rotation\"\n[score.rotation]\nangle = \"0\"\nscale = \"" + scale + "\"";
  };
  const std::string cap = "softcap = \"5\"";
  expect({
      {with("2^(-n)", "2^n", ""), "ldcp/content", "holds", "|f| w = 1"},
      {with("2^(-n)", "2^n", cap), "ldcp/content", "fails", "at most 5 2^-n"},
      {with("2^(-n)", "2^n", cap), "ldcp/probability", "fails", "at most 5 2^-n, and b = 0"},
      {with("2^(-n)", "2^n", cap + "\nbias = \"-1\""), "ldcp/probability", "holds", "by the bias"},
      {with("1", "2^n", cap), "ldcp/content", "holds", "tends to 5"},
      {with("2^n", "2^(-n)", cap), "ldcp/content", "holds", "2^n 5 tanh(2^-n B/5) tends to B"},
      {with("2^n", "3^(-n)", cap), "ldcp/content", "fails", "2^n 5 tanh(3^-n B/5) tends to 0"},
      {with("1/(1 + n)", "1 + n", cap), "ldcp/probability", "fails", "at most 5/(1 + n)"},
      {with("1/log(2 + L)", "1 + n", cap), "ldcp/content", "fails", "at most 5/log(2 + L)"},
      {with("1", "1/(1 + L)", cap), "ldcp/content", "fails", "at most B/(1 + L)"},
  });
}

TEST(SoftCap, is_positive) {
  for (const char* cap : {"0", "-5", "c"}) {
    const auto encoding = encoding_with("c = { default = \"0\", domain = \"c >= 0\" }",
                                        "softcap = \"" + std::string(cap) + "\"");
    EXPECT_THROW(gpe::theory::instantiate(encoding, {}, {}, gpe::testing::oracle()), gpe::theory::SpecError)
        << cap;
  }
}

// The largest of the scores in the window at lengths about 10^digits: in all classes modulo 12.
double largest(const gpe::theory::Expr& score, const gpe::theory::ScoreFunction& law, std::int64_t digits) {
  double most = -std::numeric_limits<double>::infinity();
  for (std::int64_t n = law.first; n <= *law.last(); ++n) {
    for (std::int64_t r = 0; r < 12; ++r) {
      const gpe::theory::Rational length =
          gpe::theory::Rational(12) * gpe::theory::Rational(10).pow(digits) + r;
      const auto value = gpe::testing::value(score, {{"n", n}, {"L", length}}, 2048);
      most = std::max(most, value.approximate());
    }
  }
  return most;
}

// A window has as many scores at every length, so Z_L and the largest score are bounded together.
RC_GTEST_PROP(WindowOfLengths, random_windows_are_decided_as_their_scores_are_seen, ()) {
  using gpe::testing::detail::one_of;
  const auto term = [] {
    return one_of({"0", "n*log(1 + L)", "-n*log(1 + L)", "n/(1 + L)", "-2*n*log(2 + L)",
                   "log(1 + n)*log(log(3 + L))", "-n*L", "min(n, 2)*log(1 + L)", "max(0, n - 3)*log(1 + L)",
                   "n*cos(pi*L)*log(1 + L)", "n*floor(L/2) - n*L/2", "-log(1 + L)",
                   "(n - 1)*(n - 2)*log(1 + L)", "if(n == 2, log(1 + L), 0)", "n*(log(L + 1) - log(L + 7))",
                   "-n*sqrt(1 + L)/100", "n*min(L, 5)", "-abs(n - 3)*log(1 + L)"});
  };
  const std::string score = "bias = \"" + term() + " + " + term() + "\"\ngain = \"" +
                            one_of({"0", "1", "log(2 + L)", "-log(2 + L)", "1/log(2 + L)", "n*log(2 + L)",
                                    "3*log(2 + L)/2", "exp(-n)"}) +
                            "\"\nwindow = \"" + one_of({"1", "2", "4", "9"}) +
                            "\"\nfirst = " + one_of({"0", "0", "1", "3"}) +
                            one_of({"", "", "\nsoftcap = \"3\"", "\ntransform = \"none\""});
  RC_LOG() << score << "\n";
  const auto encoding = encoding_with("", score);
  const auto law = at_values(gpe::theory::instantiate(encoding, {}, {}, gpe::testing::oracle()));
  const gpe::theory::Expr bound(gpe::testing::pick(2) == 0 ? 1 : 5);
  for (const auto& [keys, a] :
       {std::pair(std::vector<const char*>{"cn/every-content", "eb/limit"}, score_above(law, bound)),
        std::pair(std::vector<const char*>{"cn/some-content", "eb/some-content"}, score_below(law, bound))}) {
    const double near = largest(a, law, 40);
    const double far = largest(a, law, 80);
    const bool bounded = far < near + 0.1;  // log log 10^80 exceeds log log 10^40 by 0.69
    for (const char* key : keys) {
      const auto found = finding(encoding, key, *bound.number());
      RC_LOG() << key << " " << name_of(found.verdict) << ": " << found.reason << "; seen: " << near << ", "
               << far << "\n";
      RC_ASSERT(found.verdict != (bounded ? gpe::theory::Verdict::fails : gpe::theory::Verdict::holds));
      RC_TAG(std::string(name_of(found.verdict)));
    }
  }
  RC_ASSERT(name_of(finding(encoding, "eb/uniform").verdict) == "holds");
}

}  // namespace window_length_test
