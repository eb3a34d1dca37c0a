#include "checks/frontier/frontier.h"

#include <flint.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "theory/expression/spec_error.h"

namespace gpe::checks {

Gain gain_option(const std::string& option, const std::string& text) {
  for (const Gain gain : {Gain::range, Gain::window, Gain::mean, Gain::beyond}) {
    if (text == name_of(gain)) return gain;
  }
  throw theory::SpecError(option + ": '" + text + "' is not known; expected range, window, mean or beyond");
}

std::string name_of(Gain gain) {
  switch (gain) {
    case Gain::range:
      return "range";
    case Gain::window:
      return "window";
    case Gain::mean:
      return "mean";
    case Gain::beyond:
      return "beyond";
  }
  return "";
}

std::optional<Ball> gain_of(const TradeOff& numbers, Gain gain) {
  const auto count = [](const BigCount& found) -> std::optional<Ball> {
    if (found.kind != BigCount::Kind::number) return std::nullopt;
    return Ball(found.number, 128);
  };
  const auto number = [](const EnclosedNumber& found) -> std::optional<Ball> {
    if (found.finite != Finite::yes || !found.value.is_finite()) return std::nullopt;
    return found.value;
  };
  switch (gain) {
    case Gain::range:
      return count(numbers.range);
    case Gain::window:
      return count(numbers.window);
    case Gain::mean:
      return number(numbers.sums.mean_distance);
    case Gain::beyond:
      return number(numbers.beyond);
  }
  return std::nullopt;
}

void compute(std::vector<FrontierPoint>& points, const TradeOffOptions& options,
             const theory::ConstantOracle& oracle, unsigned threads,
             const std::function<void(std::size_t)>& progress) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failed(points.size());
  const auto work = [&](bool says) {
    for (std::size_t i = next++; i < points.size(); i = next++) {
      if (says) progress(i);
      try {
        points[i].numbers = trade_off(points[i].law, options, oracle);
      } catch (...) {
        failed[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads && i < points.size(); ++i) {
    others.emplace_back([&] {
      work(false);
      flint_cleanup();  // what the library keeps for this thread
    });
  }
  work(true);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failed) {
    if (failure) std::rethrow_exception(failure);
  }
}

void mark_efficient(std::vector<FrontierPoint>& points, Gain gain) {
  struct Candidate {
    FrontierPoint* point;
    Ball gained;
    Ball entropy;
  };
  std::vector<Candidate> candidates;
  for (FrontierPoint& point : points) {
    point.efficient = false;
    const EnclosedNumber& entropy = point.numbers.sums.entropy;
    const std::optional<Ball> gained = gain_of(point.numbers, gain);
    if (gained && entropy.finite == Finite::yes && entropy.value.is_finite())
      candidates.push_back({&point, *gained, entropy.value});
  }
  const auto beats = [](const Candidate& a, const Candidate& b) {
    return (b.gained.surely_at_most(a.gained) && a.entropy.surely_less(b.entropy)) ||
           (b.gained.surely_less(a.gained) && a.entropy.surely_at_most(b.entropy));
  };
  // From the largest gain down, with the least entropy so far: only the best before a point can beat it, or
  // one whose gain overlaps.
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    return arf_cmp(arb_midref(a.gained.raw()), arb_midref(b.gained.raw())) > 0;
  });
  std::optional<Candidate> best;
  std::size_t close = 0;  // the first candidate whose gain may equal the present one
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& mine = candidates[i];
    for (; close < i && mine.gained.surely_less(candidates[close].gained); ++close) {
      if (!best || candidates[close].entropy.surely_less(best->entropy)) best = candidates[close];
    }
    bool beaten = best && beats(*best, mine);
    for (std::size_t j = close; !beaten && j < candidates.size(); ++j) {
      if (candidates[j].gained.surely_less(mine.gained)) break;
      beaten = j != i && beats(candidates[j], mine);
    }
    mine.point->efficient = !beaten;
  }
}

}  // namespace gpe::checks
