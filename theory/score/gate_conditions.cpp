#include "theory/score/gate_conditions.h"

namespace gpe::theory {

std::vector<GateCondition> gate_conditions(const Path& path) {
  using Side = GateCondition::Side;
  std::vector<GateCondition> all;
  const auto expect = [&](const Side& left, bool strictly, const Side& right) {
    all.push_back({left, strictly ? Relation::less : Relation::less_equal, right});
  };
  if (path.low) expect({"low", *path.low}, path.low_open || path.high_open, {"high", path.high});
  if (!path.random) return all;
  const auto& [mean, mean_infinite, mean_exp] = *path.random;
  if (mean) {
    if (path.low) expect({"low", *path.low}, path.low_open, {"mean", *mean});
    expect({"mean", *mean}, path.high_open, {"high", path.high});
  }
  if (mean_exp) {
    if (path.low)
      expect({"e^low", exp(*path.low)}, path.low_open, {"mean_exp", *mean_exp});
    else
      expect({"0", Expr(0)}, true, {"mean_exp", *mean_exp});
    expect({"mean_exp", *mean_exp}, path.high_open, {"e^high", exp(path.high)});
    if (mean) expect({"e^mean", exp(*mean)}, false, {"mean_exp", *mean_exp});
    // E e^g is at most the chord of e^g at E g, which only gates at both ends reach.
    if (mean && path.low)
      expect({"(high - low) mean_exp", (path.high - *path.low) * *mean_exp}, path.low_open && path.high_open,
             {"(high - mean) e^low + (mean - low) e^high",
              (path.high - *mean) * exp(*path.low) + (*mean - *path.low) * exp(path.high)});
    else if (mean_infinite || (mean && !(*mean == path.high)))
      expect({"mean_exp", *mean_exp}, true, {"e^high", exp(path.high)});
  }
  return all;
}

std::vector<Expr*> formulas_of(Path& path) {
  std::vector<Expr*> all = {&path.high};
  if (path.low) all.push_back(&*path.low);
  if (path.random && path.random->mean) all.push_back(&*path.random->mean);
  if (path.random && path.random->mean_exp) all.push_back(&*path.random->mean_exp);
  return all;
}

}  // namespace gpe::theory
