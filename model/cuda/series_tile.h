// A tile of turned pairs by series (turn_series.h): features of its queries and keys, whose products on
// tensor cores are the contents of the slow blocks, and back from ∂loss/∂contents. The fast blocks, which
// come first, stay with factors of their own. Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/contents.h"

namespace gpe::cuda {

template <int kDim, class Element>
struct SeriesTile {
  static constexpr int kBlocks = kDim / 2;
  static constexpr int kGroups = kDim / 16;
  static constexpr int kSteps = 2 * kGroups;  ///< most terms of all groups together
  static constexpr int kStride = 2 * kTile + 4;
  static constexpr int kPlanes = Planes<Element>::kPlanes;
  using Features = TokenTile<16 * kSteps, Element>;
  static_assert(kStride == TurnedContents<kDim, Element>::kStride);

  Features queries, keys;
  int terms[kGroups];
  float coefficients[kBlocks * 3];

  /// The tile-diagonal, or -1 where there are no series: queries and keys of one tile begin at multiples of
  /// 64 apart.
  GPE_KERNEL static int diagonal(const ScoreTables& tables, int least_distance) {
    const int distance = least_distance + kTile - 1;
    return tables.series != nullptr && distance % kTile == 0 && distance >= 0 &&
                   distance / kTile < tables.series_tiles
               ? distance / kTile
               : -1;
  }
  /// How many leading blocks every pair turns by its own factors.
  GPE_KERNEL static int direct_blocks(const ScoreTables& tables, int head, int head_dim, int least_distance) {
    const int tile = diagonal(tables, least_distance);
    const int blocks = head_dim / 2, groups = (blocks + 7) / 8;
    if (tile < 0) return blocks;
    const std::int32_t* terms_of = tables.series_terms + of_tile(tables, head, tile) * groups;
    int group = 0;
    while (group < groups && terms_of[group] == 0) ++group;
    return 8 * group < blocks ? 8 * group : blocks;
  }

  /// One warp brings terms and coefficients: no terms where the tile has no series.
  GPE_KERNEL void fetch(int warp, const ScoreTables& tables, int head, int head_dim, int least_distance) {
    if (warp != 0) return;
    const int tile = diagonal(tables, least_distance);
    const int blocks = head_dim / 2, groups = (blocks + 7) / 8;
    const std::int64_t table = of_tile(tables, head, tile);
    store_if(lane_id() < Lanes<int>(kGroups), terms, wide(lane_id()),
             load_if(lane_id() < Lanes<int>(tile >= 0 ? groups : 0), tables.series_terms,
                     wide(lane_id()) + Lanes<std::int64_t>(table * groups), Lanes<int>(0)));
    for (int i = 0; i < kBlocks * 3; i += kLanes) {
      const Lanes<int> at = lane_id() + Lanes<int>(i);
      const Lanes<bool> inside = at < Lanes<int>(tile >= 0 ? blocks * 3 : 0);
      store_if(at < Lanes<int>(kBlocks * 3), coefficients, wide(at),
               load_if(inside, tables.series, wide(at) + Lanes<std::int64_t>(table * blocks * 3),
                       Lanes<float>(0.0F)));
    }
  }

  /// Features of all queries and keys of the tile: q e^{i(p₀ + p₁a + p₂a²)}(a/32)^r and
  /// k e^{i(p₁b - p₂b²)} i^r (2048 p₂)^r/r! (b/32)^r.
  /// @param query_pairs, key_pairs  (1, 2) by block and token, blocks kStride apart
  template <int kWarps>
  GPE_KERNEL void prepare(int warp, const float* query_pairs, const float* key_pairs, int head_dim) {
    int step = 0;
    for (int group = 0; group < kGroups; ++group) {
      const int count = terms[group];
      if (count == 0) continue;
      for (int i = warp * kLanes; i < kTile * 8; i += kWarps * kLanes) {
        const Lanes<int> at = lane_id() + Lanes<int>(i);
        const Lanes<int> token = at / Lanes<int>(8), in_group = at % Lanes<int>(8);
        const Lanes<int> block = in_group + Lanes<int>(group * 8);
        const Lanes<bool> there = block < Lanes<int>(head_dim / 2);
        const Lanes<float> place = to_float(token) - Lanes<float>(31.5F);
        const Angle angle = angle_of(block, there);
        const Lanes<std::int64_t> pair = wide(block * Lanes<int>(kStride) + token * Lanes<int>(2));
        const auto coordinate = [&](const float* pairs, int which) {
          return load_if(there, pairs, pair + Lanes<std::int64_t>(which), Lanes<float>(0.0F));
        };
        Lanes<float> q1 = coordinate(query_pairs, 0), q2 = coordinate(query_pairs, 1);
        Lanes<float> k1 = coordinate(key_pairs, 0), k2 = coordinate(key_pairs, 1);
        turn(q1, q2, angle.of_query(place));
        turn(k1, k2, angle.of_key(place));
        const Lanes<float> near = place * Lanes<float>(1.0F / 32);
        for (int r = 0; r < count; ++r) {
          put(queries, token, in_group, step + r, q1, q2);
          put(keys, token, in_group, step + r, k1, k2);
          q1 *= near;
          q2 *= near;
          const Lanes<float> scale = angle.next_term(near, r);
          const Lanes<float> before = k1;
          k1 = -k2 * scale;
          k2 = before * scale;
        }
      }
      step += count;
    }
  }

