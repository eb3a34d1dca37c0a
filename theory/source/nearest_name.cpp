#include "theory/source/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace gpe::theory {

namespace {

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours each cost one.
std::size_t typing_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      next[k] = std::min({row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1)});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        next[k] = std::min(next[k], before[k - 2] + 1);
    }
    before = std::exchange(row, std::exchange(next, before));
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLong = 64;  // no slip of the pen, and the distance takes long
  if (name.size() > kLong) return "";
  const auto same_letter = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  for (const std::string& candidate : candidates) {
    if (std::ranges::equal(name, candidate, same_letter)) return candidate;
  }
  std::string best;
  // Farther names are not typing errors; two changed letters make another word of a short one.
  std::size_t best_distance = name.size() <= 4 ? 2 : name.size() / 3 + 2;
  for (const std::string& candidate : candidates) {
    const std::string_view first_word = std::string_view(candidate).substr(0, candidate.find('-'));
    const std::size_t distance =
        std::min(typing_distance(name, candidate), typing_distance(name, first_word) + 1);
    if (distance < best_distance && distance < std::min(name.size(), candidate.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? otherwise : "; did you mean '" + nearest + "'?";
}

}  // namespace gpe::theory
