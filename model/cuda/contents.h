// Where the contents of a tile come from. Both kinds keep the queries of a block, fetch the keys of a tile,
// and give 16 rows × 64 keys of q'W(n)k to each warp. Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/score_tile.h"

namespace gpe::cuda {

/// q'k, on tensor cores: for encodings without a transform, and for those that turn q and k each by its own
/// position, which was done before.
template <int kDim, class Element>
struct ProductContents {
  using Tile = TokenTile<kDim, Element>;
  static constexpr int kStages = Planes<Element>::kPlanes == 1 ? 2 : 1;
  static constexpr bool kPrepares = false;  // work of all warps on a tile that was fetched

  struct Shared {
    Tile keys[kStages];
  };
  RowOperand<kDim, Element> queries[1];

  template <int kWarps>
  GPE_KERNEL static void fetch_queries(Block& block, int warp, Shared& shared,
                                       const RowsProblem<Element>& problem, int batch, int head,
                                       int first_query) {
    const auto& q = problem.q;
    shared.keys[0].template fetch<kWarps>(block, warp, q.data + batch * q.batch + head * q.head, q.token,
                                          first_query, problem.shape.queries, problem.shape.head_dim);
  }
  GPE_KERNEL void take_queries(const Shared& shared, int warp) { queries[0].load(shared.keys[0], warp); }

  template <int kWarps>
  GPE_KERNEL static void fetch_keys(Block& block, int warp, Shared& shared, int stage,
                                    const RowsProblem<Element>& problem, int batch, int head, int,
                                    int first_key) {
    const auto& k = problem.k;
    shared.keys[stage].template fetch<kWarps>(block, warp,
                                              k.data + batch * k.batch + head / problem.shape.group * k.head,
                                              k.token, first_key, problem.shape.keys, problem.shape.head_dim);
  }
  GPE_KERNEL void compute(RowTile& contents, const Shared& shared, int stage, int, const ScoreTables&, int) {
    clear(contents);
    multiply_rows(contents, queries[0], shared.keys[stage]);
  }
};

/// The factors (cosine, sine) of a block for the pairs of a lane: row + 8 and token + 8 have the distance of
/// row and token, so that nine of sixteen are enough; that of fragment f and row r is slot f + 1 - r.
template <bool kTransposed>
GPE_KERNEL void load_transform(Lanes<float> (&factors)[9][2][2], const float* transform, Lanes<int> row,
                               Lanes<int> token) {
  const Lanes<int> from_row = kTransposed ? token - row : row - token;
  GPE_UNROLL
  for (int slot = 0; slot < 9; ++slot) {
    GPE_UNROLL
    for (int c = 0; c < 2; ++c) {
      const int step = 8 * (slot - 1) + c;
      load_pair(factors[slot][c], transform,
                (from_row + Lanes<int>(kTile - 1 + (kTransposed ? step : -step))) * Lanes<int>(2));
    }
  }
}

/// Rows are queries and tokens keys; or transposed: rows keys and tokens queries. Both are (1, 2) by block
/// and token, blocks kStride apart.
template <int kStride, bool kTransposed>
GPE_KERNEL void turned_products(RowTile& contents, const float* rows, const float* tokens,
                                const float* transform, int warp, float swap_sign, int blocks) {
  clear(contents);
  const Lanes<int> row = row_of(0) + Lanes<int>(warp * 16);
  const Lanes<int> token = lane_id() % Lanes<int>(4) * Lanes<int>(2);
  for (int j = 0; j < blocks; ++j) {
    Lanes<float> x[2][2];        // of the two rows
    Lanes<float> crossed[2][2];  // what is multiplied with 2 and 1 of a token
    GPE_UNROLL
    for (int r = 0; r < 2; ++r) {
      load_pair(x[r], rows, (row + Lanes<int>(8 * r)) * Lanes<int>(2) + Lanes<int>(j * kStride));
      crossed[r][0] = kTransposed ? x[r][0] * Lanes<float>(swap_sign) : x[r][0];
      crossed[r][1] = kTransposed ? x[r][1] : x[r][1] * Lanes<float>(swap_sign);
    }
    Lanes<float> near[9][2][2];
    load_transform<kTransposed>(near, transform + j * 2 * kDistances, row, token);
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      Lanes<float> y[4];
      load_four(y, tokens, token * Lanes<int>(2) + Lanes<int>(j * kStride + 16 * f));
      GPE_UNROLL
      for (int part = 0; part < 4; ++part) {
        const int r = part / 2, c = part % 2;
        const Lanes<float> straight = multiply_add(x[r][0], y[2 * c], x[r][1] * y[2 * c + 1]);
        const Lanes<float> across = multiply_add(crossed[r][0], y[2 * c + 1], crossed[r][1] * y[2 * c]);
        const auto& factors = near[f + 1 - r][c];
        contents[f][part] =
            multiply_add(factors[0], straight, multiply_add(factors[1], across, contents[f][part]));
      }
    }
  }
}

