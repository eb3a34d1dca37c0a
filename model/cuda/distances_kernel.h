// Of the pairs of 64 queries of one head, by exact distance: the sum of weights, how many, the sum of
// contents and of their squares. Scores at one distance differ by their contents alone. A second pass:
// weights are relative to the log-normalizers that the first one left.
#pragma once

#include "model/cuda/contents.h"
#include "model/cuda/diagonals.h"

namespace gpe::cuda {

template <class Contents, int kDim, class Element>
struct DistancesKernel {
  static constexpr int kWarps = 4;
  static constexpr bool kLastFirst = true;  // with causal attention, these tiles have most to do

  struct Shared {
    typename Contents::Shared contents;
    FactorSlice factors;
    SquareTile tile;
  };
  struct State {
    Contents contents;
    SeenKeys seen;
    Lanes<float> log_normalizer[2];  // times log2 e
  };

  const DistancesProblem<Element>& problem;
  Shared& shared;
  int batch, head, query_tile;

  GPE_KERNEL int first_query() const { return query_tile * kTile; }

  GPE_KERNEL void run(Block& block) {
    const Shape& shape = problem.shape;
    const ScoreTables& tables = problem.scores;
    const Visible& visible = problem.visible;
    PerWarp<State, kWarps> states;
    block.each_warp([&](int warp) {
      begin(states[warp], warp);
      Contents::template fetch_queries<kWarps>(block, warp, shared.contents, problem, batch, head,
                                               first_query());
      block.commit(warp);
      block.template wait<0>(warp);
    });
    block.sync();
    block.each_warp([&](int warp) { states[warp].contents.take_queries(shared.contents, warp); });
    block.sync();
    const TileRange range = TileRange::of_queries(shape, tables, visible, batch, head, first_query());
    for (int tile = range.begin; tile < range.end; ++tile) {
      const int first_key = tile * kTile;
      block.each_warp([&](int warp) {
        Contents::template fetch_keys<kWarps>(block, warp, shared.contents, 0, problem, batch, head,
                                              first_query(), first_key);
        shared.factors.template fetch<kWarps>(block, warp, tables, head, least_distance(first_key));
        block.commit(warp);
        block.template wait<0>(warp);
      });
      block.sync();
      PerWarp<RowTile, kWarps> contents;
      block.each_warp([&](int warp) { weigh(states[warp], contents[warp], warp, first_key); });
      block.sync();
      block.each_warp([&](int warp) {
        const Diagonals of = Diagonals::of(warp, least_distance(first_key), tables.length);
        of.add_to(part(0), of.sum(shared.tile));
      });
      block.sync();
      block.each_warp([&](int warp) { shared.tile.keep(contents[warp], warp); });
      block.sync();
      block.each_warp([&](int warp) { add_contents(warp, first_key); });
      block.sync();
    }
  }

 private:
  GPE_KERNEL int least_distance(int first_key) const {
    return first_query() + offset_of(problem.shape) - first_key - (kTile - 1);
  }
  GPE_KERNEL float* part(int which) const {
    const int tiles = (problem.shape.queries + kTile - 1) / kTile;
    const std::int64_t block =
        (static_cast<std::int64_t>(batch) * problem.shape.heads + head) * tiles + query_tile;
    return problem.parts + (block * GPE_DISTANCE_SUMS + which) * problem.scores.length;
  }

  GPE_KERNEL void begin(State& state, int warp) {
    const Shape& shape = problem.shape;
    state.seen.set(shape, problem.scores, problem.visible, batch, head, first_query(), warp);
    GPE_UNROLL
    for (int r = 0; r < 2; ++r) {
      const Lanes<int> query = row_of(2 * r) + Lanes<int>(warp * 16 + first_query());
      const Lanes<std::int64_t> at =
          wide(query) +
          Lanes<std::int64_t>((static_cast<std::int64_t>(batch) * shape.heads + head) * shape.queries);
      const Lanes<float> found =
          load_if(query < Lanes<int>(shape.queries), static_cast<const float*>(problem.rows.log_normalizer),
                  at, Lanes<float>(-INFINITY));
      state.log_normalizer[r] =
          select(found > Lanes<float>(-INFINITY), found * Lanes<float>(kLog2E), Lanes<float>(-kNoMaximum));
    }
  }

  // Weights go to shared memory, contents stay here: infinite where a key is not seen.
  GPE_KERNEL void weigh(State& state, RowTile& contents, int warp, int first_key) {
    const ScoreTables& tables = problem.scores;
    const float softcap = tables.softcap != nullptr ? tables.softcap[table_of(tables, head)] : 0.0F;
    RowTile weights;
    state.contents.compute(contents, shared.contents, 0, warp, tables, problem.shape.head_dim);
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c) {
        const Lanes<int> at = row_of(c) + Lanes<int>(warp * 16 + kTile - 1) - token_of(f, c);
        const Lanes<int> key = token_of(f, c) + Lanes<int>(first_key);
        const Lanes<bool> sees = key >= state.seen.begin[c / 2] && key < state.seen.end[c / 2];
        const Lanes<float> content = contents[f][c] * Lanes<float>(tables.scale);
        Lanes<float> capped = content;
        if (softcap > 0) capped = Lanes<float>(softcap) * tanh_of(content * Lanes<float>(1 / softcap));
        Lanes<float> factors[2];
        shared.factors.load(factors, at);
        const Lanes<float> score = multiply_add(factors[0], capped, factors[1]);
        weights[f][c] = select(sees, exp2_of(score - state.log_normalizer[c / 2]), Lanes<float>(0.0F));
        contents[f][c] = select(sees, content, Lanes<float>(INFINITY));
      }
    }
    shared.tile.keep(weights, warp);
  }

  GPE_KERNEL void add_contents(int warp, int first_key) const {
    const Diagonals of = Diagonals::of(warp, least_distance(first_key), problem.scores.length);
    Lanes<float> count(0.0F), sum(0.0F), squares(0.0F);
    for (int row = 0; row < kTile; ++row) {
      const Lanes<float> x = of.number(shared.tile, row, INFINITY);
      const Lanes<bool> seen = x < Lanes<float>(INFINITY);
      const Lanes<float> y = select(seen, x, Lanes<float>(0.0F));
      count += select(seen, Lanes<float>(1.0F), Lanes<float>(0.0F));
      sum += y;
      squares = multiply_add(y, y, squares);
    }
    of.add_to(part(1), count);
    of.add_to(part(2), sum);
    of.add_to(part(3), squares);
  }
};

}  // namespace gpe::cuda
