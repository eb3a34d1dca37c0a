#include "checks/compare/pair_norm.h"
// Tests: tests/checks/config_reports_test.py
#include <cmath>

#include "theory/source/rational.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr int kMaxSteps = 200;
constexpr double kSettled = 1e-9;  // relative change of the singular value in one step
constexpr std::int64_t kUnit = std::int64_t{1} << 40;

// f cos and f sin of each block at one distance.
struct Turned {
  const Pairing& pairs;
  std::vector<Ball> cosines;
  std::vector<Ball> sines;
  std::vector<double> near_cosines;
  std::vector<double> near_sines;

  Turned(const Blocks& blocks, const Pairing& pairing, std::int64_t n, long bits) : pairs(pairing) {
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      const Ball angle = mul(blocks.frequencies[j], Ball(n), bits);
      cosines.push_back(mul(blocks.factors[j], cos(angle, bits), bits));
      sines.push_back(mul(blocks.factors[j], sin(angle, bits), bits));
      near_cosines.push_back(cosines.back().approximate());
      near_sines.push_back(sines.back().approximate());
    }
  }

  // result += sign W v, or the transpose.
  void add_to(std::vector<double>& result, const std::vector<double>& v, double sign, bool transposed) const {
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      const auto [p, q] = pairs[j];
      const double c = sign * near_cosines[j];
      const double s = (transposed ? -sign : sign) * near_sines[j];
      result[p] += c * v[p] + s * v[q];
      result[q] += c * v[q] - s * v[p];
    }
  }

  std::vector<Ball> times(const std::vector<Ball>& v, long bits) const {
    std::vector<Ball> result(v.size());
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      const auto [p, q] = pairs[j];
      result[p] = add(mul(cosines[j], v[p], bits), mul(sines[j], v[q], bits), bits);
      result[q] = sub(mul(cosines[j], v[q], bits), mul(sines[j], v[p], bits), bits);
    }
    return result;
  }
};

double normed(std::vector<double>& v) {
  double square = 0;
  for (const double x : v) square += x * x;
  const double length = std::sqrt(square);
  if (length > 0) {
    for (double& x : v) x /= length;
  }
  return length;
}

std::vector<double> first_singular_vector(const Turned& a, const Turned& b) {
  std::vector<double> v(2 * a.pairs.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 1 + std::sin(static_cast<double>(i));
  normed(v);
  double before = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    std::vector<double> image(v.size());
    a.add_to(image, v, 1, false);
    b.add_to(image, v, -1, false);
    std::vector<double> next(v.size());
    a.add_to(next, image, 1, true);
    b.add_to(next, image, -1, true);
    const double square = normed(next);
    if (square == 0) return v;
    v = std::move(next);
    if (std::abs(square - before) <= kSettled * square) break;
    before = square;
  }
  return v;
}

Ball square_sum(const std::vector<Ball>& v, long bits) {
  Ball sum(0);
  for (const Ball& x : v) sum = add(sum, mul(x, x, bits), bits);
  return sum;
}

}  // namespace

Ball Blocks::norm(long bits) const {
  Ball most(0);
  for (const Ball& factor : factors) most = max(most, abs(factor), bits);
  return most;
}

Pairing pairing_of(const ConfigEncoding& encoding, const theory::ScoreFunction& law) {
  const auto d = static_cast<std::size_t>(encoding.head_dim);
  const std::size_t turned = law.turns() ? static_cast<std::size_t>(encoding.turned) : d;
  const std::size_t start = encoding.turned_last ? d - turned : 0;
  const bool halves = law.rotation.layout == theory::Layout::half;
  Pairing result;
  for (std::size_t j = 0; 2 * j < turned; ++j) {
    const std::size_t first = start + (halves ? j : 2 * j);
    result.emplace_back(first, first + (halves ? turned / 2 : 1));
  }
  const std::size_t rest = encoding.turned_last ? 0 : turned;  // what stays, in any pairs
  for (std::size_t i = 0; i + 1 < d - turned; i += 2) result.emplace_back(rest + i, rest + i + 1);
  return result;
}

Ball singular_value_at_least(const Blocks& a, const Pairing& first, const Blocks& b, const Pairing& second,
                             std::int64_t n, long bits) {
  const Turned one(a, first, n, bits);
  const Turned other(b, second, n, bits);
  std::vector<Ball> v;
  for (const double x : first_singular_vector(one, other))
    v.emplace_back(Rational(std::llround(x * static_cast<double>(kUnit)), kUnit), bits);
  const std::vector<Ball> image = one.times(v, bits);
  const std::vector<Ball> away = other.times(v, bits);
  std::vector<Ball> difference;
  for (std::size_t i = 0; i < v.size(); ++i) difference.push_back(sub(image[i], away[i], bits));
  return sqrt(div(square_sum(difference, bits), square_sum(v, bits), bits), bits).lower(bits);
}

}  // namespace gpe::checks
