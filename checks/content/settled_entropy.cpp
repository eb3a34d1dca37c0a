#include "checks/content/settled_entropy.h"

#include "checks/halfline/or_undecided.h"
#include "theory/properties/property.h"

namespace gpe::checks {

EnclosedNumber settled_entropy(const theory::ScoreFunction& law, const Sums& sums, const SumOptions& options,
                               const theory::ConstantOracle& oracle) {
  // With a finite Z, H = log Z - S/Z is infinite only where S is: then it is the limit of H_L.
  if (sums.entropy.finite != Finite::no || sums.z.finite != Finite::no) return sums.entropy;
  theory::Context context(oracle);
  context.set_deadline(theory::Context::Clock::now() + options.time_limit);
  const auto growth = attempt_all([&] { return theory::decide_entropy_growth(law.bias, context); });
  if (growth && !growth->bounded) return sums.entropy;
  const std::string why =
      growth ? "H_L stays bounded" : "H_L is not proved to tend to infinity (" + growth.reason() + ")";
  return {Finite::unknown, Ball::unknown(), "Z is infinite, and " + why};
}

}  // namespace gpe::checks
