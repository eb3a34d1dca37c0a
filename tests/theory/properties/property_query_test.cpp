// A bias linear in the query (theorem Q1): verdicts for every query and for some, against all r at which they
// can change.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "tests/in_time.h"
#include "tests/theory/findings.h"
#include "theory/source/spec_error.h"

namespace gpe::testing {
namespace property_query_test {

using theory::Quantifier;
using theory::Rational;

theory::Finding asked(const std::string& score, const std::string& radius, const std::string& shape,
                      const std::string& key, Quantifier quantifier, const std::string& parameters = "") {
  const theory::Encoding encoding = encoding_with(
      parameters, score + "\n[score.query]\nradius = \"" + radius + "\"\nshape = \"" + shape + "\"");
  const theory::ScoreFunction law = theory::instantiate(encoding, {}, {}, oracle(), theory::Families::taken);
  return theory::find(reading_called(key), law, 1, gpe::testing::in_time(), {}, quantifier);
}

std::string verdict(const std::string& score, const std::string& radius, const std::string& shape,
                    const std::string& key, Quantifier quantifier) {
  return std::string(name_of(asked(score, radius, shape, key, quantifier).verdict));
}

// b = beta log(1 + n) + sigma n and p = rho log(1 + n) + pi n: at r the score is (beta + r rho) log(1 + n) +
// (sigma + r pi) n, and each reading is read off its two coefficients.
struct Line {
  Rational beta, sigma, rho, pi;
  static std::string text(const Rational& log, const Rational& slope) {
    return std::string("(") + log.str() + ")*log(1 + n) + (" + slope.str() + ")*n";
  }
  bool holds(const std::string& key, const Rational& r) const {
    const int slope = (sigma + r * pi).sign();
    const Rational power = beta + r * rho;
    if (key == "eb/uniform") return slope != 0 || power < Rational(-1);
    if (key == "ldcp/weight") return slope > 0 || (slope == 0 && power.sign() >= 0);
    if (key == "ldcp/signed") return slope > 0 || (slope == 0 && power.sign() > 0);
    if (key == "ldcp/literal" || key == "ldcp/probability") return slope != 0 || power.sign() != 0;
    return slope < 0 || (slope == 0 && power < Rational(-1));
  }
  // All r in [-radius, radius] where an answer can change, those between, and the ends.
  std::vector<Rational> critical(const Rational& radius) const {
    std::set<Rational> found = {-radius, radius, Rational(0)};
    for (const auto& [a, b] :
         {std::pair(sigma, pi), std::pair(beta, rho), std::pair(beta + Rational(1), rho)}) {
      const Rational r = b.sign() == 0 ? Rational(0) : -a / b;
      if (-radius <= r && r <= radius) found.insert(r);
    }
    std::vector<Rational> all(found.begin(), found.end());
    for (std::size_t i = all.size() - 1; i > 0; --i) all.push_back((all[i] + all[i - 1]) / Rational(2));
    return all;
  }
};

TEST(Query, verdicts_are_those_of_all_r_where_an_answer_can_change) {
  int asked_for = 0;
  const std::vector<std::string> keys = {"cn/every-content", "cn/some-content", "cn/expected", "eb/limit",
                                         "eb/some-content",  "eb/uniform",      "ldcp/weight", "ldcp/signed",
                                         "ldcp/literal",     "ldcp/probability"};
  for (const int beta : {-2, 0, 1})
    for (const int sigma : {-1, 0, 1})
      for (const auto& [rho, pi] : {std::pair(1, 0), std::pair(0, 1), std::pair(2, -1)})
        for (const Rational& radius : {Rational(1, 2), Rational(1), Rational(2)}) {
          const Line line{beta, sigma, rho, pi};
          for (const std::string& key : keys) {
            const std::string bias = "transform = \"none\"\nbias = \"" + Line::text(beta, sigma) + "\"";
            int holding = 0;
            const std::vector<Rational> all = line.critical(radius);
            for (const Rational& r : all) holding += line.holds(key, r) ? 1 : 0;
            for (const Quantifier quantifier : {Quantifier::every, Quantifier::some}) {
              const bool holds = quantifier == Quantifier::every ? holding == int(all.size()) : holding > 0;
              EXPECT_EQ(verdict(bias, radius.str(), Line::text(rho, pi), key, quantifier),
                        holds ? "holds" : "fails")
                  << key << " " << name_of(quantifier) << " " << bias << " R = " << radius.str()
                  << " p = " << Line::text(rho, pi);
              ++asked_for;
            }
          }
        }
  EXPECT_EQ(asked_for, 3 * 3 * 3 * 3 * 20);
}

TEST(Query, a_bounded_shape_leaves_sums_and_weights_to_the_bias) {
  for (const Quantifier quantifier : {Quantifier::every, Quantifier::some}) {
    for (const std::string shape : {"sin(n)", "1/(1 + n)", "floor(n) - n + cos(3*n)"}) {
      EXPECT_EQ(verdict("bias = \"-n\"", "100", shape, "cn/every-content", quantifier), "holds");
      EXPECT_EQ(verdict("bias = \"-log(1 + n)\"", "100", shape, "cn/some-content", quantifier), "fails");
      EXPECT_EQ(verdict("bias = \"-n\"", "100", shape, "eb/uniform", quantifier), "holds");
      EXPECT_EQ(verdict("bias = \"0\"", "100", shape, "ldcp/weight", quantifier), "holds");
    }
    EXPECT_EQ(verdict("transform = \"none\"", "1", "1/(1 + n)", "ldcp/literal", quantifier), "fails");
  }
}

// Sum of e^{b + r p} up to n, at r.
double sum(const std::function<double(int)>& bias, const std::function<double(int)>& shape, double r, int n) {
  double total = 0;
  for (int m = 0; m <= n; ++m) total += std::exp(bias(m) + r * shape(m));
  return total;
}

// p = (-1)^n n: every r but 0 makes half of the scores grow, and b - R|p| converges all the same.
TEST(Query, a_shape_that_changes_sign_needs_one_r_exhibited) {
  const std::string turning = "n*cos(pi*n)";
  const auto shape = [](int n) { return n % 2 == 0 ? double(n) : -double(n); };
  EXPECT_EQ(verdict("bias = \"-n\"", "1/2", turning, "cn/every-content", Quantifier::every), "holds");
  EXPECT_EQ(verdict("bias = \"-n\"", "1", turning, "cn/every-content", Quantifier::every), "fails");
  EXPECT_EQ(verdict("bias = \"-n\"", "2", turning, "cn/every-content", Quantifier::some), "holds");  // r = 0
  const auto falls = [](int n) { return -double(n); };
  EXPECT_LT(sum(falls, shape, 0.5, 400) - sum(falls, shape, 0.5, 200), 1e-9);
  EXPECT_GT(sum(falls, shape, 1, 400) - sum(falls, shape, 1, 200), 99);
  const theory::Finding open = asked("", "1", turning, "cn/some-content", Quantifier::some);
  EXPECT_EQ(name_of(open.verdict), "undecided");
  EXPECT_NE(open.reason.find("other r are not looked at"), std::string::npos) << open.reason;
  for (const double r : {-1.0, -0.3, 0.0, 0.01, 0.7, 1.0})
    EXPECT_GT(sum([](int) { return 0.0; }, shape, r, 2000), 1000) << r;
  // an r between the ends, and not 0, is the only kind that converges: not looked at, and not claimed
  const std::string halves = "if(cos(pi*n) > 0, -n, n)", steep = "if(cos(pi*n) > 0, n/2, -n)";
  EXPECT_EQ(verdict("transform = \"none\"\nbias = \"" + steep + "\"", "2", halves, "cn/every-content",
                    Quantifier::some),
            "undecided");
  const auto inner = [](int n) { return n % 2 == 0 ? n / 2.0 : -double(n); };
  EXPECT_LT(sum(
                inner, [&](int n) { return -shape(n); }, 0.75, 800),
            10);
  EXPECT_GT(sum(
                inner, [&](int n) { return -shape(n); }, 2, 100),
            1e20);
}

// All scores are 0 at r = 0, whatever the shape does at other r, and where b/p has no value at odd n.
TEST(Query, no_query_at_all_is_one_of_every) {
  for (const std::string shape : {"n*sin(n)", "n*(1 + cos(pi*n))", "log(1 + n)*(1 + cos(pi*n))"}) {
    for (const std::string key : {"cn/every-content", "cn/some-content", "eb/limit", "eb/uniform"})
      EXPECT_EQ(verdict("", "1", shape, key, Quantifier::every), "fails") << shape << " " << key;
    EXPECT_EQ(verdict("bias = \"-2*log(1 + n)\"", "1", shape, "cn/every-content", Quantifier::some), "holds")
        << shape;
  }
}

TEST(Query, regions_are_those_of_the_ends) {
  const theory::Finding every =
      asked("bias = \"-m*n\"", "R", "n", "cn/every-content", Quantifier::every,
            "m = { default = 1, domain = \"m > 0\" }\nR = { default = \"1/2\", domain = \"R > 0\" }");
  EXPECT_EQ(name_of(every.verdict), "holds");
  EXPECT_EQ(every.region, "m > R");
  EXPECT_EQ(
      asked("bias = \"n\"", "R", "n", "cn/every-content", Quantifier::some, "R = { default = 2 }").region,
      "R > 1");
}

// dA/dq = M(n) k/√d + p(n) v, by its three statements in two dimensions: v, k = v and a turn of k.
TEST(Query, the_gradient_has_the_shape_as_a_part) {
  const std::string plain = "bias = \"-n\"",
                    rope = "transform = \"rotation\"\n[score.rotation]\nangle = \"n\"";
  const auto three = [](const std::string& score, const std::string& shape) {
    std::string text;
    for (const std::string key : {"gps/scalar", "gps/norm", "gps/vector"})
      text += verdict(score, "1", shape, key, Quantifier::none)[0];
    return text;
  };
  EXPECT_EQ(three(plain, "0"), "fff");
  EXPECT_EQ(three(plain, "1"), "fff");
  EXPECT_EQ(three(plain, "n"), "fhh");
  EXPECT_EQ(three(plain, "cos(pi*n)"), "fhh");  // |k + (-1)^n v|
  EXPECT_EQ(three("transform = \"none\"", "cos(pi*n)"), "ffh");
  EXPECT_EQ(three("transform = \"none\"", "n"), "fhh");
  EXPECT_EQ(three(rope, "0"), "ffh");
  EXPECT_EQ(three(rope, "1"), "fhh");  // |R(n) k + v| changes
  EXPECT_EQ(three("gain = \"1 + n\"", "0"), "hhh");
  EXPECT_EQ(three("gain = \"1 + n\"", "1"), "fhh");
  EXPECT_EQ(three("softcap = 5", "n"), "fhh");
  EXPECT_EQ(three("softcap = 5\n" + rope, "1"), "fuh");
  EXPECT_EQ(three("window = 1", "n"), "fff");
}

TEST(Query, what_is_not_decided_is_refused) {
  const auto message = [](const std::string& score) -> std::string {
    try {
      theory::instantiate(encoding_with("", score), {}, {}, oracle(), theory::Families::taken);
    } catch (const theory::SpecError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [score, expected] : std::vector<std::pair<std::string, std::string>>{
           {"[score.query]\nradius = 0\nshape = \"n\"", "[score.query] radius = 0 is not positive"},
           {"[score.query]\nradius = -1\nshape = \"n\"", "is not positive"},
           {"[score.query]\nradius = \"n\"\nshape = \"n\"", "unknown name 'n'"},
           {"[score.query]\nshape = \"n\"", "radius = "},
           {"[score.query]\nradius = 1\nshape = \"n\"\nhigh = 1", "[score.path]"},
           {"sided = \"two\"\n[score.query]\nradius = 1\nshape = \"n\"", "two"},
           {"bias = \"-n*L\"\n[score.query]\nradius = 1\nshape = \"n\"", "with L in gain, bias or scale"},
           {"transform = \"rotation\"\n[score.rotation]\nangle = \"n/(1 + H(n))\"\n[score.query]\nradius = "
            "1\nshape = \"n\"",
            "with H(n)"}})
    EXPECT_NE(message(score).find(expected), std::string::npos) << score << "\n" << message(score);
  EXPECT_THROW(
      theory::instantiate(encoding_with("", "[score.query]\nradius = 1\nshape = \"n\""), {}, {}, oracle()),
      theory::SpecError);
}

}  // namespace property_query_test
}  // namespace gpe::testing
