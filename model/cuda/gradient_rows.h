// What both backward kernels read and write of tokens. Tests: tests/cuda/gradient_kernels_test.cpp
#pragma once

#include "model/cuda/gradient_problem.h"
#include "model/cuda/pair_gradient.h"
#include "model/cuda/series_tile.h"

namespace gpe::cuda {

/// A row that sees nothing, or is not there, has weights of 0.
GPE_KERNEL RowOfLoss load_row(const LossRows& rows, Lanes<bool> there, Lanes<std::int64_t> at) {
  const Lanes<float> zero(0.0F);
  const Lanes<float> log_normalizer = load_if(there, rows.log_normalizer, at, Lanes<float>(-INFINITY));
  const Lanes<bool> sees = log_normalizer > Lanes<float>(-INFINITY);
  return {select(sees, log_normalizer * Lanes<float>(kLog2E), Lanes<float>(-kNoMaximum)),
          select(sees, load_if(there, rows.delta, at, zero), zero),
          select(sees, load_if(there, rows.by_score, at, zero), zero)};
}

/// 16 rows of a warp, in fragments; a row is a token.
template <int kDim, class Element>
GPE_KERNEL void write_rows(Element* to, std::int64_t token_stride, int first, int count,
                           const Lanes<float> (&rows)[kDim / 8][4], int warp, int head_dim) {
  GPE_UNROLL
  for (int f = 0; f < kDim / 8; ++f) {
    GPE_UNROLL
    for (int c = 0; c < 4; ++c) {
      const Lanes<int> token = row_of(c) + Lanes<int>(warp * 16 + first);
      const Lanes<int> coordinate = token_of(f, c);
      store_rounded(token < Lanes<int>(count) && coordinate < Lanes<int>(head_dim), to,
                    wide(token) * Lanes<std::int64_t>(token_stride) + wide(coordinate), rows[f][c]);
    }
  }
}

/// The same from shared memory, (1, 2) by block and token.
template <int kStride, class Element>
GPE_KERNEL void write_pairs(Element* to, std::int64_t token_stride, int first, int count, const float* pairs,
                            int warp, int head_dim, bool interleaved) {
  const int blocks = head_dim / 2;
  for (int i = 0; i < 16 * blocks; i += kLanes) {  // the rows that this warp summed up
    const Lanes<int> at = lane_id() + Lanes<int>(i);
    const Lanes<int> row = at / Lanes<int>(blocks) + Lanes<int>(warp * 16), block = at % Lanes<int>(blocks);
    const Lanes<bool> there = at < Lanes<int>(16 * blocks) && row + Lanes<int>(first) < Lanes<int>(count);
    GPE_UNROLL
    for (int part = 0; part < 2; ++part) {
      const Lanes<int> coordinate =
          interleaved ? block * Lanes<int>(2) + Lanes<int>(part) : block + Lanes<int>(part * blocks);
      store_rounded(
          there, to, wide(row + Lanes<int>(first)) * Lanes<std::int64_t>(token_stride) + wide(coordinate),
          load_if(there, pairs, wide(block * Lanes<int>(kStride) + row * Lanes<int>(2) + Lanes<int>(part)),
                  Lanes<float>(0.0F)));
    }
  }
}

/// How contents come about: products of q and k as they are, every pair by its own angle, or by series where
/// a tile has them.
enum class Route { products, turned, series };

/// Queries and keys of the backward pass: 64 of one side, whose gradient is summed up, and tile after tile of
/// the other side. Turned pairs lie in shared memory, both sides of them; else one side is in registers.
template <Route kRoute, int kDim, class Element>
struct GradientTokens {
  static constexpr int kWarps = 4;
  static constexpr bool kTurned = kRoute != Route::products, kSeries = kRoute == Route::series;
  using Turned = TurnedContents<kDim, Element>;
  using Series = SeriesTile<kDim, Element>;
  using Tile = TokenTile<kDim, Element>;
  static constexpr int kSums = kDim / 2 * Turned::kStride;

  struct Pairs {
    typename Turned::Shared tokens;
    alignas(16) float sums[kSums];
  };
  struct PairsAndSeries : Pairs {
    Series series;
    int direct;  // leading blocks without terms
  };
  std::conditional_t<kSeries, PairsAndSeries, std::conditional_t<kTurned, Pairs, Tile>> shared;

  GPE_KERNEL void clear_sums(int warp) {
    if constexpr (kTurned) {
      for (int i = warp * kLanes; i < kSums; i += kWarps * kLanes) {
        const Lanes<int> at = lane_id() + Lanes<int>(i);
        store_if(at < Lanes<int>(kSums), shared.sums, wide(at), Lanes<float>(0.0F));
      }
    }
  }

