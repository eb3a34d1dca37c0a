// Of the pairs of 64 queries of one head, by exact distance: the sum of weights, how many, the sum of
// contents and of their squares. Scores at one distance differ by their contents alone. A second pass:
// weights are relative to the log-normalizers that the first one left.
#pragma once

#include "model/cuda/contents.h"
#include "model/cuda/diagonals.h"

namespace gpe::cuda {

template <class ContentsOfTile, class Element>
struct DistancesKernel {
  using Contents = ContentsOfTile;
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
    PerWarp<State, kWarps> states;
    block.each_warp([&](int warp) { begin(states[warp], warp); });
    each_key_tile(*this, block, states, [&](int first_key) {
      PerWarp<RowTile, kWarps> contents;
      phase(block, [&](int warp) { weigh(states[warp], contents[warp], warp, first_key); });
      phase(block, [&](int warp) {
        const Diagonals of = diagonals(warp, first_key);
        of.add_to(part(0), of.sum(shared.tile));
      });
      phase(block, [&](int warp) { shared.tile.keep(contents[warp], warp); });
      phase(block, [&](int warp) { add_contents(warp, first_key); });
    });
  }

 private:
  GPE_KERNEL Diagonals diagonals(int warp, int first_key) const {
    return Diagonals::of(warp, least_distance(problem.shape, first_query(), first_key),
                         problem.scores.length);
  }
  GPE_KERNEL float* part(int which) const {
    const std::int64_t block = tile_number(problem.shape, batch, head, query_tile);
    return problem.parts + (block * GPE_DISTANCE_SUMS + which) * problem.scores.length;
  }

  GPE_KERNEL void begin(State& state, int warp) {
    const Shape& shape = problem.shape;
    state.seen.set(shape, problem.scores, problem.visible, batch, head, first_query(), warp);
    GPE_UNROLL
    for (int r = 0; r < 2; ++r) {
      const Lanes<int> query = row_of(2 * r) + Lanes<int>(warp * 16 + first_query());
      const Lanes<std::int64_t> at = wide(query) + Lanes<std::int64_t>(first_row(shape, batch, head));
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
    RowTile weights;
    state.contents.compute(contents, shared.contents, 0, warp, tables, problem.shape.head_dim);
    each_score(contents, shared.factors, tables, head, warp,
               [&](int f, int c, const Lanes<float>& content, const Lanes<float>& score) {
                 const Lanes<bool> sees = state.seen.sees(c, token_of(f, c) + Lanes<int>(first_key));
                 const Lanes<float> weight = exp2_of(score - state.log_normalizer[c / 2]);
                 weights[f][c] = select(sees, weight, Lanes<float>(0.0F));
                 contents[f][c] = select(sees, content, Lanes<float>(INFINITY));
               });
    shared.tile.keep(weights, warp);
  }

  GPE_KERNEL void add_contents(int warp, int first_key) const {
    const Diagonals of = diagonals(warp, first_key);
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
