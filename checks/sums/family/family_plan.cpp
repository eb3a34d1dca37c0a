#include "checks/sums/family/family_plan.h"
#include "checks/arb/precision.h"
// Tests: tests/checks/sums/family_sum_test.cpp
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gpe::checks {

namespace {

constexpr double kNever = 1e300;

// The largest of three logarithms, over the sums wanted.
double largest(const FamilyAim& aim, double z, double s, double d) {
  double result = z - aim.scale.z;
  if (aim.wanted.s) result = std::max(result, s - aim.scale.s);
  if (aim.wanted.d) result = std::max(result, d - aim.scale.d);
  return result;
}

// Nanoseconds of one ball operation with a small factor, and of one elementary function.
double step_cost(double bits) { return 14 + 0.02 * bits; }
double function_cost(double bits) { return 60 + 0.1 * bits + 0.0012 * bits * bits; }

// The integrals over ν from 0 to s of 2(1+ν)³, (1+ν)², 2(1+ν), each divided by 1-2ν-ν²: how much faster than
// the series the radii of its coefficients may grow.
struct Width {
  double s;
  double square;
  double line;
  double log;
};

const std::array<Width, 11>& widths() {
  static const std::array<Width, 11> table = [] {
    std::array<Width, 11> result{};
    const double sizes[] = {0.38, 0.35, 0.31, 0.27, 0.22, 0.17, 0.12, 0.08, 0.05, 0.025, 0.01};
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = {sizes[i], 0, 0, 0};
      constexpr int kSteps = 200;
      for (int j = 0; j < kSteps; ++j) {
        const double v = sizes[i] * (j + 0.5) / kSteps;
        const double weight = sizes[i] / kSteps / (1 - 2 * v - v * v);
        result[i].square += 2 * std::pow(1 + v, 3) * weight;
        result[i].line += (1 + v) * (1 + v) * weight;
        result[i].log += 2 * (1 + v) * weight;
      }
    }
    return result;
  }();
  return table;
}

constexpr std::array<int, 9> kDiscs = {97, 90, 80, 65, 50, 35, 25, 15, 8};  // hundredths

struct PanelCost {
  double terms;
  double bits;
};

// Terms and bits for the panel |t - c| <= sc with the disc of radius theta·c (bound J4).
PanelCost panel_cost(const ApproximateExponents& f, const FamilyAim& aim, double c, const Width& width,
                     double theta) {
  const double kappa = theta > 0.5 ? 0.5 - theta * theta : (1 - theta) * (1 - theta);
  const double b = (1 + theta) * c;
  const double log_b = std::log(b);
  const double spread = f.delta * b * b + f.gamma * b + f.beta * (2 * log_b + 4);
  const double u = width.s * c;
  const double near = std::max((1 - theta) * c, 0.3);
  const double disc =
      -f.delta * c * c * kappa - f.gamma * (1 - theta) * c - 2 * f.beta * std::log(near) + std::log(4 * u);
  const double z = std::log(2 * b);
  const double need =
      aim.accuracy + largest(aim, disc + z, disc + z + std::log(spread), disc + z + 2 * log_b);
  const double here = -f.decay(c * c) + std::log(4 * u);
  const double growth = f.delta * c * c * width.square + f.gamma * c * width.line + f.beta * width.log;
  const double nats =
      aim.accuracy + growth + largest(aim, here + z, here + z + std::log(spread), here + z + 2 * log_b);
  const double terms = std::max(need, 1.0) / std::log(theta / width.s) + 2;
  return {terms, bits_of_nats(std::max(nats, 0.0)) + 16 + std::log2(terms)};
}

Width width_of(double s) {
  const double growth = s / (1 - 2 * s - s * s);
  return {s, 2 * std::pow(1 + s, 3) * growth, (1 + s) * (1 + s) * growth, 2 * (1 + s) * growth};
}

}  // namespace