  /// Adds the contents of the blocks with terms.
  /// @tparam kTransposed  rows are keys, and the tokens of the tile queries
  template <bool kTransposed>
  GPE_KERNEL void add_contents(RowTile& contents, int warp) const {
    const Features& rows = kTransposed ? keys : queries;
    const Features& tokens = kTransposed ? queries : keys;
    const Lanes<int> lane = lane_id();
    const Lanes<int> row = lane % Lanes<int>(16) + Lanes<int>(warp * 16);
    const Lanes<int> row_place = row * Lanes<int>(Features::kStride) + lane / Lanes<int>(16) * Lanes<int>(8);
    const Lanes<int> token = lane % Lanes<int>(8) + lane / Lanes<int>(16) * Lanes<int>(8);
    const Lanes<int> place =
        token * Lanes<int>(Features::kStride) + lane / Lanes<int>(8) % Lanes<int>(2) * Lanes<int>(8);
    int steps = 0;
    for (int group = 0; group < kGroups; ++group) steps += terms[group];
    for (int step = 0; step < steps; ++step) {
      each_product<kPlanes>([&](int a, int b) {
        Words left[4];
        load_matrices(left, rows.plane(a), row_place + Lanes<int>(16 * step));
        GPE_UNROLL
        for (int f = 0; f < 8; f += 2) {
          Words right[4];
          load_matrices(right, tokens.plane(b), place + Lanes<int>(f * 8 * Features::kStride + 16 * step));
          multiply<Planes<Element>::kHalf>(contents[f], left, right[0], right[1]);
          multiply<Planes<Element>::kHalf>(contents[f + 1], left, right[2], right[3]);
        }
      });
    }
  }

  /// Adds ∂loss/∂rows of the blocks with terms, given that by contents, to `sums`, (1, 2) by block and row:
  /// of the features of rows first, on tensor cores, then each back to its row.
  template <bool kTransposed>
  GPE_KERNEL void add_gradients(float* sums, const RowTile& by_content, int warp, int head_dim) const {
    Words left[kPlanes][4][4];
    to_operand(left, by_content);
    const Features& tokens = kTransposed ? queries : keys;
    int step = 0;
    for (int group = 0; group < kGroups; ++group) {
      const int count = terms[group];
      if (count == 0) continue;
      Lanes<float> sum[2][4], power[2][2];  // [half of the group][part]; [half][row]
      Angle angle[2];
      Lanes<int> block[2];
      Lanes<bool> there[2];
      GPE_UNROLL
      for (int f = 0; f < 2; ++f) {
        block[f] = lane_id() % Lanes<int>(4) + Lanes<int>(group * 8 + f * 4);
        there[f] = block[f] < Lanes<int>(head_dim / 2);
        angle[f] = angle_of(block[f], there[f]);
        GPE_UNROLL
        for (int c = 0; c < 4; ++c) sum[f][c] = Lanes<float>(0.0F);
        power[f][0] = power[f][1] = Lanes<float>(1.0F);
      }
      for (int r = 0; r < count; ++r) {
        Lanes<float> of_features[2][4];
        multiply_step(of_features, left, tokens, step + r);
        GPE_UNROLL
        for (int f = 0; f < 2; ++f) {
          GPE_UNROLL
          for (int row = 0; row < 2; ++row) {
            // what the feature is of its row: times the power, and for a key a quarter turn for each term
            Lanes<float> x = of_features[f][2 * row] * power[f][row];
            Lanes<float> y = of_features[f][2 * row + 1] * power[f][row];
            if (kTransposed) {
              for (int k = 0; k < r % 4; ++k) {
                const Lanes<float> before = x;
                x = y;
                y = -before;
              }
            }
            sum[f][2 * row] += x;
            sum[f][2 * row + 1] += y;
            const Lanes<float> near = place_of(row, warp) * Lanes<float>(1.0F / 32);
            power[f][row] *= kTransposed ? angle[f].next_term(near, r) : near;
          }
        }
      }
      GPE_UNROLL
      for (int f = 0; f < 2; ++f) {
        GPE_UNROLL
        for (int row = 0; row < 2; ++row) {
          const Lanes<float> place = place_of(row, warp);
          Lanes<float> x = sum[f][2 * row], y = sum[f][2 * row + 1];
          turn(x, y, -(kTransposed ? angle[f].of_key(place) : angle[f].of_query(place)));
          const Lanes<int> at =
              block[f] * Lanes<int>(kStride) + (row_of(2 * row) + Lanes<int>(warp * 16)) * Lanes<int>(2);
          add_if(there[f], sums, at, x);
          add_if(there[f], sums, at + Lanes<int>(1), y);
        }
      }
      step += count;
    }
  }

