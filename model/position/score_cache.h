// The scores of all heads of a model at given parameters, computed when they are needed and kept while they
// hold. Tests: tests/model/gpt/transformer_test.cpp
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/position/head_scores.h"
#include "model/position/parallel.h"
#include "model/position/positions.h"

namespace gpe::model {

/// The heads of one layer. Heads with one program and the same values are one object.
template <class Real>
using LayerScores = std::vector<std::shared_ptr<const HeadScores<Real>>>;

template <class Real>
class ScoreCache {
 public:
  /// @param positions  must outlive the result
  /// @param parallel   how the scores of different heads are computed
  explicit ScoreCache(const Positions& positions, Parallel parallel = one_thread())
      : positions_(&positions), parallel_(std::move(parallel)) {}

  /// Scores for positions 0 … length - 1.
  /// @param raw       the learned numbers, as Positions::initial
  /// @param measured  by [layer][head][query], for alpha = "measured"; the last one holds beyond. Else empty.
  const std::vector<LayerScores<Real>>& at(std::span<const double> raw, std::span<const double> measured,
                                           std::int64_t length);

 private:
  const Positions* positions_;
  Parallel parallel_;
  std::int64_t length_ = 0;
  std::vector<double> raw_;
  std::vector<double> measured_;
  std::vector<LayerScores<Real>> layers_;
};

}  // namespace gpe::model
