// Gates along the path (theorem P1): verdicts for every gate and for some, against gates that were searched
// for.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "tests/in_time.h"
#include "tests/theory/findings.h"
#include "theory/source/spec_error.h"

namespace gpe::testing {
namespace path_test {

using theory::Quantifier;

std::string gated(const std::string& score, const std::string& path, const std::string& key,
                  Quantifier quantifier, const std::string& parameters = "", std::string* region = nullptr) {
  const theory::Encoding encoding = encoding_with(parameters, score + "\n[score.path]\n" + path);
  const theory::ScoreFunction law = theory::instantiate(encoding, {}, {}, oracle(), theory::Families::taken);
  const theory::Finding found =
      theory::find(reading_called(key), law, 1, gpe::testing::in_time(), {}, quantifier);
  if (region != nullptr) *region = found.region;
  return std::string(name_of(found.verdict));
}

const std::string kForgetting = "low = \"-inf\"\nhigh = 0\nopen = \"high\"";  // FoX, CABLE

struct Expected {
  std::string key, every, some;
};

TEST(Path, forget_gates_have_the_verdicts_of_docs_theorems_p1) {
  for (const Expected& one : std::vector<Expected>{{"cn/every-content", "fails", "holds"},
                                                   {"cn/some-content", "fails", "holds"},
                                                   {"cn/expected", "fails", "holds"},
                                                   {"eb/limit", "fails", "holds"},
                                                   {"eb/some-content", "fails", "holds"},
                                                   {"eb/uniform", "fails", "holds"},
                                                   {"ldcp/literal", "holds", "holds"},
                                                   {"ldcp/signed", "fails", "fails"},
                                                   {"ldcp/probability", "holds", "holds"},
                                                   {"ldcp/weight", "fails", "holds"}}) {
    EXPECT_EQ(gated("", kForgetting, one.key, Quantifier::every), one.every) << one.key;
    EXPECT_EQ(gated("", kForgetting, one.key, Quantifier::some), one.some) << one.key;
  }
}

TEST(Path, an_end_that_belongs_to_the_interval_changes_what_all_gates_have) {
  EXPECT_EQ(gated("", "low = -1\nhigh = 0\nopen = \"high\"", "ldcp/literal", Quantifier::every), "holds");
  EXPECT_EQ(gated("", "low = -1\nhigh = 0", "ldcp/literal", Quantifier::every), "fails");
  EXPECT_EQ(gated("", "low = 0\nhigh = 1\nopen = \"low\"", "ldcp/signed", Quantifier::every), "holds");
  EXPECT_EQ(gated("", "low = 0\nhigh = 1", "ldcp/signed", Quantifier::every), "fails");
  const std::string fading = "transform = \"none\"";
  EXPECT_EQ(gated(fading, "low = 0\nhigh = 1\nopen = \"low\"", "ldcp/probability", Quantifier::every),
            "holds");
  EXPECT_EQ(gated(fading, "low = 0\nhigh = 1", "ldcp/probability", Quantifier::every), "fails");
  // limsup b = 0 is enough: b + S_n exceeds the first gate there
  EXPECT_EQ(gated("bias = \"1 - cos(pi*n)\"", "low = -2\nhigh = 1\nopen = \"low\"", "ldcp/signed",
                  Quantifier::every),
            "fails");
  EXPECT_EQ(gated("bias = \"cos(pi*n) - 1\"", "low = 0\nhigh = 1\nopen = \"low\"", "ldcp/signed",
                  Quantifier::every),
            "holds");
}

TEST(Path, regions_are_those_of_the_ends) {
  const std::string two = "lo = { default = -1 }\nhi = { default = \"-1/2\" }";
  std::string region;
  EXPECT_EQ(gated("", "low = \"lo\"\nhigh = \"hi\"", "cn/every-content", Quantifier::every, two, &region),
            "holds");
  EXPECT_EQ(region, "hi < 0");
  EXPECT_EQ(gated("", "low = \"lo\"\nhigh = \"hi\"", "ldcp/weight", Quantifier::every, two, &region),
            "fails");
  EXPECT_EQ(region, "lo >= 0");
  EXPECT_EQ(gated("", "low = \"lo\"\nhigh = \"hi\"", "eb/uniform", Quantifier::every, two, &region), "holds");
  EXPECT_EQ(region, "lo > 0, or hi < 0");
}

// The bias beta·log(1 + n) + sigma·n, and gates in [low, high], in doubles.
struct Path {
  double beta, sigma, low, high;
  double bias(int n) const { return beta * std::log1p(n) + sigma * n; }
  // Scores at n = 0 … length of the gates that `next` takes, n and the score of n - 1 given.
  template <class Next>
  std::vector<double> scores(int length, const Next& next) const {
    std::vector<double> result = {bias(0)};
    double sum = 0;
    for (int n = 1; n <= length; ++n) {
      sum += std::clamp(next(n, sum), low, high);
      result.push_back(bias(n) + sum);
    }
    return result;
  }
  std::vector<double> constant(double gate, int length) const {
    return scores(length, [&](int, double) { return gate; });
  }
  std::vector<double> to_zero(int length) const {
    return scores(length, [&](int n, double sum) { return -bias(n) - sum; });
  }
};

double entropy(const std::vector<double>& scores, int length) {
  const auto end = scores.begin() + length + 1;
  const double top = *std::max_element(scores.begin(), end);
  double z = 0, weighted = 0;
  for (auto a = scores.begin(); a != end; ++a) {
    z += std::exp(*a - top);
    weighted += (*a - top) * std::exp(*a - top);
  }
  return std::log(z) - weighted / z;
}

TEST(Path, gates_that_follow_the_bias_fail_where_the_verdict_says_so) {
  constexpr int kLength = 4000;
  int undecided = 0;
  for (const int beta : {-3, -1, 0, 1}) {
    for (const int sigma : {-1, 0, 1}) {
      for (const auto& [low, high] :
           std::vector<std::pair<int, int>>{{-2, -1}, {-1, -1}, {-1, 0}, {0, 0}, {-1, 1}, {0, 1}, {1, 2}}) {
        const Path path{double(beta), double(sigma), double(low), double(high)};
        const std::string bias = "transform = \"none\"\nbias = \"" + std::to_string(beta) + "*log(1 + n) + " +
                                 std::to_string(sigma) + "*n\"";
        const std::string ends = "low = " + std::to_string(low) + "\nhigh = " + std::to_string(high);
        const auto expect = [&](const char* key, bool holds) {
          const std::string verdict = gated(bias, ends, key, Quantifier::every);
          if (verdict == "undecided")
            ++undecided;
          else
            EXPECT_EQ(verdict, holds ? "holds" : "fails") << key << " " << bias << " " << ends;
        };
        const std::vector<double> followed = path.to_zero(kLength);
        expect("ldcp/literal", std::abs(followed.back()) > 0.01);
        bool level = false;
        for (const auto& scores : {path.constant(high, kLength), path.constant(low, kLength), followed})
          level = level || entropy(scores, kLength) - entropy(scores, kLength / 4) > 0.4;
        expect("eb/uniform", !level);
      }
    }
  }
  EXPECT_EQ(undecided, 0);
}

TEST(Path, the_weight_beyond_a_window_is_largest_for_the_largest_gates) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const double low = 2 * unit(random) - 2, high = low + unit(random);
    const Path path{4 * unit(random) - 2, unit(random) - 0.5, low, high};
    const int length = 5 + int(60 * unit(random)), window = int(length * unit(random));
    const auto beyond = [&](const std::vector<double>& scores) {
      double near = 0, far = 0;
      for (int n = 0; n <= length; ++n) (n <= window ? near : far) += std::exp(scores[std::size_t(n)]);
      return far / (near + far);
    };
    const auto drawn = path.scores(length, [&](int, double) { return low + (high - low) * unit(random); });
    EXPECT_LE(beyond(drawn), beyond(path.constant(high, length)) + 1e-12);
  }
}

