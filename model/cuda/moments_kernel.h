// Contents and scores of the pairs of 64 queries of one head, by class of distance: how many, mean, sum of
// squared differences from it, least and largest content. Weights do not come in, so one pass is enough.
#pragma once

#include "model/cuda/contents.h"

namespace gpe::cuda {

template <class ContentsOfTile, class Element>
struct MomentsKernel {
  using Contents = ContentsOfTile;
  static constexpr int kWarps = 4;
  static constexpr bool kLastFirst = true;  // with causal attention, these tiles have most to do
  static constexpr int kMax = 32;           // classes

  struct Shared {
    typename Contents::Shared contents;
    FactorSlice factors;
    float parts[kWarps * kMax * GPE_MOMENTS];
  };
  struct State {
    Contents contents;
    SeenKeys seen;
  };

  const MomentsProblem<Element>& problem;
  Shared& shared;
  int batch, head, query_tile;

  GPE_KERNEL int first_query() const { return query_tile * kTile; }

  GPE_KERNEL void run(Block& block) {
    PerWarp<State, kWarps> states;
    block.each_warp([&](int warp) {
      states[warp].seen.set(problem.shape, problem.scores, problem.visible, batch, head, first_query(), warp);
      clear_parts(warp);
    });
    each_key_tile(*this, block, states, [&](int first_key) {
      phase(block, [&](int warp) { add(states[warp], warp, first_key); });
    });
    block.each_warp([&](int warp) { write(warp); });
  }

 private:
  /// Of a class, so far: the 32 lanes of a warp hold the same.
  struct Moments {
    Lanes<float> count, content, content_squares, score, score_squares, least, largest;
  };

  GPE_KERNEL static Lanes<float> warp_sum(Lanes<float> x) {
    GPE_UNROLL
    for (int distance = 1; distance < kLanes; distance *= 2) x += shuffle_xor(x, distance);
    return x;
  }
  GPE_KERNEL static Lanes<float> warp_max(Lanes<float> x) {
    GPE_UNROLL
    for (int distance = 1; distance < kLanes; distance *= 2) x = larger(x, shuffle_xor(x, distance));
    return x;
  }
  GPE_KERNEL float* part(int warp, int bucket) { return shared.parts + (warp * kMax + bucket) * GPE_MOMENTS; }

  GPE_KERNEL void clear_parts(int warp) {
    for (int b = 0; b < problem.buckets.count; ++b) {
      const Lanes<int> at = lane_id();
      const Lanes<float> empty = select(at >= Lanes<int>(5), Lanes<float>(-INFINITY), Lanes<float>(0.0F));
      store_if(at < Lanes<int>(GPE_MOMENTS), part(warp, b), wide(at), empty);
    }
    sync_warp();
  }

  GPE_KERNEL void add(State& state, int warp, int first_key) {
    const ScoreTables& tables = problem.scores;
    RowTile contents, scores;
    state.contents.compute(contents, shared.contents, 0, warp, tables, problem.shape.head_dim);
    each_score(contents, shared.factors, tables, head, warp,
               [&](int f, int c, const Lanes<float>& content, const Lanes<float>& score) {
                 contents[f][c] = content;
                 scores[f][c] = Lanes<float>(kLn2) * score;
               });
    const Buckets& buckets = problem.buckets;
    const int nearest = least_distance(problem.shape, first_query(), first_key) + warp * 16;
    for (int b = 0; b < buckets.count; ++b) {
      const int low = buckets.edges[b];
      const int high = b + 1 < buckets.count ? buckets.edges[b + 1] : 2147483647;
      if (high <= nearest || low > nearest + kTile - 1 + 15) continue;  // no pair of the warp is in it
      merge(part(warp, b), of_class(state, contents, scores, low, high, nearest, first_key));
    }
  }