/// Of values 0 … 3 of the four lanes of a row, lane t gets the sum of value t.
GPE_KERNEL Lanes<float> scatter_sums(const Lanes<float> (&values)[4]) {
  const Lanes<int> t = lane_id() % Lanes<int>(4);
  const Lanes<bool> upper = t >= Lanes<int>(2), second = t % Lanes<int>(2) == Lanes<int>(1);
  const Lanes<float> a =
      select(upper, values[2], values[0]) + shuffle_xor(select(upper, values[0], values[2]), 2);
  const Lanes<float> b =
      select(upper, values[3], values[1]) + shuffle_xor(select(upper, values[1], values[3]), 2);
  return select(second, b, a) + shuffle_xor(select(second, a, b), 1);
}

/// Adds ∂loss/∂rows, given that by contents, to `sums`, laid out as `rows`.
template <int kStride, bool kTransposed>
GPE_KERNEL void add_turned_gradients(float* sums, const RowTile& gradient, const float* tokens,
                                     const float* transform, int warp, float swap_sign, int blocks) {
  const Lanes<int> row = row_of(0) + Lanes<int>(warp * 16);
  const Lanes<int> t = lane_id() % Lanes<int>(4);
  const Lanes<int> token = t * Lanes<int>(2);
  const float of_second = kTransposed ? swap_sign : 1.0F, of_first = kTransposed ? 1.0F : swap_sign;
  for (int j = 0; j < blocks; ++j) {
    Lanes<float> near[9][2][2];
    load_transform<kTransposed>(near, transform + j * 2 * kDistances, row, token);
    Lanes<float> cosine[4], sine[4];  // Σ G·cosine·(1, 2) and Σ G·sine·(2, 1), of either row
    GPE_UNROLL
    for (int k = 0; k < 4; ++k) cosine[k] = sine[k] = Lanes<float>(0.0F);
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      Lanes<float> y[4];
      load_four(y, tokens, token * Lanes<int>(2) + Lanes<int>(j * kStride + 16 * f));
      GPE_UNROLL
      for (int part = 0; part < 4; ++part) {
        const int r = part / 2, c = part % 2;
        const auto& factors = near[f + 1 - r][c];
        const Lanes<float> straight = gradient[f][part] * factors[0];
        const Lanes<float> crossed = gradient[f][part] * factors[1];
        cosine[2 * r] = multiply_add(straight, y[2 * c], cosine[2 * r]);
        cosine[2 * r + 1] = multiply_add(straight, y[2 * c + 1], cosine[2 * r + 1]);
        sine[2 * r] = multiply_add(crossed, y[2 * c + 1], sine[2 * r]);
        sine[2 * r + 1] = multiply_add(crossed, y[2 * c], sine[2 * r + 1]);
      }
    }
    GPE_UNROLL
    for (int k = 0; k < 4; ++k)
      cosine[k] = multiply_add(sine[k], Lanes<float>(k % 2 == 0 ? of_second : of_first), cosine[k]);
    // lane t: row t/2, coordinate t%2
    const Lanes<float> sum = scatter_sums(cosine);
    const Lanes<int> place = (row + t / Lanes<int>(2) * Lanes<int>(8)) * Lanes<int>(2) + t % Lanes<int>(2) +
                             Lanes<int>(j * kStride);
    store_if(t >= Lanes<int>(0), sums, wide(place), load(sums, place) + sum);
  }
}

/// Σ_j cosine_j(n)(q₁k₁ + q₂k₂) + sine_j(n)(q₁k₂ ∓ q₂k₁), every pair with the factors of its own distance:
/// any rotation at all, without tensor cores. Six multiplications a pair and block.
template <int kDim, class Element>
struct TurnedContents {
  static constexpr int kStages = 1;
  static constexpr bool kPrepares = false;
  static constexpr int kBlocks = kDim / 2;
  static constexpr int kStride = 2 * kTile + 4;  // of a block: two coordinates of each token

  struct Shared {
    alignas(16) float queries[kBlocks * kStride];
    alignas(16) float keys[kBlocks * kStride];
    alignas(16) float transform[kBlocks * 2 * kDistances];  // (cosine, sine) by distance
  };

  template <int kWarps>
  GPE_KERNEL static void fetch_queries(Block&, int warp, Shared& shared, const RowsProblem<Element>& problem,
                                       int batch, int head, int first_query) {
    const auto& q = problem.q;
    fetch_pairs<kWarps>(warp, shared.queries, q.data + batch * q.batch + head * q.head, q.token, first_query,
                        problem.shape.queries, problem.shape.head_dim, problem.scores.interleaved != 0);
  }
  GPE_KERNEL void take_queries(const Shared&, int) {}

