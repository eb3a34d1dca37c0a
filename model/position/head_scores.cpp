#include "model/position/head_scores.h"
// Tests: tests/model/attention/attention_test.cpp
#include <algorithm>
#include <cmath>
#include <limits>

namespace gpe::model {

namespace {

// Zeros past distance 0: a tile reaches at most that far beyond its query, and a vector less than that beyond
// the tile.
constexpr std::int64_t kBeyond = 64;

std::int64_t rounded_up(std::int64_t count) { return (count + 63) / 64 * 64; }

template <class Real>
bool all_equal(std::span<const double> values, Real to) {
  return std::ranges::all_of(values, [to](double value) { return value == to; });
}

}  // namespace

template <class Real>
HeadScores<Real>::HeadScores(const ScoreProgram& program, std::span<const double> parameters,
                             std::int64_t length, std::span<const double> measured)
    : program_(&program),
      parameters_(parameters.begin(), parameters.end()),
      measured_(measured.begin(), measured.end()),
      length_(length),
      size_(rounded_up(length) + kBeyond),
      stride_(size_ + 2 * kBeyond),
      sink_(-std::numeric_limits<Real>::infinity()) {
  const bool turns = program.content() == Content::rotation || program.content() == Content::hyperbolic;
  const auto frequencies = turns ? program.frequencies(length) : std::nullopt;
  turns_pairs_ = turns && !frequencies;
  for (std::size_t output = 0; output < ScoreProgram::kOutputs; ++output) {
    if ((output == ScoreProgram::kCosine || output == ScoreProgram::kSine) && !turns_pairs_) continue;
    if (output == ScoreProgram::kSoftcap && !program.has_softcap()) continue;
    if (output == ScoreProgram::kSink && !program.has_sink()) continue;
    (by_row(output) ? by_row_ : settled_).push_back(output);
  }
  if (frequencies) {
    const auto blocks = static_cast<std::size_t>(program.blocks());
    position_cosine_.resize(static_cast<std::size_t>(length) * blocks);
    position_sine_.resize(position_cosine_.size());
    for (std::size_t at = 0; at < position_cosine_.size(); ++at) {
      const double angle = static_cast<double>(at / blocks) * (*frequencies)[at % blocks];
      position_cosine_[at] = static_cast<Real>(std::cos(angle));
      position_sine_[at] = static_cast<Real>(std::sin(angle));
    }
  }
  const std::int64_t distances = length - program.first();
  if (distances < 1 || settled_.empty()) return;
  TapeEvaluator run = run_of(settled_);
  run.evaluate(parameters_, 0, distances);
  for (const std::size_t output : settled_) {
    const auto values = run.output(output);
    if (output == ScoreProgram::kSoftcap) softcap_ = static_cast<Real>(values[0]);
    if (output == ScoreProgram::kSink) sink_ = static_cast<Real>(values[0]);
    if (output >= kColumns) continue;
    const bool plain = (output == ScoreProgram::kBias && all_equal(values, 0.0)) ||
                       (output == ScoreProgram::kGain && all_equal(values, 1.0));
    if (plain && !is_learned(output)) continue;
    columns_[output].assign(static_cast<std::size_t>(blocks_of(output) * stride_), Real(0));
    for (std::int64_t j = 0; j < blocks_of(output); ++j) {
      Real* column = columns_[output].data() + j * stride_;
      for (std::int64_t i = 0; i < distances; ++i) {
        column[size_ - 1 - program.first() - i] =
            static_cast<Real>(values[static_cast<std::size_t>(j * distances + i)]);
      }
    }
  }
}

template <class Real>
TapeEvaluator HeadScores<Real>::run_of(const std::vector<std::size_t>& outputs) const {
  const std::int64_t distances = std::max<std::int64_t>(length_ - program_->first(), 1);
  TapeEvaluator run(program_->program(), program_->first(), distances, program_->blocks(), outputs);
  if (program_->measures_entropy()) {
    run.set_column(0, std::span(measured_).subspan(static_cast<std::size_t>(program_->first())));
  }
  return run;
}

template <class Real>
ScoreAdjoints<Real> HeadScores<Real>::adjoints() const {
  ScoreAdjoints<Real> result;
  result.parameters.assign(parameters_.size(), 0.0);
  for (std::size_t column = 0; column < kColumns; ++column) {
    if (is_learned(column)) result.columns[column].assign(columns_[column].size(), Real(0));
  }
  return result;
}

template <class Real>
void HeadScores<Real>::back(std::span<const ScoreAdjoints<Real>> sums, std::span<double> gradient) const {
  const std::int64_t distances = length_ - program_->first();
  std::array<std::vector<double>, ScoreProgram::kOutputs> totals;
  for (const ScoreAdjoints<Real>& sum : sums) {
    for (std::size_t p = 0; p < gradient.size(); ++p) gradient[p] += sum.parameters[p];
  }
  if (distances < 1 || settled_.empty()) return;
  for (const std::size_t output : settled_) {
    if (!is_learned(output)) continue;
    std::vector<double>& total = totals[output];
    if (output == ScoreProgram::kSoftcap || output == ScoreProgram::kSink) {
      total.assign(1, 0.0);
      for (const ScoreAdjoints<Real>& sum : sums) {
        total[0] += output == ScoreProgram::kSoftcap ? static_cast<double>(sum.softcap) : sum.sink;
      }
      continue;
    }
    total.assign(static_cast<std::size_t>(blocks_of(output) * distances), 0.0);
    for (const ScoreAdjoints<Real>& sum : sums) {
      for (std::int64_t j = 0; j < blocks_of(output); ++j) {
        const Real* column = sum.columns[output].data() + j * stride_;
        for (std::int64_t i = 0; i < distances; ++i) {
          total[static_cast<std::size_t>(j * distances + i)] +=
              static_cast<double>(column[size_ - 1 - program_->first() - i]);
        }
      }
    }
  }
  TapeEvaluator run = run_of(settled_);
  run.evaluate(parameters_, 0, distances);
  std::array<std::span<const double>, ScoreProgram::kOutputs> spans;
  for (std::size_t output = 0; output < spans.size(); ++output) spans[output] = totals[output];
  run.back(spans, gradient);
}

template <class Real>
HeadRows<Real>::HeadRows(const HeadScores<Real>& scores) : scores_(&scores) {
  if (scores.by_row_.empty()) return;
  run_ = std::make_unique<TapeEvaluator>(scores.run_of(scores.by_row_));
  for (const std::size_t output : scores.by_row_) {
    if (output >= kColumns) continue;
    values_[output].resize(
        static_cast<std::size_t>(scores.tile_rows() * scores.blocks_of(output) * scores.stride_));
  }
}

template <class Real>
void HeadRows<Real>::evaluate(std::int64_t length) {
  const std::int64_t distances = length + 1 - scores_->program().first();
  if (distances >= 1) run_->evaluate(scores_->parameters_, static_cast<double>(length), distances);
}

template <class Real>
void HeadRows<Real>::begin(std::int64_t first_query, TileRows<Real>& tile, Real* sink,
                           const std::int64_t* starts) {
  first_query_ = first_query;
  rows_ = tile.rows;
  tile.softcap = scores_->softcap_;
  tile.swap_sign = scores_->program().content() == Content::hyperbolic ? Real(1) : Real(-1);
  tile.block_stride = scores_->stride_;
  const Real** pointers[kColumns] = {tile.bias, tile.gain, tile.cosine, tile.sine};
  const std::int64_t first = scores_->program().first();
  for (std::int64_t r = 0; r < rows_; ++r) {
    sink[r] = scores_->sink_;
    for (std::size_t output = 0; output < kColumns; ++output) {
      const auto& column = scores_->columns_[output];
      pointers[output][r] = column.empty() ? nullptr : column.data() + scores_->size_ - 1 - query(r);
    }
    if (run_ == nullptr) continue;
    const std::int64_t start = starts == nullptr ? 0 : starts[r];
    const std::int64_t length = query(r) - start;  // L
    evaluate(length);
    const std::int64_t capacity = std::max<std::int64_t>(scores_->length() - first, 1);
    for (const std::size_t output : scores_->by_row_) {
      const auto values = run_->output(output);
      if (output == ScoreProgram::kSink) sink[r] = static_cast<Real>(values[0]);
      if (output >= kColumns) continue;
      const std::int64_t blocks = scores_->blocks_of(output);
      Real* row = values_[output].data() + r * blocks * scores_->stride_;
      pointers[output][r] = row;
      for (std::int64_t j = 0; j < blocks; ++j) {
        for (std::int64_t key = 0; key <= length - first; ++key) {
          row[j * scores_->stride_ + start + key] =
              static_cast<Real>(values[static_cast<std::size_t>(j * capacity + length - key - first)]);
        }
      }
    }
  }
}

template <class Real>
void HeadRows<Real>::begin_back(ScoreAdjoints<Real>& sums, TileAdjoints<Real>& adjoints) {
  Real** pointers[kColumns] = {adjoints.bias, adjoints.gain, adjoints.cosine, adjoints.sine};
  adjoints.softcap = scores_->softcap_ != 0 ? &sums.softcap : nullptr;
  for (std::size_t output = 0; output < kColumns; ++output) {
    const bool by_row = !values_[output].empty() && scores_->is_learned(output);
    if (by_row) adjoints_[output].assign(values_[output].size(), Real(0));
    const std::int64_t row_size = scores_->blocks_of(output) * scores_->stride_;
    for (std::int64_t r = 0; r < rows_; ++r) {
      Real* settled = sums.columns[output].empty()
                          ? nullptr
                          : sums.columns[output].data() + scores_->size_ - 1 - query(r);
      pointers[output][r] = by_row ? adjoints_[output].data() + r * row_size : settled;
    }
  }
}

template <class Real>
void HeadRows<Real>::end_back(ScoreAdjoints<Real>& sums, const Real* sink) {
  const bool sink_by_row = scores_->by_row(ScoreProgram::kSink);
  if (!sink_by_row) {
    for (std::int64_t r = 0; r < rows_; ++r) sums.sink += static_cast<double>(sink[r]);
  }
  if (run_ == nullptr || sums.parameters.empty()) return;
  const std::int64_t first = scores_->program().first();
  const std::int64_t capacity = std::max<std::int64_t>(scores_->length() - first, 1);
  for (std::int64_t r = 0; r < rows_ && first_query_ + r < scores_->length(); ++r) {
    const std::int64_t distances = query(r) + 1 - first;
    if (distances < 1) continue;
    std::array<std::vector<double>, ScoreProgram::kOutputs> by_distance;
    for (const std::size_t output : scores_->by_row_) {
      if (output == ScoreProgram::kSink) by_distance[output] = {static_cast<double>(sink[r])};
      if (output >= kColumns || adjoints_[output].empty()) continue;
      const std::int64_t blocks = scores_->blocks_of(output);
      const Real* row = adjoints_[output].data() + r * blocks * scores_->stride_;
      by_distance[output].assign(static_cast<std::size_t>(blocks * capacity), 0.0);
      for (std::int64_t j = 0; j < blocks; ++j) {
        for (std::int64_t key = 0; key < distances; ++key) {
          by_distance[output][static_cast<std::size_t>(j * capacity + query(r) - key - first)] =
              static_cast<double>(row[j * scores_->stride_ + key]);
        }
      }
    }
    std::array<std::span<const double>, ScoreProgram::kOutputs> spans;
    for (std::size_t output = 0; output < spans.size(); ++output) spans[output] = by_distance[output];
    evaluate(query(r));
    run_->back(spans, sums.parameters);
  }
}

template class HeadScores<float>;
template class HeadScores<double>;
template class HeadRows<float>;
template class HeadRows<double>;

}  // namespace gpe::model
