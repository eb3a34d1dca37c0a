// nanoGPT's schedule: up in a line, down by half a cosine, then level.
// Tests: tests/model/pytorch_reference_test.py
#pragma once

#include <cmath>
#include <cstdint>

#include "model/gpt/config.h"

namespace gpe::model {

/// For the step that follows `done` steps: learning_rate·(done + 1)/(warmup + 1) during the warm-up; minimum
/// + (learning_rate - minimum)·(1 + cos(π·x))/2 with x the part of the way from warmup to decay_iterations;
/// the minimum after it.
inline double learning_rate(const TsmConfig::Training& t, std::int64_t done) {
  const auto at = static_cast<double>(done);
  const auto warmup = static_cast<double>(t.warmup);
  if (done < t.warmup) return t.learning_rate * (at + 1) / (warmup + 1);
  if (done >= t.decay_iterations) return t.minimum_learning_rate;
  const double way = (at - warmup) / (static_cast<double>(t.decay_iterations) - warmup);
  return t.minimum_learning_rate +
         (t.learning_rate - t.minimum_learning_rate) * (1 + std::cos(M_PI * way)) / 2;
}

}  // namespace gpe::model
