#include "theory/asymptotics/wave_maximum.h"

#include <algorithm>

#include "theory/exact/attempt.h"
#include "theory/exact/product_to_sum.h"

namespace gpe::theory {

namespace {

using Harmonics = std::vector<Harmonic>;

constexpr std::int64_t kMaxValues = 20000;
constexpr std::int64_t kMaxTurns = 256;
constexpr int kBits = 128;

Rational product(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

// Σ b_k cos(kθ), k <= 3, is a cubic of x = cos θ: its largest value on [-1, 1].
Form largest_of_cubic(const std::vector<Form>& b, const Context& context) {
  const std::vector<Form> p = {-b[2], b[1] - Form(3) * b[3], Form(2) * b[2], Form(4) * b[3]};
  std::vector<Form> turning;
  if (b[3].is_zero()) {
    turning.push_back(-p[1] * context.pow(Form(2) * p[2], Rational(-1)));
  } else {
    const Form discriminant = p[2] * p[2] - Form(3) * p[1] * p[3];
    if (context.sign(discriminant) >= 0) {
      const Form root = context.pow(discriminant, Rational(1, 2));
      const Form scale = context.pow(Form(3) * p[3], Rational(-1));
      turning = {(-p[2] + root) * scale, (-p[2] - root) * scale};
    }
  }
  const auto value = [&](const Form& x) { return p[0] + x * (p[1] + x * (p[2] + x * p[3])); };
  Form best = value(Form(1));
  const auto include = [&](const Form& x) {
    if (context.compare(value(x), best) > 0) best = value(x);
  };
  include(Form(-1));
  for (const Form& x : turning) {
    if (context.compare(x, Form(1)) < 0 && context.compare(x, Form(-1)) > 0) include(x);
  }
  return best;
}

// Where the waves of θ, 2θ and 3θ have one axis α: that of θ, or 0. They are Σ b_k cos(k(θ - α)) then.
std::optional<Form> on_one_axis(const Harmonics& waves, const Context& context) {
  if (waves.front().k.size() != 1) return std::nullopt;
  Form c(1);
  Form s;
  for (const Harmonic& wave : waves) {
    if (!wave.k.front().is_one()) continue;
    const Form scale = context.pow(amplitude(wave.cosine, wave.sine, context), Rational(-1));
    c = wave.cosine * scale;
    s = wave.sine * scale;
  }
  std::vector<Form> b(4);
  for (const Harmonic& wave : waves) {
    const auto k = wave.k.front().to_int64();
    if (!k || *k < 1 || *k > 3) return std::nullopt;
    // (cosine + i sine)·(c - i s)^k
    Form real = wave.cosine;
    Form imaginary = wave.sine;
    for (int i = 0; i < *k; ++i) {
      const Form turned = real * c + imaginary * s;
      imaginary = product_to_sum(imaginary * c - real * s);
      real = product_to_sum(turned);
    }
    if (!context.is_zero(imaginary)) return std::nullopt;
    b[static_cast<std::size_t>(*k)] = real;
  }
  return largest_of_cubic(b, context);
}

// Whether Σ waves is `most` somewhere, at quarter turns of the first r waves.
bool attains(const Harmonics& waves, const Form& most) {
  const std::size_t r = waves.front().k.size();
  std::vector<std::int64_t> turns;
  std::int64_t all = 1;
  for (std::size_t j = 0; j < r; ++j) {
    const auto k = waves[j].k[j].abs().to_int64();
    if (!k || *k > kMaxTurns || (all *= 4 * *k) > kMaxTurns) return false;
    turns.push_back(4 * *k);
  }
  for (std::int64_t i = 0; i < all; ++i) {
    std::vector<Rational> theta;  // in units of π
    std::int64_t rest = i;
    for (const std::int64_t turn : turns) {
      theta.emplace_back(2 * (rest % turn), turn);
      rest /= turn;
    }
    Form value;
    for (const Harmonic& wave : waves) {
      const Form angle = Form(product(wave.k, theta)) * Form::power(Kernel::pi());
      value = value + wave.cosine * cos(angle) + wave.sine * sin(angle);
    }
    if (value == most) return true;
  }
  return false;
}

// Branch and bound. The gradient is 0 at a maximum θ*, so Σ waves(θ) >= maximum - Σ |a|(k·(θ - θ*))²/2. Boxes
// cover [-22/7, 22/7]^r, a period; one that may hold θ* is divided, until the bounds are near, or the boxes
// too many.
struct Search {
  struct Wave {
    std::vector<Rational> k;
    Rational cosine, sine;
    Rational steepness;  // |a|·(Σ |k_j|)²/2 or more
  };
  const Context& context;
  std::vector<Wave> waves;
  Rational lost;  // at most this, by amplitudes that are rounded
  Rational size;  // Σ|a| or more

  // The middle of an enclosure, narrow enough to be taken for the number.
  std::optional<Rational> rounded(const Form& number) {
    const auto found = context.enclose(number, kBits);
    if (!found) return std::nullopt;
    lost += found->high - found->low;
    return (found->low + found->high) * Rational(1, 2);
  }

  bool read(const Harmonics& harmonics) {
    for (const Harmonic& wave : harmonics) {
      const auto cosine = rounded(wave.cosine);
      const auto sine = rounded(wave.sine);
      const auto most = context.enclose(amplitude(wave.cosine, wave.sine, context), kBits);
      if (!cosine || !sine || !most) return false;
      Rational steps;
      for (const Rational& k : wave.k) steps += k.abs();
      waves.push_back({wave.k, *cosine, *sine, (most->high + lost) * steps * steps * Rational(1, 2)});
      size += most->high + lost;
    }
    return true;
  }

  std::optional<RationalInterval> at(const std::vector<Rational>& theta) const {
    Form value;
    for (const Wave& wave : waves) {
      const Form angle(product(wave.k, theta));
      value = value + Form(wave.cosine) * cos(angle) + Form(wave.sine) * sin(angle);
    }
    return context.enclose(value, kBits);
  }

  std::optional<MaximumBounds> run(std::size_t r) {
    Rational unit(1);
    while (unit * Rational(10).pow(10) > size) unit /= Rational(10);
    Rational half(22, 7);
    Rational low = -size;
    Rational high = size;
    std::vector<std::vector<Rational>> boxes = {std::vector<Rational>(r)};
    std::int64_t values = 0;
    while (true) {
      Rational slack;
      for (const Wave& wave : waves) slack += wave.steepness * half * half;
      std::vector<Rational> most;
      for (const auto& box : boxes) {
        const auto value = at(box);
        if (!value) return std::nullopt;
        low = std::max(low, value->low);
        most.push_back(value->high + slack);
      }
      high = std::min(high, *std::ranges::max_element(most));
      values += static_cast<std::int64_t>(boxes.size());
      if (high - low <= unit || r > 12) break;
      half *= Rational(1, 2);
      std::vector<std::vector<Rational>> parts;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (most[i] < low) continue;
        for (std::size_t corner = 0; corner < std::size_t{1} << r; ++corner) {
          parts.push_back(boxes[i]);
          for (std::size_t j = 0; j < r; ++j) parts.back()[j] += (corner >> j) % 2 == 0 ? half : -half;
        }
        if (values + static_cast<std::int64_t>(parts.size()) > kMaxValues) return between(low, high, unit);
      }
      boxes = std::move(parts);
    }
    return between(low, high, unit);
  }

  MaximumBounds between(const Rational& low, const Rational& high, const Rational& unit) const {
    return {Form(((low - lost) / unit).floor() * unit), Form(((high + lost) / unit).ceil() * unit)};
  }
};

}  // namespace

Form amplitude(const Form& cosine, const Form& sine, const Context& context) {
  const auto size = [&](const Form& form) { return context.sign(form) < 0 ? -form : form; };
  if (sine.is_zero()) return size(cosine);
  if (cosine.is_zero()) return size(sine);
  return context.pow(product_to_sum(cosine * cosine + sine * sine), Rational(1, 2));
}

std::optional<MaximumBounds> maximum(const Harmonics& waves, const Context& context) {
  Form most;
  for (const Harmonic& wave : waves) {
    most = most + amplitude(wave.cosine, wave.sine, context);
    if (waves.size() > 1 && (wave.cosine.has_symbols() || wave.sine.has_symbols())) return std::nullopt;
  }
  if (waves.size() == 1 || attains(waves, most)) return MaximumBounds{most, most};
  const auto exact = attempt_in_time([&] { return on_one_axis(waves, context); });
  if (exact && *exact) return MaximumBounds{**exact, **exact};
  Search search{context, {}, {}, {}};
  if (!search.read(waves)) return std::nullopt;
  return search.run(waves.front().k.size());
}

}  // namespace gpe::theory
