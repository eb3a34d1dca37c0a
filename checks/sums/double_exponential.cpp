#include "checks/sums/double_exponential.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr long kEdgeBits = 128;
constexpr int kMaxBoxes = 1 << 14;
constexpr int kFewPoints = 16;  // of an edge, to choose among maps
constexpr int kManyPoints = 400;
// Boxes of the edge are halved until none has more than 2^12 times the integral over the edge as it was
// estimated; with 2^14 of them their sum is at most 2^26 times that.
constexpr int kBoxSlack = 12;
constexpr int kEdgeSlack = 26;
constexpr long kJump = 96;  // bits by which a term may be above the last one without a loss
constexpr double kNone = 1e300;

enum class MapShape { exponential, softplus };

// v = V + s·φ(t), and half the height of the strip of t.
struct Map {
  MapShape shape;
  double s;
  double a;
};

double log2_modulus(const ComplexBall& x) {
  if (!x.is_finite()) return kNone;
  mag_t size;
  mag_init(size);
  acb_get_mag(size, x.raw());
  const double result = mag_is_zero(size) != 0 ? -kNone : mag_get_d_log2_approx(size);
  mag_clear(size);
  return result;
}

Ball power_of_two(double exponent) {
  Ball result(1);
  arb_mul_2exp_si(result.raw(), result.raw(), static_cast<slong>(std::ceil(exponent)));
  return result;
}

Rational exactly(double x, int fraction_bits) {
  return Rational(static_cast<std::int64_t>(std::ldexp(x, fraction_bits))) / Rational(2).pow(fraction_bits);
}

// t with φ(t) = x.
double inverse(MapShape shape, double x) {
  const double log_p = shape == MapShape::exponential ? std::log(x) : x + std::log1p(-std::exp(-x));
  double low = -10;
  double high = 10 + std::max(0.0, log_p);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (middle - std::exp(-middle) < log_p ? low : high) = middle;
  }
  return high;
}

class Strip {
 public:
  Strip(const Integrand& integrand, const Ball& from, const Map& map)
      : integrand_(integrand), from_(from), map_(map), s_(exactly(map.s, 40)) {}

  // g(τ) = integrand(V + s φ(τ))·s φ'(τ) on a box; finite only where it is analytic.
  ComplexBall on(const Ball& t, const Ball& y) const {
    integrand_.context->check_time();
    const ComplexBall tau(t, y);
    ComplexBall e;  // e^{-τ}
    acb_neg(e.raw(), tau.raw());
    acb_exp(e.raw(), e.raw(), kEdgeBits);
    ComplexBall p;
    acb_sub(p.raw(), tau.raw(), e.raw(), kEdgeBits);
    acb_exp(p.raw(), p.raw(), kEdgeBits);
    ComplexBall slope;
    acb_add_ui(slope.raw(), e.raw(), 1, kEdgeBits);
    acb_mul(slope.raw(), slope.raw(), p.raw(), kEdgeBits);
    ComplexBall v = p;
    if (map_.shape == MapShape::softplus) {
      acb_add_ui(p.raw(), p.raw(), 1, kEdgeBits);
      acb_div(slope.raw(), slope.raw(), p.raw(), kEdgeBits);
      acb_log_analytic(v.raw(), p.raw(), 1, kEdgeBits);
    }
    const Ball s(s_, kEdgeBits);
    acb_mul_arb(v.raw(), v.raw(), s.raw(), kEdgeBits);
    acb_add_arb(v.raw(), v.raw(), from_.raw(), kEdgeBits);
    ComplexBall value = integrand_.on(v, kEdgeBits);
    acb_mul(value.raw(), value.raw(), slope.raw(), kEdgeBits);
    acb_mul_arb(value.raw(), value.raw(), s.raw(), kEdgeBits);
    return value;
  }
  double log2_at(double t, double y) const { return log2_modulus(on(exact(t), exact(y))); }
  // log2 of about ∫ |g(t + iy)| dt.
  double log2_edge(double low, double high, double y, int points) const {
    double most = -kNone;
    for (int i = 0; i < points; ++i)
      most = std::max(most, log2_at(low + (high - low) * (i + 0.5) / points, y));
    return most >= kNone ? kNone : most + std::log2(high - low);
  }

