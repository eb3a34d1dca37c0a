// -log softmax(logits)[target] of one row, and the gradient in the place of the logits: two passes over the
// row by one block, the sums always in the same order.
#pragma once

#include "model/cuda/block.h"
#include "model/cuda/problem.h"

namespace gpe::cuda {

template <class Element>
struct CrossEntropyKernel {
  static constexpr int kWarps = 8;
  static constexpr int kAtOnce = 8;  // columns of a lane between two looks at its maximum
  static constexpr int kStep = kWarps * kLanes;

  struct Shared {
    float max[kWarps], sum[kWarps];
  };
  /// Σ 2^(x - max) over what was seen, x = logit·log2 e.
  struct Mass {
    Lanes<float> max, sum;

    GPE_KERNEL void clear() {
      max = Lanes<float>(kNothing);
      sum = Lanes<float>(0.0F);
    }
    GPE_KERNEL void merge(Lanes<float> other_max, Lanes<float> other_sum) {
      const Lanes<float> high = larger(max, other_max);
      sum = multiply_add(sum, exp2_of(max - high), other_sum * exp2_of(other_max - high));
      max = high;
    }
  };
  static constexpr float kNothing = -1e30F;  // below every logit; differences stay numbers

  const gpe_cross_entropy_problem& problem;
  Shared& shared;
  int row;

  GPE_KERNEL Element* logits() const {
    return static_cast<Element*>(problem.logits) + row * problem.vocabulary;
  }

  GPE_KERNEL void run(Block& block) {
    block.each_warp([&](int warp) { sum_columns(warp); });
    PerWarp<Lanes<float>, kWarps> target;
    block.each_warp([&](int warp) {  // before the gradient takes its place
      target[warp] =
          load_number(lane_id() >= Lanes<int>(0), logits(), Lanes<std::int64_t>(problem.targets[row]));
    });
    block.sync();
    block.each_warp([&](int warp) { finish(warp, target[warp]); });
  }

 private:
  GPE_KERNEL Lanes<std::int64_t> column(int warp, std::int64_t first, int k) const {
    return wide(lane_id() + Lanes<int>(warp * kLanes + k * kStep)) + Lanes<std::int64_t>(first);
  }

  GPE_KERNEL void sum_columns(int warp) {
    Mass mass;
    mass.clear();
    const std::int64_t count = problem.vocabulary;
    for (std::int64_t first = 0; first < count; first += kAtOnce * kStep) {
      Lanes<float> x[kAtOnce], high(kNothing), sum(0.0F);
      GPE_UNROLL
      for (int k = 0; k < kAtOnce; ++k) {
        const Lanes<std::int64_t> at = column(warp, first, k);
        const Lanes<bool> there = at < Lanes<std::int64_t>(count);
        x[k] = select(there, load_number(there, logits(), at) * Lanes<float>(kLog2E), Lanes<float>(kNothing));
        high = larger(high, x[k]);
      }
      GPE_UNROLL
      for (int k = 0; k < kAtOnce; ++k) {
        const Lanes<bool> there = column(warp, first, k) < Lanes<std::int64_t>(count);
        sum += select(there, exp2_of(x[k] - high), Lanes<float>(0.0F));
      }
      mass.merge(high, sum);
    }
    GPE_UNROLL
    for (int distance = 1; distance < kLanes; distance *= 2)
      mass.merge(shuffle_xor(mass.max, distance), shuffle_xor(mass.sum, distance));
    const Lanes<bool> writes = lane_id() == Lanes<int>(0);
    store_if(writes, shared.max, Lanes<std::int64_t>(warp), mass.max);
    store_if(writes, shared.sum, Lanes<std::int64_t>(warp), mass.sum);
  }

  GPE_KERNEL void finish(int warp, Lanes<float> target) {
    Mass mass;
    mass.clear();
    for (int w = 0; w < kWarps; ++w)
      mass.merge(load(shared.max, Lanes<int>(w)), load(shared.sum, Lanes<int>(w)));
    const Lanes<float> log_mass = mass.max + log2_of(mass.sum);  // times log2 e
    store_if(lane_id() == Lanes<int>(0) && Lanes<int>(warp) == Lanes<int>(0), problem.losses,
             Lanes<std::int64_t>(row), Lanes<float>(kLn2) * log_mass - target);
    if (problem.scale == 0) return;
    const std::int64_t count = problem.vocabulary;
    const Lanes<float> scale(problem.scale), zero(0.0F);
    for (std::int64_t first = 0; first < count; first += kAtOnce * kStep) {
      GPE_UNROLL
      for (int k = 0; k < kAtOnce; ++k) {
        const Lanes<std::int64_t> at = column(warp, first, k);
        const Lanes<bool> there = at < Lanes<std::int64_t>(count);
        const Lanes<float> x = load_number(there, logits(), at);
        const Lanes<float> weight = exp2_of(multiply_add(x, Lanes<float>(kLog2E), -log_mass));
        const Lanes<float> hit = select(at == Lanes<std::int64_t>(problem.targets[row]), scale, zero);
        store_rounded(there, logits(), at, weight * scale - hit);
      }
    }
  }
};

}  // namespace gpe::cuda
