// Columns of doubles against certified balls, and their derivatives against differences.
#include "model/position/expression_tape.h"

#include "tests/model/score_cases.h"
#include "theory/score/spec_families.h"
#include "theory/source/spec_error.h"

namespace expression_tape_test {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::tests;
using checks::Ball;
using theory::Expr;

constexpr int kHeadDim = 16;
constexpr int kHeads = 6;

// H(n) by its definition, in balls.
Expr with_entropy(const Expr& e, const theory::ScoreFunction& law, std::int64_t n) {
  return rewrite(e, [&](const Expr& node) {
    if (node.as<theory::node::CutEntropy>() == nullptr) return node;
    std::vector<Expr> weights{Expr(0)};
    std::vector<Expr> weighted{Expr(0)};
    for (std::int64_t m = law.first; m <= n; ++m) {
      const Expr b = substitute(law.bias, "n", Expr(m));
      weights.push_back(exp(b));
      weighted.push_back(b * exp(b));
    }
    return log(add(weights)) - add(weighted) / add(weights);
  });
}

double certified(const Expr& e, const theory::ScoreFunction& law, std::int64_t n, std::int64_t j,
                 std::int64_t length) {
  const Expr closed = substitute(substitute(substitute(with_entropy(e, law, n), "n", Expr(n)), "j", Expr(j)),
                                 "L", Expr(length));
  const Ball ball = checks::evaluate(closed, {}, 200);
  return ball.approximate();
}

TEST(ExpressionTape, agrees_with_certified_values_of_every_builtin_encoding) {
  const std::filesystem::path folder = std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings";
  int tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name = entry.path().stem().string();
    const theory::Encoding encoding = library_encoding(name);
    if (!theory::is_softmax_of_n(encoding)) continue;
    const theory::ScoreFunction law = at_values(law_of(encoding, kHeadDim, 2, kHeads));
    const ScoreProgram score(law, {}, oracle());
    const std::int64_t length = 600;
    TapeEvaluator run(score.program(), law.first, length, kHeadDim / 2);
    run.evaluate({}, static_cast<double>(length), length);
    for (const std::int64_t n :
         {law.first, law.first + 1, law.first + 15, law.first + 112, law.first + 113, law.first + 511}) {
      const auto at = static_cast<std::size_t>(n - law.first);
      const double bias = certified(law.bias, law, n, 0, length);
      EXPECT_NEAR(run.output(ScoreProgram::kBias)[at], bias, 1e-12 * (1 + std::abs(bias)))
          << name << " bias " << n;
      const double gain = certified(law.gain, law, n, 0, length);
      EXPECT_NEAR(run.output(ScoreProgram::kGain)[at], gain, 1e-12 * (1 + std::abs(gain)))
          << name << " gain " << n;
      if (score.content() != Content::rotation) continue;
      for (const std::int64_t j : {0, 3, 7}) {
        const auto of_block = static_cast<std::size_t>(j * length) + at;
        const double angle = certified(law.rotation.angle, law, n, j, length);
        const double scale = certified(law.rotation.scale, law, n, j, length);
        EXPECT_NEAR(run.output(ScoreProgram::kCosine)[of_block], scale * std::cos(angle), 1e-11)
            << name << ' ' << n << ' ' << j;
        EXPECT_NEAR(run.output(ScoreProgram::kSine)[of_block], scale * std::sin(angle), 1e-11)
            << name << ' ' << n << ' ' << j;
      }
    }
    ++tried;
  }
  EXPECT_GE(tried, 43);
}

TEST(ExpressionTape, floors_and_comparisons_at_their_steps_are_settled_exactly) {
  // log(8)/log(2) is 3, but not in doubles on every path; 49 * (1/49) falls short of 1
  const theory::Encoding encoding = encoding_of_text(
      "bias = \"floor(log(n + 1)/log(2)) + if(n*(1/49) >= 1, 100, 0) + floor(3*log(n + 1)/log(5))\"");
  const ScoreProgram score(law_of(encoding, 2), {}, oracle());
  TapeEvaluator run(score.program(), 0, 2000, 1);
  run.evaluate({}, 0, 2000);
  const auto log_floor = [](std::int64_t x, std::int64_t base, std::int64_t power) {
    // the largest e with base^e <= x^power
    std::int64_t e = 0;
    std::int64_t left = base;
    std::int64_t right = 1;
    for (std::int64_t i = 0; i < power; ++i) right *= x;
    for (; left <= right; left *= base) ++e;
    return e;
  };
  for (std::int64_t n = 0; n < 2000; ++n) {
    const std::int64_t expected = log_floor(n + 1, 2, 1) + (n >= 49 ? 100 : 0) + log_floor(n + 1, 5, 3);
    EXPECT_EQ(run.output(ScoreProgram::kBias)[static_cast<std::size_t>(n)], static_cast<double>(expected))
        << n;
  }
}

