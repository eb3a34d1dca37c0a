// Contents of turned pairs on tensor cores (turn_series.h): in each tile the slow blocks as products of
// features, the fast ones pair by pair. Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/series_tile.h"

namespace gpe::cuda {

template <int kDim, class Element>
struct SeriesContents {
  using Turned = TurnedContents<kDim, Element>;
  using Series = SeriesTile<kDim, Element>;
  static constexpr int kStages = 1;
  static constexpr bool kPrepares = true;

  struct Shared {
    typename Turned::Shared pairs;
    Series series;
    int direct;
  };

  template <int kWarps>
  GPE_KERNEL static void fetch_queries(Block& block, int warp, Shared& shared,
                                       const RowsProblem<Element>& problem, int batch, int head,
                                       int first_query) {
    Turned::template fetch_queries<kWarps>(block, warp, shared.pairs, problem, batch, head, first_query);
  }
  GPE_KERNEL void take_queries(const Shared&, int) {}

  template <int kWarps>
  GPE_KERNEL static void fetch_keys(Block&, int warp, Shared& shared, int,
                                    const RowsProblem<Element>& problem, int batch, int head, int first_query,
                                    int first_key) {
    const Shape& shape = problem.shape;
    const ScoreTables& tables = problem.scores;
    const int nearest = least_distance(shape, first_query, first_key);
    const int direct = Series::direct_blocks(tables, head, shape.head_dim, nearest);
    Turned::template fetch_key_pairs<kWarps>(warp, shared.pairs, problem, batch, head, first_key);
    Turned::template fetch_transform<kWarps>(warp, shared.pairs.transform, tables, head, shape.head_dim / 2,
                                             direct, nearest);
    shared.series.fetch(warp, tables, head, shape.head_dim, nearest);
    if (warp == 0) store_if(lane_id() < Lanes<int>(1), &shared.direct, wide(lane_id()), Lanes<int>(direct));
  }

  template <int kWarps>
  GPE_KERNEL static void prepare(int warp, Shared& shared, int head_dim) {
    shared.series.template prepare<kWarps>(warp, shared.pairs.queries, shared.pairs.keys, head_dim);
  }

  GPE_KERNEL void compute(RowTile& contents, const Shared& shared, int, int warp, const ScoreTables& tables,
                          int) {
    turned_products<Turned::kStride, false>(contents, shared.pairs.queries, shared.pairs.keys,
                                            shared.pairs.transform, warp, tables.swap_sign, shared.direct);
    shared.series.template add_contents<false>(contents, warp);
  }
};

}  // namespace gpe::cuda
