// A user's test of a user's kernel: the score of an encoding, in float, held against the exact one.
#include <cmath>

#include "checks/testing/properties.h"
#include "theory/score/spec_parse.h"

namespace {

using Vector = std::vector<double>;

// What is tested: attention with linear biases.
float my_score(const Vector& q, const Vector& k, std::int64_t n, float slope) {
  float dot = 0;
  for (std::size_t i = 0; i < q.size(); ++i) dot += static_cast<float>(q[i]) * static_cast<float>(k[i]);
  return dot / std::sqrt(static_cast<float>(q.size())) - slope * static_cast<float>(n);
}

// And the log normalizer and entropy of a row.
gpe::testing::RowResult my_row(const Vector& scores) {
  double top = scores.front();
  for (const double score : scores) top = std::max(top, score);
  double sum = 0;
  double mean = 0;
  for (const double score : scores) {
    sum += std::exp(score - top);
    mean += std::exp(score - top) * (score - top);
  }
  return {top + std::log(sum), std::log(sum) - mean / sum};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpe;
  if (argc != 2) return 2;
  const checks::BallOracle oracle;
  const theory::Encoding alibi = theory::load_encoding(argv[1]);
  const theory::ScoreFunction law =
      at_values(theory::instantiate(alibi, {.head_dim = 16, .head = 3, .heads = 8}, {}, oracle));
  bool passed = true;
  passed &= rc::check("my score is that of head 3 of 8", [&] {
    testing::score_is_that_of(law, 4096, 1e-5,
                              [](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
                                return my_score(q, k, n, 0.125F);
                              });
  });
  passed &= rc::check("my row is a softmax", [] { testing::row_is_softmax(500, 1e-9, my_row); });
  const bool wrong = rc::check("a slope of the paper's text for 6 heads is found", [&] {
    testing::score_is_that_of(law, 4096, 1e-5,
                              [](const Vector& q, const Vector& k, std::int64_t n, std::int64_t) {
                                return my_score(q, k, n, 0.0625F);
                              });
  });
  return passed && !wrong ? 0 : 1;
}
