// ∂loss/∂q of 64 queries of one head, and ∂loss/∂gain(n), ∂loss/∂bias(n) and those of the transform over
// their pairs: one pass over the tiles of keys. What is added up has one writer, so that the result is the
// same every time. Tests: tests/cuda/gradient_kernels_test.cpp
#pragma once

#include "model/cuda/diagonals.h"
#include "model/cuda/gradient_rows.h"

namespace gpe::cuda {

template <Route kRoute, int kDim, class Element>
struct QueryGradientKernel {
  static constexpr int kWarps = 4;
  static constexpr bool kLastFirst = true;  // with causal attention, these tiles have most to do
  using Tile = TokenTile<kDim, Element>;
  using Tokens = GradientTokens<kRoute, kDim, Element>;
  static constexpr bool kTurned = Tokens::kTurned;

  struct Shared {
    Tokens tokens;
    Tile values;
    FactorSlice factors;
    SquareTile diagonals;
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
    fetch_phase(block, [&](int warp) {
      begin(states[warp], warp);
      fetch_queries(block, warp);
    });
    phase(block, [&](int warp) {
      if constexpr (!kTurned) states[warp].queries.load(shared.tokens.shared, warp);
      states[warp].out_gradient.load(shared.values, warp);
    });
    const TileRange range =
        TileRange::of_queries(shape, problem.scores, {nullptr, nullptr}, batch, head, first_query());
    for (int tile = range.begin; tile < range.end; ++tile) {
      shared.tokens.fetch_tile(block, problem, [&](int warp) { fetch_keys(block, warp, tile * kTile); });
      PerWarp<RowTile, kWarps> by_gain, by_content;
      phase(block, [&](int warp) { add(states[warp], by_gain[warp], by_content[warp], warp, tile * kTile); });
      if (problem.tables.bias != nullptr)
        phase(block, [&](int warp) { sum_diagonals(warp, problem.tables.bias, tile); });
      if (problem.tables.gain != nullptr) {
        phase(block, [&](int warp) { shared.diagonals.keep(by_gain[warp], warp); });
        phase(block, [&](int warp) { sum_diagonals(warp, problem.tables.gain, tile); });
      }
      if constexpr (kTurned) {
        if (problem.tables.transform != nullptr) {
          phase(block, [&](int warp) { shared.diagonals.keep(by_content[warp], warp); });
          phase(block, [&](int warp) { sum_transform(warp, tile); });
        }
      }
    }
    block.each_warp([&](int warp) { finish(states[warp], warp); });
  }

 private:
  GPE_KERNEL void begin(State& state, int warp) {
    const Shape& shape = problem.shape;
    state.seen.set(shape, problem.scores, {nullptr, nullptr}, batch, head, first_query(), warp);
    clear(state.gradient);
    GPE_UNROLL
    for (int r = 0; r < 2; ++r) {
      const Lanes<int> query = row_of(2 * r) + Lanes<int>(warp * 16 + first_query());
      const Lanes<bool> there = query < Lanes<int>(shape.queries);
      state.rows[r] =
          load_row(problem.rows, there, wide(query) + Lanes<std::int64_t>(first_row(shape, batch, head)));
    }
    shared.tokens.clear_sums(warp);
  }

  GPE_KERNEL void fetch_queries(Block& block, int warp) {
    shared.tokens.fetch(block, warp, problem, true, batch, head, first_query());
    fetch_out_gradient<kWarps>(shared.values, block, warp, problem, batch, head, first_query());
  }

  GPE_KERNEL void fetch_keys(Block& block, int warp, int first_key) {
    const int nearest = least_distance(problem.shape, first_query(), first_key);
    shared.tokens.fetch(block, warp, problem, false, batch, head, first_key);
    shared.tokens.fetch_transform(warp, problem, head, nearest);
    fetch_values<kWarps>(shared.values, block, warp, problem, batch, head, first_key);
    shared.factors.template fetch<kWarps>(block, warp, problem.scores, head, nearest);
  }