 private:
  /// p₀ + p₁(a - b) + p₂(a - b)² of one block: the shares of it by which a query at place a and a key at
  /// place b turn, and the factor from one term of e^{2i p₂ab} to the next.
  struct Angle {
    Lanes<float> p0, p1, p2;

    GPE_KERNEL Lanes<float> of_query(Lanes<float> a) const {
      return multiply_add(a, multiply_add(a, p2, p1), p0);
    }
    GPE_KERNEL Lanes<float> of_key(Lanes<float> b) const { return b * (p1 - b * p2); }
    GPE_KERNEL Lanes<float> next_term(Lanes<float> near, int r) const {
      return Lanes<float>(2048.0F) * p2 * near * Lanes<float>(1.0F / static_cast<float>(r + 1));
    }
  };
  GPE_KERNEL Angle angle_of(Lanes<int> block, Lanes<bool> there) const {
    const auto coefficient = [&](int k) {
      return load_if(there, coefficients, wide(block * Lanes<int>(3) + Lanes<int>(k)), Lanes<float>(0.0F));
    };
    return {coefficient(0), coefficient(1), coefficient(2)};
  }
  GPE_KERNEL static std::int64_t of_tile(const ScoreTables& tables, int head, int tile) {
    return static_cast<std::int64_t>(table_of(tables, head)) * tables.series_tiles + tile;
  }
  /// Of one of the two rows of a lane, from the middle of the tile.
  GPE_KERNEL static Lanes<float> place_of(int row, int warp) {
    return to_float(row_of(2 * row) + Lanes<int>(warp * 16)) - Lanes<float>(31.5F);
  }
  GPE_KERNEL static void turn(Lanes<float>& x, Lanes<float>& y, Lanes<float> angle) {
    Lanes<float> sine, cosine;
    sine_cosine(angle, sine, cosine);
    const Lanes<float> before = x;
    x = before * cosine - y * sine;
    y = before * sine + y * cosine;
  }
  GPE_KERNEL static void add_if(Lanes<bool> there, float* to, Lanes<int> at, Lanes<float> x) {
    store_if(there, to, wide(at), load_if(there, to, wide(at), Lanes<float>(0.0F)) + x);
  }
  GPE_KERNEL static void put(Features& features, Lanes<int> token, Lanes<int> in_group, int step,
                             Lanes<float> x, Lanes<float> y) {
    Words planes[kPlanes];
    to_planes<Element>(x, y, planes);
    GPE_UNROLL
    for (int p = 0; p < kPlanes; ++p) {
      store_words(features.numbers,
                  token * Lanes<int>(Features::kStride) + in_group * Lanes<int>(2) +
                      Lanes<int>(16 * step + p * Features::kPlaneSize),
                  planes[p]);
    }
  }
  /// 16 rows × 64 tokens as a left operand, 16 tokens at a time.
  GPE_KERNEL static void to_operand(Words (&left)[kPlanes][4][4], const RowTile& tile) {
    GPE_UNROLL
    for (int k = 0; k < 4; ++k) {
      GPE_UNROLL
      for (int part = 0; part < 4; ++part) {
        const int f = 2 * k + part / 2, c = part % 2 * 2;
        Words planes[kPlanes];
        to_planes<Element>(tile[f][c], tile[f][c + 1], planes);
        GPE_UNROLL
        for (int p = 0; p < kPlanes; ++p) left[p][k][part] = planes[p];
      }
    }
  }
  /// 16 rows × 64 tokens times 16 features of the tokens.
  GPE_KERNEL static void multiply_step(Lanes<float> (&to)[2][4], const Words (&left)[kPlanes][4][4],
                                       const Features& tokens, int step) {
    GPE_UNROLL
    for (int c = 0; c < 4; ++c) to[0][c] = to[1][c] = Lanes<float>(0.0F);
    const Lanes<int> lane = lane_id();
    const Lanes<int> place =
        lane % Lanes<int>(16) * Lanes<int>(Features::kStride) + lane / Lanes<int>(16) * Lanes<int>(8);
    each_product<kPlanes>([&](int a, int b) {
      GPE_UNROLL
      for (int k = 0; k < 4; ++k) {
        Words right[4];
        load_transposed(right, tokens.plane(b), place + Lanes<int>(16 * k * Features::kStride + 16 * step));
        multiply<Planes<Element>::kHalf>(to[0], left[a][k], right[0], right[1]);
        multiply<Planes<Element>::kHalf>(to[1], left[a][k], right[2], right[3]);
      }
    });
  }
};

}  // namespace gpe::cuda
