#include "model/attention/reference.h"
// Tests: tests/model/attention/attention_test.cpp
#include <Eigen/Core>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace gpe::model {

namespace {

using Index = std::size_t;
using Vector = Eigen::Map<const Eigen::VectorXd>;
using MutableVector = Eigen::Map<Eigen::VectorXd>;

// The token's coordinates.
Vector at_token(std::span<const double> all, Index token, Index dim) {
  return Vector(&all[token * dim], static_cast<Eigen::Index>(dim));
}
MutableVector at_token(std::vector<double>& all, Index token, Index dim) {
  return MutableVector(&all[token * dim], static_cast<Eigen::Index>(dim));
}

// Everything about one pair of a query and a key.
struct Pair {
  double content = 0;  ///< before the cap
  double score = 0;    ///< A
};

class Query {
 public:
  Query(const ReferenceHead& head, Index row)
      : head_(head), position(head.keys - head.queries + static_cast<std::int64_t>(row)) {
    const ScoreProgram& program = *head.program;
    first_key = std::max<std::int64_t>(0, position - program.last());
    end_key = position - program.first() + 1;
    const std::int64_t distances = std::max<std::int64_t>(end_key, 1);
    run_.emplace(program.program(), program.first(), distances, program.blocks());
    if (program.measures_entropy()) {
      run_->set_column(0, std::span(head.measured)
                              .subspan(static_cast<Index>(program.first()), static_cast<Index>(distances)));
    }
    capacity_ = static_cast<Index>(distances);
    if (end_key > 0) run_->evaluate(head.parameters, static_cast<double>(position), distances);
    row_ = row;
    scale_ = 1 / std::sqrt(static_cast<double>(head.head_dim));
  }

  TapeEvaluator& run() { return *run_; }
  Index capacity() const { return capacity_; }
  Index slot(std::int64_t key) const { return static_cast<Index>(position - key - head_.program->first()); }
  double column(std::size_t output, Index at) const { return run_->output(output)[at]; }
  bool turns() const {
    return head_.program->content() == Content::rotation || head_.program->content() == Content::hyperbolic;
  }
  double sign() const { return head_.program->content() == Content::hyperbolic ? 1 : -1; }
  /// W(n) in block j: what the key's block is multiplied by.
  Eigen::Matrix2d turn(Index j, Index n) const {
    const double cosine = column(ScoreProgram::kCosine, j * capacity_ + n);
    const double sine = column(ScoreProgram::kSine, j * capacity_ + n);
    return Eigen::Matrix2d{{cosine, sine}, {sign() * sine, cosine}};
  }
  double scale() const { return scale_; }
  double cap() const { return head_.program->has_softcap() ? column(ScoreProgram::kSoftcap, 0) : 0; }
  double sink() const {
    return head_.program->has_sink() ? column(ScoreProgram::kSink, 0)
                                     : -std::numeric_limits<double>::infinity();
  }
  Vector q() const { return at_token(head_.q, row_, static_cast<Index>(head_.head_dim)); }
  Vector k(std::int64_t key) const {
    return at_token(head_.k, static_cast<Index>(key), static_cast<Index>(head_.head_dim));
  }

  /// The two coordinates of block j.
  std::array<Index, 2> block(Index j) const {
    const auto half = static_cast<Index>(head_.program->blocks());
    if (head_.program->layout() == theory::Layout::interleaved) return {2 * j, 2 * j + 1};
    return {j, half + j};
  }

  Pair pair(std::int64_t key) const {
    Pair result;
    const Index n = slot(key);
    if (turns()) {
      for (Index j = 0; j < static_cast<Index>(head_.program->blocks()); ++j)
        result.content += q()(block(j)).dot(turn(j, n) * k(key)(block(j)));
    } else if (head_.program->content() == Content::dot_product) {
      result.content = q().dot(k(key));
    }
    result.content *= scale_;
    const double capped = cap() != 0 ? cap() * std::tanh(result.content / cap()) : result.content;
    result.score = column(ScoreProgram::kGain, n) * capped + column(ScoreProgram::kBias, n);
    return result;
  }

 private:
  const ReferenceHead& head_;
  std::optional<TapeEvaluator> run_;
  Index capacity_ = 0;
  Index row_ = 0;
  double scale_ = 1;

 public:
  std::int64_t position;
  std::int64_t first_key = 0;
  std::int64_t end_key = 0;  ///< keys [first_key, end_key) are seen
};

}  // namespace

