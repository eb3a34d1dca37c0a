// No point of a box beats the bound of a design, at points drawn at random: against the numbers of
// check-properties, which other code computes.
#include <rapidcheck/gtest.h>

#include "checks/content/effective_window.h"
#include "checks/content/local_range.h"
#include "tests/checks/design/families.h"

namespace gpe::checks {
namespace design_test {

// Numbers of check-properties at one point, by other code: whether it meets the requirements.
bool meets(const OrderedFamily& f, const DesignProblem& problem, const ParameterPoint& point) {
  const theory::ScoreFunction law = f.closed_law(point);
  const auto compared = [](const BigCount& count, theory::Relation relation, const Rational& value) {
    if (count.kind != BigCount::Kind::number) return relation == less_equal;  // none
    return relation == less_equal ? count.number <= value : count.number >= value;
  };
  for (const Requirement& r : problem.requirements) {
    bool met = false;
    if (r.measure.quantity == DesignQuantity::entropy) {
      const double h = enclose_sums(law, 20, context()).entropy.value.approximate();
      met = r.relation == less_equal ? h <= r.value.approximate() : h >= r.value.approximate();
    } else if (r.measure.quantity == DesignQuantity::cache) {
      const BigCount w = effective_window(law, *r.measure.at, f.bound(), std::nullopt, context());
      met = w.kind == BigCount::Kind::number &&
            compared(w, r.relation, r.value - Rational(1) + Rational(law.first));
    } else if (r.measure.quantity == DesignQuantity::reach) {
      met = compared(reach(law, *r.measure.at, f.bound(), std::nullopt, context()).n, r.relation, r.value);
    } else {
      met = compared(local_range(law, *r.measure.at, context()).within, r.relation, r.value);
    }
    if (!met) return false;
  }
  return true;
}

RC_GTEST_PROP(Design, no_point_of_the_box_is_better_than_the_bound, ()) {
  const auto kind = *rc::gen::inRange(0, 9);
  const char* const gains[] = {
      "1",           "1/(1 + a*n/10)",    "-1/(1 + a*n/10)", "-c/3", "-2/(-3*a)/(1 + n)",
      "exp(-a*n/9)", "2/(2 + floor(n/5))"};
  const auto gain = *rc::gen::inRange(0, 7);
  const int first = *rc::gen::element(0, 1, 5);
  const std::vector<FreeParameter> free = {{"a", {1, 200}, 1}, {"c", {1, 50}, 2}};
  const char* const biases[] = {"-a*n - c*log(1 + n)",
                                "-a*n - c*sqrt(n)",
                                "-(1 + a)*log(1 + n) - c*log(1 + n/8)",
                                "-a*n^c - n/100",
                                "-n/(200*a) - a*n - c*sqrt(n)",
                                "-a*n - n/50 + c*log(1 + n)",
                                "-a*max(0, n - 4) - c*log(1 + n) - n/100",
                                "-a*(n - c)",
                                "-c*floor(n/3) - a*n"};
  const OrderedFamily f =
      family(biases[kind], free, *rc::gen::inRange(0, 4),
             "gain = \"" + std::string(gains[gain]) + "\"\nfirst = " + std::to_string(first) + "\n");
  const auto number = [](int from, int to, int divisor) {
    return Rational(*rc::gen::inRange(from, to), divisor);
  };
  const Requirement all[] = {{{DesignQuantity::cache, Rational(1, 100), ""}, less_equal, number(10, 3000, 1)},
                             {{DesignQuantity::reach, Rational(1, 3), ""}, greater_equal, number(1, 40, 1)},
                             {{DesignQuantity::range, Rational(2), ""}, greater_equal, number(1, 60, 1)},
                             {entropy(), greater_equal, number(5, 50, 10)},
                             {entropy(), less_equal, number(10, 60, 10)}};
  DesignProblem problem;
  for (const Requirement& r : all) {
    if (*rc::gen::inRange(0, 4) == 0) problem.requirements.push_back(r);
  }
  const Measure wanted[] = {entropy(),
                            parameter("a"),
                            {DesignQuantity::cache, Rational(1, 100), ""},
                            {DesignQuantity::range, Rational(2), ""},
                            {DesignQuantity::reach, Rational(1, 3), ""}};
  problem.objective = Objective{wanted[*rc::gen::inRange(0, 5)], *rc::gen::arbitrary<bool>()};
  problem.gap = Rational(1, 100);
  const theory::Budget short_search(std::chrono::seconds(10), std::chrono::milliseconds(200));
  const Design found = design(f, problem, checks::ball_context(short_search));
  const std::string end = found.closed ? "found" : "open";
  RC_TAG(found.infeasible() ? "infeasible" : end);
  if (found.best) RC_ASSERT(meets(f, problem, *found.best));
  for (int i = 0; i < 2; ++i) {
    const ParameterPoint point = {number(1, 201, 200), number(1, 101, 50)};
    if (!meets(f, problem, point)) continue;
    RC_ASSERT(!found.infeasible());
    if (!found.bound) continue;
    DesignPoint here(f.closed_law(point), problem.digits, context());
    const ParameterBox alone = {{point[0], point[0]}, {point[1], point[1]}};
    const Objective& o = *problem.objective;
    const auto value = bound_of(o.measure, !o.maximize, {f, alone, here, here});
    if (!value) continue;
    const bool beaten = o.maximize ? *value > *found.bound : *value < *found.bound;
    RC_ASSERT(!beaten);
  }
}

}  // namespace design_test
}  // namespace gpe::checks
