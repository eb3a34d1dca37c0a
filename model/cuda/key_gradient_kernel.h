// ∂loss/∂k and ∂loss/∂v of 64 keys of one head: one pass over the tiles of the queries that see them. Rows
// are keys here, and the tokens of a tile queries. Tests: tests/cuda/gradient_kernels_test.cpp
#pragma once

#include "model/cuda/gradient_rows.h"

namespace gpe::cuda {

template <Route kRoute, int kDim, class Element>
struct KeyGradientKernel {
  static constexpr int kWarps = 4;
  static constexpr bool kLastFirst = false;  // with causal attention, these tiles have most to do
  using Tile = TokenTile<kDim, Element>;
  using Tokens = GradientTokens<kRoute, kDim, Element>;
  static constexpr bool kTurned = Tokens::kTurned;

  struct Shared {
    Tokens tokens;
    Tile out_gradient;
    FactorSlice factors;
    float log_normalizer[kTile], delta[kTile], by_score[kTile];
  };
  struct State {
    RowOperand<kDim, Element> keys, values;
    Lanes<float> k_gradient[kTurned ? 1 : kDim / 8][4];
    Lanes<float> v_gradient[kDim / 8][4];
  };

  const GradientProblem<Element>& problem;
  Shared& shared;
  int batch, head, key_tile;

  GPE_KERNEL int first_key() const { return key_tile * kTile; }
  GPE_KERNEL bool reads_out() const { return problem.out_gradient.data != nullptr; }

  GPE_KERNEL void run(Block& block) {
    PerWarp<State, kWarps> states;
    const Shape& shape = problem.shape;
    const ScoreTables& tables = problem.scores;
    fetch_phase(block, [&](int warp) {
      begin(states[warp], warp);
      fetch_keys(block, warp);
    });
    phase(block, [&](int warp) {
      if constexpr (!kTurned) states[warp].keys.load(shared.tokens.shared, warp);
      states[warp].values.load(shared.out_gradient, warp);
    });
    // queries at distances first … last of the keys of this tile
    const std::int64_t low =
        std::int64_t{first_key()} + tables.first[table_of(tables, head)] - offset_of(shape);
    const std::int64_t high =
        std::int64_t{first_key()} + kTile + tables.last[table_of(tables, head)] - offset_of(shape);
    const int begin_tile = low > 0 ? static_cast<int>(low / kTile) : 0;
    const int end_tile =
        static_cast<int>(((high < shape.queries ? high : shape.queries) + kTile - 1) / kTile);
    for (int tile = begin_tile; tile < end_tile; ++tile) {
      shared.tokens.fetch_tile(block, problem, [&](int warp) { fetch_queries(block, warp, tile * kTile); });
      phase(block, [&](int warp) { add(states[warp], warp, tile * kTile); });
    }
    block.each_warp([&](int warp) { finish(states[warp], warp); });
  }

 private:
  GPE_KERNEL void begin(State& state, int warp) {
    clear(state.k_gradient);
    clear(state.v_gradient);
    shared.tokens.clear_sums(warp);
  }

  // Into the places of queries and output gradients, from where they go to registers.
  GPE_KERNEL void fetch_keys(Block& block, int warp) {
    shared.tokens.fetch(block, warp, problem, false, batch, head, first_key());
    fetch_values<kWarps>(shared.out_gradient, block, warp, problem, batch, head, first_key());
  }

  GPE_KERNEL void fetch_queries(Block& block, int warp, int first_query) {
    const Shape& shape = problem.shape;
    const int nearest = least_distance(shape, first_query, first_key());
    shared.tokens.fetch(block, warp, problem, true, batch, head, first_query);
    shared.tokens.fetch_transform(warp, problem, head, nearest);
    fetch_out_gradient<kWarps>(shared.out_gradient, block, warp, problem, batch, head, first_query);
    shared.factors.template fetch<kWarps>(block, warp, problem.scores, head, nearest);
    if (warp * kLanes >= kTile) return;
    const Lanes<int> row = lane_id() + Lanes<int>(warp * kLanes);
    const Lanes<int> query = row + Lanes<int>(first_query);
    const RowOfLoss loss = load_row(problem.rows, query < Lanes<int>(shape.queries),
                                    wide(query) + Lanes<std::int64_t>(first_row(shape, batch, head)));
    const Lanes<bool> always = row >= Lanes<int>(0);
    store_if(always, shared.log_normalizer, wide(row), loss.log_normalizer);
    store_if(always, shared.delta, wide(row), loss.delta);
    store_if(always, shared.by_score, wide(row), loss.by_score);
  }

  GPE_KERNEL void add(State& state, int warp, int first_query) {
    const Shape& shape = problem.shape;
    const ScoreTables& tables = problem.scores;
    const int first = tables.first[table_of(tables, head)], last = tables.last[table_of(tables, head)];
    RowTile contents, weights;
    shared.tokens.template contents<true>(contents, state.keys, warp, problem);
    clear(weights);  // ∂loss/∂p at first
    if (reads_out()) multiply_rows(weights, state.values, shared.out_gradient);
    const float softcap = softcap_of(tables, head);
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c) {
        const Lanes<int> query = token_of(f, c), row = row_of(c) + Lanes<int>(warp * 16);
        const Lanes<int> at = query - row + Lanes<int>(kTile - 1);
        const Lanes<int> distance = at + Lanes<int>(least_distance(shape, first_query, first_key()));
        const RowOfLoss loss = {load(shared.log_normalizer, query), load(shared.delta, query),
                                load(shared.by_score, query)};
        Lanes<float> factors[2];
        shared.factors.load(factors, at);
        const PairGradient pair =
            pair_gradient(contents[f][c], weights[f][c], factors[0], factors[1], loss, tables.scale, softcap);
        const Lanes<bool> sees = distance >= Lanes<int>(first) && distance <= Lanes<int>(last) &&
                                 row + Lanes<int>(first_key()) < Lanes<int>(shape.keys);
        contents[f][c] = select(sees, pair.by_content, Lanes<float>(0.0F));
        weights[f][c] = select(sees, pair.weight, Lanes<float>(0.0F));
      }
    }
    if (reads_out()) multiply_weights<kDim, Element>(state.v_gradient, weights, shared.out_gradient);
    shared.tokens.template add_gradient<true>(state.k_gradient, contents, warp, problem);
  }

  GPE_KERNEL void finish(State& state, int warp) {
    const int keys = problem.shape.keys;
    const auto& v = problem.v_gradient;
    write_rows<kDim>(v.data + batch * v.batch + head * v.head, v.token, first_key(), keys, state.v_gradient,
                     warp, problem.shape.head_dim);
    shared.tokens.write(problem.k_gradient, state.k_gradient, warp, problem, batch, head, first_key(), keys);
  }
};

}  // namespace gpe::cuda
