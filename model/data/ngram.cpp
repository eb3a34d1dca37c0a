#include "model/data/ngram.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gpe::model {
namespace {

constexpr unsigned kBits = 16;

std::array<double, 3> estimated_discounts(const std::array<double, 5>& n) {  // n[c]: grams of count c, 1 to 4
  if (n[1] == 0 || n[2] == 0) return {0.5, 0.5, 0.5};
  const double y = n[1] / (n[1] + 2 * n[2]);
  if (n[3] == 0 || n[4] == 0) return {y, y, y};
  const std::array<double, 3> estimates = {1 - 2 * y * n[2] / n[1], 2 - 3 * y * n[3] / n[2],
                                           3 - 4 * y * n[4] / n[3]};
  for (std::size_t i = 0; i < 3; ++i) {
    if (estimates[i] <= 0 || estimates[i] > static_cast<double>(i) + 1) return {y, y, y};
  }
  return estimates;
}

std::size_t discount_index(std::uint32_t count) { return std::min<std::size_t>(count, 3) - 1; }

}  // namespace

NgramModel::Level NgramModel::make_level(std::vector<std::uint64_t> occurrences) {
  std::ranges::sort(occurrences);
  Level level;
  std::array<double, 5> counts_of_counts{};
  for (std::size_t begin = 0, end = 0; begin < occurrences.size(); begin = end) {
    while (end < occurrences.size() && occurrences[end] == occurrences[begin]) ++end;
    const auto count = static_cast<std::uint32_t>(end - begin);
    level.grams.push_back(occurrences[begin]);
    level.counts.push_back(count);
    if (count < counts_of_counts.size()) ++counts_of_counts[count];
    const std::uint64_t context = occurrences[begin] >> kBits;
    if (level.contexts.empty() || level.contexts.back().key != context)
      level.contexts.push_back({.key = context});
    level.contexts.back().total += count;
    ++level.contexts.back().seen[discount_index(count)];
  }
  level.discounts = estimated_discounts(counts_of_counts);
  return level;
}

NgramModel::NgramModel(std::span<const std::uint16_t> tokens, int order, std::int64_t vocabulary)
    : uniform_(1 / static_cast<double>(vocabulary)) {
  assert(order >= 1 && order <= kMaxOrder && tokens.size() >= static_cast<std::size_t>(order));
  const auto width = static_cast<std::size_t>(order);
  levels_.resize(width);
  std::vector<std::uint64_t> occurrences;
  occurrences.reserve(tokens.size());
  for (std::size_t end = width; end <= tokens.size(); ++end) {
    std::uint64_t key = 0;
    for (std::size_t i = end - width; i < end; ++i) key = (key << kBits) | tokens[i];
    occurrences.push_back(key);
  }
  levels_[width - 1] = make_level(std::move(occurrences));
  for (std::size_t k = width - 1; k-- > 0;) {
    // Each different gram of the order above is one token seen before what is left of it.
    const std::uint64_t mask = (std::uint64_t{1} << (kBits * (k + 1))) - 1;
    std::vector<std::uint64_t> shorter;
    shorter.reserve(levels_[k + 1].grams.size());
    for (const std::uint64_t gram : levels_[k + 1].grams) shorter.push_back(gram & mask);
    levels_[k] = make_level(std::move(shorter));
  }
}

double NgramModel::log_probability(std::span<const std::uint16_t> context, std::uint16_t token) const {
  double p = uniform_;
  std::uint64_t history = 0;
  for (std::size_t k = 0; k < levels_.size() && k <= context.size(); ++k) {
    const Level& level = levels_[k];
    if (k > 0) history |= std::uint64_t{context[context.size() - k]} << (kBits * (k - 1));
    const auto found = std::ranges::lower_bound(level.contexts, history, {}, &Context::key);
    if (found == level.contexts.end() || found->key != history) break;  // nor is any longer one there
    double left = 0;
    for (std::size_t i = 0; i < 3; ++i) left += level.discounts[i] * found->seen[i];
    p *= left / found->total;
    const std::uint64_t gram = (history << kBits) | token;
    const auto at = std::ranges::lower_bound(level.grams, gram);
    if (at != level.grams.end() && *at == gram) {
      const std::uint32_t count = level.counts[static_cast<std::size_t>(at - level.grams.begin())];
      p += (count - level.discounts[discount_index(count)]) / found->total;
    }
  }
  return std::log(p);
}

}  // namespace gpe::model
