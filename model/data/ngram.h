// An n-gram language model: the loss that a trained network has to beat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpe::model {

/// Interpolated Kneser-Ney smoothing with three discounts an order (Chen and Goodman, An Empirical Study of
/// Smoothing Techniques for Language Modeling, 1999, equations (23) to (26)). With c the count at the highest
/// order and, below, the number of different tokens seen before:
///   p(w | h) = max(c(hw) - D(c(hw)), 0)/c(h.) + (D1 N1(h) + D2 N2(h) + D3 N3(h))/c(h.) p(w | shorter h)
/// down to the uniform distribution over the vocabulary; N1, N2, N3 are the numbers of w with c(hw) = 1, 2
/// and more. Text is one stream: contexts reach over end tokens, as those of a network trained on the stream
/// do.
class NgramModel {
 public:
  static constexpr int kMaxOrder = 4;  // tokens of 16 bits in a key of 64

  /// @pre  1 <= order <= kMaxOrder; tokens are below vocabulary, and at least `order`
  NgramModel(std::span<const std::uint16_t> tokens, int order, std::int64_t vocabulary);

  /// Natural logarithm of p(token | context); of the context only its last order - 1 tokens matter.
  double log_probability(std::span<const std::uint16_t> context, std::uint16_t token) const;

  /// D1, D2, D3 of the order k (1 is unigrams): the estimates of equation (26) where the counts of counts
  /// allow them, n1/(n1 + 2 n2) where only these two are there, and else 1/2.
  std::array<double, 3> discounts(int k) const { return levels_[static_cast<std::size_t>(k) - 1].discounts; }

 private:
  struct Context {
    std::uint64_t key = 0;
    double total = 0;
    std::array<double, 3> seen{};  // N1, N2, N3
  };
  struct Level {
    std::vector<std::uint64_t> grams;  // sorted; 16 bits per token, the last one lowest
    std::vector<std::uint32_t> counts;
    std::vector<Context> contexts;  // sorted
    std::array<double, 3> discounts{};
  };

  static Level make_level(std::vector<std::uint64_t> occurrences);

  std::vector<Level> levels_;  // order 1 first
  double uniform_;
};

}  // namespace gpe::model
