// What a picture of an encoding needs: the score, its range over contents, weights and sums, at some
// distances.
#pragma once

#include <optional>
#include <vector>

#include "checks/cli/command_line.h"
#include "checks/content/growth_error.h"

namespace gpe::checks {

/// One distance n of a context of L + 1 tokens, L being the last one's distance from the first.
struct CurvePoint {
  theory::Rational n;           ///< the smallest distance and n - first more
  std::optional<Ball> score;    ///< A(n) without content; nothing beyond a window, or where it is undecided
  std::vector<Ball> low, high;  ///< least and greatest A(n) for |c(n)| <= B w(n), for each content bound
  std::optional<Ball> weight;   ///< e^A(n)/Z_L
  std::optional<Ball> mass;     ///< of the distances up to n: Z_n/Z_L
  std::optional<Ball> z, entropy;          ///< Z_n and H_n, of n - first + 1 tokens
  std::optional<Ball> z_law, entropy_law;  ///< their growth laws there
};

struct CurveQuestion {
  int points = 0;
  theory::Rational length;  ///< L
  std::vector<theory::Rational> content_bounds;
};

inline constexpr int kCurveDigits = 8;  ///< of every number of a point

/// At most `points` distances, close together near the first one. Past the time of one question the points
/// that are left have no sums.
/// @param law  with its parameters' values in; @param growth  without content, like all sums here
std::vector<CurvePoint> curves_of(const theory::ScoreFunction& law, const GrowthLaw& growth,
                                  const CurveQuestion& asked, const theory::Context& context);

}  // namespace gpe::checks