  // The pairs of the tile with low <= n < high: the mean first, then differences from it.
  GPE_KERNEL Moments of_class(const State& state, const RowTile& contents, const RowTile& scores, int low,
                              int high, int nearest, int first_key) const {
    const auto each = [&](const auto& f) {
      GPE_UNROLL
      for (int fragment = 0; fragment < 8; ++fragment) {
        GPE_UNROLL
        for (int c = 0; c < 4; ++c) {
          const Lanes<int> distance = row_of(c) + Lanes<int>(nearest + kTile - 1) - token_of(fragment, c);
          const Lanes<int> key = token_of(fragment, c) + Lanes<int>(first_key);
          f(distance >= Lanes<int>(low) && distance < Lanes<int>(high) && key >= state.seen.begin[c / 2] &&
                key < state.seen.end[c / 2],
            contents[fragment][c], scores[fragment][c]);
        }
      }
    };
    const Lanes<float> zero(0.0F), one(1.0F), nothing(-INFINITY);
    Moments result;
    Lanes<float> count(0.0F), content(0.0F), score(0.0F), least(-INFINITY), largest(-INFINITY);
    each([&](const Lanes<bool>& in, const Lanes<float>& x, const Lanes<float>& y) {
      count += select(in, one, zero);
      content += select(in, x, zero);
      score += select(in, y, zero);
      least = larger(least, select(in, -x, nothing));
      largest = larger(largest, select(in, x, nothing));
    });
    result.count = warp_sum(count);
    const Lanes<float> share = one / larger(result.count, one);
    result.content = warp_sum(content) * share;
    result.score = warp_sum(score) * share;
    result.least = warp_max(least);
    result.largest = warp_max(largest);
    Lanes<float> content_squares(0.0F), score_squares(0.0F);
    each([&](const Lanes<bool>& in, const Lanes<float>& x, const Lanes<float>& y) {
      const Lanes<float> a = x - result.content, b = y - result.score;
      content_squares += select(in, a * a, zero);
      score_squares += select(in, b * b, zero);
    });
    result.content_squares = warp_sum(content_squares);
    result.score_squares = warp_sum(score_squares);
    return result;
  }

  // Chan, Golub and LeVeque 1979, as Spread::merge.
  GPE_KERNEL void merge(float* to, const Moments& other) {
    const auto at = [&](int index) { return load(static_cast<const float*>(to), Lanes<int>(index)); };
    const Lanes<float> before = at(0), count = before + other.count;
    const Lanes<float> share = other.count / larger(count, Lanes<float>(1.0F));
    const Lanes<float> content_step = other.content - at(1), score_step = other.score - at(3);
    const Lanes<float> numbers[GPE_MOMENTS] = {
        count,
        at(1) + content_step * share,
        at(2) + other.content_squares + content_step * content_step * before * share,
        at(3) + score_step * share,
        at(4) + other.score_squares + score_step * score_step * before * share,
        larger(at(5), other.least),
        larger(at(6), other.largest)};
    sync_warp();
    const Lanes<bool> writes = lane_id() == Lanes<int>(0);
    GPE_UNROLL
    for (int i = 0; i < GPE_MOMENTS; ++i)
      store_if(writes, to, Lanes<std::int64_t>(std::int64_t{i}), numbers[i]);
    sync_warp();
  }

  GPE_KERNEL void write(int warp) {
    const int numbers = problem.buckets.count * GPE_MOMENTS;
    const std::int64_t block = tile_number(problem.shape, batch, head, query_tile) * kWarps + warp;
    for (int i = 0; i < numbers; i += kLanes) {
      const Lanes<int> at = lane_id() + Lanes<int>(i);
      const Lanes<bool> there = at < Lanes<int>(numbers);
      store_if(there, problem.moments, wide(at) + Lanes<std::int64_t>(block * numbers),
               load_if(there, static_cast<const float*>(part(warp, 0)), wide(at), Lanes<float>(0.0F)));
    }
  }
};

}  // namespace gpe::cuda