  /// Queries or keys of one head from `first` on.
  GPE_KERNEL void fetch(Block& block, int warp, const GradientProblem<Element>& problem, bool queries,
                        int batch, int head, int first) {
    const auto& tensor = queries ? problem.q : problem.k;
    const int count = queries ? problem.shape.queries : problem.shape.keys;
    const Element* from = tensor.data + batch * tensor.batch + head * tensor.head;
    if constexpr (kTurned) {
      Turned::template fetch_pairs<kWarps>(warp, queries ? shared.tokens.queries : shared.tokens.keys, from,
                                           tensor.token, first, count, problem.shape.head_dim,
                                           problem.scores.interleaved != 0);
    } else {
      shared.template fetch<kWarps>(block, warp, from, tensor.token, first, count, problem.shape.head_dim);
    }
  }
  GPE_KERNEL void fetch_transform(int warp, const GradientProblem<Element>& problem, int head,
                                  int least_distance) {
    if constexpr (kTurned) {
      const int head_dim = problem.shape.head_dim, blocks = head_dim / 2;
      int direct = blocks;
      if constexpr (kSeries) {
        direct = Series::direct_blocks(problem.scores, head, head_dim, least_distance);
        shared.series.fetch(warp, problem.scores, head, head_dim, least_distance);
        if (warp == 0)
          store_if(lane_id() < Lanes<int>(1), &shared.direct, wide(lane_id()), Lanes<int>(direct));
      }
      Turned::template fetch_transform<kWarps>(warp, shared.tokens.transform, problem.scores, head, blocks,
                                               direct, least_distance);
    }
  }
  /// Phases of all warps: a tile is fetched by `fetch`, and prepared.
  template <class Fetch>
  GPE_KERNEL void fetch_tile(Block& block, const GradientProblem<Element>& problem, const Fetch& fetch) {
    fetch_phase(block, fetch);
    if constexpr (kSeries)
      phase(block, [&](int warp) {
        shared.series.template prepare<kWarps>(warp, shared.tokens.queries, shared.tokens.keys,
                                               problem.shape.head_dim);
      });
  }

  /// @tparam kKeys  rows are keys, and the tile has queries
  template <bool kKeys>
  GPE_KERNEL void contents(RowTile& to, const RowOperand<kDim, Element>& rows, int warp,
                           const GradientProblem<Element>& problem) const {
    if constexpr (kTurned) {
      const auto& t = shared.tokens;
      turned_products<Turned::kStride, kKeys>(to, kKeys ? t.keys : t.queries, kKeys ? t.queries : t.keys,
                                              t.transform, warp, problem.scores.swap_sign, direct(problem));
      if constexpr (kSeries) shared.series.template add_contents<kKeys>(to, warp);
    } else {
      clear(to);
      multiply_rows(to, rows, shared);
    }
  }
  /// Adds ∂loss/∂rows, given that by contents.
  template <bool kKeys>
  GPE_KERNEL void add_gradient(Lanes<float> (&rows)[kTurned ? 1 : kDim / 8][4], const RowTile& by_content,
                               int warp, const GradientProblem<Element>& problem) {
    if constexpr (kTurned) {
      const auto& t = shared.tokens;
      add_turned_gradients<Turned::kStride, kKeys>(shared.sums, by_content, kKeys ? t.queries : t.keys,
                                                   t.transform, warp, problem.scores.swap_sign,
                                                   direct(problem));
      if constexpr (kSeries) {
        shared.series.template add_gradients<kKeys>(shared.sums, by_content, warp, problem.shape.head_dim);
      }
    } else {
      multiply_weights<kDim, Element>(rows, by_content, shared);
    }
  }
  GPE_KERNEL void write(const Tensor<Element>& to, const Lanes<float> (&rows)[kTurned ? 1 : kDim / 8][4],
                        int warp, const GradientProblem<Element>& problem, int batch, int head, int first,
                        int count) const {
    Element* head_to = to.data + batch * to.batch + head * to.head;
    if constexpr (kTurned) {
      sync_warp();
      write_pairs<Turned::kStride>(head_to, to.token, first, count, shared.sums, warp, problem.shape.head_dim,
                                   problem.scores.interleaved != 0);
    } else {
      write_rows<kDim>(head_to, to.token, first, count, rows, warp, problem.shape.head_dim);
    }
  }

 private:
  GPE_KERNEL int direct(const GradientProblem<Element>& problem) const {
    if constexpr (kSeries) return shared.direct;
    return problem.shape.head_dim / 2;
  }
};

/// ∂loss/∂output of 64 queries; zeros where the loss does not read the output.
template <int kWarps, int kDim, class Element>
GPE_KERNEL void fetch_out_gradient(TokenTile<kDim, Element>& to, Block& block, int warp,
                                   const GradientProblem<Element>& problem, int batch, int head, int first) {
  const auto& g = problem.out_gradient;
  const bool reads_out = g.data != nullptr;
  to.template fetch<kWarps>(block, warp,
                            reads_out ? g.data + batch * g.batch + head * g.head : problem.q.data, g.token,
                            first, reads_out ? problem.shape.queries : 0, problem.shape.head_dim);
}
template <int kWarps, int kDim, class Element>
GPE_KERNEL void fetch_values(TokenTile<kDim, Element>& to, Block& block, int warp,
                             const GradientProblem<Element>& problem, int batch, int head, int first) {
  const auto& v = problem.v;
  to.template fetch<kWarps>(block, warp, v.data + batch * v.batch + head * v.head, v.token, first,
                            problem.shape.keys, problem.shape.head_dim);
}

}  // namespace gpe::cuda
