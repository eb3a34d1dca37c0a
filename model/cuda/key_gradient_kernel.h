// ∂loss/∂k and ∂loss/∂v of 64 keys of one head: one pass over the tiles of the queries that see them. Rows
// are keys here, and the tokens of a tile queries.
#pragma once

#include "model/cuda/gradient_rows.h"

namespace gpe::cuda {

/// @tparam kTurned  every pair by its own angle (TurnedContents); else q and k as they are
template <bool kTurned, int kDim, class Element>
struct KeyGradientKernel {
  static constexpr int kWarps = 4;
  static constexpr bool kLastFirst = false;  // with causal attention, these tiles have most to do
  using Tile = TokenTile<kDim, Element>;
  using Turned = TurnedContents<kDim, Element>;

  struct Pairs {
    typename Turned::Shared tokens;
    alignas(16) float sums[kDim / 2 * Turned::kStride];
  };
  struct Shared {
    std::conditional_t<kTurned, Pairs, Tile> queries;
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
    block.each_warp([&](int warp) {
      begin(states[warp], warp);
      fetch_keys(block, warp);
      block.commit(warp);
      block.template wait<0>(warp);
    });
    block.sync();
    block.each_warp([&](int warp) {
      if constexpr (!kTurned) states[warp].keys.load(shared.queries, warp);
      states[warp].values.load(shared.out_gradient, warp);
    });
    block.sync();
    // queries at distances first … last of the keys of this tile
    const std::int64_t low =
        std::int64_t{first_key()} + tables.first[table_of(tables, head)] - offset_of(shape);
    const std::int64_t high =
        std::int64_t{first_key()} + kTile + tables.last[table_of(tables, head)] - offset_of(shape);
    const int begin_tile = low > 0 ? static_cast<int>(low / kTile) : 0;
    const int end_tile =
        static_cast<int>(((high < shape.queries ? high : shape.queries) + kTile - 1) / kTile);
    for (int tile = begin_tile; tile < end_tile; ++tile) {
      block.each_warp([&](int warp) {
        fetch_queries(block, warp, tile * kTile);
        block.commit(warp);
        block.template wait<0>(warp);
      });
      block.sync();
      block.each_warp([&](int warp) { add(states[warp], warp, tile * kTile); });
      block.sync();
    }
    block.each_warp([&](int warp) { finish(states[warp], warp); });
  }

 private:
  GPE_KERNEL void begin(State& state, int warp) {
    for (auto& fragment : state.k_gradient)
      for (Lanes<float>& one : fragment) one = Lanes<float>(0.0F);
    for (auto& fragment : state.v_gradient)
      for (Lanes<float>& one : fragment) one = Lanes<float>(0.0F);
    if constexpr (kTurned) {
      for (int i = warp * kLanes; i < kDim / 2 * Turned::kStride; i += kWarps * kLanes) {
        const Lanes<int> at = lane_id() + Lanes<int>(i);
        store_if(at < Lanes<int>(kDim / 2 * Turned::kStride), shared.queries.sums, wide(at),
                 Lanes<float>(0.0F));
      }
    }
  }

  // Into the places of queries and output gradients, from where they go to registers.
  GPE_KERNEL void fetch_keys(Block& block, int warp) {
    const Shape& shape = problem.shape;
    const auto& k = problem.k;
    const auto& v = problem.v;
    const Element* from = k.data + batch * k.batch + head * k.head;
    if constexpr (kTurned) {
      Turned::template fetch_pairs<kWarps>(warp, shared.queries.tokens.keys, from, k.token, first_key(),
                                           shape.keys, shape.head_dim, problem.scores.interleaved != 0);
    } else {
      shared.queries.template fetch<kWarps>(block, warp, from, k.token, first_key(), shape.keys,
                                            shape.head_dim);
    }
    shared.out_gradient.template fetch<kWarps>(block, warp, v.data + batch * v.batch + head * v.head, v.token,
                                               first_key(), shape.keys, shape.head_dim);
  }