  // Σ h·g(kh) over k from first to last, to the working precision.
  Ball sum(std::int64_t first, std::int64_t last, const Rational& h, long bits) const {
    const Ball step(h, bits);
    const Ball s(s_, bits);
    const Ball up = exp(step, bits);
    const Ball down = exp(neg(step), bits);
    Ball grows = exp(mul(step, Ball(first), bits), bits);
    Ball falls = exp(mul(step, Ball(-first), bits), bits);
    Ball total(0);
    long fewer = 0;  // bits by which the last term was below the sum
    for (std::int64_t k = first; k <= last; ++k) {
      integrand_.context->check_time();
      const long some = std::max(std::min(bits, kEdgeBits), bits - fewer);
      const Ball p = mul(grows, exp(neg(falls), some), some);
      const Ball rises = mul(p, add(Ball(1), falls, some), some);
      const bool soft = map_.shape == MapShape::softplus;
      const Ball phi = soft ? log1p(p, some) : p;
      const Ball slope = soft ? div(rises, add(Ball(1), p, some), some) : rises;
      const Ball value = mul(integrand_.at(add(from_, mul(s, phi, some), some), some), slope, some);
      total = add(total, value, bits);
      const double below = log2_modulus(ComplexBall(total)) - log2_modulus(ComplexBall(value));
      fewer = below < static_cast<double>(bits) ? std::max(0L, static_cast<long>(below) - kJump) : bits;
      grows = mul(grows, up, bits);
      falls = mul(falls, down, bits);
    }
    return mul(mul(total, s, bits), step, bits);
  }
  // Whether V + s φ(t) is beyond v.
  bool beyond(const Rational& t, const Rational& v) const {
    return Ball(v, kEdgeBits).surely_less(add(from_, reach(t), kEdgeBits));
  }
  // A bound of ∫ |integrand| over [V, V + s φ(t)].
  Ball before(const Rational& t) const {
    const Ball length = reach(t);
    return abs(mul(integrand_.at(Ball::hull(from_, add(from_, length, kEdgeBits), kEdgeBits), kEdgeBits),
                   length, kEdgeBits));
  }

 private:
  // s φ(t)
  Ball reach(const Rational& t) const {
    const Ball at(t, kEdgeBits);
    const Ball p = exp(sub(at, exp(neg(at), kEdgeBits), kEdgeBits), kEdgeBits);
    return mul(Ball(s_, kEdgeBits), map_.shape == MapShape::softplus ? log1p(p, kEdgeBits) : p, kEdgeBits);
  }
  static Ball exact(double x) { return {exactly(x, 40), kEdgeBits}; }

  const Integrand& integrand_;
  Ball from_;
  Map map_;
  Rational s_;
};

// Upper bounds over parts of the strip, each part halved until it is small enough.
class Cover {
 public:
  explicit Cover(const Strip& strip) : strip_(strip) {}

  // Σ width·sup |g| over pieces of [low, high] at the height y, none above `most`.
  std::optional<Ball> edge(const Rational& low, const Rational& high, const Ball& y, const Ball& most) {
    const ComplexBall g = strip_.on(between(low, high), y);
    if (g.is_finite()) {
      const Ball bound = mul(g.abs(kEdgeBits).upper(kEdgeBits), Ball(high - low, kEdgeBits), kEdgeBits);
      if (bound.surely_at_most(most)) return bound;
    }
    if (!more(high - low)) return std::nullopt;
    const Rational middle = (low + high) / Rational(2);
    const auto left = edge(low, middle, y, most);
    if (!left) return std::nullopt;
    const auto right = edge(middle, high, y, most);
    if (!right) return std::nullopt;
    return add(*left, *right, kEdgeBits);
  }
  // Whether |g| <= most on t + i[low, high].
  bool side(const Ball& t, const Rational& low, const Rational& high, const Ball& most) {
    const ComplexBall g = strip_.on(t, between(low, high));
    if (g.is_finite() && g.abs(kEdgeBits).surely_at_most(most)) return true;
    if (!more(high - low)) return false;
    const Rational middle = (low + high) / Rational(2);
    return side(t, low, middle, most) && side(t, middle, high, most);
  }
  // Whether g is analytic on a rectangle.
  bool analytic(const Rational& left, const Rational& right, const Rational& low, const Rational& high) {
    if (strip_.on(between(left, right), between(low, high)).is_finite()) return true;
    if (!more(std::max(right - left, high - low))) return false;
    if (right - left > high - low) {
      const Rational middle = (left + right) / Rational(2);
      return analytic(left, middle, low, high) && analytic(middle, right, low, high);
    }
    const Rational middle = (low + high) / Rational(2);
    return analytic(left, right, low, middle) && analytic(left, right, middle, high);
  }

 private:
  static Ball between(const Rational& low, const Rational& high) {
    return Ball::hull(Ball(low, kEdgeBits), Ball(high, kEdgeBits), kEdgeBits);
  }
  bool more(const Rational& width) { return ++boxes_ < kMaxBoxes && Rational(1, 2048) < width; }

  const Strip& strip_;
  int boxes_ = 0;
};

struct Plan {
  Map map{};
  double low = 0;  // of t
  double high = 0;
  double top = 0;  // log2 of the integral over the edge, about
  double step = 0;
  double nodes = kNone;
  int points = 0;  // of the edge, by which `top` was estimated
};

