// Many laws by what they spend and get, and which of them no other one beats (docs/compare.md).
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "checks/frontier/trade_off.h"

namespace gpe::checks {

/// What entropy is spent for.
enum class Gain { range, window, mean, beyond };
/// @throws theory::SpecError naming the option.
Gain gain_option(const std::string& option, const std::string& text);
std::string name_of(Gain gain);

struct FrontierPoint {
  std::string encoding;
  int head = 0;                                                 ///< 0: the only one
  std::vector<std::pair<std::string, std::string>> parameters;  ///< every one, with its exact value
  theory::ScoreFunction law;
  TradeOff numbers;
  bool efficient = false;  ///< no other point has at least as much with less entropy, or more with no more
  bool unsettled =
      false;  ///< it may be efficient: its own numbers, or those of a point that may beat it, are not known
};

/// Fills `numbers` of every point, on `threads` threads. The result does not depend on how many.
/// @param context   whose time has not started
/// @param progress  called with the number of points started, from the calling thread only
void compute(
    std::vector<FrontierPoint>& points, const TradeOffOptions& options, const theory::Context& context,
    unsigned threads, const std::function<void(std::size_t)>& progress = [](std::size_t) {});

/// Sets `efficient` and `unsettled` of points whose H is not infinite. A gain may be infinite, or beyond
/// 10^30. Numbers that agree to all digits asked for count as equal. Laws that depend on L and so have no H
/// or no gain are not among the points that are compared.
void mark_pareto_front(std::vector<FrontierPoint>& points, Gain gain);

}  // namespace gpe::checks
