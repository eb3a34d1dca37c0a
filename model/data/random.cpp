#include "model/data/random.h"

#include <cassert>

namespace gpe::model {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1],
               low(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const auto words = philox({low(index), high(index), low(stream), high(stream)}, {low(seed), high(seed)});
  return (std::uint64_t{words[1]} << 32U) | words[0];
}

std::uint64_t random_below(std::uint64_t bound, std::uint64_t seed, std::uint64_t stream,
                           std::uint64_t index) {
  assert(bound > 0);
  return random_bits(seed, stream, index) % bound;
}

double Random::unit() { return static_cast<double>(random_bits(seed_, stream_, index_++) >> 11U) * 0x1p-53; }

}  // namespace gpe::model
