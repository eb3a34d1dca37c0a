// Attention of 64 queries of one head, in tiles of 64 keys: its output, and what statistics.h measures of
// each row, in one pass; nothing is kept of a pair.
#pragma once

#include "model/cuda/contents.h"

namespace gpe::cuda {

template <class Contents, int kDim, class Element, bool kOutput>
struct RowsKernel {
  static constexpr int kWarps = 4;
  static constexpr bool kLastFirst = true;  // with causal attention, these tiles have most to do
  static constexpr int kStages = Contents::kStages;
  using Tile = TokenTile<kDim, Element>;

  struct NoTiles {};
  struct Values {
    Tile tiles[kStages];
  };
  struct Tiles {
    typename Contents::Shared contents;
    FactorSlice factors[kStages];
    std::conditional_t<kOutput, Values, NoTiles> values;
  };
  struct Shared : Tiles {
    float bucket_mass[kTile * 32], bucket_max[kTile * 32];
  };
  static int shared_bytes(const RowsProblem<Element>& problem) {
    return static_cast<int>(problem.buckets.count > 0 ? sizeof(Shared) : sizeof(Tiles));
  }
  struct State {
    Contents contents;
    SeenKeys seen;
    OnlineRow rows[2];
    Lanes<float> out[kOutput ? kDim / 8 : 1][4];
  };

  const RowsProblem<Element>& problem;
  Shared& shared;
  int batch, head, query_tile;

  GPE_KERNEL int first_query() const { return query_tile * kTile; }

  GPE_KERNEL void run(Block& block) {
    const Shape& shape = problem.shape;
    const ScoreTables& tables = problem.scores;
    PerWarp<State, kWarps> states;
    phase(block, [&](int warp) {
      State& state = states[warp];
      state.seen.set(shape, tables, problem.visible, batch, head, first_query(), warp);
      for (OnlineRow& row : state.rows) row.clear();
      for (auto& fragment : state.out)
        for (Lanes<float>& one : fragment) one = Lanes<float>(0.0F);
      Contents::template fetch_queries<kWarps>(block, warp, shared.contents, problem, batch, head,
                                               first_query());
      block.commit(warp);
      block.template wait<0>(warp);
      if (problem.buckets.count > 0) clear_buckets(warp);
    });
    phase(block, [&](int warp) { states[warp].contents.take_queries(shared.contents, warp); });

    const TileRange range = TileRange::of_queries(shape, tables, problem.visible, batch, head, first_query());
    if constexpr (kStages == 2) {
      block.each_warp([&](int warp) {
        if (range.begin < range.end) fetch(block, warp, 0, range.begin);
        block.commit(warp);
      });
    }
    for (int tile = range.begin; tile < range.end; ++tile) {
      const int stage = kStages == 2 ? (tile - range.begin) % 2 : 0;
      phase(block, [&](int warp) {
        if constexpr (kStages == 2) {
          if (tile + 1 < range.end) fetch(block, warp, 1 - stage, tile + 1);
          block.commit(warp);
          block.template wait<1>(warp);
        } else {
          fetch(block, warp, 0, tile);
          block.commit(warp);
          block.template wait<0>(warp);
        }
      });
      if constexpr (Contents::kPrepares)
        phase(block,
              [&](int warp) { Contents::template prepare<kWarps>(warp, shared.contents, shape.head_dim); });
      phase(block, [&](int warp) { add(states[warp], warp, stage, tile * kTile); });
    }
    block.each_warp([&](int warp) { finish(states[warp], warp); });
    if (problem.buckets.count > 0) {
      block.sync();
      block.each_warp([&](int warp) { sum_buckets(warp); });
    }
  }

 private:
  GPE_KERNEL void fetch(Block& block, int warp, int stage, int tile) {
    const int first_key = tile * kTile;
    Contents::template fetch_keys<kWarps>(block, warp, shared.contents, stage, problem, batch, head,
                                          first_query(), first_key);
    shared.factors[stage].template fetch<kWarps>(block, warp, problem.scores, head,
                                                 least_distance(problem.shape, first_query(), first_key));
    if constexpr (kOutput) {
      const auto& v = problem.v;
      shared.values.tiles[stage].template fetch<kWarps>(
          block, warp, v.data + batch * v.batch + head / problem.shape.group * v.head, v.token, first_key,
          problem.shape.keys, problem.shape.head_dim);
    }
  }

