#include "checks/sums/family/family_quick.h"
// Tests: tests/checks/sums/family_quick_test.cpp
#include <algorithm>
#include <cassert>
#include <thread>
#include <vector>
#include <version>

namespace gpe::checks {

namespace {

// Bounds in doubles: each takes fewer than a hundred operations on positive numbers, with an error below
// 2^-52 each.
constexpr double kSlack = 1 + 0x1p-40;
constexpr double kNegligible = 0x1p-64;

DoubleDouble decay(const FamilyExponents& f, const FamilyPoint& p) {
  return add(add(mul(p.x, f.delta), mul(p.logarithm, f.beta)), mul(p.root, f.gamma));
}

// Bounds of |A(z)| for |z| <= x, Re z >= 0.
double largest_decay(const FamilyExponents& f, const FamilyPoint& x) {
  return decay(f, x).high + 1.5708 * f.beta;
}

struct Adder {
  const FamilyExponents& family;
  const ExpMinus& exp_minus;
  DoubleDouble z{};
  DoubleDouble e{};
  double size_z = 0;  // Σ |w| f, Σ |w A| f
  double size_e = 0;

  void over(const std::vector<FamilyNode>& nodes) {
    for (const FamilyNode& node : nodes) {
      const DoubleDouble a = decay(family, node.point);
      const DoubleDouble term = mul(exp_minus(a), node.weight);
      const DoubleDouble weighted = mul(term, a);
      z = add(z, term);
      e = add(e, weighted);
      size_z += std::abs(term.high);
      size_e += std::abs(weighted.high);
    }
  }
};

bool in_range(double exponent) { return exponent == 0 || (exponent >= 0x1p-80 && exponent <= 0x1p9); }

// log z and how far it may be off, from an approximation: log z = y + log(1 + x), x = z e^-y - 1.
std::optional<DoubleDouble> logarithm(const DoubleDouble& z, const ExpMinus& exp_minus, double& error) {
  const double y = std::log(z.high);
  if (!(y >= 0) || y > ExpMinus::kLargest) return std::nullopt;
  const DoubleDouble x = add(mul(z, exp_minus({y, 0})), {-1, 0});
  if (!(std::abs(x.high) < 0x1p-40)) return std::nullopt;
  error = x.high * x.high + std::abs(x.low) + 2 * ExpMinus::kError;
  return two_sum(y, x.high);
}

}  // namespace

QuickErrors quick_tail(const FamilyExponents& f, const FamilyPoint& x, double decay, double weight) {
  double z = HUGE_VAL;
  double d = HUGE_VAL;
  if (f.delta > 0) {
    z = 1 / f.delta;
    d = (x.x.high + z) * z;
  }
  if (f.gamma > 0) {
    const double r = 1 / (f.gamma * x.root.high);
    const double lead = 2 * x.x.high * r;
    z = std::min(z, lead * (1 + r));
    d = std::min(d, lead * x.x.high * (1 + 3 * r * (1 + 2 * r * (1 + r))));
  }
  return {kSlack * weight * z, kSlack * weight * d * decay / x.x.high};
}

std::optional<QuickMoments> QuickFamily::moments(const FamilyExponents& f) const {
  if (!in_range(f.delta) || !in_range(f.beta) || !in_range(f.gamma)) return std::nullopt;
  if (f.delta == 0 && f.gamma == 0) return std::nullopt;
  if (decay(f, nodes_.panels.front().end).high > ExpMinus::kLargest) return std::nullopt;
  Adder sum{f, exp_minus_};
  sum.z = {1, 0};  // n = 0
  sum.size_z = 1;
  sum.over(nodes_.terms);
  sum.over(nodes_.correction);
  const double inner = exp_minus_(decay(f, nodes_.end_inner)).high;
  QuickErrors errors{inner * nodes_.end_error_f,
                     inner * largest_decay(f, nodes_.end_outer) * nodes_.end_error_af};
  for (const FamilyNodes::Panel& panel : nodes_.panels) {
    const double end = decay(f, panel.end).high;
    if (end > ExpMinus::kLargest) return std::nullopt;
    sum.over(panel.nodes);
    const double most = exp_minus_(decay(f, panel.leftmost)).high * nodes_.panel_error * panel.length;
    errors.z += most;
    errors.e += most * largest_decay(f, panel.farthest);
    const QuickErrors rest = quick_tail(f, panel.end, end, exp_minus_({end, 0}).high * (1 + 0x1p-30));
    if (rest.z > kNegligible * sum.z.high || rest.e > kNegligible * sum.e.high) continue;
    errors.z += rest.z + kRoundingError * sum.size_z;
    errors.e += rest.e + kRoundingError * sum.size_e;
    return QuickMoments{sum.z, sum.e, kSlack * errors.z, kSlack * errors.e};
  }
  return std::nullopt;
}

std::optional<QuickSums> QuickFamily::operator()(const FamilyExponents& family) const {
  const auto m = moments(family);
  if (!m || !(m->z_error < 0x1p-20 * m->z.high)) return std::nullopt;
  double log_error = 0;
  const auto log_z = logarithm(m->z, exp_minus_, log_error);
  if (!log_z) return std::nullopt;
  // E/Z = q + (E - q Z)/Z
  const double q = m->e.high / m->z.high;
  const DoubleDouble product = mul(m->z, q);
  const DoubleDouble rest = add(m->e, {-product.high, -product.low});
  const DoubleDouble sum = two_sum(log_z->high, q);
  const DoubleDouble entropy = fast_two_sum(sum.high, sum.low + (log_z->low + rest.high / m->z.high));
  const double least = m->z.high - m->z_error;
  const double error = (m->z_error * (1 + q) + m->e_error) / least + log_error + 0x1p-90 * (1 + entropy.high);
  return QuickSums{m->z.high, kSlack * (m->z_error + std::abs(m->z.low)), entropy.high,
                   kSlack * (error + std::abs(entropy.low))};
}

void QuickFamily::all(std::span<const FamilyExponents> families, std::span<std::optional<QuickSums>> sums,
                      unsigned threads) const {
  assert(families.size() == sums.size() && threads >= 1);
  const auto part = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) sums[i] = (*this)(families[i]);
  };
  const std::size_t size = families.size();
#ifdef __cpp_lib_jthread
  std::vector<std::jthread> workers;
  for (unsigned t = 1; t < threads; ++t) {
    workers.emplace_back(part, size * t / threads, size * (t + 1) / threads);
  }
#else
  threads = 1;  // a standard library without threads
#endif
  part(0, size / threads);
}

}  // namespace gpe::checks