ReferenceOutput reference_forward(const ReferenceHead& head) {
  const auto queries = static_cast<Index>(head.queries);
  const auto keys = static_cast<Index>(head.keys);
  const auto dim = static_cast<Index>(head.head_dim);
  ReferenceOutput result;
  result.out.assign(queries * dim, 0.0);
  result.log_normalizer.assign(queries, -std::numeric_limits<double>::infinity());
  result.entropy.assign(queries, 0.0);
  result.weights.assign(queries * keys, 0.0);
  result.scores.assign(queries * keys, -std::numeric_limits<double>::infinity());
  result.contents.assign(queries * keys, 0.0);
  for (Index row = 0; row < queries; ++row) {
    const Query query(head, row);
    std::vector<double> scores(keys, -std::numeric_limits<double>::infinity());
    double high = query.sink();
    for (std::int64_t key = query.first_key; key < query.end_key; ++key) {
      const Pair pair = query.pair(key);
      scores[static_cast<Index>(key)] = result.scores[row * keys + static_cast<Index>(key)] = pair.score;
      result.contents[row * keys + static_cast<Index>(key)] = pair.content;
      high = std::max(high, scores[static_cast<Index>(key)]);
    }
    if (query.end_key <= query.first_key) continue;
    double tokens = 0;
    for (const double score : scores) tokens += std::exp(score - high);
    const double all = tokens + std::exp(query.sink() - high);
    result.log_normalizer[row] = high + std::log(all);
    for (std::int64_t key = query.first_key; key < query.end_key; ++key) {
      const auto at = static_cast<Index>(key);
      const double weight = std::exp(scores[at] - high) / all;
      result.weights[row * keys + at] = weight;
      at_token(result.out, row, dim) += weight * at_token(head.v, at, dim);
      const double share = std::exp(scores[at] - high) / tokens;
      if (share != 0) result.entropy[row] -= share * std::log(share);
    }
  }
  return result;
}

ReferenceGradients reference_backward(const ReferenceHead& head, std::span<const double> out_gradient) {
  const auto dim = static_cast<Index>(head.head_dim);
  const auto keys = static_cast<Index>(head.keys);
  const ReferenceOutput forward = reference_forward(head);
  ReferenceGradients result;
  result.q.assign(head.q.size(), 0.0);
  result.k.assign(head.k.size(), 0.0);
  result.v.assign(head.v.size(), 0.0);
  result.parameters.assign(head.parameters.size(), 0.0);
  for (Index row = 0; row < static_cast<Index>(head.queries); ++row) {
    Query query(head, row);
    if (query.end_key <= query.first_key) continue;
    std::array<std::vector<double>, ScoreProgram::kOutputs> adjoints;
    for (Index output = 0; output < adjoints.size(); ++output)
      adjoints[output].assign(query.run().output(output).size(), 0.0);
    const Vector gradient = at_token(out_gradient, row, dim);
    const double delta = gradient.dot(at_token(forward.out, row, dim));
    const double cap = query.cap();
    for (std::int64_t key = query.first_key; key < query.end_key; ++key) {
      const auto at = static_cast<Index>(key);
      const double weight = forward.weights[row * keys + at];
      at_token(result.v, at, dim) += weight * gradient;
      const double by_score = weight * (gradient.dot(at_token(head.v, at, dim)) - delta);
      const double content = query.pair(key).content;
      const Index n = query.slot(key);
      const double gain = query.column(ScoreProgram::kGain, n);
      const double t = cap != 0 ? std::tanh(content / cap) : 0;
      const double capped = cap != 0 ? cap * t : content;
      const double slope = cap != 0 ? 1 - t * t : 1;
      adjoints[ScoreProgram::kBias][n] += by_score;
      adjoints[ScoreProgram::kGain][n] += by_score * capped;
      if (cap != 0) adjoints[ScoreProgram::kSoftcap][0] += by_score * gain * (t - content / cap * slope);
      const double by_content = by_score * gain * slope * query.scale();
      const Vector q = query.q();
      const Vector k = query.k(key);
      MutableVector dq = at_token(result.q, row, dim);
      MutableVector dk = at_token(result.k, at, dim);
      if (query.turns()) {
        for (Index j = 0; j < dim / 2; ++j) {
          const auto pair = query.block(j);
          const Eigen::Matrix2d turn = query.turn(j, n);
          dq(pair) += by_content * (turn * k(pair));
          dk(pair) += by_content * (turn.transpose() * q(pair));
          const auto [x, y] = pair;
          adjoints[ScoreProgram::kCosine][j * query.capacity() + n] += by_content * q(pair).dot(k(pair));
          adjoints[ScoreProgram::kSine][j * query.capacity() + n] +=
              by_content * (q[x] * k[y] + query.sign() * q[y] * k[x]);
        }
      } else if (head.program->content() == Content::dot_product) {
        dq += by_content * k;
        dk += by_content * q;
      }
    }
    adjoints[ScoreProgram::kSink][0] = -std::exp(query.sink() - forward.log_normalizer[row]) * delta;
    std::array<std::span<const double>, ScoreProgram::kOutputs> spans;
    for (Index output = 0; output < spans.size(); ++output) spans[output] = adjoints[output];
    query.run().back(spans, result.parameters);
  }
  return result;
}

}  // namespace gpe::model