FamilyScale estimate_scale(const ApproximateExponents& f, double first, double last) {
  const double top = f.decay(first);
  double z = 1;
  double s = f.decay(first);
  double d = first;
  for (double step = 1; step < 1e150; step *= 2) {
    const double x = first + step;
    const double decay = f.decay(x);
    if (x > last || decay - top > 200) break;
    const double weight = std::max(0.5, std::min(step, (last - first) / 2)) * std::exp(top - decay);
    z += weight;
    s += weight * decay;
    d += weight * x;
  }
  return {std::log(z) - top, std::log(std::max(s, 1e-250)) - top, std::log(std::max(d, 1e-250)) - top};
}

double log_tail(const ApproximateExponents& f, const FamilyAim& aim, double x) {
  const double t = std::sqrt(x);
  double z = kNever;
  double d = kNever;
  if (f.delta > 0) {
    z = -std::log(f.delta);
    d = std::log(x / f.delta + 1 / f.delta / f.delta);
  }
  if (f.gamma > 0) {
    z = std::min(z, std::log(2 * (t / f.gamma + 1 / f.gamma / f.gamma)));
    const double r = 1 / (f.gamma * t);
    d = std::min(d, std::log(2 * x * x * r * (1 + 3 * r + 6 * r * r + 6 * r * r * r)));
  }
  const double decay = f.decay(x);
  return largest(aim, z - decay, std::log(decay / x) + d - decay, d - decay);
}

std::optional<double> cut_point(const ApproximateExponents& f, const FamilyAim& aim, double from) {
  if (f.delta <= 0 && f.gamma <= 0) return std::nullopt;
  double high = 1;
  while (log_tail(f, aim, from + high) > -aim.accuracy) {
    high *= 4;
    if (high > 1e200) return std::nullopt;
  }
  double low = high / 4;
  for (int i = 0; i < 6; ++i) {
    const double middle = std::sqrt(low * high);
    (log_tail(f, aim, from + middle) > -aim.accuracy ? low : high) = middle;
  }
  return from + high;
}

double direct_cost(const ApproximateExponents& f, const FamilyAim& aim, double count) {
  const double bits = static_cast<double>(aim.bits());
  const int functions = 1 + (f.beta > 0 ? 1 : 0) + (f.gamma > 0 ? 1 : 0);
  return count * (functions * function_cost(bits) + 8 * step_cost(bits));
}

namespace {

// The least order for which J2 is below the aim, with its cost; nothing when there is none.
std::optional<FamilyStart> series_from(const ApproximateExponents& f, const FamilyAim& aim, double start,
                                       const theory::Rational& radius) {
  const double rho = radius.approximate();
  const double reach = std::log(2 * std::numbers::pi * rho * start);
  const double inner = (1 - rho) * start;
  const double spread =
      f.delta * 2 * start + f.beta * (std::log1p(2 * start) + 1.6) + f.gamma * 2 * std::sqrt(start);
  const double g = std::log(4 * start) - f.decay(inner);
  const double excess = largest(aim, g, g + std::log(spread), g + std::log(2 * start));
  const auto enough = [&](double order) {
    return std::lgamma(order + 1) - order * reach + excess - std::log(order - 2) <= -aim.accuracy;
  };
  const double most = std::exp(std::min(reach, 30.0));
  double order = 6;
  while (order < most && !enough(order)) order *= 1.15;
  if (order >= most) return std::nullopt;
  for (int i = 0; i < 4; ++i) {
    const double smaller = order * std::pow(1.15, -1.0 / (2 << i));
    if (smaller >= 6 && enough(smaller)) order = smaller;
  }
  return FamilyStart{static_cast<std::int64_t>(start), 2 * static_cast<long>(order / 2 + 1), radius, 0};
}

}  // namespace

