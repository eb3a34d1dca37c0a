#include "checks/sums/family/family_sum.h"
#include "checks/arb/precision.h"
// Tests: tests/checks/sums/family_sum_test.cpp
#include <cmath>

#include "checks/sums/family/family_boundary.h"
#include "checks/sums/family/family_integral.h"
#include "checks/sums/family/family_tail.h"

namespace gpe::checks {

namespace {

constexpr double kFewTerms = 64;

struct FamilyProblem {
  const ExponentialPower& family;
  ApproximateExponents near;
  FamilyAim aim;
  const theory::Context& context;
};

// Σ_{n = from}^{to - 1}, one by one; log(1 + n) from its predecessor.
Moments terms(const FamilyProblem& p, std::int64_t from, std::int64_t to) {
  const long bits = p.aim.bits() + 16;
  const BallExponents a(p.family, bits);
  const bool with_log = p.family.beta.sign() > 0;
  const bool with_root = p.family.gamma.sign() > 0;
  Moments total;
  Ball logarithm;
  Ball root;
  Ball decay;
  Ball weight;
  if (with_log) arb_log_ui(logarithm.raw(), static_cast<ulong>(from + 1), bits);
  for (std::int64_t n = from; n < to; ++n) {
    if (n % 16 == 0) p.context.check_time();
    const auto index = static_cast<ulong>(n);
    if (with_log && n > from) {
      arb_log_ui_from_prev(logarithm.raw(), index + 1, logarithm.raw(), index, bits);
    }
    arb_mul_ui(decay.raw(), a.delta.raw(), index, bits);
    if (with_log) arb_addmul(decay.raw(), a.beta.raw(), logarithm.raw(), bits);
    if (with_root) {
      arb_sqrt_ui(root.raw(), index, bits);
      arb_addmul(decay.raw(), a.gamma.raw(), root.raw(), bits);
    }
    arb_neg(weight.raw(), decay.raw());
    arb_exp(weight.raw(), weight.raw(), bits);
    arb_add(total.z.raw(), total.z.raw(), weight.raw(), bits);
    if (p.aim.wanted.s) arb_submul(total.s.raw(), decay.raw(), weight.raw(), bits);
    if (p.aim.wanted.d) arb_addmul_ui(total.d.raw(), weight.raw(), index, bits);
  }
  return total;
}

// Derivatives that matter at the far end N: the others are below the aim (J3).
long order_at_end(const FamilyAim& aim, const ApproximateExponents& f, const FamilySplit& split, double end) {
  const double reach = std::log(2 * 3.14159265 * split.radius.approximate() * end);
  const double inner = (1 - split.radius.approximate()) * end;
  const double size = 3 * std::log(end) + 6 - f.decay(inner);
  for (long order = 4; order < split.order; order += order < 64 ? 2 : 2 * (order / 32)) {
    const auto k = static_cast<double>(order);
    const double dropped = std::lgamma(k + 2) - (k + 2) * reach + size;
    if (dropped - std::min({aim.scale.z, aim.scale.s, aim.scale.d}) < -aim.accuracy) return order;
  }
  return split.order;
}

Moments euler_maclaurin(const FamilyProblem& p, const FamilySplit& split, const std::optional<Integer>& last,
                        double cut) {
  const Integer start(split.start);
  const long bits = p.aim.bits() + 16;
  Moments tail = family_boundary(p.family, start, split.order, -1, bits, p.aim.wanted, p.context);
  tail = widened(tail, family_remainder(p.family, start, split.order, split.radius));
  if (last) {
    const long kept =
        split.order_at_end > 0 ? split.order_at_end : order_at_end(p.aim, p.near, split, last->approximate());
    tail = plus(tail, family_boundary(p.family, *last, kept, 1, bits, p.aim.wanted, p.context), bits);
    tail = widened(tail, family_dropped_terms(p.family, *last, kept, split.order, split.radius));
  }
  return plus(tail, family_integral(p.family, start, last, cut, p.aim, p.context), bits);
}

bool in_proportion(const theory::Rational& exponent) {
  const double size = exponent.approximate();
  return exponent.is_zero() || (size > 1e-200 && size < 1e200);
}

std::string number_of_terms(std::int64_t count) { return "sum of " + std::to_string(count) + " terms"; }

}  // namespace

Moments with_offset(const Moments& m, const Ball& offset, long bits) {
  const Ball factor = exp(offset, bits);
  return {mul(factor, m.z, bits), mul(factor, add(m.s, mul(offset, m.z, bits), bits), bits),
          mul(factor, m.d, bits)};
}

std::optional<FamilySum> family_sum(const ExponentialPower& family, std::int64_t first,
                                    const std::optional<Integer>& last, WantedMoments wanted, int digits,
                                    const theory::Context& context, const std::optional<FamilySplit>& split) {
  if (!in_proportion(family.delta) || !in_proportion(family.beta) || !in_proportion(family.gamma)) {
    return std::nullopt;
  }
  const double from = static_cast<double>(first);
  const double to = last ? last->approximate() : 1e300;
  const ApproximateExponents near(family);
  FamilyProblem p{family, near, {nats_of_digits(digits) + 14, {}, wanted}, context};
  p.aim.scale = estimate_scale(near, from, to);
  FamilySum result;
  result.bits = p.aim.bits() + 16;
  const long bits = result.bits;
  const auto cut = cut_point(near, p.aim, std::max(from, 4.0));
  if (!cut && !last && (family.delta.sign() > 0 || family.gamma.sign() > 0)) return std::nullopt;

  std::optional<Integer> end = last;
  Moments beyond;  // what the infinite sum has more than the finite one
  if (last && cut && *cut < to) {
    beyond = tail_of_sum(family, *last + 1);
    if (beyond.d.is_finite()) end.reset();
  }
  const double count = std::min(to, cut.value_or(1e300)) - from + 1;
  const double root_of_end = std::sqrt(end ? to : cut.value_or(1e6));
  const FamilyStart chosen = choose_start(near, p.aim, first, root_of_end);
  const bool one_by_one =
      !split && (count <= kFewTerms || chosen.order == 0 || direct_cost(near, p.aim, count) <= chosen.cost);
  if (one_by_one && count > 1e8) return std::nullopt;
  if (one_by_one || (end && *end < Integer(chosen.start + 1))) {
    const std::int64_t stop = first + static_cast<std::int64_t>(std::ceil(count));
    result.moments = terms(p, first, stop);
    if (cut && *cut < to) {
      result.moments = with_remainder(result.moments, tail_of_sum(family, stop), wanted, bits);
    }
    result.method = number_of_terms(stop - first);
    return result;
  }
  const FamilySplit used = split.value_or(FamilySplit{chosen.start, chosen.order, chosen.radius, 0});
  result.moments =
      plus(terms(p, first, used.start), euler_maclaurin(p, used, end, std::sqrt(cut.value_or(0))), bits);
  if (last && !end) {
    result.moments =
        with_remainder(result.moments, {neg(beyond.z), neg(beyond.s), neg(beyond.d)}, wanted, bits);
  }
  result.method = "Euler-Maclaurin, exponential-power family";
  return result;
}

}  // namespace gpe::checks
