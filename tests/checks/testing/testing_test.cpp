// gpe::testing: right kernels pass, and each property finds a wrong one.
#include "checks/testing/properties.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/arb/expr_ball.h"
#include "checks/content/effective_window.h"
#include "tests/in_time.h"
#include "theory/score/spec_parse.h"

namespace gpe::testing {
namespace testing_test {

theory::ScoreFunction law_of(const std::string& name, int head_dim = 8) {
  const checks::BallOracle oracle;
  const theory::Encoding encoding =
      theory::load_encoding(std::string(GPE_SOURCE_DIR "/theory/encodings/") + name + ".toml");
  return at_values(theory::instantiate(encoding, {.head_dim = head_dim}, {}, oracle));
}

using Vector = std::vector<double>;

double rope(const Vector& q, const Vector& k, std::int64_t n, bool interleaved = false, double sign = 1) {
  double sum = 0;
  const std::size_t half = q.size() / 2;
  for (std::size_t j = 0; j < half; ++j) {
    const double angle = sign * static_cast<double>(n) *
                         std::pow(10000.0, -2.0 * static_cast<double>(j) / static_cast<double>(q.size()));
    const std::size_t a = interleaved ? 2 * j : j;
    const std::size_t b = interleaved ? 2 * j + 1 : j + half;
    sum += std::cos(angle) * (q[a] * k[a] + q[b] * k[b]) + std::sin(angle) * (q[a] * k[b] - q[b] * k[a]);
  }
  return sum / std::sqrt(static_cast<double>(q.size()));
}

// Whether RapidCheck refutes it in a hundred cases, whatever the number of cases of other properties.
template <typename Property>
bool is_refuted(const Property& property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = 100;
  rc::detail::TestResult result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  return !result.is<rc::detail::SuccessResult>();
}

constexpr double kPrecise = 1e-9;
constexpr std::int64_t kMax = 3000;

RC_GTEST_PROP(ScoreIsThatOf, holds_for_a_right_rotation, ()) {
  static const theory::ScoreFunction law = law_of("rope");
  score_is_that_of(law, kMax, kPrecise, [](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
    return rope(q, k, n);
  });
}

RC_GTEST_PROP(ScoreIsThatOf, holds_for_the_score_of_ape_s_relatives, ()) {
  static const theory::ScoreFunction kerple = law_of("kerple-weight");
  score_is_that_of(
      kerple, kMax, kPrecise, [](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
        static const auto value = [](const theory::Expr& e, std::int64_t at) {
          return checks::evaluate(e, {{theory::kIndex, checks::Ball(at)}}, kBits).approximate();
        };
        const double content =
            std::inner_product(q.begin(), q.end(), k.begin(), 0.0) / std::sqrt(static_cast<double>(q.size()));
        return value(kerple.gain, n) * content + value(kerple.bias, n);
      });
}

TEST(ScoreIsThatOf, finds_the_other_layout_the_other_sign_and_a_missing_scale) {
  const theory::ScoreFunction law = law_of("rope");
  const auto refuted = [&](const auto& kernel) {
    return is_refuted([&] { score_is_that_of(law, kMax, kPrecise, kernel); });
  };
  const auto right = [](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
    return rope(q, k, n);
  };
  EXPECT_FALSE(refuted(right));
  EXPECT_TRUE(refuted(
      [](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) { return rope(q, k, n, true); }));
  EXPECT_TRUE(refuted([](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
    return rope(q, k, n, false, -1);
  }));
  EXPECT_TRUE(refuted([](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
    return rope(q, k, n) * std::sqrt(8.0);
  }));
}

TEST(ScoreIsThatOf, finds_a_dropped_temperature_and_a_wrong_length) {
  const auto refuted = [&](const char* name, const auto& kernel) {
    const theory::ScoreFunction law = law_of(name);
    return is_refuted([&] { score_is_that_of(law, kMax, 1e-5, kernel); });
  };
  const auto yarn = law_of("yarn");
  const auto without_gain = [&](const Vector& q, const Vector& k, std::int64_t n, std::int64_t length) {
    theory::ScoreFunction plain = yarn;
    plain.gain = theory::Expr(1);
    return checks::score_at(plain, checks::exact_balls(q), checks::exact_balls(k), n, length, kBits)
        .approximate();
  };
  EXPECT_TRUE(refuted("yarn", without_gain));
  const auto log_n = law_of("log-n");
  const auto of_the_distance = [&](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
    return checks::score_at(log_n, checks::exact_balls(q), checks::exact_balls(k), n, n, kBits).approximate();
  };
  EXPECT_TRUE(refuted("log-n", of_the_distance));
}

RowResult softmax(const Vector& scores, double top) {
  double sum = 0;
  double mean = 0;
  for (const double score : scores) {
    sum += std::exp(score - top);
    mean += std::exp(score - top) * (score - top);
  }
  return {top + std::log(sum), std::log(sum) - mean / sum};
}

RC_GTEST_PROP(RowIsSoftmax, holds_with_the_largest_score_taken_out, ()) {
  row_is_softmax(200, 1e-12, [](const Vector& scores) {
    return softmax(scores, *std::max_element(scores.begin(), scores.end()));
  });
}

TEST(RowIsSoftmax, finds_overflow_and_an_epsilon_in_the_logarithm) {
  EXPECT_TRUE(
      is_refuted([] { row_is_softmax(200, 1e-6, [](const Vector& scores) { return softmax(scores, 0); }); }));
  EXPECT_TRUE(is_refuted([] {
    row_is_softmax(200, 1e-6, [](const Vector& scores) {
      const double top = *std::max_element(scores.begin(), scores.end());
      RowResult row = softmax(scores, top);
      row.entropy = 0;
      for (const double score : scores) {
        const double p = std::exp(score - row.log_normalizer) + 1e-5;
        row.entropy -= p * std::log(p);
      }
      return row;
    });
  }));
}

TEST(WindowIsEnough, holds_for_the_certified_window_and_not_for_half_of_it) {
  const theory::ScoreFunction law = law_of("ape");
  const checks::BigCount certified = checks::effective_window(
      law, theory::Rational(1, 1000), theory::Rational(3), std::nullopt, gpe::testing::in_time());
  ASSERT_EQ(certified.kind, checks::BigCount::Kind::number);
  const std::int64_t window = *certified.number.to_int64();
  EXPECT_FALSE(is_refuted([&] { window_is_enough(law, window, 1e-3, 3, 2 * window); }));
  EXPECT_TRUE(is_refuted([&] { window_is_enough(law, window / 2, 1e-3, 3, 2 * window); }));
}

RC_GTEST_PROP(AnyParameters, are_inside_their_domains, ()) {
  static const theory::Encoding ape = theory::load_encoding(GPE_SOURCE_DIR "/theory/encodings/ape.toml");
  const checks::BallOracle oracle;
  const auto values = *any_parameters(ape, {});
  RC_CLASSIFY(values.size() > 3, "most are changed");
  theory::instantiate(ape, {}, values, oracle);  // throws outside a domain
}

}  // namespace testing_test
}  // namespace gpe::testing
