// Arrays that begin at a cache line, for the vectors of attention_kernel_body.h.
// Tests: tests/model/attention/attention_test.cpp
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace gpe::model {

inline constexpr std::size_t kCacheLine = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT: allocators convert
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{kCacheLine}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace gpe::model
