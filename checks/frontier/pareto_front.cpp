// The Pareto front: the points that are not dominated. Tests: tests/checks/frontier/frontier_test.cpp
#include <algorithm>

#include "checks/compare/comparison.h"
#include "checks/frontier/frontier.h"

namespace gpe::checks {

namespace {

// In this order: no number at all, a number, a power of ten beyond 10^30, more than any.
enum Magnitude { kNone, kNumber, kPower, kInfinite };

// A gain or an entropy, as far as it is known: its magnitude is between two, and `value` counts where both
// are the same.
struct Extent {
  Magnitude low = kNone;
  Magnitude high = kInfinite;
  Ball value = Ball::unknown();
  bool exact = false;  // all digits asked for are known

  bool settled() const { return low == high && (low == kNone || low == kInfinite || value.is_finite()); }
};

Extent of_magnitude(Magnitude rank) { return {rank, rank, Ball(0), true}; }

bool same_magnitude(const Extent& a, const Extent& b) {
  return a.low == a.high && b.low == b.high && a.low == b.low;
}

bool surely_less(const Extent& a, const Extent& b) {
  return a.high < b.low || (same_magnitude(a, b) && a.value.surely_less(b.value));
}

bool surely_at_most(const Extent& a, const Extent& b) {
  return a.high < b.low || a.high == kNone || b.low == kInfinite ||
         (same_magnitude(a, b) && a.value.surely_at_most(b.value));
}

Extent extent_of(const EnclosedNumber& number) {
  if (number.finite == Finite::unknown) return {};
  if (number.finite == Finite::no) return of_magnitude(kInfinite);
  return {kNumber, kNumber, number.value, number.value.is_exact() || number.reason.empty()};
}

Extent extent_of(const BigCount& count, Magnitude none) {
  switch (count.kind) {
    case BigCount::Kind::none:
      return of_magnitude(none);
    case BigCount::Kind::number:
      return {kNumber, kNumber, Ball(count.number, 128), true};
    case BigCount::Kind::log10:
      return {kPower, kPower, exponent_of(count), false};
    case BigCount::Kind::unbounded:
      return of_magnitude(kInfinite);
    case BigCount::Kind::unknown:
      break;
  }
  return {};
}

Extent gain_of(const TradeOff& numbers, Gain gain) {
  switch (gain) {
    case Gain::range:
      return extent_of(numbers.range, kNone);
    case Gain::window:
      return extent_of(numbers.window, kInfinite);
    case Gain::mean:
      return extent_of(numbers.sums.mean_distance);
    case Gain::beyond:
      return extent_of(numbers.beyond);
  }
  return {};
}

struct Candidate {
  FrontierPoint* point;
  Extent gained;
  Extent entropy;

  bool settled() const { return gained.settled() && entropy.settled(); }
  bool precise() const { return settled() && gained.exact && entropy.exact; }
};

bool beats(const Candidate& a, const Candidate& b) {
  return (surely_at_most(b.gained, a.gained) && surely_less(a.entropy, b.entropy)) ||
         (surely_less(b.gained, a.gained) && surely_at_most(a.entropy, b.entropy));
}

bool may_beat(const Candidate& a, const Candidate& b) {
  return !surely_less(a.gained, b.gained) && !surely_less(b.entropy, a.entropy) &&
         !(surely_at_most(a.gained, b.gained) && surely_at_most(b.entropy, a.entropy));
}

// Among precise ones, from the largest gain down, with the least entropy so far: only the best before a point
// can beat it, or one whose gain overlaps.
void sweep(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    if (a.gained.low != b.gained.low) return a.gained.low > b.gained.low;
    return arf_cmp(arb_midref(a.gained.value.raw()), arb_midref(b.gained.value.raw())) > 0;
  });
  const Candidate* best = nullptr;
  std::size_t close = 0;  // the first candidate whose gain may equal the present one
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& mine = candidates[i];
    for (; close < i && surely_less(mine.gained, candidates[close].gained); ++close) {
      if (best == nullptr || surely_less(candidates[close].entropy, best->entropy)) best = &candidates[close];
    }
    bool beaten = best != nullptr && beats(*best, mine);
    for (std::size_t j = close; !beaten && j < candidates.size(); ++j) {
      if (surely_less(candidates[j].gained, mine.gained)) break;
      beaten = j != i && beats(candidates[j], mine);
    }
    mine.point->efficient = !beaten;
  }
}

// One whose numbers are known less well, beside every other one.
void settle(const Candidate& vague, const std::vector<Candidate>& precise,
            const std::vector<Candidate>& all_vague) {
  bool beaten = false;
  bool unsettled = !vague.settled();
  const auto beside = [&](const Candidate& other) {
    if (other.point == vague.point) return;
    beaten = beaten || beats(other, vague);
    unsettled = unsettled || may_beat(other, vague);
  };
  std::ranges::for_each(precise, beside);
  std::ranges::for_each(all_vague, beside);
  vague.point->efficient = !beaten && !unsettled;
  vague.point->unsettled = !beaten && unsettled;
}

}  // namespace

void mark_pareto_front(std::vector<FrontierPoint>& points, Gain gain) {
  std::vector<Candidate> precise;
  std::vector<Candidate> vague;
  for (FrontierPoint& point : points) {
    point.efficient = point.unsettled = false;
    const Candidate one{&point, gain_of(point.numbers, gain), extent_of(point.numbers.sums.entropy)};
    if (one.entropy.low == kInfinite || (!one.settled() && point.law.depends_on_length())) continue;
    (one.precise() ? precise : vague).push_back(one);
  }
  sweep(precise);
  for (const Candidate& mine : precise) {
    for (const Candidate& other : vague) {
      if (!mine.point->efficient && !mine.point->unsettled) break;
      if (beats(other, mine)) {
        mine.point->efficient = mine.point->unsettled = false;
      } else if (may_beat(other, mine)) {
        mine.point->efficient = false;
        mine.point->unsettled = true;
      }
    }
  }
  for (const Candidate& one : vague) settle(one, precise, vague);
}

}  // namespace gpe::checks
