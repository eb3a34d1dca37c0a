// Contents of turned pairs on tensor cores (turn_series.h): in each tile the slow blocks as products of
// features, the fast ones pair by pair.
#pragma once

#include "model/cuda/contents.h"

namespace gpe::cuda {

template <int kDim, class Element>
struct SeriesContents {
  using Turned = TurnedContents<kDim, Element>;
  static constexpr int kStages = 1;
  static constexpr bool kPrepares = true;
  static constexpr int kBlocks = kDim / 2;
  static constexpr int kGroups = kDim / 16;
  static constexpr int kSteps = 2 * kGroups;  ///< most terms of all groups together
  using Features = TokenTile<16 * kSteps, Element>;

  struct Shared {
    typename Turned::Shared pairs;
    Features queries, keys;
    int terms[kGroups];
    float coefficients[kBlocks * 3];
  };

  template <int kWarps>
  GPE_KERNEL static void fetch_queries(Block& block, int warp, Shared& shared,
                                       const RowsProblem<Element>& problem, int batch, int head,
                                       int first_query) {
    Turned::template fetch_queries<kWarps>(block, warp, shared.pairs, problem, batch, head, first_query);
  }
  GPE_KERNEL void take_queries(const Shared&, int) {}

  /// The tile-diagonal, and whether it has series: queries and keys of one tile begin at multiples of 64
  /// apart.
  GPE_KERNEL static int diagonal(const RowsProblem<Element>& problem, int first_query, int first_key) {
    const int distance = first_query + offset_of(problem.shape) - first_key;
    return problem.scores.series != nullptr && distance % kTile == 0 && distance >= 0 &&
                   distance / kTile < problem.scores.series_tiles
               ? distance / kTile
               : -1;
  }

  template <int kWarps>
  GPE_KERNEL static void fetch_keys(Block& block, int warp, Shared& shared, int stage,
                                    const RowsProblem<Element>& problem, int batch, int head, int first_query,
                                    int first_key) {
    Turned::template fetch_keys<kWarps>(block, warp, shared.pairs, stage, problem, batch, head, first_query,
                                        first_key);
    const ScoreTables& tables = problem.scores;
    const int tile = diagonal(problem, first_query, first_key);
    const int blocks = problem.shape.head_dim / 2, groups = (blocks + 7) / 8;
    const std::int64_t table = static_cast<std::int64_t>(table_of(tables, head)) * tables.series_tiles + tile;
    if (warp != 0) return;
    const Lanes<bool> is_group = lane_id() < Lanes<int>(kGroups);
    store_if(
        is_group, shared.terms, wide(lane_id()),
        load_if(tile >= 0 ? lane_id() < Lanes<int>(groups) : lane_id() < Lanes<int>(0), tables.series_terms,
                wide(lane_id()) + Lanes<std::int64_t>(table * groups), Lanes<int>(0)));
    for (int i = 0; i < kBlocks * 3; i += kLanes) {
      const Lanes<int> at = lane_id() + Lanes<int>(i);
      const Lanes<bool> inside = at < Lanes<int>(tile >= 0 ? blocks * 3 : 0);
      store_if(at < Lanes<int>(kBlocks * 3), shared.coefficients, wide(at),
               load_if(inside, tables.series, wide(at) + Lanes<std::int64_t>(table * blocks * 3),
                       Lanes<float>(0.0F)));
    }
  }