TEST(Path, what_is_no_interval_or_not_decided_is_refused) {
  const auto message = [](const std::string& score) -> std::string {
    try {
      theory::instantiate(encoding_with("", score), {}, {}, oracle(), theory::Families::taken);
    } catch (const theory::SpecError& error) {
      return error.what();
    }
    return "";
  };
  for (const auto& [score, expected] : std::vector<std::pair<std::string, std::string>>{
           {"[score.path]\nlow = 1\nhigh = 0", "has no gate between low = 1 and high = 0"},
           {"[score.path]\nlow = 0\nhigh = 0\nopen = \"low\"", "has no gate between"},
           {"[score.path]\nlow = 0", "high = "},
           {"[score.path]\nlow = 0\nhigh = \"n\"", "unknown name 'n'"},
           {"[score.path]\nlow = 0\nhigh = 1\nopen = \"left\"", "unknown open 'left'"},
           {"sided = \"two\"\n[score.path]\nlow = 0\nhigh = 1", "two"},
           {"bias = \"-n*L\"\n[score.path]\nlow = 0\nhigh = 1", "with L"},
           {"bias = \"-n\"\ntransform = \"rotation\"\n[score.rotation]\nangle = \"n/(1 + "
            "H(n))\"\n[score.path]\nlow = 0\nhigh = 1",
            "with H(n)"}})
    EXPECT_NE(message(score).find(expected), std::string::npos) << score << "\n" << message(score);
  EXPECT_THROW(theory::instantiate(encoding_with("", "[score.path]\nlow = 0\nhigh = 1"), {}, {}, oracle()),
               theory::SpecError);
}

}  // namespace path_test
}  // namespace gpe::testing
