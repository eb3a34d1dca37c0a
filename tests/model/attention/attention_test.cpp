// The tiled kernels against plain loops in double precision; gradients of both against differences.
#include "model/attention/attention.h"
#include "model/attention/attention_kernel.h"

#include <cstdlib>
#include <optional>

#include "tests/model/attention_problem.h"
#include "theory/source/spec_error.h"

namespace attention_test {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::tests;

template <class Real>
struct Result {
  std::vector<Real> out, log_normalizer, entropy, dq, dk, dv;
  std::vector<std::vector<double>> parameters;
};

template <class Real>
Result<Real> run(const Problem& p, bool backward, const Parallel& parallel = one_thread()) {
  const auto convert = [](const std::vector<double>& from) {
    return std::vector<Real>(from.begin(), from.end());
  };
  const std::vector<Real> q = convert(p.q), k = convert(p.k), v = convert(p.v), g = convert(p.g);
  const auto strided = [&](auto* data, std::int64_t tokens) { return p.strided(data, tokens); };
  const ProblemHeads<Real> heads(p);
  Result<Real> r;
  const auto rows = static_cast<std::size_t>(kBatch * kHeads * p.shape.queries);
  r.out.resize(q.size());
  r.log_normalizer.resize(rows);
  r.entropy.resize(rows);
  attention_forward<Real, Real>(p.shape, heads.get(), strided(q.data(), p.shape.queries),
                                strided(k.data(), p.shape.keys), strided(v.data(), p.shape.keys),
                                strided(r.out.data(), p.shape.queries),
                                {r.log_normalizer.data(), r.entropy.data()}, parallel);
  if (!backward) return r;
  r.dq.resize(q.size());
  r.dk.resize(k.size());
  r.dv.resize(v.size());
  std::vector<std::span<double>> spans;
  for (const auto& values : p.parameters) r.parameters.emplace_back(values.size(), 0.0);
  for (auto& values : r.parameters) spans.emplace_back(values);
  const Real* out = r.out.data();
  attention_backward<Real, Real>(p.shape, heads.get(), strided(q.data(), p.shape.queries),
                                 strided(k.data(), p.shape.keys), strided(v.data(), p.shape.keys),
                                 strided(out, p.shape.queries), strided(g.data(), p.shape.queries),
                                 r.log_normalizer.data(),
                                 {strided(r.dq.data(), p.shape.keys), strided(r.dk.data(), p.shape.keys),
                                  strided(r.dv.data(), p.shape.keys)},
                                 spans, parallel);
  return r;
}

template <class Real>
double largest_difference(const Problem& p, const std::vector<Real>& fast, const std::vector<double>& plain,
                          std::int64_t b, std::int64_t h, std::int64_t tokens) {
  double worst = 0;
  for (std::int64_t t = 0; t < tokens; ++t) {
    for (std::int64_t c = 0; c < p.shape.head_dim; ++c) {
      const double expected = plain[static_cast<std::size_t>(t * p.shape.head_dim + c)];
      const double found = static_cast<double>(fast[p.at(b, h, t, tokens) + static_cast<std::size_t>(c)]);
      worst = std::max(worst, std::abs(found - expected) / (1 + std::abs(expected)));
    }
  }
  return worst;
}

// Rounding of a few hundred additions; 20 times what is seen.
template <class Real>
constexpr double kTolerance = sizeof(Real) == 4 ? 4e-5 : 1e-12;

template <class Real>
void agrees_with_plain_loops(const Case& c, std::int64_t queries, std::int64_t keys, int head_dim) {
  const Problem p(c, queries, keys, head_dim);
  const bool square = queries == keys;
  const Result<Real> fast = run<Real>(p, square);
  std::vector<std::vector<double>> parameters(kHeads, std::vector<double>(c.learned.size()));
  for (std::int64_t b = 0; b < kBatch; ++b) {
    for (std::int64_t h = 0; h < kHeads; ++h) {
      const ReferenceHead head = p.reference(b, h);
      const ReferenceOutput plain = reference_forward(head);
      EXPECT_LE(largest_difference(p, fast.out, plain.out, b, h, queries), kTolerance<Real>) << c.name;
      for (std::int64_t t = 0; t < queries; ++t) {
        const auto at = static_cast<std::size_t>((b * kHeads + h) * queries + t);
        const auto row = static_cast<std::size_t>(t);
        if (std::isinf(plain.log_normalizer[row])) {
          EXPECT_TRUE(std::isinf(fast.log_normalizer[at])) << c.name << ' ' << t;
        } else {
          EXPECT_NEAR(fast.log_normalizer[at], plain.log_normalizer[row], kTolerance<Real>)
              << c.name << ' ' << t;
        }
        EXPECT_NEAR(fast.entropy[at], plain.entropy[row], 2 * kTolerance<Real>) << c.name << ' ' << t;
      }
      if (!square) continue;
      const ReferenceGradients gradients = reference_backward(head, p.part(p.g, b, h, queries));
      EXPECT_LE(largest_difference(p, fast.dq, gradients.q, b, h, keys), kTolerance<Real>) << c.name;
      EXPECT_LE(largest_difference(p, fast.dk, gradients.k, b, h, keys), kTolerance<Real>) << c.name;
      EXPECT_LE(largest_difference(p, fast.dv, gradients.v, b, h, keys), kTolerance<Real>) << c.name;
      for (std::size_t i = 0; i < c.learned.size(); ++i)
        parameters[static_cast<std::size_t>(h)][i] += gradients.parameters[i];
    }
  }
  if (!square) return;
  for (std::size_t h = 0; h < kHeads; ++h) {
    for (std::size_t i = 0; i < c.learned.size(); ++i) {
      const double expected = parameters[h][i];
      // a sum over all pairs of terms of both signs: its rounding goes with their number
      EXPECT_NEAR(fast.parameters[h][i], expected, 30 * kTolerance<Real> * (1 + std::abs(expected)))
          << c.name << ' ' << c.learned[i];
    }
  }
}

TEST(Attention, doubles_agree_with_plain_loops) {
  for (const Case& c : cases()) agrees_with_plain_loops<double>(c, 90, 90, 8);
}

TEST(Attention, floats_agree_with_plain_loops) {
  for (const Case& c : cases()) agrees_with_plain_loops<float>(c, 90, 90, 16);
}

TEST(Attention, queries_may_be_the_last_of_the_keys) {
  for (const Case& c : cases()) {
    agrees_with_plain_loops<double>(c, 1, 1, 8);
    agrees_with_plain_loops<double>(c, 1, 150, 8);
    agrees_with_plain_loops<double>(c, 67, 150, 20);
  }
}

TEST(Attention, every_set_of_kernels_agrees_with_plain_loops) {
  for (const char* name : {"generic", "avx2", "avx512"}) {
    setenv("GPE_KERNELS", name, 1);
    std::optional<std::string_view> used;
    try {
      used = kernels<float>().name;
    } catch (const theory::SpecError&) {
      continue;  // not on this CPU
    }
    EXPECT_EQ(*used, name);
    for (const Case& c : cases()) {
      agrees_with_plain_loops<float>(c, 65, 65, 48);
      agrees_with_plain_loops<double>(c, 65, 65, 48);
    }
  }
  setenv("GPE_KERNELS", "avx1024", 1);
  EXPECT_THROW(kernels<double>(), theory::SpecError);
  unsetenv("GPE_KERNELS");
}

TEST(Attention, results_do_not_depend_on_the_number_of_threads) {
  for (const Case& c : cases()) {
    const Problem p(c, 130, 130, 16);
    const Result<float> one = run<float>(p, true);
    const Result<float> three = run<float>(p, true, several_threads(3));
    EXPECT_EQ(one.out, three.out) << c.name;
    EXPECT_EQ(one.dq, three.dq) << c.name;
    EXPECT_EQ(one.dk, three.dk) << c.name;
    EXPECT_EQ(one.dv, three.dv) << c.name;
    EXPECT_EQ(one.parameters, three.parameters) << c.name;
  }
}

TEST(Attention, of_scores_that_are_no_numbers_is_none) {
  Problem p({"nope", library_encoding("nope"), {}}, 90, 90, 8);
  p.q[p.at(1, 0, 70, 90) + 2] = std::numeric_limits<double>::quiet_NaN();
  const Result<float> found = run<float>(p, false);
  for (std::size_t x = 0; x < 8; ++x) {
    EXPECT_TRUE(std::isnan(found.out[p.at(1, 0, 70, 90) + x])) << "and not 0, as of a row that sees nothing";
    EXPECT_TRUE(std::isfinite(found.out[p.at(1, 0, 71, 90) + x]));
  }
}

// loss = Σ out·g, its derivative in one number by differences.
TEST(Attention, gradients_agree_with_differences) {
  for (const Case& c : cases()) {
    Problem p(c, 70, 70, 4);
    const Result<double> exact = run<double>(p, true);
    const auto loss = [&] {
      const Result<double> r = run<double>(p, false);
      double sum = 0;
      for (std::size_t i = 0; i < r.out.size(); ++i) sum += r.out[i] * p.g[i];
      return sum;
    };
    for (const std::size_t at : {0UL, 5UL, 300UL, 777UL, p.q.size() - 1}) {
      EXPECT_NEAR(exact.dq[at], difference(loss, p.q[at]), 1e-7) << c.name << " q " << at;
      EXPECT_NEAR(exact.dk[at], difference(loss, p.k[at]), 1e-7) << c.name << " k " << at;
      EXPECT_NEAR(exact.dv[at], difference(loss, p.v[at]), 1e-7) << c.name << " v " << at;
    }
    for (std::size_t h = 0; h < kHeads; ++h) {
      for (std::size_t i = 0; i < c.learned.size(); ++i) {
        const double expected = difference(loss, p.parameters[h][i]);
        EXPECT_NEAR(exact.parameters[h][i], expected, 1e-6 * (1 + std::abs(expected)))
            << c.name << ' ' << c.learned[i];
      }
    }
  }
}

// theta(n) = n/alpha(n) is not linear: turning q by i/alpha(i) and k by j/alpha(j) gives theta(i) - theta(j),
// another score for every pair but those with j = 0 or i = j.
TEST(Attention, ape_is_not_what_comes_of_turning_q_and_k_separately) {
  const Case c{"ape", library_encoding("ape"), {}};
  const Problem p(c, 50, 50, 8);
  EXPECT_FALSE(p.programs[0]->frequencies(50).has_value());
  const ReferenceHead head = p.reference(0, 0);
  const ReferenceOutput right = reference_forward(head);
  // the wrong version: rotated by position, then plain dot products under the same gain and bias
  TapeEvaluator columns(p.programs[0]->program(), 0, 50, 4);
  columns.evaluate({}, 0, 50);
  const auto turned = [&](const std::vector<double>& tokens) {
    std::vector<double> result = tokens;
    for (std::size_t t = 0; t < 50; ++t) {
      for (std::size_t j = 0; j < 4; ++j) {
        const double cosine = columns.output(ScoreProgram::kCosine)[j * 50 + t];
        const double sine = columns.output(ScoreProgram::kSine)[j * 50 + t];
        result[t * 8 + j] = tokens[t * 8 + j] * cosine - tokens[t * 8 + 4 + j] * sine;
        result[t * 8 + 4 + j] = tokens[t * 8 + j] * sine + tokens[t * 8 + 4 + j] * cosine;
      }
    }
    return result;
  };
  theory::Encoding plain = library_encoding("ape");
  plain.transform = theory::Transform::identity;
  const ScoreProgram untransformed(law_of(plain, 8, 1, kHeads), {}, oracle());
  ReferenceHead wrong = head;
  wrong.program = &untransformed;
  wrong.q = turned(head.q);
  wrong.k = turned(head.k);
  const ReferenceOutput separately = reference_forward(wrong);
  const Result<double> fast = run<double>(p, false);
  double worst = 0;
  for (std::size_t i = 0; i < right.out.size(); ++i)
    worst = std::max(worst, std::abs(right.out[i] - separately.out[i]));
  EXPECT_GT(worst, 0.1);
  EXPECT_LE(largest_difference(p, fast.out, right.out, 0, 0, 50), 1e-12);
  // with alpha constant it is stock RoPE, and both ways are the same
  const Case constant{"rope", library_encoding("rope"), {}};
  EXPECT_TRUE(Problem(constant, 50, 50, 8).programs[0]->frequencies(50).has_value());
}

TEST(Attention, a_measured_alpha_is_that_of_the_entropies_given) {
  const theory::Encoding encoding = encoding_of_text(
      "bias = \"-n/20\"\ntransform = \"rotation\"\n[score.rotation]\nangle = \"n/alpha/(1 + j)\"\nalpha = "
      "\"measured\"");
  const ScoreProgram score(law_of(encoding, 4), {}, oracle());
  EXPECT_TRUE(score.measures_entropy());
  std::vector<double> measured;
  for (int i = 0; i < 20; ++i) measured.push_back(std::sqrt(i));
  TapeEvaluator columns(score.program(), 0, 20, 2);
  columns.set_column(0, measured);
  columns.evaluate({}, 0, 20);
  EXPECT_NEAR(columns.output(ScoreProgram::kSine)[20 + 9], std::sin(9 / (1 + 3.0) / 2), 1e-15);
  const HeadScores<double> head(score, {}, 20, measured);
  EXPECT_TRUE(head.turns_pairs());
}

TEST(Attention, frozen_pairs_are_refused) {
  const theory::Encoding encoding = encoding_of_text(
      "transform = \"rotation\"\n[score.rotation]\nangle = \"n/alpha\"\nalpha = \"frozen-pair\"");
  EXPECT_THROW(ScoreProgram(law_of(encoding, 4), {}, oracle()), theory::SpecError);
}

TEST(BFloat16, rounds_to_the_nearest_and_ties_to_even) {
  EXPECT_EQ(static_cast<float>(BFloat16(1.0F)), 1.0F);
  EXPECT_EQ(static_cast<float>(BFloat16(1.00390625F)), 1.0F);       // halfway between 1 and 1 + 2^-7
  EXPECT_EQ(static_cast<float>(BFloat16(1.01171875F)), 1.015625F);  // halfway, up to even
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::nanf("")))));
}

}  // namespace attention_test
