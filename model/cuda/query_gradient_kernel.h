// ∂loss/∂q of 64 queries of one head, and ∂loss/∂gain(n) and ∂loss/∂bias(n) over their pairs: one pass over
// the tiles of keys. What is added up has one writer, so that the result is the same every time.
#pragma once

#include "model/cuda/gradient_rows.h"

namespace gpe::cuda {

/// @tparam kTurned  every pair by its own angle (TurnedContents); else q and k as they are
template <bool kTurned, int kDim, class Element>
struct QueryGradientKernel {
  static constexpr int kWarps = 4;
  static constexpr bool kLastFirst = true;  // with causal attention, these tiles have most to do
  using Tile = TokenTile<kDim, Element>;
  using Tokens = GradientTokens<kTurned, kDim, Element>;

  struct Shared {
    Tokens tokens;
    Tile values;
    FactorSlice factors;
    float diagonals[kTile * (kTile + 1)];
  };
  struct State {
    RowOperand<kDim, Element> queries, out_gradient;
    SeenKeys seen;
    RowOfLoss rows[2];
    Lanes<float> gradient[kTurned ? 1 : kDim / 8][4];
  };

  const GradientProblem<Element>& problem;
  Shared& shared;
  int batch, head, query_tile;

  GPE_KERNEL int first_query() const { return query_tile * kTile; }
  GPE_KERNEL bool reads_out() const { return problem.out_gradient.data != nullptr; }

  GPE_KERNEL void run(Block& block) {
    PerWarp<State, kWarps> states;
    const Shape& shape = problem.shape;
    block.each_warp([&](int warp) {
      begin(states[warp], warp);
      fetch_queries(block, warp);
      block.commit(warp);
      block.template wait<0>(warp);
    });
    block.sync();
    block.each_warp([&](int warp) {
      if constexpr (!kTurned) states[warp].queries.load(shared.tokens.shared, warp);
      states[warp].out_gradient.load(shared.values, warp);
    });
    block.sync();
    const TileRange range =
        TileRange::of_queries(shape, problem.scores, {nullptr, nullptr}, batch, head, first_query());
    for (int tile = range.begin; tile < range.end; ++tile) {
      block.each_warp([&](int warp) {
        fetch_keys(block, warp, tile * kTile);
        block.commit(warp);
        block.template wait<0>(warp);
      });
      block.sync();
      PerWarp<RowTile, kWarps> by_gain;
      block.each_warp([&](int warp) { add(states[warp], by_gain[warp], warp, tile * kTile); });
      block.sync();
      if (problem.tables.bias != nullptr) {
        block.each_warp([&](int warp) { sum_diagonals(warp, problem.tables.bias, tile); });
        block.sync();
      }
      if (problem.tables.gain != nullptr) {
        block.each_warp([&](int warp) { keep_for_diagonals(by_gain[warp], warp); });
        block.sync();
        block.each_warp([&](int warp) { sum_diagonals(warp, problem.tables.gain, tile); });
        block.sync();
      }
    }
    block.each_warp([&](int warp) { finish(states[warp], warp); });
  }

 private:
  GPE_KERNEL void begin(State& state, int warp) {
    const Shape& shape = problem.shape;
    state.seen.set(shape, problem.scores, {nullptr, nullptr}, batch, head, first_query(), warp);
    for (auto& fragment : state.gradient)
      for (Lanes<float>& one : fragment) one = Lanes<float>(0.0F);
    GPE_UNROLL
    for (int r = 0; r < 2; ++r) {
      const Lanes<int> query = row_of(2 * r) + Lanes<int>(warp * 16 + first_query());
      const Lanes<bool> there = query < Lanes<int>(shape.queries);
      const Lanes<std::int64_t> at =
          wide(query) +
          Lanes<std::int64_t>((static_cast<std::int64_t>(batch) * shape.heads + head) * shape.queries);
      state.rows[r] = load_row(problem.rows, there, at);
    }
    shared.tokens.clear_sums(warp);
  }

  GPE_KERNEL void fetch_queries(Block& block, int warp) {
    shared.tokens.fetch(block, warp, problem, true, batch, head, first_query());
    fetch_out_gradient<kWarps>(shared.values, block, warp, problem, batch, head, first_query());
  }

