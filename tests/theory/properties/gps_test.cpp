// Gradient positional sensitivity: M(n) = f(n) W(n) over the distances that are seen, as docs/readings.md
// defines it. What counts is the product: a factor that is 0, or that undoes another one, is not seen.
#include "tests/theory/findings.h"

namespace gps_test {

using gpe::testing::encoding_with;
using gpe::testing::finding;

struct Case {
  const char* why;     // by hand
  const char* score;   // the body of [score]
  const char* scalar;  // "holds", "fails" or "undecided"
  const char* norm;
  const char* vector;
};

std::string rotation(const std::string& angle, const std::string& rest = "") {
  return rest + "\ntransform = \"rotation\"\n[score.rotation]\nangle = \"" + angle + "\"";
}
std::string scaled(const std::string& angle, const std::string& scale, const std::string& rest = "") {
  return rest + "\ntransform = \"scaled-rotation\"\n[score.rotation]\nangle = \"" + angle + "\"\nscale = \"" +
         scale + "\"";
}
std::string hyperbolic(const std::string& rate, const std::string& decay, const std::string& rest = "") {
  return rest + "\ntransform = \"hyperbolic\"\n[score.hyperbolic]\nrate = \"" + rate + "\"\ndecay = \"" +
         decay + "\"";
}

void expect(const std::string& why, const std::string& score, const std::string& scalar,
            const std::string& norm, const std::string& vector) {
  const auto encoding = encoding_with("", score);
  for (const auto& [key, expected] :
       {std::pair("gps/scalar", scalar), std::pair("gps/norm", norm), std::pair("gps/vector", vector)}) {
    const auto found = finding(encoding, key);
    EXPECT_EQ(name_of(found.verdict), expected) << key << " of\n"
                                                << score << "\nby hand: " << why << "\n"
                                                << found.reason;
  }
}

TEST(Gps, a_factor_that_is_zero_hides_what_it_multiplies) {
  expect("M = 0", rotation("n", "gain = \"0\""), "fails", "fails", "fails");
  expect("M = 0", rotation("n", "gain = \"cos(pi/2)\""), "fails", "fails", "fails");
  expect("M = 0", hyperbolic("1/2", "0", "gain = \"0\""), "fails", "fails", "fails");
  expect("M = 0", scaled("n", "0"), "fails", "fails", "fails");
  expect("M(0) alone is not 0", rotation("n", "gain = \"if(n == 0, 1, 0)\""), "holds", "holds", "holds");
  expect("block 0 alone is not 0, and has no angle", scaled("j*n", "if(j == 0, 1, 0)"), "fails", "fails",
         "fails");
  expect("block 0 alone turns", scaled("n", "if(j == 0, 1, 0)"), "fails", "fails", "holds");
  expect("M is not 0 at n = 3 only", rotation("n", "gain = \"if(n == 3, 1, 0)\""), "holds", "holds", "holds");
  expect("block j is seen at n = j only", scaled("0", "if(n == j, 1, 0)"), "fails", "holds", "holds");
}

TEST(Gps, the_product_of_gain_and_transform_counts) {
  expect("M = I", scaled("0", "2^n", "gain = \"2^(-n)\""), "fails", "fails", "fails");
  expect("M = R(n)", scaled("n", "2^n", "gain = \"2^(-n)\""), "fails", "fails", "holds");
  expect("M = diag(e^(2n), 1)", hyperbolic("1", "0", "gain = \"exp(n)\""), "fails", "holds", "holds");
  expect("M = I", hyperbolic("0", "1", "gain = \"exp(n)\""), "fails", "fails", "fails");
  expect("M = I", hyperbolic("0", "0"), "fails", "fails", "fails");
  expect("M = e^(-n/2) I", hyperbolic("0", "1/2"), "holds", "holds", "holds");
  expect("M = e^(-j n) I in block j", hyperbolic("0", "j"), "fails", "holds", "holds");
  expect("M = I/(1 + n)", scaled("0", "(j + 1)/((j + 1)*(1 + n))"), "holds", "holds", "holds");
  expect("M = I/(1 + n)", scaled("0", "1/(1 + n) + 0*j"), "holds", "holds", "holds");
  expect("M = diag(j + 1)/(1 + n)", scaled("0", "(j + 1)/(1 + n)"), "holds", "holds", "holds");
  expect("the blocks exchange their sizes",
         scaled("0", "if(j == 0, 1 + cos(pi*n)/2, if(j == 1, 1 - cos(pi*n)/2, 1))"), "fails", "holds",
         "holds");
}

TEST(Gps, half_turns_are_signs) {
  expect("M = (-1)^n I", rotation("pi*n"), "holds", "fails", "holds");
  expect("M = I", rotation("2*pi*n"), "fails", "fails", "fails");
  expect("M = I", rotation("pi*n*(n + 1)"), "fails", "fails", "fails");
  expect("M = -+I by n(n + 1)/2", rotation("pi*n*(n + 1)/2"), "holds", "fails", "holds");
  expect("only even blocks have whole turns", rotation("pi*n*j"), "fails", "fails", "holds");
  expect("block 0 has no turns", rotation("if(j == 0, 0, pi*n)"), "fails", "fails", "holds");
  expect("M = (-1)^n I", scaled("0", "cos(pi*n)"), "holds", "fails", "holds");
  expect("M = I", scaled("pi*n", "cos(pi*n)"), "fails", "fails", "fails");
  expect("M = I", rotation("pi*n", "gain = \"cos(pi*n)\""), "fails", "fails", "fails");
  expect("M = (-1)^n I", rotation("2*pi*n", "gain = \"cos(pi*n)\""), "holds", "fails", "holds");
  expect("M = +-R(pi n/2)", rotation("pi*n/2"), "fails", "fails", "holds");
  expect("M = 0 at odd n, (-1)^(n/2) I else: cos(pi n/2) R", rotation("pi*n/2", "gain = \"cos(pi*n/2)\""),
         "holds", "holds", "holds");
  expect("M = (-1)^floor(n/4) I", rotation("pi*floor(n/4)"), "holds", "fails", "holds");
  expect("whole turns of another kind", rotation("2*pi*floor(n/2)"), "fails", "fails", "fails");
}

TEST(Gps, every_distance_counts_and_not_only_those_far_away) {
  expect("f falls up to n = 40", "gain = \"1 + abs(n - 40) - (n - 40)\"", "holds", "holds", "holds");
  expect("f falls up to n = 40", "gain = \"1 + sqrt((n - 40)^2) - (n - 40)\"", "holds", "holds", "holds");
  expect("a bump at 700", "gain = \"if(n == 700, 2, 1)\"", "holds", "holds", "holds");
  expect("beyond every n that is tried one by one", "gain = \"if(n == 70001, 2, 1)\"", "undecided",
         "undecided", "undecided");
  expect("f = 1", "gain = \"max(3, n) - max(3, n) + 1\"", "fails", "fails", "fails");
  expect("the angle stays from n = 9 on", rotation("pi*n*if(n < 9, 2, 4)"), "fails", "fails", "fails");
  expect("the angle differs at n = 300 only", rotation("if(n == 300, 1, 0)"), "fails", "fails", "holds");
  expect("only 4 keys are seen", "window = \"4\"\ngain = \"if(n < 4, 1, n)\"", "fails", "fails", "fails");
  expect("2000 keys are seen", "window = \"2000\"\ngain = \"if(n < 1000, 1, 2)\"", "holds", "holds", "holds");
  expect("one key is seen", rotation("n", "window = \"1\"\ngain = \"2^n\""), "fails", "fails", "fails");
  expect("n = 5 and 6 are seen", "first = 5\nwindow = \"2\"\ngain = \"if(n < 6, 0, 1)\"", "holds", "holds",
         "holds");
  expect("from n = 5 on f = 1", "first = 5\ngain = \"if(n < 5, 0, 1)\"", "fails", "fails", "fails");
}

TEST(Gps, without_content_nothing_changes) {
  expect("no content", "transform = \"none\"\ngain = \"2^n\"\nbias = \"-n\"", "fails", "fails", "fails");
}

TEST(Gps, both_sides_have_the_score_of_n) {
  expect("M = R(n)", rotation("n", "sided = \"two\""), "fails", "fails", "holds");
}

TEST(Gps, a_soft_cap_changes_the_slope) {
  const std::string cap = "softcap = \"50\"\n";
  expect("x = q'R(n)k changes", rotation("n", cap), "fails", "holds", "holds");
  expect("M = I, |f| changes", scaled("0", "2^n", cap + "gain = \"2^(-n)\""), "holds", "holds", "holds");
  expect("M = I, |f| = 1: x changes its sign only", rotation("pi*n", cap + "gain = \"cos(pi*n)\""), "fails",
         "fails", "fails");
  expect("M = (-1)^n I: x changes its sign only", rotation("pi*n", cap), "holds", "fails", "holds");
  expect("M = +-1 by block: not a sign of the whole", rotation("pi*n*j", cap), "fails", "holds", "holds");
  expect("M = R(n)/(1 + n)", rotation("n", cap + "gain = \"1/(1 + n)\""), "fails", "holds", "holds");
  expect("M = I", cap, "fails", "fails", "fails");
  expect("M = 0", rotation("n", cap + "gain = \"0\""), "fails", "fails", "fails");
  expect("M = I/(1 + n)", cap + "gain = \"1/(1 + n)\"", "holds", "holds", "holds");
  expect("M = 0, W = 2^n I", scaled("n", "2^n", cap + "gain = \"0\""), "fails", "fails", "fails");
  expect("one key is seen", rotation("n", cap + "window = \"1\""), "fails", "fails", "fails");
}

struct Region {
  const char* parameters;
  std::string score;
  const char* key;
  const char* region;
};

TEST(Gps, regions_split_where_the_product_changes) {
  const char* s = "s = { default = \"1\", domain = \"s >= 0\" }";
  const char* r = "r = { default = \"1\", domain = \"r >= 0\" }";
  const std::vector<Region> regions = {
      {s, rotation("n", "gain = \"s\""), "gps/vector", "s > 0"},
      {s, rotation("n", "gain = \"s\""), "gps/scalar", "never"},
      {s, rotation("n", "gain = \"s\"\nsoftcap = \"30\""), "gps/norm", "s > 0"},
      {s, rotation("pi*n", "gain = \"s\""), "gps/scalar", "s > 0"},
      {s, "gain = \"1/(1 + s*n)\"", "gps/scalar", "s > 0"},
      {"s = { default = \"1\", domain = \"s > 0\" }", "gain = \"sqrt(1 + 2*log(1 + n/s))\"", "gps/scalar",
       "always"},
      {r, hyperbolic("r", "1"), "gps/scalar", "r = 0"},
      {r, hyperbolic("r", "r"), "gps/vector", "r > 0"},
      {r, scaled("0", "2^(r*n)", "gain = \"2^(-n)\""), "gps/vector", "r != 1"},
      {r, scaled("0", "2^(r*n)", "gain = \"2^(-n)\"\nsoftcap = \"30\""), "gps/vector", "always"},
  };
  for (const Region& one : regions) {
    const auto found = finding(encoding_with(one.parameters, one.score), one.key);
    EXPECT_EQ(found.region, one.region) << one.key << " of\n" << one.score << "\n" << found.reason;
  }
}

// Values that only a model knows are not constants.
TEST(Gps, an_unknown_alpha_leaves_the_angle_open) {
  const auto with = [](const std::string& angle, const std::string& gain) {
    return encoding_with("", "gain = \"" + gain + "\"\n" + rotation(angle) + "\nalpha = \"measured\"");
  };
  EXPECT_EQ(name_of(finding(with("alpha", "1"), "gps/vector").verdict), "undecided");
  EXPECT_EQ(name_of(finding(with("n/alpha", "1"), "gps/vector").verdict), "undecided");
  EXPECT_EQ(name_of(finding(with("n/alpha", "1"), "gps/norm").verdict), "fails");
  EXPECT_EQ(name_of(finding(with("n/alpha", "2^n"), "gps/vector").verdict), "holds");
  EXPECT_EQ(name_of(finding(with("n/alpha", "0"), "gps/vector").verdict), "fails");
}

}  // namespace gps_test
