// Random laws against the definition of gps: M(n) = f(n) W(n), and under a soft cap the gradient itself at a
// few q and k, evaluated at the first distances.
#include <algorithm>
#include <array>

#include "tests/generators/gradient.h"
#include "tests/in_time.h"
#include "tests/theory/findings.h"
#include "theory/score/gradient_matrix.h"

namespace gps_definition_test {

using gpe::checks::Ball;
using gpe::testing::oracle;
using gpe::theory::Expr;
using gpe::theory::Rational;
using gpe::theory::ScoreFunction;
using gpe::theory::Transform;

constexpr long kBits = 256;
constexpr std::int64_t kDistances = 60;  // every change that the generator knows of is seen by then
constexpr int kHeadDim = 4;
constexpr std::int64_t kLargeLength = 1000000;  // what mentions L is asked for all large L

Ball mul(const Ball& a, const Ball& b) { return gpe::checks::mul(a, b, kBits); }
Ball add(const Ball& a, const Ball& b) { return gpe::checks::add(a, b, kBits); }
Ball sub(const Ball& a, const Ball& b) { return gpe::checks::sub(a, b, kBits); }

// f(n) W(n), or W(n), as a matrix.
using Matrix = std::array<std::array<Ball, kHeadDim>, kHeadDim>;
using Vector = std::array<Ball, kHeadDim>;

Ball value(const ScoreFunction& law, const Expr& e, std::int64_t n, int j) {
  if (gpe::theory::mentions_cut_entropy(e)) {
    Ball z;
    Ball weighted;
    for (std::int64_t k = law.first; k <= n; ++k) {
      const Ball b = gpe::checks::evaluate(law.bias, {{"n", Ball(k)}}, kBits);
      z = add(z, gpe::checks::exp(b, kBits));
      weighted = add(weighted, mul(b, gpe::checks::exp(b, kBits)));
    }
    const Ball entropy = sub(gpe::checks::log(z, kBits), gpe::checks::div(weighted, z, kBits));
    const Expr open = rewrite(e, [](const Expr& part) {
      return part.as<gpe::theory::node::CutEntropy>() == nullptr ? part : Expr::symbol("H");
    });
    return gpe::checks::evaluate(open, {{"n", Ball(n)}, {"j", Ball(std::int64_t{j})}, {"H", entropy}}, kBits);
  }
  // numbers that are put in are folded exactly, so that floor(7/7) is 1
  const Expr at_n = substitute(substitute(e, "n", Expr(n)), "j", Expr(j));
  return gpe::checks::evaluate(substitute(at_n, "L", Expr(kLargeLength)), {}, kBits);
}

Matrix transform_at(const ScoreFunction& law, std::int64_t n) {
  Matrix w;
  for (int j = 0; j < kHeadDim / 2; ++j) {
    const auto x = static_cast<std::size_t>(2 * j);
    Ball plain(1);
    Ball cross;
    bool turns = true;
    if (law.transform == Transform::hyperbolic) {
      const Ball rate = mul(value(law, law.hyperbolic.rate, n, j), Ball(n));
      const Ball decay = mul(value(law, law.hyperbolic.decay, n, j), Ball(n));
      const Ball up = gpe::checks::exp(sub(rate, decay), kBits);
      const Ball down = gpe::checks::exp(sub(sub(Ball(), rate), decay), kBits);
      const Ball half(Rational(1, 2), kBits);
      plain = mul(half, add(up, down));
      cross = mul(half, sub(up, down));
      turns = false;
    } else if (law.transform != Transform::identity) {
      const Expr angle = law.rotation.angle;
      const Ball theta = value(law, angle, n, j);
      plain = gpe::checks::cos(theta, kBits);
      cross = gpe::checks::sin(theta, kBits);
      if (law.transform == Transform::scaled_rotation) {
        const Ball scale = value(law, law.rotation.scale, n, j);
        plain = mul(plain, scale);
        cross = mul(cross, scale);
      }
    }
    w[x][x] = plain;
    w[x + 1][x + 1] = plain;
    w[x][x + 1] = cross;
    w[x + 1][x] = turns ? sub(Ball(), cross) : cross;
  }
  return w;
}

Vector times(const Matrix& m, const Vector& k) {
  Vector result;
  for (std::size_t i = 0; i < kHeadDim; ++i) {
    for (std::size_t j = 0; j < kHeadDim; ++j) result[i] = add(result[i], mul(m[i][j], k[j]));
  }
  return result;
}

Ball dot(const Vector& a, const Vector& b) {
  Ball result;
  for (std::size_t i = 0; i < kHeadDim; ++i) result = add(result, mul(a[i], b[i]));
  return result;
}

Vector vector_of(const std::vector<Rational>& numbers) {
  Vector result;
  for (std::size_t i = 0; i < kHeadDim; ++i) result[i] = Ball(numbers[i], kBits);
  return result;
}

// The gradient ∂A/∂q √d at q and k.
Vector gradient(const ScoreFunction& law, const Ball& gain, const Matrix& w, const Vector& q,
                const Vector& k) {
  Vector result = times(w, k);
  Ball factor = gain;
  if (law.softcap) {  // sech²(y) = 4/(e^y + e^-y)²
    const Ball x = gpe::checks::div(dot(q, result), mul(Ball(2), value(law, *law.softcap, 0, 0)), kBits);
    const Ball cosh = add(gpe::checks::exp(x, kBits), gpe::checks::exp(sub(Ball(), x), kBits));
    factor = mul(factor, gpe::checks::div(Ball(4), mul(cosh, cosh), kBits));
  }
  for (Ball& entry : result) entry = mul(entry, factor);
  return result;
}

bool differ(const Ball& a, const Ball& b) { return !a.overlaps(b); }

struct Seen {
  bool defined = true;
  bool vector = false;
  bool norm = false;
  bool line = true;  // M(n) is a multiple of one matrix
};

Seen look(const ScoreFunction& law, std::int64_t last) {
  const std::vector<Vector> queries = {vector_of({0, 0, 0, 0}), vector_of({{3, 7}, {-2, 5}, {1, 3}, {1, 2}}),
                                       vector_of({{1, 5}, {4, 3}, {-1, 7}, {2, 9}})};
  const std::vector<Vector> keys = {vector_of({{2, 3}, {1, 7}, {-3, 4}, {5, 6}}),
                                    vector_of({1, {-1, 3}, {1, 4}, {1, 9}}), vector_of({0, 0, 1, 2})};
  Seen seen;
  std::vector<Vector> first;
  std::optional<Matrix> reference;
  for (std::int64_t n = law.first; n <= last; ++n) {
    const Ball gain = value(law, law.gain, n, 0);
    const Matrix w = transform_at(law, n);
    Matrix m = w;
    bool zero = true;
    for (auto& row : m) {
      for (Ball& entry : row) {
        entry = mul(entry, gain);
        seen.defined = seen.defined && entry.is_finite();
        zero = zero && entry.may_be_zero();
      }
    }
    if (!reference && !zero) reference = m;
    std::size_t at = 0;
    for (const Vector& q : queries) {
      for (const Vector& k : keys) {
        const Vector g = gradient(law, gain, w, q, k);
        if (n == law.first) {
          first.push_back(g);
          continue;
        }
        for (std::size_t i = 0; i < kHeadDim; ++i) seen.vector = seen.vector || differ(g[i], first[at][i]);
        seen.norm = seen.norm || differ(dot(g, g), dot(first[at], first[at]));
        ++at;
      }
    }
    if (!reference) continue;
    const auto flat = [](const Matrix& x, std::size_t i) { return x[i / kHeadDim][i % kHeadDim]; };
    for (std::size_t i = 0; i < kHeadDim * kHeadDim; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (differ(mul(flat(m, i), flat(*reference, j)), mul(flat(m, j), flat(*reference, i))))
          seen.line = false;
      }
    }
  }
  return seen;
}