FamilyStart choose_start(const ApproximateExponents& f, const FamilyAim& aim, std::int64_t first,
                         double end) {
  FamilyStart best;
  best.cost = kNever;
  const double step = step_cost(static_cast<double>(aim.bits()));
  const double terms_a_log = 1.3 * aim.accuracy;  // Taylor coefficients for each unit of log t
  const auto consider = [&](std::int64_t start) {
    const auto from = static_cast<double>(start);
    const double direct = direct_cost(f, aim, from - static_cast<double>(first));
    // panels are at least one unit of t wide: far out that may be much for e^A
    const double unit = f.decay(from + 2 * std::sqrt(from)) - f.decay(from);
    const double wide = 1 + unit / aim.accuracy;
    const double panels =
        22 * step * terms_a_log * std::log(std::max(2.0, end / std::sqrt(from))) * wide * wide;
    const auto try_radius = [&](const theory::Rational& radius) {
      auto series = series_from(f, aim, from, radius);
      if (!series) return;
      series->cost = direct + static_cast<double>(series->order) * (f.gamma > 0 ? 26 : 12) * step + panels;
      if (series->cost < best.cost) best = *series;
    };
    for (const int twentieths : {19, 18, 16, 13}) try_radius({twentieths, 20});
    // far out e^A varies faster than powers of x: f(z)/f(x) on the disc is e^{ρ·decay}
    if (const double decay = f.decay(from); decay > 100) {
      int halvings = 1;
      for (double rho = 0.5; halvings < 60 && rho * decay > 1; rho /= 2, ++halvings) {
        if (rho * decay < 64 * aim.accuracy) try_radius(theory::Rational(1, std::int64_t{1} << halvings));
      }
    }
    return direct < best.cost;
  };
  if (first >= 9) consider(first);
  const auto least = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(first))));
  for (std::int64_t m = std::max<std::int64_t>(least, 3); m < 2000; m += 1 + m / 16) {
    if (!consider(m * m)) break;
  }
  return best;
}

PanelShape choose_panel(const ApproximateExponents& f, const FamilyAim& aim, const Integer& left,
                        const Integer& end) {
  const double from = left.approximate();
  const double room = (end - left).approximate() / 2;
  double best = kNever;
  PanelShape shape{left + 1, 1, 97, 0, 0};
  for (const Width& width : widths()) {
    const double half = from * width.s / (1 - width.s);
    if (half < 1 && best < kNever) break;
    const double c = from + half;
    for (const int disc : kDiscs) {
      const double theta = disc / 100.0;
      if (theta < 1.15 * width.s) continue;
      const PanelCost cost = panel_cost(f, aim, c, width, theta);
      const double each = cost.terms * step_cost(cost.bits) / std::log((1 + width.s) / (1 - width.s));
      if (each < best) {
        best = each;
        shape.disc = disc;
        shape.half = Integer::floor(std::max(1.0, std::min(half, std::ceil(room))));
      }
    }
  }
  if (Integer room_left = end - left; room_left < shape.half + shape.half) {
    fmpz_fdiv_q_2exp(shape.half.raw(), room_left.raw(), 1);
  }
  if (shape.half < 1) shape.half = 1;
  shape.centre = left + shape.half;
  const double c = shape.centre.approximate();
  const PanelCost cost = panel_cost(f, aim, c, width_of(shape.half.approximate() / c), shape.disc / 100.0);
  shape.terms = static_cast<long>(cost.terms) + 8;
  shape.bits = static_cast<long>(cost.bits) + 8;
  return shape;
}

PanelShape choose_stub(const ApproximateExponents& f, const FamilyAim& aim, const Integer& centre,
                       double length) {
  const double c = centre.approximate();
  PanelShape shape{centre, 0, 97, 0, 0};
  double best = kNever;
  const double s = std::max(length, 1e-3) / c;
  for (const int disc : kDiscs) {
    const double theta = disc / 100.0;
    if (theta < 1.15 * s) continue;
    const PanelCost cost = panel_cost(f, aim, c, width_of(s), theta);
    if (cost.terms >= best) continue;
    best = cost.terms;
    shape.disc = disc;
    shape.terms = static_cast<long>(cost.terms) + 8;
    shape.bits = static_cast<long>(cost.bits) + 8;
  }
  return shape;
}

}  // namespace gpe::checks