  GPE_KERNEL void fetch_keys(Block& block, int warp, int first_key) {
    const int least_distance = first_query() + offset_of(problem.shape) - first_key - (kTile - 1);
    shared.tokens.fetch(block, warp, problem, false, batch, head, first_key);
    shared.tokens.fetch_turns(warp, problem, head, least_distance);
    fetch_values<kWarps>(shared.values, block, warp, problem, batch, head, first_key);
    shared.factors.template fetch<kWarps>(warp, problem.scores, head, least_distance);
  }

  GPE_KERNEL void add(State& state, RowTile& by_gain, int warp, int first_key) {
    const ScoreTables& tables = problem.scores;
    RowTile contents, by_weight;
    shared.tokens.template contents<false>(contents, state.queries, warp, problem);
    clear(by_weight);
    if (reads_out()) multiply_rows(by_weight, state.out_gradient, shared.values);
    const float softcap = tables.softcap != nullptr ? tables.softcap[table_of(tables, head)] : 0.0F;
    RowTile by_score;
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c) {
        const Lanes<int> at = row_of(c) + Lanes<int>(warp * 16 + kTile - 1) - token_of(f, c);
        const Lanes<int> key = token_of(f, c) + Lanes<int>(first_key);
        const PairGradient pair =
            pair_gradient(contents[f][c], by_weight[f][c], load(shared.factors.gain, at),
                          load(shared.factors.bias, at), state.rows[c / 2], tables.scale, softcap);
        const Lanes<bool> sees = key >= state.seen.begin[c / 2] && key < state.seen.end[c / 2];
        contents[f][c] = select(sees, pair.by_content, Lanes<float>(0.0F));
        by_score[f][c] = select(sees, pair.by_score, Lanes<float>(0.0F));
        by_gain[f][c] = select(sees, pair.by_gain, Lanes<float>(0.0F));
      }
    }
    shared.tokens.template add_gradient<false>(state.gradient, contents, warp, problem);
    if (problem.tables.bias != nullptr) keep_for_diagonals(by_score, warp);
  }

  GPE_KERNEL void keep_for_diagonals(const RowTile& tile, int warp) {
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c) {
        const Lanes<int> at = (row_of(c) + Lanes<int>(warp * 16)) * Lanes<int>(kTile + 1) + token_of(f, c);
        store_if(at >= Lanes<int>(0), shared.diagonals, wide(at), tile[f][c]);
      }
    }
  }

  // Lane by lane a diagonal of the tile, added to the entry of its distance.
  GPE_KERNEL void sum_diagonals(int warp, float* to, int tile) {
    const Shape& shape = problem.shape;
    const int tiles = (shape.queries + kTile - 1) / kTile;
    const std::int64_t base = ((static_cast<std::int64_t>(batch) * shape.heads + head) * tiles + query_tile) *
                              problem.scores.length;
    const int least = first_query() + offset_of(shape) - tile * kTile - (kTile - 1);
    const Lanes<int> diagonal = lane_id() + Lanes<int>(warp * kLanes);  // distance - least
    Lanes<float> sum(0.0F);
    for (int row = 0; row < kTile; ++row) {
      const Lanes<int> token = Lanes<int>(row + kTile - 1) - diagonal;
      const Lanes<bool> inside = token >= Lanes<int>(0) && token < Lanes<int>(kTile);
      sum +=
          load_if(inside, shared.diagonals, wide(token + Lanes<int>(row * (kTile + 1))), Lanes<float>(0.0F));
    }
    const Lanes<int> distance = diagonal + Lanes<int>(least);
    const Lanes<bool> there = distance >= Lanes<int>(0) && distance < Lanes<int>(problem.scores.length) &&
                              diagonal < Lanes<int>(kDistances - 1);
    const Lanes<std::int64_t> at = wide(distance) + Lanes<std::int64_t>(base);
    store_if(there, to, at, load_if(there, to, at, Lanes<float>(0.0F)) + sum);
  }

  GPE_KERNEL void finish(State& state, int warp) {
    shared.tokens.write(problem.q_gradient, state.gradient, warp, problem, batch, head, first_query(),
                        problem.shape.queries);
  }
};

}  // namespace gpe::cuda
