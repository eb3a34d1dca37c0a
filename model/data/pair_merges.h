// Byte-pair encoding inside one word: which pairs of tokens become one, and in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace gpe::model {

class PairMerges {
 public:
  struct Merge {
    std::uint32_t rank;  ///< smaller is sooner
    std::int32_t token;  ///< what the pair becomes
  };

  /// @return  false when the pair has a merge already
  bool add(std::int32_t left, std::int32_t right, std::int32_t token);
  std::size_t size() const { return merges_.size(); }

  /// Replaces the pair of least rank, the leftmost of several, until none is left, as the Rust package
  /// tokenizers does. Takes O(n log n) for n tokens.
  void apply(std::vector<std::int32_t>& tokens) const;

 private:
  const Merge* find(std::int32_t left, std::int32_t right) const;

  std::unordered_map<std::uint64_t, Merge> merges_;
};

}  // namespace gpe::model
