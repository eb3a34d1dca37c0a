// A ScoreProgram at given parameters, laid out as the kernels read it: for a query, its factors key by key.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/position/aligned.h"
#include "model/position/score_program.h"
#include "model/position/score_tile.h"

namespace gpe::model {

/// The outputs of a ScoreProgram that are columns: kBias, kGain, kCosine, kSine.
inline constexpr std::size_t kColumns = 4;

/// ∂loss/∂ everything that a parameter is in, for one head and one batch entry: what a backward pass adds up.
template <class Real>
struct ScoreAdjoints {
  std::array<AlignedVector<Real>, kColumns>
      columns;  ///< laid out as in HeadScores; empty where no parameter is
  Real softcap = 0;
  double sink = 0;
  std::vector<double> parameters;  ///< through what depends on L, which is carried back query by query
};

/// Columns of n are stored backwards, so that the factors of one query lie in the order of its keys: for
/// query i, entry [size - 1 - i + key] is that of distance i - key, and 0 beyond the query. What depends on L
/// is computed for each query in turn instead (HeadRows).
template <class Real>
class HeadScores {
 public:
  /// For queries and keys at positions 0 … length - 1.
  /// @param program   must outlive the result
  /// @param measured  the mean entropy at queries 0 … length - 1, for alpha = "measured"; else empty
  /// @throws theory::SpecError  a column that is not finite
  HeadScores(const ScoreProgram& program, std::span<const double> parameters, std::int64_t length,
             std::span<const double> measured = {});

  const ScoreProgram& program() const { return *program_; }
  std::int64_t length() const { return length_; }
  Real softcap() const { return softcap_; }
  /// Whether every pair of a query and a key needs factors of its own.
  bool turns_pairs() const { return turns_pairs_; }
  /// Whether q and k are turned each by its own position, with these ([position][block]).
  bool turns_separately() const { return !position_cosine_.empty(); }
  const Real* position_cosine(std::int64_t position) const {
    return position_cosine_.data() + position * program_->blocks();
  }
  const Real* position_sine(std::int64_t position) const {
    return position_sine_.data() + position * program_->blocks();
  }
  /// How many queries a tile may have: fewer where each brings factors of its own for every block.
  std::int64_t tile_rows() const {
    return turns_pairs_ && by_row(ScoreProgram::kCosine) ? 8 : TileRows<Real>::kMax;
  }

  bool learns() const { return !parameters_.empty(); }
  /// Zeros.
  ScoreAdjoints<Real> adjoints() const;
  /// Adds ∂loss/∂parameters to `gradient`, given the adjoints of every batch entry, summed in their order.
  void back(std::span<const ScoreAdjoints<Real>> sums, std::span<double> gradient) const;

 private:
  template <class>
  friend class HeadRows;
  bool by_row(std::size_t output) const { return program_->program().depends_on_length(output); }
  bool is_learned(std::size_t output) const { return program_->program().depends_on_parameters(output); }
  std::int64_t blocks_of(std::size_t column) const {
    return column == ScoreProgram::kCosine || column == ScoreProgram::kSine ? program_->blocks() : 1;
  }
  TapeEvaluator run_of(const std::vector<std::size_t>& outputs) const;

  const ScoreProgram* program_;
  std::vector<double> parameters_;
  std::vector<double> measured_;
  std::int64_t length_;
  std::int64_t size_;                 ///< of a stored column down to distance 0
  std::int64_t stride_;               ///< from one block to the next
  std::vector<std::size_t> settled_;  ///< outputs that do not depend on L, but for rotations done separately
  std::vector<std::size_t> by_row_;   ///< those that do
  bool turns_pairs_ = false;
  Real softcap_ = 0;
  Real sink_;                                          ///< minus infinity without one
  std::array<AlignedVector<Real>, kColumns> columns_;  ///< empty: by row, or not needed
  AlignedVector<Real> position_cosine_, position_sine_;
};

/// The factors of a tile of queries, for one thread at a time.
template <class Real>
class HeadRows {
 public:
  explicit HeadRows(const HeadScores<Real>& scores);

  /// Sets the pointers of `tile` (to key 0), its softcap and signs, and the logits of `sink`, for queries
  /// first_query … first_query + tile.rows - 1. Queries from `length` on get those of the last.
  /// @param starts  by row, the position from which L counts; null: 0. Keys before it have no factors.
  void begin(std::int64_t first_query, TileRows<Real>& tile, Real* sink,
             const std::int64_t* starts = nullptr);
  /// The same for the adjoints of these queries.
  void begin_back(ScoreAdjoints<Real>& sums, TileAdjoints<Real>& adjoints);
  /// Takes what depends on L into sums.parameters, and ∂loss/∂sink of each query.
  void end_back(ScoreAdjoints<Real>& sums, const Real* sink);

 private:
  std::int64_t query(std::int64_t row) const { return std::min(first_query_ + row, scores_->length() - 1); }
  void evaluate(std::int64_t length);

  const HeadScores<Real>* scores_;
  std::int64_t first_query_ = 0;
  std::int64_t rows_ = 0;
  std::unique_ptr<TapeEvaluator> run_;  ///< when something depends on L
  std::array<AlignedVector<Real>, kColumns> values_;
  std::array<AlignedVector<Real>, kColumns> adjoints_;
};

}  // namespace gpe::model
