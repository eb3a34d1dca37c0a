// The kernels of model/cuda run on the processor: block by block, warp by warp, lane by lane.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "model/cuda/head_tables.h"
#include "model/cuda/rows_kernel.h"
#include "tests/model/attention_problem.h"

namespace gpe::tests {

/// Numbers as an element type stores them, and back.
template <class Element>
struct Stored {
  explicit Stored(const std::vector<double>& from) {
    for (const double x : from) {
      bits.push_back(cuda::Planes<Element>::rounded(static_cast<float>(x)));
      exact.push_back(static_cast<double>(cuda::Planes<Element>::value(bits.back())));
    }
  }
  std::vector<Element> bits;
  std::vector<double> exact;
};

/// What a kernel needs of the scores, in memory that it can read.
class DeviceScores {
 public:
  DeviceScores(std::span<const HeadScores<double>* const> heads, int head_dim) : tables_(head_tables(heads)) {
    const auto data = [](const auto& all) { return all.empty() ? nullptr : all.data(); };
    result = {.gain = data(tables_.gain),
              .bias = data(tables_.bias),
              .even = data(tables_.even),
              .odd = data(tables_.odd),
              .first = data(tables_.first),
              .last = data(tables_.last),
              .softcap = data(tables_.softcap),
              .sink = data(tables_.sink),
              .length = static_cast<int>(tables_.length),
              .table_heads = static_cast<int>(heads.size()),
              .scale = tables_.no_content ? 0.0F : static_cast<float>(1 / std::sqrt(head_dim)),
              .interleaved = tables_.interleaved ? 1 : 0,
              .swap_sign = tables_.hyperbolic ? 1.0F : -1.0F};
  }
  DeviceScores(const DeviceScores&) = delete;
  DeviceScores& operator=(const DeviceScores&) = delete;
  cuda::ScoreTables result;

 private:
  HeadTables tables_;
};

/// Runs every block of a kernel, one after the other; shared memory is NaN before each.
template <class Kernel, class Problem>
void run_on_processor(const Problem& problem, int tiles) {
  const auto shared = std::make_unique<typename Kernel::Shared>();
  for (int batch = 0; batch < problem.shape.batch; ++batch) {
    for (int head = 0; head < problem.shape.heads; ++head) {
      for (int tile = 0; tile < tiles; ++tile) {
        std::memset(static_cast<void*>(shared.get()), 0xFF, sizeof *shared);
        cuda::Block block(Kernel::kWarps);
        Kernel{problem, *shared, batch, head, tile}.run(block);
      }
    }
  }
}

// q and k turned by position where an encoding can be computed that way, as the device's own kernel does
// before.
inline std::vector<double> turned(const Problem& p, const ProblemHeads<double>& heads,
                                  const std::vector<double>& tokens, std::int64_t count) {
  std::vector<double> result = tokens;
  for (std::int64_t b = 0; b < kBatch; ++b) {
    for (std::int64_t h = 0; h < kHeads; ++h) {
      const HeadScores<double>& head = *heads.get()[static_cast<std::size_t>(h)];
      if (!head.turns_separately()) continue;
      const std::int64_t blocks = p.shape.head_dim / 2;
      const bool interleaved = head.program().layout() == theory::Layout::interleaved;
      for (std::int64_t t = 0; t < count; ++t) {
        double* x = result.data() + p.at(b, h, t, count);
        const std::int64_t position = p.shape.keys - count + t;
        for (std::int64_t j = 0; j < blocks; ++j) {
          double& first = x[interleaved ? 2 * j : j];
          double& second = x[interleaved ? 2 * j + 1 : blocks + j];
          const double c = head.turn_cos(position)[j], s = head.turn_sin(position)[j];
          const double before = first;
          first = before * c - second * s;
          second = before * s + second * c;
        }
      }
    }
  }
  return result;
}

/// |found - expected| <= tolerance·(1 + |expected|)
inline void expect_near(double found, double expected, double tolerance, const std::string& what) {
  if (std::isinf(expected)) {
    EXPECT_EQ(found, expected) << what;
  } else {
    EXPECT_NEAR(found, expected, tolerance * (1 + std::abs(expected))) << what;
  }
}

// Which cases the device can compute: not those that depend on L.
inline bool has_tables(const Case& c) {
  const Problem p(c, 4, 4, 16);
  return std::ranges::none_of(p.programs, [](const auto& program) {
    for (std::size_t k = 0; k < ScoreProgram::kOutputs; ++k)
      if (program->program().depends_on_length(k)) return true;
    return false;
  });
}
inline bool turns_pairs(const Case& c) {
  return ProblemHeads<double>(Problem(c, 4, 4, 16)).get()[0]->turns_pairs();
}
inline bool turns(const Case& c) {
  return turns_pairs(c) || ProblemHeads<double>(Problem(c, 4, 4, 16)).get()[0]->turns_separately();
}

/// Tokens laid out as in Problem.
template <class T>
cuda::Tensor<T> device_tensor(const Problem& p, T* data, std::int64_t tokens) {
  return {data, tokens * kHeads * p.shape.head_dim, p.shape.head_dim, kHeads * p.shape.head_dim};
}

}  // namespace gpe::tests
