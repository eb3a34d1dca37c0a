// The inverse problem: parameters of an ordered family that meet requirements and make one quantity least or
// largest, by branch and bound on boxes; or a proof that there are none (docs/design.md).
#pragma once

#include <functional>
#include <memory>

#include "checks/design/requirement_on_box.h"

namespace gpe::checks {

struct Objective {
  Measure measure;
  bool maximize = false;
};

struct DesignProblem {
  std::vector<Requirement> requirements;
  std::optional<Objective> objective;  ///< none: any point that meets the requirements
  /// The search ends when the best found is within gap·|best| of the bound; counts are exact, whatever it is.
  theory::Rational gap{1, 1000000};
  int digits = 18;  ///< of sums
};

/// A box, and either how it is split, or why no point of it is wanted.
struct DesignNode {
  ParameterBox box;
  bool leaf = true;
  /// Of a leaf: the requirement that no point of it meets; the number of requirements when no point has a
  /// better objective than the bound; -1: left open.
  int excluded_by = -1;
  std::size_t parameter = 0;  ///< of a split: at `at` ("below" includes it), whole numbers at `at` + 1 above
  theory::Rational at = 0;
  std::size_t below = 0;  ///< index of the node; `above` is the next one
};

struct Design {
  std::optional<ParameterPoint> best;     ///< meets all requirements
  std::optional<theory::Rational> value;  ///< its objective is at least as good as this
  std::optional<theory::Rational> bound;  ///< no point that meets the requirements has a better objective
  std::vector<DesignNode> nodes;          ///< the first is the whole box
  std::shared_ptr<DesignPoint> at_best;   ///< with what is known of it
  bool closed = false;                    ///< everything asked for is proved
  std::string reason;                     ///< not closed: why

  bool infeasible() const { return closed && !best; }
  std::size_t leaves_excluded_by(int requirement) const;
};

/// @param context   whose time has not started: the search, with all its sums, has that of a report
/// @param progress  now and then, with the number of boxes started and the state so far
Design design(
    const OrderedFamily& family, const DesignProblem& problem, const theory::Context& context,
    const std::function<void(std::size_t, const Design&)>& progress = [](std::size_t, const Design&) {});

/// A number with few digits in the middle of [low, high], by equal factors when high > 4 low > 0.
/// @pre low < high
theory::Rational middle_of(const theory::Rational& low, const theory::Rational& high);

}  // namespace gpe::checks