  template <int kWarps>
  GPE_KERNEL static void fetch_keys(Block&, int warp, Shared& shared, int,
                                    const RowsProblem<Element>& problem, int batch, int head, int first_query,
                                    int first_key) {
    const Shape& shape = problem.shape;
    const int blocks = shape.head_dim / 2;
    fetch_key_pairs<kWarps>(warp, shared, problem, batch, head, first_key);
    fetch_transform<kWarps>(warp, shared.transform, problem.scores, head, blocks, blocks,
                            least_distance(shape, first_query, first_key));
  }
  template <int kWarps>
  GPE_KERNEL static void fetch_key_pairs(int warp, Shared& shared, const RowsProblem<Element>& problem,
                                         int batch, int head, int first_key) {
    const Shape& shape = problem.shape;
    const auto& k = problem.k;
    fetch_pairs<kWarps>(warp, shared.keys, k.data + batch * k.batch + head / shape.group * k.head, k.token,
                        first_key, shape.keys, shape.head_dim, problem.scores.interleaved != 0);
  }

  GPE_KERNEL void compute(RowTile& contents, const Shared& shared, int, int warp, const ScoreTables& tables,
                          int head_dim) {
    turned_products<kStride, false>(contents, shared.queries, shared.keys, shared.transform, warp,
                                    tables.swap_sign, head_dim / 2);
  }

  /// Both coordinates of every block of 64 tokens; zeros from `count` on.
  template <int kWarps>
  GPE_KERNEL static void fetch_pairs(int warp, float* to, const Element* from, std::int64_t token_stride,
                                     int first, int count, int head_dim, bool interleaved) {
    const int blocks = head_dim / 2;
    for (int i = warp * kLanes; i < kTile * blocks; i += kWarps * kLanes) {
      const Lanes<int> at = lane_id() + Lanes<int>(i);
      const Lanes<int> token = at / Lanes<int>(blocks), block = at % Lanes<int>(blocks);
      const Lanes<bool> inside = at < Lanes<int>(kTile * blocks);
      const Lanes<bool> there = inside && token + Lanes<int>(first) < Lanes<int>(count);
      GPE_UNROLL
      for (int part = 0; part < 2; ++part) {
        const Lanes<int> coordinate =
            interleaved ? block * Lanes<int>(2) + Lanes<int>(part) : block + Lanes<int>(part * blocks);
        const Lanes<std::int64_t> source =
            wide(token + Lanes<int>(first)) * Lanes<std::int64_t>(token_stride) + wide(coordinate);
        store_if(inside, to, wide(block * Lanes<int>(kStride) + token * Lanes<int>(2) + Lanes<int>(part)),
                 load_number(there, from, source));
      }
    }
  }

  /// The factors of a tile's distances, of the first `count` blocks; those beyond the tables are not read by
  /// any pair that is seen.
  template <int kWarps>
  GPE_KERNEL static void fetch_transform(int warp, float* to, const ScoreTables& tables, int head, int blocks,
                                         int count, int least_distance) {
    for (int i = warp; i < count * (kDistances / kLanes); i += kWarps) {
      const int block = i / (kDistances / kLanes);
      const Lanes<int> at = lane_id() + Lanes<int>(i % (kDistances / kLanes) * kLanes);
      const Lanes<int> distance =
          smaller(larger(at + Lanes<int>(least_distance), Lanes<int>(0)), Lanes<int>(tables.length - 1));
      const std::int64_t table =
          (static_cast<std::int64_t>(table_of(tables, head)) * blocks + block) * tables.length;
      const Lanes<int> place = at * Lanes<int>(2) + Lanes<int>(block * 2 * kDistances);
      const Lanes<bool> always = at >= Lanes<int>(0);
      store_if(always, to, wide(place), load(tables.cosine + table, distance));
      store_if(always, to, wide(place + Lanes<int>(1)), load(tables.sine + table, distance));
    }
  }
};

/// The tiles of keys that 64 queries may see, one after the other: `each` is given the first key when the
/// contents of its tile can be computed, and its factors are there.
template <class Kernel, class States, class Each>
GPE_KERNEL void each_key_tile(const Kernel& kernel, Block& block, States& states, const Each& each) {
  using Contents = typename Kernel::Contents;
  constexpr int kWarps = Kernel::kWarps;
  const auto& problem = kernel.problem;
  auto& shared = kernel.shared;
  const int batch = kernel.batch, head = kernel.head, first_query = kernel.first_query();
  fetch_phase(block, [&](int warp) {
    Contents::template fetch_queries<kWarps>(block, warp, shared.contents, problem, batch, head, first_query);
  });
  phase(block, [&](int warp) { states[warp].contents.take_queries(shared.contents, warp); });
  const TileRange range =
      TileRange::of_queries(problem.shape, problem.scores, problem.visible, batch, head, first_query);
  for (int tile = range.begin; tile < range.end; ++tile) {
    const int first_key = tile * kTile;
    fetch_phase(block, [&](int warp) {
      Contents::template fetch_keys<kWarps>(block, warp, shared.contents, 0, problem, batch, head,
                                            first_query, first_key);
      shared.factors.template fetch<kWarps>(block, warp, problem.scores, head,
                                            least_distance(problem.shape, first_query, first_key));
    });
    each(first_key);
  }
}

}  // namespace gpe::cuda
