// The inner loops of attention, and of the loss, on numbers that lie in cache, one set for each instruction
// set the compiler knows.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/position/score_tile.h"

namespace gpe::model {

/// What is known of the rows of a tile after some of their keys, with weights w = e^(A - max).
template <class Real>
struct TileSums {
  static constexpr std::int64_t kMax = TileRows<Real>::kMax;
  Real max[kMax];         ///< largest score A; minus infinity before the first key
  Real content[kMax];     ///< largest |content|, before the cap
  double mass[kMax];      ///< Σ w
  double first[kMax];     ///< Σ w (A - max)
  double second[kMax];    ///< Σ w (A - max)²
  double distance[kMax];  ///< Σ w n
};

/// Contents and scores of the pairs in one class of distances: sums of differences from a number near them.
struct BucketTotals {
  double count = 0;
  double content_near = 0, content = 0, content_squares = 0;
  double score_near = 0, score = 0, score_squares = 0;
  double least_content = 0, largest_content = 0;
};

/// The classes of distances that begin at edges[0] = 0 < edges[1] < …
template <class Real>
struct TileBuckets {
  const std::int64_t* edges = nullptr;  ///< null: no classes
  std::int64_t count = 0;
  std::int64_t at[TileRows<Real>::kMax];  ///< the class of the last key so far; begins at count - 1
  double* mass = nullptr;                 ///< [row][class]: Σ w
  BucketTotals* totals = nullptr;         ///< [class]
};

/// All matrices are row-major with rows of a multiple of 16 numbers; nothing overlaps.
template <class Real>
struct Kernels {
  std::string_view name;

  /// C (m×n) = A (m×k)·B (k×n), or += when `add`; A(i, l) = a[i·a_row + l·a_col]. m a multiple of 8, n of 16.
  void (*multiply)(std::int64_t m, std::int64_t n, std::int64_t k, const Real* a, std::int64_t a_row,
                   std::int64_t a_col, const Real* b, std::int64_t b_row, Real* c, std::int64_t c_row,
                   bool add);

  /// S (rows×cols) = the content Σ_j cosine_j (q₁k₁ + q₂k₂) + sine_j (q₁k₂ + swap_sign q₂k₁), every pair with
  /// its own factors. q: a row per query, coordinates (1 of every block, 2 of every block); k: the transpose,
  /// a row per coordinate, a column per key. tile.rows a multiple of 4.
  void (*turned_scores)(const TileRows<Real>& tile, std::int64_t blocks, const Real* q, std::int64_t q_row,
                        const Real* k, std::int64_t k_row, Real* s, std::int64_t s_row);

  /// With G = ∂loss/∂S: adds ∂loss/∂q to dq, ∂loss/∂k to dk (transposed as k), and to adjoints.cosine and
  /// .sine.
  void (*turned_gradients)(const TileRows<Real>& tile, std::int64_t blocks, const Real* q, std::int64_t q_row,
                           const Real* k, std::int64_t k_row, const Real* g, std::int64_t g_row, Real* dq,
                           std::int64_t dq_row, Real* dk, std::int64_t dk_row,
                           const TileAdjoints<Real>& adjoints);

  /// Contents → e^(A - max) with A = gain·cap(content) + bias, 0 for keys that are not seen. Keeps for each
  /// row the running max, sum of weights, and (unless null) sum of weights times A - max; factor is what
  /// earlier weights are to be multiplied with.
  void (*weights)(const TileRows<Real>& tile, Real* s, std::int64_t s_row, Real* max, Real* sum, Real* moment,
                  Real* factor);

  /// The same without weights: adds what the tile's keys are to `sums`, and to `buckets`.
  /// @param s         contents
  /// @param scores    scratch, rows×cols like s
  /// @param distance  of the tile's first key, by row
  void (*observe)(const TileRows<Real>& tile, const Real* s, Real* scores, std::int64_t s_row,
                  const std::int64_t* distance, TileSums<Real>& sums, TileBuckets<Real>& buckets);

  /// The backward pass of the same tile. s: contents → weights p = e^(A - lse); dp: ∂loss/∂p →
  /// ∂loss/∂content, with ∂loss/∂A = p·(dp - delta + by_score·(A - lse)). Adds to adjoints.bias, .gain and
  /// .softcap.
  void (*weight_gradients)(const TileRows<Real>& tile, Real* s, std::int64_t s_row, Real* dp,
                           std::int64_t dp_row, const Real* lse, const Real* delta, const Real* by_score,
                           const TileAdjoints<Real>& adjoints);

  /// One row of logits: -log softmax(logits)[target]. When `scale` is not 0, the logits become
  /// scale·∂loss/∂logits = scale·(softmax(logits) - [target]). Any count.
  Real (*cross_entropy)(std::int64_t count, Real* logits, std::int64_t target, Real scale);
};

/// The fastest set that this CPU has, of "avx512", "avx2" and "generic". The environment variable
/// GPE_KERNELS names another one (for tests and timings).
/// @throws theory::SpecError  GPE_KERNELS is none of them, or not available here
template <class Real>
const Kernels<Real>& kernels();

}  // namespace gpe::model