  GPE_KERNEL void fetch_queries(Block& block, int warp, int first_query) {
    const Shape& shape = problem.shape;
    const auto& q = problem.q;
    const auto& g = problem.out_gradient;
    const int least_distance = first_query + offset_of(shape) - first_key() - (kTile - 1);
    const Element* from = q.data + batch * q.batch + head * q.head;
    if constexpr (kTurned) {
      Turned::template fetch_pairs<kWarps>(warp, shared.queries.tokens.queries, from, q.token, first_query,
                                           shape.queries, shape.head_dim, problem.scores.interleaved != 0);
      Turned::template fetch_turns<kWarps>(warp, shared.queries.tokens.turns, problem.scores, head,
                                           shape.head_dim / 2, least_distance);
    } else {
      shared.queries.template fetch<kWarps>(block, warp, from, q.token, first_query, shape.queries,
                                            shape.head_dim);
    }
    shared.out_gradient.template fetch<kWarps>(
        block, warp, reads_out() ? g.data + batch * g.batch + head * g.head : from, g.token, first_query,
        reads_out() ? shape.queries : 0, shape.head_dim);
    shared.factors.template fetch<kWarps>(warp, problem.scores, head, least_distance);
    if (warp * kLanes >= kTile) return;
    const Lanes<int> row = lane_id() + Lanes<int>(warp * kLanes);
    const Lanes<int> query = row + Lanes<int>(first_query);
    const RowOfLoss loss = load_row(
        problem.rows, query < Lanes<int>(shape.queries),
        wide(query) +
            Lanes<std::int64_t>((static_cast<std::int64_t>(batch) * shape.heads + head) * shape.queries));
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
    if constexpr (kTurned) {
      const auto& tokens = shared.queries.tokens;
      turned_products<Turned::kStride, true>(contents, tokens.keys, tokens.queries, tokens.turns, warp,
                                             tables.swap_sign, shape.head_dim / 2);
    } else {
      clear(contents);
      multiply_rows(contents, state.keys, shared.queries);
    }
    clear(weights);  // ∂loss/∂p at first
    if (reads_out()) multiply_rows(weights, state.values, shared.out_gradient);
    const float softcap = tables.softcap != nullptr ? tables.softcap[table_of(tables, head)] : 0.0F;
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c) {
        const Lanes<int> query = token_of(f, c), row = row_of(c) + Lanes<int>(warp * 16);
        const Lanes<int> at = query - row + Lanes<int>(kTile - 1);
        const Lanes<int> distance =
            at + Lanes<int>(first_query + offset_of(shape) - first_key() - (kTile - 1));
        const RowOfLoss loss = {load(shared.log_normalizer, query), load(shared.delta, query),
                                load(shared.by_score, query)};
        const PairGradient pair = pair_gradient(contents[f][c], weights[f][c], load(shared.factors.gain, at),
                                                load(shared.factors.bias, at), loss, tables.scale, softcap);
        const Lanes<bool> sees = distance >= Lanes<int>(first) && distance <= Lanes<int>(last) &&
                                 row + Lanes<int>(first_key()) < Lanes<int>(shape.keys);
        contents[f][c] = select(sees, pair.by_content, Lanes<float>(0.0F));
        weights[f][c] = select(sees, pair.weight, Lanes<float>(0.0F));
      }
    }
    if (reads_out()) multiply_weights<kDim, Element>(state.v_gradient, weights, shared.out_gradient);
    if constexpr (kTurned) {
      const auto& tokens = shared.queries.tokens;
      add_turned_gradients<Turned::kStride, true>(shared.queries.sums, contents, tokens.queries, tokens.turns,
                                                  warp, tables.swap_sign, shape.head_dim / 2);
    } else {
      multiply_weights<kDim, Element>(state.k_gradient, contents, shared.queries);
    }
  }

  GPE_KERNEL void finish(State& state, int warp) {
    const Shape& shape = problem.shape;
    const auto& k = problem.k_gradient;
    const auto& v = problem.v_gradient;
    Element* k_to = k.data + batch * k.batch + head * k.head;
    write_rows<kDim>(v.data + batch * v.batch + head * v.head, v.token, first_key(), shape.keys,
                     state.v_gradient, warp, shape.head_dim);
    if constexpr (kTurned) {
      sync_warp();
      write_pairs<Turned::kStride>(k_to, k.token, first_key(), shape.keys, shared.queries.sums, warp,
                                   shape.head_dim, problem.scores.interleaved != 0);
    } else {
      write_rows<kDim>(k_to, k.token, first_key(), shape.keys, state.k_gradient, warp, shape.head_dim);
    }
  }
};

}  // namespace gpe::cuda
