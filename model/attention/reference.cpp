#include "model/attention/reference.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace gpe::model {

namespace {

using Index = std::size_t;

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
    q_ = head.q.data() + row * static_cast<Index>(head.head_dim);
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
  double scale() const { return scale_; }
  double cap() const { return head_.program->has_softcap() ? column(ScoreProgram::kSoftcap, 0) : 0; }
  double sink() const {
    return head_.program->has_sink() ? column(ScoreProgram::kSink, 0)
                                     : -std::numeric_limits<double>::infinity();
  }
  const double* q() const { return q_; }
  const double* k(std::int64_t key) const {
    return head_.k.data() + static_cast<Index>(key * head_.head_dim);
  }

  /// The two coordinates of block j.
  std::array<Index, 2> block(Index j) const {
    const auto half = static_cast<Index>(head_.program->blocks());
    if (head_.program->layout() == theory::Layout::interleaved) return {2 * j, 2 * j + 1};
    return {j, half + j};
  }

  Pair pair(std::int64_t key) const {
    Pair result;
    const double* other = k(key);
    const Index n = slot(key);
    if (turns()) {
      for (Index j = 0; j < static_cast<Index>(head_.program->blocks()); ++j) {
        const auto [x, y] = block(j);
        result.content +=
            column(ScoreProgram::kEven, j * capacity_ + n) * (q_[x] * other[x] + q_[y] * other[y]) +
            column(ScoreProgram::kOdd, j * capacity_ + n) * (q_[x] * other[y] + sign() * q_[y] * other[x]);
      }
    } else if (head_.program->content() == Content::dot_product) {
      for (Index c = 0; c < static_cast<Index>(head_.head_dim); ++c) result.content += q_[c] * other[c];
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
  const double* q_ = nullptr;
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
      for (Index c = 0; c < dim; ++c) result.out[row * dim + c] += weight * head.v[at * dim + c];
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
    const double* gradient = out_gradient.data() + row * dim;
    double delta = 0;
    for (Index c = 0; c < dim; ++c) delta += gradient[c] * forward.out[row * dim + c];
    const double cap = query.cap();
    for (std::int64_t key = query.first_key; key < query.end_key; ++key) {
      const auto at = static_cast<Index>(key);
      const double weight = forward.weights[row * keys + at];
      double by_weight = 0;
      for (Index c = 0; c < dim; ++c) {
        by_weight += gradient[c] * head.v[at * dim + c];
        result.v[at * dim + c] += weight * gradient[c];
      }
      const double by_score = weight * (by_weight - delta);
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
      const double* q = query.q();
      const double* k = query.k(key);
      double* dq = result.q.data() + row * dim;
      double* dk = result.k.data() + at * dim;
      if (query.turns()) {
        for (Index j = 0; j < dim / 2; ++j) {
          const auto [x, y] = query.block(j);
          const double even = query.column(ScoreProgram::kEven, j * query.capacity() + n);
          const double odd = query.column(ScoreProgram::kOdd, j * query.capacity() + n);
          dq[x] += by_content * (even * k[x] + odd * k[y]);
          dq[y] += by_content * (even * k[y] + query.sign() * odd * k[x]);
          dk[x] += by_content * (even * q[x] + query.sign() * odd * q[y]);
          dk[y] += by_content * (even * q[y] + odd * q[x]);
          adjoints[ScoreProgram::kEven][j * query.capacity() + n] += by_content * (q[x] * k[x] + q[y] * k[y]);
          adjoints[ScoreProgram::kOdd][j * query.capacity() + n] +=
              by_content * (q[x] * k[y] + query.sign() * q[y] * k[x]);
        }
      } else if (head.program->content() == Content::dot_product) {
        for (Index c = 0; c < dim; ++c) {
          dq[c] += by_content * k[c];
          dk[c] += by_content * q[c];
        }
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
