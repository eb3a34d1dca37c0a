// What kernels are given: plain data, pointers into the memory of the device.
#pragma once

#include "model/cuda/block.h"

namespace gpe::cuda {

inline constexpr float kLog2E = 1.44269504F;
inline constexpr float kLn2 = 0.693147181F;

/// Heads of q; keys stand at positions 0 … keys - 1, queries at the last `queries` of them.
struct Shape {
  int batch, heads;
  int group;  ///< heads of q for each head of k and v
  int queries, keys;
  int head_dim;  ///< a multiple of 8
  GPE_KERNEL int offset() const { return keys - queries; }
};

/// How contents c = q'W(n)k/√d become scores A = gain(n)·cap(c) + bias(n), by head; scores are kept times
/// log2 e. Tables are by distance n = 0 … length - 1, one for each head, or one for all (table_heads 1).
struct ScoreTables {
  const float* gain;     ///< [table_heads][length], times log2 e
  const float* bias;     ///< [table_heads][length], times log2 e
  const float* even;     ///< [table_heads][head_dim/2][length]: cosines, for turned pairs; else null
  const float* odd;      ///< sines
  const int* first;      ///< [table_heads]: the least distance seen
  const int* last;       ///< [table_heads]: the largest; a certified window is set here
  const float* softcap;  ///< [table_heads], null: none
  const float* sink;     ///< [table_heads], times log2 e; null: none
  int length, table_heads;
  float scale;      ///< 1/√d
  int interleaved;  ///< blocks of turned pairs are coordinates 2j, 2j + 1; else j, j + d/2
  float swap_sign;  ///< -1 for rotations, +1 for hyperbolic ones
  GPE_KERNEL int table(int head) const { return table_heads == 1 ? 0 : head; }
};

/// By [batch][query]; null: all keys.
struct Visible {
  const int* begin;
  const int* end;
};

/// By [batch][head][query]; what is null is not wanted. In nats and tokens, as in statistics.h.
struct RowResults {
  float *log_normalizer, *entropy, *varentropy, *mean_distance, *largest_weight, *largest_score,
      *largest_content, *sink_weight;
};

/// Sums of weights by class of distances [edge b, edge b + 1), the last without an end.
struct Buckets {
  const int* edges;  ///< ascending, the first is 0
  int count;         ///< at most 32
  float* mass;       ///< [batch][head][query tile][count]: sums over the queries of a tile
};

template <class Element>
struct RowsProblem {
  Shape shape;
  Tensor<const Element> q, k, v;
  Tensor<Element> out;  ///< without data: not wanted
  ScoreTables scores;
  Visible visible;
  RowResults rows;
  Buckets buckets;
};

}  // namespace gpe::cuda
