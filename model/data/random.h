// Random numbers as a function of seed, stream and index: the same on every machine, and any of them without
// the ones before.
#pragma once

#include <array>
#include <cstdint>

namespace gpe::model {

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, SC 2011): 128 random bits from a counter and a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// 64 random bits.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);
/// Uniform in 0 ... bound - 1, up to a bias of bound/2^64. @pre bound > 0
std::uint64_t random_below(std::uint64_t bound, std::uint64_t seed, std::uint64_t stream,
                           std::uint64_t index);

/// The numbers of one stream, one after the other.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  std::uint64_t below(std::uint64_t bound) { return random_below(bound, seed_, stream_, index_++); }
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit();
  /// One of a container's elements. @pre it has one
  template <class Container>
  const auto& of(const Container& container) {
    return container[below(container.size())];
  }

 private:
  std::uint64_t seed_, stream_, index_ = 0;
};

}  // namespace gpe::model
