// RapidCheck generators for tests of encodings and of kernels: distances, vectors and scores, biased to where
// implementations go wrong. Tests: tests/checks/testing/testing_test.cpp
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "checks/arb/expr_ball.h"
#include "theory/exact/context.h"
#include "theory/score/score_function.h"

namespace gpe::testing {

/// A distance that the law has, at most `most`: the first ones, the last one of a window, powers of two with
/// their neighbours, and anything in between.
inline rc::Gen<std::int64_t> any_distance(const theory::ScoreFunction& law, std::int64_t most) {
  const std::int64_t first = law.first;
  const std::int64_t last = std::min(most, law.last().value_or(most));
  std::vector<std::int64_t> corners = {first, std::min(first + 1, last), last, std::max(last - 1, first)};
  for (std::int64_t power = 2; power <= last + 1; power *= 2) {
    for (const std::int64_t n : {power - 1, power, power + 1}) {
      if (first <= n && n <= last) corners.push_back(n);
    }
  }
  return rc::gen::weightedOneOf<std::int64_t>(
      {{1, rc::gen::elementOf(corners)}, {1, rc::gen::inRange<std::int64_t>(first, last + 1)}});
}

/// A vector of `size` numbers that float32 holds: all equal, all but one zero, alternating, small and large
/// ones mixed, or anything in [-1, 1]; each times a size from 2^-6 to 2^6.
inline rc::Gen<std::vector<double>> any_vector(std::size_t size) {
  return rc::gen::exec([size] {
    const double scale = std::ldexp(1.0, *rc::gen::inRange(-6, 7));
    const int kind = *rc::gen::inRange(0, 5);
    std::vector<double> result(size, kind == 0 ? 1.0 : 0.0);
    if (kind == 1) result[*rc::gen::inRange<std::size_t>(0, size)] = 1;
    for (std::size_t i = 0; i < size && kind > 1; ++i) {
      if (kind == 2) {
        result[i] = i % 2 == 0 ? 1 : -1;
      } else {
        const double part = *rc::gen::inRange(-1024, 1025) / 1024.0;
        result[i] = kind == 3 && i % 3 == 0 ? std::ldexp(part, -12) : part;
      }
    }
    for (double& entry : result) entry *= scale;
    return result;
  });
}

/// Scores of a row of 1 to `most` tokens, as softmax meets them: all equal, one far above, a steep slope, a
/// common offset of ±10^4, far below zero, or anything in [-8, 8].
inline rc::Gen<std::vector<double>> any_scores(std::size_t most) {
  return rc::gen::exec([most] {
    std::vector<double> result(*rc::gen::inRange<std::size_t>(1, most + 1), 0.0);
    const int kind = *rc::gen::inRange(0, 6);
    const double slope = *rc::gen::inRange(1, 64) / 16.0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (kind == 1) result[i] = -slope * static_cast<double>(i);
      if (kind > 1) result[i] = *rc::gen::inRange(-2048, 2049) / 256.0;
      if (kind == 4) result[i] -= 700;
    }
    if (kind == 2) result[*rc::gen::inRange<std::size_t>(0, result.size())] += 80;
    if (kind == 3) {
      const double offset = *rc::gen::element(-1e4, 1e4);
      for (double& score : result) score += offset;
    }
    return result;
  });
}

/// Contents c(n) with |c(n)| <= bound at `count` distances: one end everywhere, both ends in turn, the far
/// ones high and the near ones low, or anything between.
inline rc::Gen<std::vector<double>> any_contents(std::size_t count, double bound) {
  return rc::gen::exec([count, bound] {
    const int kind = *rc::gen::inRange(0, 4);
    const std::size_t split = *rc::gen::inRange<std::size_t>(0, count + 1);
    std::vector<double> result(count);
    const auto part = [&](std::size_t i) {
      if (kind == 0) return 1.0;
      if (kind == 1) return i % 2 == 0 ? 1.0 : -1.0;
      if (kind == 2) return i < split ? -1.0 : 1.0;
      return *rc::gen::inRange(-1024, 1025) / 1024.0;
    };
    for (std::size_t i = 0; i < count; ++i) result[i] = part(i) * bound;
    return result;
  });
}

/// Values of the parameters of an encoding, inside their domains: the defaults of some, and for the others
/// corners and small fractions. For theory::instantiate.
inline rc::Gen<std::vector<theory::Override>> any_parameters(const theory::Encoding& encoding,
                                                             const theory::Setting& setting) {
  return rc::gen::exec([encoding, setting] {
    const checks::BallOracle oracle;
    std::vector<theory::Override> result;
    for (const theory::Parameter& parameter : encoding.parameters) {
      if (*rc::gen::inRange(0, 3) == 0) continue;
      for (int attempt = 0; attempt < 8; ++attempt) {
        const theory::Rational value = *rc::gen::apply(
            [](int p, int q, int e) { return theory::Rational(p, q) * theory::Rational(2).pow(e); },
            rc::gen::inRange(0, 9), rc::gen::inRange(1, 5), rc::gen::inRange(-8, 9));
        std::vector<theory::Override> tried = result;
        tried.push_back({parameter.name, theory::Expr(value)});
        try {
          theory::instantiate(encoding, setting, tried, oracle);
          result = std::move(tried);
          break;
        } catch (const std::exception&) {
          continue;  // outside its domain
        }
      }
    }
    return result;
  });
}

}  // namespace gpe::testing
