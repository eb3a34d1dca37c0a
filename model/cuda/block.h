// A block of warps: what they share, where they wait for each other, and copies from global to shared memory
// that run in the background (cp.async). On the CPU the warps take turns between two points of
// waiting, copies arrive as late as they may, and shared memory begins as NaN: a wait that is missing is
// seen. Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/fragments.h"

#ifndef __CUDACC__
#include <deque>
#include <functional>
#include <vector>
#endif

namespace gpe::cuda {

/// Where a tensor [batch][head][token][coordinate] lies: strides in elements; coordinates lie side by side.
template <class Element>
struct Tensor {
  Element* data;
  std::int64_t batch, head, token;
};

#ifdef __CUDACC__

/// What each warp keeps in its registers from one phase of a kernel to the next.
template <class T, int>
struct PerWarp {
  T own;
  GPE_KERNEL T& operator[](int) { return own; }
};

struct Block {
  template <class F>
  GPE_KERNEL void each_warp(const F& f) {
    f(static_cast<int>(threadIdx.x >> 5));
  }
  GPE_KERNEL void sync() { __syncthreads(); }
  /// 16 bytes per lane; zeros where the condition does not hold.
  GPE_KERNEL void copy(int, bool condition, std::uint16_t* to, int to_index, const std::uint16_t* from,
                       std::int64_t from_index) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to + to_index));
    const int bytes = condition ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(address), "l"(from + (condition ? from_index : 0)), "r"(bytes)
                 : "memory");
  }
  /// One number per lane.
  GPE_KERNEL void copy_number(int, float* to, int to_index, const float* from, std::int64_t from_index) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to + to_index));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :
                 : "r"(address), "l"(from + from_index)
                 : "memory");
  }
  GPE_KERNEL void commit(int) { asm volatile("cp.async.commit_group;" ::: "memory"); }
  /// Until all groups of copies but the last kLast have arrived, those of this thread.
  template <int kLast>
  GPE_KERNEL void wait(int) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kLast) : "memory");
  }
};

GPE_KERNEL void store_words(std::uint16_t* to, int index, std::uint32_t words) {
  *reinterpret_cast<std::uint32_t*>(to + index) = words;
}

#else

template <class T, int kWarps>
struct PerWarp {
  std::array<T, kWarps> own;
  T& operator[](int warp) { return own[static_cast<std::size_t>(warp)]; }
};

class Block {
 public:
  explicit Block(int warps) : copies_(static_cast<std::size_t>(warps)) {}

  template <class F>
  void each_warp(const F& f) {
    for (std::size_t w = 0; w < copies_.size(); ++w) f(static_cast<int>(w));
  }
  void sync() {}
  void copy(int warp, const BoolLanes& condition, std::uint16_t* to, const IntLanes& to_index,
            const std::uint16_t* from, const Lanes<std::int64_t>& from_index) {
    of(warp).back().push_back([=] {
      for (std::size_t i = 0; i < kLanes; ++i) {
        for (int k = 0; k < 8; ++k)
          to[to_index.at[i] + k] = condition.at[i] ? from[from_index.at[i] + k] : std::uint16_t{0};
      }
    });
  }
  void copy_number(int warp, float* to, const IntLanes& to_index, const float* from,
                   const Lanes<std::int64_t>& from_index) {
    of(warp).back().push_back([=] {
      for (std::size_t i = 0; i < kLanes; ++i) to[to_index.at[i]] = from[from_index.at[i]];
    });
  }
  void commit(int warp) { of(warp).emplace_back(); }
  template <int kLast>
  void wait(int warp) {
    while (of(warp).size() > kLast + 1) {
      for (const auto& one : of(warp).front()) one();
      of(warp).pop_front();
    }
  }

 private:
  using Group = std::vector<std::function<void()> >;
  std::deque<Group>& of(int warp) {
    auto& groups = copies_[static_cast<std::size_t>(warp)];
    if (groups.empty()) groups.emplace_back();
    return groups;
  }
  std::vector<std::deque<Group> > copies_;  // the last group is still open
};

inline void store_words(std::uint16_t* to, const IntLanes& index, const Words& words) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    to[index.at[i]] = static_cast<std::uint16_t>(words.at[i]);
    to[index.at[i] + 1] = static_cast<std::uint16_t>(words.at[i] >> 16);
  }
}

#endif

/// A phase of all warps: each waits for the others at its end.
template <class Work>
GPE_KERNEL void phase(Block& block, const Work& work) {
  block.each_warp(work);
  block.sync();
}
/// A phase that ends when the copies that `fetch` begins have arrived.
template <class Fetch>
GPE_KERNEL void fetch_phase(Block& block, const Fetch& fetch) {
  phase(block, [&](int warp) {
    fetch(warp);
    block.commit(warp);
    block.template wait<0>(warp);
  });
}

/// A tile of 64 tokens in shared memory: rows of kDim numbers and 8 more, so that eight rows lie in different
/// banks; one such matrix for each plane.
template <int kDim, class Element>
struct TokenTile {
  static constexpr int kTokens = 64;
  static constexpr int kStride = kDim + 8;
  static constexpr int kPlanes = Planes<Element>::kPlanes;
  static constexpr int kPlaneSize = kTokens * kStride;

  alignas(16) std::uint16_t numbers[kPlanes * kPlaneSize];

  /// Begins to fetch tokens first … first + 63 of one head; zeros from `count` on, and beyond head_dim, which
  /// is a multiple of 8. All warps call it; then commit and wait, and a sync.
  template <int kWarps>
  GPE_KERNEL void fetch(Block& block, int warp, const Element* from, std::int64_t token_stride, int first,
                        int count, int head_dim) {
    constexpr int kChunks = kDim / 8;  // of a token
    const Lanes<int> thread = lane_id() + Lanes<int>(warp * kLanes);
    GPE_UNROLL
    for (int i = 0; i < kTokens * kChunks / (kWarps * kLanes); ++i) {
      const Lanes<int> chunk = thread + Lanes<int>(i * kWarps * kLanes);
      const Lanes<int> token = chunk / Lanes<int>(kChunks);
      const Lanes<int> column = chunk % Lanes<int>(kChunks) * Lanes<int>(8);
      const Lanes<bool> there =
          token + Lanes<int>(first) < Lanes<int>(count) && column < Lanes<int>(head_dim);
      const Lanes<std::int64_t> source =
          wide(token + Lanes<int>(first)) * Lanes<std::int64_t>(token_stride) + wide(column);
      const Lanes<int> place = token * Lanes<int>(kStride) + column;
      if constexpr (kPlanes == 1) {
        block.copy(warp, there, numbers, place, reinterpret_cast<const std::uint16_t*>(from), source);
      } else {
        GPE_UNROLL
        for (int k = 0; k < 8; k += 2) {
          const Lanes<float> low = load_if(there, from, source + Lanes<std::int64_t>(k), Lanes<float>(0.0F));
          const Lanes<float> high =
              load_if(there, from, source + Lanes<std::int64_t>(k + 1), Lanes<float>(0.0F));
          Words planes[kPlanes];
          to_planes<Element>(low, high, planes);
          GPE_UNROLL
          for (int p = 0; p < kPlanes; ++p)
            store_words(numbers, place + Lanes<int>(p * kPlaneSize + k), planes[p]);
        }
      }
    }
  }
  GPE_KERNEL const std::uint16_t* plane(int p) const { return numbers + p * kPlaneSize; }
};

}  // namespace gpe::cuda
