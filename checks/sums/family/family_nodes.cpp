#include "checks/sums/family/family_nodes.h"
// Tests: tests/checks/sums/family_quick_test.cpp
#include <arb_hypgeom.h>
#include <arb_mat.h>

#include "checks/arb/result_of.h"
#include "checks/sums/family/exponential_power.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr long kNodeBits = 512;
constexpr int kPanels = 44;

Ball ball(std::int64_t numerator, std::int64_t denominator = 1) {
  return {Rational(numerator, denominator), kNodeBits};
}

Ball entry(const BallVector& vector, long i) { return result_of<Ball>(arb_set, vector.at(i)); }

// L(t^j)
Ball moment(long j) {
  if (j == 0) return ball(1, 2);
  Ball result;
  arb_bernoulli_ui(result.raw(), static_cast<ulong>(j + 1), kNodeBits);
  return neg(div(result, Ball(j + 1), kNodeBits));
}

FamilyPoint point(const Ball& x) {
  return {nearest(x), nearest(log1p(x, kNodeBits)), nearest(sqrt(x, kNodeBits))};
}

double upper_bound(const Ball& value) {
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, value.raw(), 64);
  const double result = arf_get_d(end, ARF_RND_CEIL);
  arf_clear(end);
  return result;
}

}  // namespace

EndRule::EndRule() : points(kPoints), weights(kPoints) {
  const Ball turn = div(Ball::pi(kNodeBits), Ball(2 * kPoints), kNodeBits);
  for (long i = 0; i < kPoints; ++i) {
    const Ball t = mul(Ball(kReach), cos(mul(Ball(2 * i + 1), turn, kNodeBits), kNodeBits), kNodeBits);
    arb_set(points.at(i), t.raw());
  }
  arb_mat_t matrix;
  arb_mat_t moments;
  arb_mat_init(matrix, kPoints, kPoints);
  arb_mat_init(moments, kPoints, 1);
  for (long j = 0; j < kPoints; ++j) {
    for (long i = 0; i < kPoints; ++i) {
      arb_pow_ui(arb_mat_entry(matrix, j, i), points.at(i), static_cast<ulong>(j), kNodeBits);
    }
    arb_set(arb_mat_entry(moments, j, 0), moment(j).raw());
  }
  const bool solved = arb_mat_solve(moments, matrix, moments, kNodeBits) != 0;
  for (long i = 0; i < kPoints; ++i) {
    if (solved) {
      arb_set(weights.at(i), arb_mat_entry(moments, i, 0));
    } else {
      arb_indeterminate(weights.at(i));
    }
  }
  arb_mat_clear(moments);
  arb_mat_clear(matrix);
}

Ball EndRule::defect(long j) const {
  Ball result = moment(j);
  for (long i = 0; i < kPoints; ++i) {
    arb_submul(result.raw(), entry(weights, i).raw(), power(entry(points, i), j, kNodeBits).raw(), kNodeBits);
  }
  return result;
}

Rational end_radius() { return {9, 10}; }

EndErrors end_errors(const EndRule& rule) {
  const Ball reach = mul(Ball(end_radius(), kNodeBits), Ball(EndRule::kStart), kNodeBits);
  Ball common(0);
  for (long j = EndRule::kPoints; j < EndRule::kOrder; ++j) {
    common = add(common, div(abs(rule.defect(j)), power(reach, j, kNodeBits), kNodeBits), kNodeBits);
  }
  for (long i = 0; i < EndRule::kPoints; ++i) {  // the terms from 2K on, in the sum over the points
    const Ball q = div(abs(entry(rule.points, i)), reach, kNodeBits);
    const Ball rest = div(power(q, EndRule::kOrder, kNodeBits), sub(Ball(1), q, kNodeBits), kNodeBits);
    common = add(common, mul(abs(entry(rule.weights, i)), rest, kNodeBits), kNodeBits);
  }
  Ball factorial;
  arb_fac_ui(factorial.raw(), static_cast<ulong>(EndRule::kOrder), kNodeBits);
  const Ball turn = mul(Ball(2), mul(Ball::pi(kNodeBits), reach, kNodeBits), kNodeBits);
  const Ball lead =
      mul(Ball(4), div(factorial, power(turn, EndRule::kOrder, kNodeBits), kNodeBits), kNodeBits);
  const Ball line = mul(lead, Ball(EndRule::kStart), kNodeBits);
  return {add(common, div(line, Ball(EndRule::kOrder - 1), kNodeBits), kNodeBits),
          add(common, div(line, Ball(EndRule::kOrder - 2), kNodeBits), kNodeBits)};
}

PanelRule::PanelRule() : points(kPoints), weights(kPoints) {
  for (long i = 0; i < kPoints; ++i) {
    arb_hypgeom_legendre_p_ui_root(points.at(i), weights.at(i), static_cast<ulong>(kPoints),
                                   static_cast<ulong>(i), kNodeBits);
  }
}

Ball panel_error() {
  // half-width 3a/2, centre 5a/2, (ϱ + 1/ϱ)/2 = (5/2 - 1/10)/(3/2) = 8/5
  const Ball rho = add(ball(8, 5), sqrt(ball(39, 25), kNodeBits), kNodeBits);
  constexpr long kDegree = 2 * PanelRule::kPoints;
  const Ball lead = mul(Ball(4), add(Ball(1), ball(1, kDegree * kDegree - 1), kNodeBits), kNodeBits);
  const Ball geometric = sub(Ball(1), div(Ball(1), power(rho, 2, kNodeBits), kNodeBits), kNodeBits);
  return mul(ball(3, 2), div(lead, mul(power(rho, kDegree, kNodeBits), geometric, kNodeBits), kNodeBits),
             kNodeBits);
}

FamilyNodes::FamilyNodes() {
  for (std::int64_t n = 1; n < EndRule::kStart; ++n) terms.push_back({point(Ball(n)), {1, 0}});
  const EndRule rule;
  const Ball start(EndRule::kStart);
  for (long i = 0; i < EndRule::kPoints; ++i) {
    correction.push_back(
        {point(add(start, entry(rule.points, i), kNodeBits)), nearest(entry(rule.weights, i))});
  }
  const Ball radius(end_radius(), kNodeBits);
  end_inner = point(mul(sub(Ball(1), radius, kNodeBits), start, kNodeBits));
  end_outer = point(mul(add(Ball(1), radius, kNodeBits), start, kNodeBits));
  const EndErrors errors = end_errors(rule);
  end_error_f = upper_bound(errors.f);
  end_error_af = upper_bound(errors.af);
  panel_error = upper_bound(checks::panel_error());
  const PanelRule legendre;
  Ball a = start;
  for (int j = 0; j < kPanels; ++j, a = mul(a, Ball(4), kNodeBits)) {
    const auto at = [&](std::int64_t numerator, std::int64_t denominator) {
      return point(mul(a, ball(numerator, denominator), kNodeBits));
    };
    Panel panel{nearest(a).high, at(1, 10), at(49, 10), at(4, 1), {}};
    const Ball half = mul(a, ball(3, 2), kNodeBits);
    for (long i = 0; i < PanelRule::kPoints; ++i) {
      const Ball offset = add(ball(5, 3), entry(legendre.points, i), kNodeBits);
      panel.nodes.push_back(
          {point(mul(half, offset, kNodeBits)), nearest(mul(half, entry(legendre.weights, i), kNodeBits))});
    }
    panels.push_back(std::move(panel));
  }
}

}  // namespace gpe::checks