// What the engine says, against what is seen. Nothing seen at 60 distances is nothing there, for these laws.
RC_GTEST_PROP(GpsDefinition, random_laws_are_decided_as_their_gradients_are_seen, ()) {
  const std::string text = *gpe::testing::any_gradient_text();
  RC_LOG() << text << "\n";
  const auto encoding = gpe::theory::parse_encoding(text, "random", {});
  gpe::theory::Setting setting;
  setting.head_dim = kHeadDim;
  const ScoreFunction open = gpe::theory::instantiate(encoding, setting, {}, oracle());
  const ScoreFunction law = at_values(open);
  const Seen seen = look(law, std::min(law.first + kDistances, law.last().value_or(law.first + kDistances)));
  if (!seen.defined) RC_DISCARD("undefined");
  const gpe::theory::Context context = gpe::testing::in_time(std::chrono::seconds(2));
  int undecided = 0;
  for (const auto& [key, truth] : {std::pair("gps/vector", seen.vector), std::pair("gps/norm", seen.norm),
                                   std::pair("gps/scalar", seen.vector && seen.line)}) {
    const auto found = find(gpe::testing::reading_called(key), law, Rational(1), context);
    undecided += found.verdict == gpe::theory::Verdict::undecided ? 1 : 0;
    RC_LOG() << key << " " << name_of(found.verdict) << ": " << found.reason << "; seen: " << truth << "\n";
    RC_ASSERT(found.verdict != (truth ? gpe::theory::Verdict::fails : gpe::theory::Verdict::holds));
  }
  RC_TAG(std::string(undecided == 0 ? "decided" : "undecided in part") + (law.softcap ? ", capped: " : ": ") +
         (seen.vector ? "vector " : "") + (seen.norm ? "norm " : "") +
         (seen.vector && seen.line ? "scalar" : ""));
}

}  // namespace gps_definition_test
