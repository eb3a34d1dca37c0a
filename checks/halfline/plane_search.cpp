#include "checks/halfline/plane_search.h"

#include <queue>
#include <vector>

namespace gpe::checks {

using theory::Rational;

namespace {

struct Box {
  Side x, y;
  Rational least() const { return x.first + y.first; }
};

struct Later {
  bool operator()(const Box& a, const Box& b) const {
    return std::pair(a.least(), a.x.first) > std::pair(b.least(), b.x.first);
  }
};

bool is_point(const Side& side) { return side.last && *side.last == side.first; }

// Whether `a` is to be cut before `b`: a side without end, the longer one, of two without end that which
// begins first.
bool goes_before(const Side& a, const Side& b) {
  if (!a.last || !b.last) return !a.last && (b.last || a.first <= b.first);
  return *a.last - a.first >= *b.last - b.first;
}

std::pair<Side, Side> halves(const Side& side) {
  const Rational middle =
      side.last ? ((side.first + *side.last) / Rational(2)).floor() : Rational(2) * side.first;
  return {{side.first, middle}, {middle + Rational(1), side.last}};
}

}  // namespace

PlaneSearchResult first_failure_in_plane(const PlaneStatement& statement, const Side& x, const Side& y,
                                         const theory::Context& context, int most_steps, long bits) {
  std::priority_queue<Box, std::vector<Box>, Later> open;
  if (!x.last || x.first <= *x.last) open.push({x, y});
  while (!open.empty()) {
    const Box box = open.top();
    if (--most_steps < 0) return {std::nullopt, false, box.least()};
    context.check_time();
    open.pop();
    if (is_point(box.x) && is_point(box.y)) {
      if (!statement.holds_at(box.x.first, box.y.first))
        return {std::pair(box.x.first, box.y.first), false, box.least()};
      continue;
    }
    if (statement.holds_on(block(box.x.first, box.x.last, bits), block(box.y.first, box.y.last, bits)))
      continue;
    if (goes_before(box.x, box.y)) {
      for (const auto& [low, high] = halves(box.x); const Side& half : {low, high}) open.push({half, box.y});
    } else {
      for (const auto& [low, high] = halves(box.y); const Side& half : {low, high}) open.push({box.x, half});
    }
  }
  return {std::nullopt, true, x.first + y.first};
}

}  // namespace gpe::checks
