// Where a test runs the kernels: lane by lane on the CPU, or on a device.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>

#include "model/cuda/device_kernels.h"
#include "model/cuda/problem.h"

namespace gpe::tests {

inline gpe_element element_of(cuda::BFloat16) { return GPE_BFLOAT16; }
inline gpe_element element_of(cuda::Half) { return GPE_FLOAT16; }
inline gpe_element element_of(float) { return GPE_FLOAT32; }

/// Numbers of a test where the kernels read and write them. Vectors must stay where they are.
class Machine {
 public:
  Machine() = default;  // the CPU
  explicit Machine(const model::DeviceKernels& kernels) : kernels_(&kernels) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    for (void* memory : memories_) kernels_->release(memory);
  }

  const model::DeviceKernels* device() const { return kernels_; }

  /// Null for an empty vector.
  template <class T>
  T* in(const std::vector<T>& numbers) {
    if (numbers.empty()) return nullptr;
    if (kernels_ == nullptr) return const_cast<T*>(numbers.data());
    void* memory = allocate(numbers.size() * sizeof(T));
    check(kernels_->copy_in(memory, numbers.data(), static_cast<std::int64_t>(numbers.size() * sizeof(T))));
    return static_cast<T*>(memory);
  }
  /// What is written there comes back with fetch().
  template <class T>
  T* out(std::vector<T>& numbers) {
    T* memory = in(numbers);
    if (kernels_ != nullptr) {
      results_.push_back([this, &numbers, memory] {
        check(kernels_->copy_out(numbers.data(), memory,
                                 static_cast<std::int64_t>(numbers.size() * sizeof(T))));
      });
    }
    return memory;
  }
  void fetch() {
    for (const auto& result : results_) result();
  }
  static void check(const char* error) {
    if (error != nullptr) throw std::runtime_error(error);
  }

 private:
  void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    check(kernels_->allocate(&memory, static_cast<std::int64_t>(bytes)));
    memories_.push_back(memory);
    return memory;
  }

  const model::DeviceKernels* kernels_ = nullptr;
  std::vector<void*> memories_;
  std::vector<std::function<void()>> results_;
};

/// Runs every block of a kernel on the CPU, one after the other; shared memory is NaN before each.
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