  GPE_KERNEL void add(State& state, int warp, int stage, int first_key) {
    RowTile tile;
    state.contents.compute(tile, shared.contents, stage, warp, problem.scores, problem.shape.head_dim);
    const ScoreTables& tables = problem.scores;
    const float softcap = softcap_of(tables, head);
    if (problem.rows.largest_content != nullptr) {
      if (!state.seen.whole_tile(first_key)) mask(tile, state.seen, first_key, 0);
      keep_largest(state.rows, tile);
    }
    to_scores(tile, shared.factors[stage], state.seen, tables.scale, softcap, warp, first_key);
    Lanes<float> shrink[2];
    const int distance = first_query() + offset_of(problem.shape) + warp * 16 - first_key;
    switch (sums()) {
      case RowSums::mass:
        add_tile<RowSums::mass>(state.rows, tile, distance, shrink);
        break;
      case RowSums::first:
        add_tile<RowSums::first>(state.rows, tile, distance, shrink);
        break;
      case RowSums::second:
        add_tile<RowSums::second>(state.rows, tile, distance, shrink);
        break;
    }
    if (problem.buckets.count > 0) add_to_buckets(state, tile, warp, first_key);
    if constexpr (kOutput) {
      GPE_UNROLL
      for (int f = 0; f < kDim / 8; ++f) {
        GPE_UNROLL
        for (int c = 0; c < 4; ++c) state.out[f][c] *= shrink[c / 2];
      }
      multiply_weights<kDim, Element>(state.out, tile, shared.values.tiles[stage]);
    }
  }

  /// What the results that are asked for take.
  GPE_KERNEL RowSums sums() const {
    const RowResults& to = problem.rows;
    if (to.varentropy != nullptr) return RowSums::second;
    return to.entropy != nullptr || to.mean_distance != nullptr ? RowSums::first : RowSums::mass;
  }

  GPE_KERNEL void finish(State& state, int warp) {
    const Shape& shape = problem.shape;
    const ScoreTables& tables = problem.scores;
    const RowResults& to = problem.rows;
    const float sink_score = tables.sink != nullptr ? tables.sink[table_of(tables, head)] : kMasked;
    GPE_UNROLL
    for (int r = 0; r < 2; ++r) {
      OnlineRow& row = state.rows[r];
      row.finish();
      const Lanes<int> in_tile = row_of(2 * r) + Lanes<int>(warp * 16);
      const Lanes<int> query = in_tile + Lanes<int>(first_query());
      const Lanes<bool> sees_none = row.mass == Lanes<float>(0.0F);  // not so where the mass is NaN
      const Lanes<float> mass = select(sees_none, Lanes<float>(1.0F), row.mass);
      // of tokens and sink together, relative to the larger of the two
      const Lanes<float> high = larger(row.max, Lanes<float>(sink_score));
      const Lanes<float> of_tokens = mass * exp2_of(larger(row.max - high, Lanes<float>(-1000.0F)));
      const Lanes<float> of_sink = exp2_of(larger(Lanes<float>(sink_score) - high, Lanes<float>(-1000.0F)));
      const Lanes<float> all_mass = of_tokens + of_sink;
      const Lanes<float> mean = row.first / mass;
      const Lanes<float> ln2(kLn2), zero(0.0F), minus_infinity(-INFINITY);
      const Lanes<bool> writes =
          query < Lanes<int>(shape.queries) && lane_id() % Lanes<int>(4) == Lanes<int>(0);
      const Lanes<std::int64_t> at = wide(query) + Lanes<std::int64_t>(first_row(shape, batch, head));
      const Lanes<float> nan_of_mass = mass * zero;  // 0; maxima pass over NaN
      const auto write = [&](float* result, const Lanes<float>& value, const Lanes<float>& without) {
        if (result != nullptr) store_if(writes, result, at, select(sees_none, without, value + nan_of_mass));
      };
      write(to.log_normalizer, ln2 * (high + log2_of(all_mass)), minus_infinity);
      write(to.entropy, larger(ln2 * (log2_of(mass) - mean), zero), zero);
      write(to.varentropy, ln2 * ln2 * larger(row.second / mass - mean * mean, zero), zero);
      write(to.mean_distance, row.where / mass, zero);
      write(to.largest_weight, of_tokens / (mass * all_mass), zero);
      write(to.largest_score, ln2 * row.max, minus_infinity);
      write(to.largest_content, row.content * Lanes<float>(tables.scale), zero);
      write(to.sink_weight, of_sink / all_mass, zero);
      if constexpr (kOutput) {
        const Lanes<float> share = select(sees_none, zero, of_tokens / (mass * all_mass));
        const auto& out = problem.out;
        Element* head_out = out.data + batch * out.batch + head * out.head;
        GPE_UNROLL
        for (int f = 0; f < kDim / 8; ++f) {
          GPE_UNROLL
          for (int c = 2 * r; c < 2 * r + 2; ++c) {
            const Lanes<int> coordinate =
                lane_id() % Lanes<int>(4) * Lanes<int>(2) + Lanes<int>(f * 8 + c % 2);
            const Lanes<std::int64_t> place = wide(query) * Lanes<std::int64_t>(out.token) + wide(coordinate);
            store_rounded(query < Lanes<int>(shape.queries) && coordinate < Lanes<int>(shape.head_dim),
                          head_out, place, state.out[f][c] * share);
          }
        }
      }
      if (problem.buckets.count > 0) scale_buckets(row, in_tile, of_tokens / (mass * all_mass), sees_none);
    }
  }