  /// Features of all queries and keys of the tile: q e^{i(p₀ + p₁a + p₂a²)}(a/32)^r and
  /// k e^{i(p₁b - p₂b²)} i^r (2048 p₂)^r/r! (b/32)^r.
  template <int kWarps>
  GPE_KERNEL static void prepare(int warp, Shared& shared, int head_dim) {
    int step = 0;
    for (int group = 0; group < kGroups; ++group) {
      const int terms = shared.terms[group];
      if (terms == 0) continue;
      for (int i = warp * kLanes; i < kTile * 8; i += kWarps * kLanes) {
        const Lanes<int> at = lane_id() + Lanes<int>(i);
        const Lanes<int> token = at / Lanes<int>(8), in_group = at % Lanes<int>(8);
        const Lanes<int> block = in_group + Lanes<int>(group * 8);
        const Lanes<bool> there = block < Lanes<int>(head_dim / 2);
        const Lanes<float> place = to_float(token) - Lanes<float>(31.5F);
        const auto coefficient = [&](int k) {
          return load_if(there, shared.coefficients, wide(block * Lanes<int>(3) + Lanes<int>(k)),
                         Lanes<float>(0.0F));
        };
        const Lanes<float> p0 = coefficient(0), p1 = coefficient(1), p2 = coefficient(2);
        const Lanes<std::int64_t> pair = wide(block * Lanes<int>(Turned::kStride) + token * Lanes<int>(2));
        Lanes<float> q1 = load_if(there, shared.pairs.queries, pair, Lanes<float>(0.0F));
        Lanes<float> q2 =
            load_if(there, shared.pairs.queries, pair + Lanes<std::int64_t>(1), Lanes<float>(0.0F));
        Lanes<float> k1 = load_if(there, shared.pairs.keys, pair, Lanes<float>(0.0F));
        Lanes<float> k2 =
            load_if(there, shared.pairs.keys, pair + Lanes<std::int64_t>(1), Lanes<float>(0.0F));
        turn(q1, q2, multiply_add(place, multiply_add(place, p2, p1), p0));
        turn(k1, k2, place * (p1 - place * p2));
        const Lanes<float> near = place * Lanes<float>(1.0F / 32);
        Lanes<float> factor = Lanes<float>(2048.0F) * p2;
        for (int r = 0; r < terms; ++r) {
          put(shared.queries, token, in_group, step + r, q1, q2);
          put(shared.keys, token, in_group, step + r, k1, k2);
          q1 *= near, q2 *= near;
          const Lanes<float> scale = factor * near * Lanes<float>(1.0F / static_cast<float>(r + 1));
          const Lanes<float> before = k1;
          k1 = -k2 * scale;
          k2 = before * scale;
        }
      }
      step += terms;
    }
  }

  GPE_KERNEL void compute(RowTile& contents, const Shared& shared, int, int warp, const ScoreTables& tables,
                          int head_dim) {
    int steps = 0, direct = 0;  // leading blocks without terms
    for (int group = 0; group < kGroups; ++group) {
      steps += shared.terms[group];
      if (shared.terms[group] == 0 && direct == group * 8) direct = group * 8 + 8;
    }
    direct = direct < head_dim / 2 ? direct : head_dim / 2;
    turned_products<Turned::kStride, false>(contents, shared.pairs.queries, shared.pairs.keys,
                                            shared.pairs.turns, warp, tables.swap_sign, direct);
    const Lanes<int> lane = lane_id();
    const Lanes<int> row = lane % Lanes<int>(16) + Lanes<int>(warp * 16);
    const Lanes<int> row_place = row * Lanes<int>(Features::kStride) + lane / Lanes<int>(16) * Lanes<int>(8);
    const Lanes<int> token = lane % Lanes<int>(8) + lane / Lanes<int>(16) * Lanes<int>(8);
    const Lanes<int> place =
        token * Lanes<int>(Features::kStride) + lane / Lanes<int>(8) % Lanes<int>(2) * Lanes<int>(8);
    for (int step = 0; step < steps; ++step) {
      each_product<Features::kPlanes>([&](int a, int b) {
        Words left[4];
        load_matrices(left, shared.queries.plane(a), row_place + Lanes<int>(16 * step));
        GPE_UNROLL
        for (int f = 0; f < 8; f += 2) {
          Words right[4];
          load_matrices(right, shared.keys.plane(b),
                        place + Lanes<int>(f * 8 * Features::kStride + 16 * step));
          multiply<Planes<Element>::kHalf>(contents[f], left, right[0], right[1]);
          multiply<Planes<Element>::kHalf>(contents[f + 1], left, right[2], right[3]);
        }
      });
    }
  }

 private:
  GPE_KERNEL static void turn(Lanes<float>& x, Lanes<float>& y, Lanes<float> angle) {
    Lanes<float> sine, cosine;
    sine_cosine(angle, sine, cosine);
    const Lanes<float> before = x;
    x = before * cosine - y * sine;
    y = before * sine + y * cosine;
  }
  GPE_KERNEL static void put(Features& features, Lanes<int> token, Lanes<int> in_group, int step,
                             Lanes<float> x, Lanes<float> y) {
    Words planes[Features::kPlanes];
    to_planes<Element>(x, y, planes);
    GPE_UNROLL
    for (int p = 0; p < Features::kPlanes; ++p) {
      store_words(features.numbers,
                  token * Lanes<int>(Features::kStride) + in_group * Lanes<int>(2) +
                      Lanes<int>(16 * step + p * Features::kPlaneSize),
                  planes[p]);
    }
  }
};

}  // namespace gpe::cuda