// From a few values of g, not proved.
std::optional<Plan> plan_for(const Strip& strip, const Map& map, double length, double log2_scale,
                             const DoubleExponentialAim& aim, int points) {
  const double nats = (static_cast<double>(aim.accuracy) + 8) * M_LN2;
  Plan plan{.map = map, .points = points};
  plan.low = -std::log(nats / std::cos(map.a) + 20);
  plan.high = inverse(map.shape, length / map.s);
  const double least = log2_scale - static_cast<double>(aim.accuracy) - 4;
  const auto negligible = [&](double y) { return strip.log2_at(plan.high, y) < least; };
  for (int tries = 0; !(negligible(map.a) && negligible(0) && negligible(map.a / 2)); ++tries) {
    if (tries == 12) return std::nullopt;
    plan.high += 0.5;
  }
  plan.top = strip.log2_edge(plan.low, plan.high, map.a, points);
  if (plan.top >= kNone) return std::nullopt;
  const double needed =
      static_cast<double>(aim.accuracy) + 8 + kEdgeSlack + std::max(0.0, plan.top - log2_scale);
  plan.step = 2 * M_PI * map.a / (needed * M_LN2);
  plan.nodes = (plan.high - plan.low) / plan.step;
  return plan;
}

std::vector<Plan> plans(const Integrand& integrand, const Ball& from, double length, double log2_scale,
                        const DoubleExponentialAim& aim) {
  std::vector<Plan> result;
  for (const MapShape shape : {MapShape::exponential, MapShape::softplus}) {
    for (int j = 0; j <= 12; ++j) {
      for (const double a : {1.375, 1.25, 1.0, 0.75, 0.5, 0.25}) {
        const Map map{shape, std::ldexp(length, -j), a};
        const auto plan = plan_for({integrand, from, map}, map, length, log2_scale, aim, kFewPoints);
        if (plan) result.push_back(*plan);
      }
    }
  }
  return result;
}

// T7 for a plan: the sum, with everything that it leaves out.
std::optional<Ball> by(const Plan& plan, const Strip& strip, const Rational& cut, const Ball& rest,
                       const DoubleExponentialAim& aim, double log2_scale) {
  const Rational h = exactly(plan.step, 50);
  const auto first = static_cast<std::int64_t>(std::floor(plan.low / plan.step));
  const auto last = static_cast<std::int64_t>(std::ceil(plan.high / plan.step));
  const Rational half(1, 2);
  const Rational left = (Rational(first) - half) * h;
  const Rational right = (Rational(last) + half) * h;
  const Rational a = exactly(plan.map.a, 40);
  Cover cover(strip);
  if (!strip.beyond(right, cut) || !cover.analytic(left, right, Rational(0), a)) return std::nullopt;
  const auto top = cover.edge(left, right, Ball(a, kEdgeBits), power_of_two(plan.top + kBoxSlack));
  const Ball small = power_of_two(log2_scale - static_cast<double>(aim.accuracy) - 2);
  if (!top || !cover.side(Ball(left, kEdgeBits), Rational(0), a, small) ||
      !cover.side(Ball(right, kEdgeBits), Rational(0), a, small))
    return std::nullopt;
  const Ball pi = Ball::pi(kEdgeBits);
  const Ball exponent = mul(mul(Ball(2), pi, kEdgeBits), Ball(a / h, kEdgeBits), kEdgeBits);
  const Ball along =
      div(mul(Ball(2), *top, kEdgeBits), sub(exp(exponent, kEdgeBits), Ball(1), kEdgeBits), kEdgeBits);
  // The two sides: (h log 2/π)·(sup + sup) <= small, as h < 1 and log 2/π < 1/4.
  const Ball error = add(add(along, small, kEdgeBits), add(strip.before(left), rest, kEdgeBits), kEdgeBits);
  if (!error.surely_less(power_of_two(log2_scale - static_cast<double>(aim.accuracy) + 3)))
    return std::nullopt;
  return strip.sum(first, last, h, aim.bits).widened(error);
}

}  // namespace

std::optional<Ball> double_exponential(const Integrand& integrand, const Ball& from, const Rational& cut,
                                       const Ball& rest, const DoubleExponentialAim& aim) {
  const double length = sub(Ball(cut, kEdgeBits), from, kEdgeBits).approximate();
  const double log2_scale = log2_modulus(ComplexBall(aim.scale));
  if (!aim.scale.surely_positive() || !(length > 0x1p-10 && length < 0x1p20) || std::abs(log2_scale) > 1e8)
    return std::nullopt;
  std::vector<Plan> left = plans(integrand, from, length, log2_scale, aim);
  while (!left.empty()) {
    const auto best = std::min_element(left.begin(), left.end(),
                                       [](const Plan& a, const Plan& b) { return a.nodes < b.nodes; });
    if (best->nodes > 16.0 * static_cast<double>(aim.accuracy)) break;
    const Strip strip(integrand, from, best->map);
    if (best->points == kFewPoints) {
      const auto closer = plan_for(strip, best->map, length, log2_scale, aim, kManyPoints);
      if (closer)
        *best = *closer;
      else
        left.erase(best);
      continue;
    }
    if (const auto found = by(*best, strip, cut, rest, aim, log2_scale)) return found;
    // what is too near to this strip is in a wider one
    const Map failed = best->map;
    std::erase_if(left, [&](const Plan& plan) {
      return plan.map.shape == failed.shape && plan.map.s == failed.s && plan.map.a >= failed.a;
    });
  }
  return std::nullopt;
}

}  // namespace gpe::checks
