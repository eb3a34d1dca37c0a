// The kernels of model/cuda run on the processor: block by block, warp by warp, lane by lane.
#pragma once

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

}  // namespace gpe::tests