  GPE_KERNEL void add(State& state, RowTile& by_gain, RowTile& by_content, int warp, int first_key) {
    const ScoreTables& tables = problem.scores;
    RowTile contents, by_weight;
    shared.tokens.template contents<false>(contents, state.queries, warp, problem);
    clear(by_weight);
    if (reads_out()) multiply_rows(by_weight, state.out_gradient, shared.values);
    const float softcap = softcap_of(tables, head);
    RowTile by_score;
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c) {
        const Lanes<int> at = row_of(c) + Lanes<int>(warp * 16 + kTile - 1) - token_of(f, c);
        const Lanes<int> key = token_of(f, c) + Lanes<int>(first_key);
        Lanes<float> factors[2];
        shared.factors.load(factors, at);
        const PairGradient pair = pair_gradient(contents[f][c], by_weight[f][c], factors[0], factors[1],
                                                state.rows[c / 2], tables.scale, softcap);
        const Lanes<bool> sees = state.seen.sees(c, key);
        contents[f][c] = select(sees, pair.by_content, Lanes<float>(0.0F));
        by_score[f][c] = select(sees, pair.by_score, Lanes<float>(0.0F));
        by_gain[f][c] = select(sees, pair.by_gain, Lanes<float>(0.0F));
      }
    }
    shared.tokens.template add_gradient<false>(state.gradient, contents, warp, problem);
    if (problem.tables.bias != nullptr) shared.diagonals.keep(by_score, warp);
    if constexpr (kTurned) {
      if (problem.tables.transform != nullptr) {
        GPE_UNROLL
        for (int f = 0; f < 8; ++f) {
          GPE_UNROLL
          for (int c = 0; c < 4; ++c) by_content[f][c] = contents[f][c];
        }
      }
    }
  }

  /// The 127 distances of a tile, one for each lane of the four warps; and the part of tables of this block.
  GPE_KERNEL Diagonals diagonals_of(int warp, int tile) const {
    return Diagonals::of(warp, least_distance(problem.shape, first_query(), tile * kTile),
                         problem.scores.length);
  }
  GPE_KERNEL std::int64_t part() const { return tile_number(problem.shape, batch, head, query_tile); }

  // Lane by lane a diagonal of the tile, added to the entry of its distance.
  GPE_KERNEL void sum_diagonals(int warp, float* to, int tile) {
    const Diagonals of = diagonals_of(warp, tile);
    of.add_to(to + part() * problem.scores.length, of.sum(shared.diagonals));
  }

  // The same for the factors of every block: Σ G·(q₁k₁ + q₂k₂) and Σ G·(q₁k₂ ∓ q₂k₁), four blocks at a time.
  GPE_KERNEL void sum_transform(int warp, int tile) {
    constexpr int kAtOnce = 4;  // head_dim is a multiple of 8
    constexpr int kStride = Tokens::Turned::kStride;
    const Diagonals of = diagonals_of(warp, tile);
    const auto& tokens = shared.tokens.shared.tokens;
    const int blocks = problem.shape.head_dim / 2;
    const Lanes<float> swap(problem.scores.swap_sign);
    for (int first = 0; first < blocks; first += kAtOnce) {
      Lanes<float> cosine[kAtOnce], sine[kAtOnce];
      GPE_UNROLL
      for (int j = 0; j < kAtOnce; ++j) cosine[j] = sine[j] = Lanes<float>(0.0F);
      for (int row = 0; row < kTile; ++row) {
        const Lanes<int> token = of.token(row);
        const Lanes<float> g = of.number(shared.diagonals, row, 0.0F);
        const Lanes<int> key = select(Diagonals::inside(token), token, Lanes<int>(0)) * Lanes<int>(2);
        GPE_UNROLL
        for (int j = 0; j < kAtOnce; ++j) {
          const int at = (first + j) * kStride;
          Lanes<float> q[2], k[2];
          load_pair(q, tokens.queries, Lanes<int>(at + 2 * row));
          load_pair(k, tokens.keys, key + Lanes<int>(at));
          cosine[j] = multiply_add(g, multiply_add(q[0], k[0], q[1] * k[1]), cosine[j]);
          sine[j] = multiply_add(g, multiply_add(q[0], k[1], swap * q[1] * k[0]), sine[j]);
        }
      }
      GPE_UNROLL
      for (int j = 0; j < kAtOnce; ++j) {
        const std::int64_t row = part() * 2 * blocks + first + j;
        of.add_to(problem.tables.transform + row * problem.scores.length, cosine[j]);
        of.add_to(problem.tables.transform + (row + blocks) * problem.scores.length, sine[j]);
      }
    }
  }

  GPE_KERNEL void finish(State& state, int warp) {
    shared.tokens.write(problem.q_gradient, state.gradient, warp, problem, batch, head, first_query(),
                        problem.shape.queries);
  }
};

}  // namespace gpe::cuda