TEST(ExpressionTape, the_branch_not_taken_may_be_undefined_and_gets_no_derivative) {
  const theory::Encoding encoding =
      encoding_of_text("bias = \"if(n == 0, 0, -p*log(n))\"", "p = { default = \"1/2\" }");
  const ScoreProgram score(law_of(encoding, 2), {"p"}, oracle());
  TapeEvaluator run(score.program(), 0, 10, 1);
  const std::vector<double> p{0.5};
  run.evaluate(p, 0, 10);
  EXPECT_EQ(run.output(ScoreProgram::kBias)[0], 0);
  std::vector<std::vector<double>> adjoints(ScoreProgram::kOutputs);
  adjoints[ScoreProgram::kBias].assign(10, 1.0);
  std::vector<std::span<const double>> spans(adjoints.begin(), adjoints.end());
  std::vector<double> gradient{0};
  run.back(spans, gradient);
  EXPECT_NEAR(gradient[0], -std::lgamma(10), 1e-13);
}

TEST(ExpressionTape, says_which_output_is_undefined_and_where) {
  const ScoreProgram score(law_of(encoding_of_text("gain = \"1/(n - 3)\""), 2), {}, oracle());
  TapeEvaluator run(score.program(), 0, 10, 1);
  run.evaluate({}, 0, 3);  // not reached
  try {
    run.evaluate({}, 1, 10);
    FAIL();
  } catch (const theory::SpecError& error) {
    EXPECT_STREQ(error.what(), "gain is infinite at n = 3");
  }
}

TEST(ExpressionTape, derivatives_agree_with_differences) {
  struct Case {
    theory::Encoding encoding;
    std::vector<std::string> learned;
  };
  const std::vector<Case> cases = {
      {library_encoding("ape"), {"base", "alpha0", "lambda", "delta", "beta", "gamma"}},
      {library_encoding("kerple-power"), {"p", "a"}},
      {library_encoding("fire"), {"c", "threshold"}},
      {library_encoding("ssmax"), {"s", "base"}},
      {library_encoding("hope-hyperbolic"), {}},
      {encoding_of_text("gain = \"abs(a - n/7) + min(a, n/3)*max(b, 2) + exp(-b*n) + sin(a*n)^2 + a^b\"\n"
                        "bias = \"n^b*cos(a*n) + floor(a*n) + if(a*n < 5, a*n, 5) + log(1 + b)\"\nsoftcap = "
                        "\"a\"\nsink = \"b*a\"",
                        "a = { default = \"713/1000\" }\nb = { default = \"3/10\" }"),
       {"a", "b"}},
  };
  for (const Case& c : cases) {
    const theory::ScoreFunction law = law_of(c.encoding, 8, 2, 6);
    const ScoreProgram score(law, c.learned, oracle());
    const std::int64_t count = 40;
    TapeEvaluator run(score.program(), law.first, count, 4);
    const std::vector<double> at = values_of(law, c.learned);
    const auto weights = normal_numbers(4096, 7);
    const auto objective = [&](const std::vector<double>& parameters) {
      run.evaluate(parameters, 37, count);
      double sum = 0;
      std::size_t w = 0;
      for (std::size_t k = 0; k < ScoreProgram::kOutputs; ++k) {
        for (const double value : run.output(k)) sum += weights[w++] * value;
      }
      return sum;
    };
    objective(at);
    std::vector<std::vector<double>> adjoints(ScoreProgram::kOutputs);
    std::size_t w = 0;
    for (std::size_t k = 0; k < ScoreProgram::kOutputs; ++k) {
      for (std::size_t i = 0; i < run.output(k).size(); ++i) adjoints[k].push_back(weights[w++]);
    }
    std::vector<std::span<const double>> spans(adjoints.begin(), adjoints.end());
    std::vector<double> gradient(at.size());
    run.back(spans, gradient);
    for (std::size_t p = 0; p < at.size(); ++p) {
      const double step = 1e-5 * std::max(1.0, std::abs(at[p]));
      std::vector<double> above = at;
      std::vector<double> below = at;
      above[p] += step;
      below[p] -= step;
      const double difference = (objective(above) - objective(below)) / (2 * step);
      EXPECT_NEAR(gradient[p], difference, 2e-7 * (1 + std::abs(difference)))
          << c.encoding.name << ' ' << c.learned[p];
    }
  }
}

TEST(ExpressionTape, the_cut_entropy_stays_exact_where_weights_overflow) {
  // A = 2n: the weights e^{2n} overflow at n = 355; the entropy tends to that of a geometric law
  const theory::Encoding encoding =
      encoding_of_text("bias = \"2*n\"\ntransform = \"rotation\"\n[score.rotation]\nangle = \"H(n)\"");
  const ScoreProgram score(law_of(encoding, 2), {}, oracle());
  TapeEvaluator run(score.program(), 0, 1000, 1);
  run.evaluate({}, 0, 1000);
  const double r = std::exp(-2.0);
  const double limit = -std::log1p(-r) + 2 * r / (1 - r);
  EXPECT_NEAR(run.output(ScoreProgram::kSine)[999], std::sin(limit), 1e-12);
}

}  // namespace expression_tape_test