  // Buckets: by row, the weights so far and the maximum they are relative to.
  GPE_KERNEL void clear_buckets(int warp) {
    for (int i = warp * kLanes; i < kTile * problem.buckets.count; i += kWarps * kLanes) {
      const Lanes<int> at = lane_id() + Lanes<int>(i);
      const Lanes<bool> there = at < Lanes<int>(kTile * problem.buckets.count);
      store_if(there, shared.bucket_mass, wide(at), Lanes<float>(0.0F));
      store_if(there, shared.bucket_max, wide(at), Lanes<float>(kNoMaximum));
    }
  }

  GPE_KERNEL void add_to_buckets(State& state, const RowTile& weights, int warp, int first_key) {
    const Buckets& buckets = problem.buckets;
    const int nearest = first_query() + offset_of(problem.shape) + warp * 16 - first_key - (kTile - 1);
    for (int b = 0; b < buckets.count; ++b) {
      const int low = buckets.edges[b];
      const int high = b + 1 < buckets.count ? buckets.edges[b + 1] : 2147483647;
      if (high <= nearest || low > nearest + kTile - 1 + 15) continue;  // no pair of the warp is in it
      GPE_UNROLL
      for (int r = 0; r < 2; ++r) {
        Lanes<float> sum(0.0F);
        GPE_UNROLL
        for (int f = 0; f < 8; ++f) {
          GPE_UNROLL
          for (int c = 2 * r; c < 2 * r + 2; ++c) {
            const Lanes<int> distance = row_of(c) + Lanes<int>(nearest + kTile - 1) - token_of(f, c);
            sum += select(distance >= Lanes<int>(low) && distance < Lanes<int>(high), weights[f][c],
                          Lanes<float>(0.0F));
          }
        }
        sum = row_sum(sum);
        const Lanes<int> at =
            (row_of(2 * r) + Lanes<int>(warp * 16)) * Lanes<int>(buckets.count) + Lanes<int>(b);
        const Lanes<float> before = load(shared.bucket_max, at);
        const Lanes<float> shrink = exp2_of(larger(before - state.rows[r].max, Lanes<float>(-1000.0F)));
        const Lanes<float> together = load(shared.bucket_mass, at) * shrink + sum;
        const Lanes<bool> writes = lane_id() % Lanes<int>(4) == Lanes<int>(0);
        sync_warp();
        store_if(writes, shared.bucket_mass, wide(at), together);
        store_if(writes, shared.bucket_max, wide(at), state.rows[r].max);
        sync_warp();
      }
    }
  }

  GPE_KERNEL void scale_buckets(const OnlineRow& row, Lanes<int> in_tile, Lanes<float> share,
                                Lanes<bool> sees_none) {
    const int count = problem.buckets.count;
    for (int b = 0; b < count; ++b) {
      const Lanes<int> at = in_tile * Lanes<int>(count) + Lanes<int>(b);
      const Lanes<float> shrink =
          exp2_of(larger(load(shared.bucket_max, at) - row.max, Lanes<float>(-1000.0F)));
      const Lanes<float> weight = load(shared.bucket_mass, at) * shrink * share;
      sync_warp();
      store_if(lane_id() % Lanes<int>(4) == Lanes<int>(0), shared.bucket_mass, wide(at),
               select(sees_none, Lanes<float>(0.0F), weight));
    }
  }

  // The rows of the block in their order: the same sum every time.
  GPE_KERNEL void sum_buckets(int warp) {
    const int count = problem.buckets.count;
    if (warp != 0) return;
    Lanes<float> sum(0.0F);
    const Lanes<bool> there = lane_id() < Lanes<int>(count);
    for (int row = 0; row < kTile; ++row) {
      sum +=
          load_if(there, shared.bucket_mass, wide(lane_id() + Lanes<int>(row * count)), Lanes<float>(0.0F));
    }
    const std::int64_t block = tile_number(problem.shape, batch, head, query_tile);
    store_if(there, problem.buckets.mass, wide(lane_id()) + Lanes<std::int64_t>(block * count), sum);
  }
};

}  // namespace gpe::cuda
