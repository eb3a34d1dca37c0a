// How far apart two rotations are that pair coordinates differently: the largest singular value of W(n) -
// W'(n).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "checks/arb/ball.h"
#include "checks/configs/config_encoding.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// What multiplies the content of each block, and how far it turns per token. Angles of config.json files are
/// frequencies times n.
struct Blocks {
  std::vector<Ball> factors;
  std::vector<Ball> frequencies;
  std::optional<Ball> cap;  // of the content with its factor: f s tanh(c/s) = (f s) tanh(f c/(f s))

  /// The largest factor.
  Ball norm(long bits) const;
};

/// The two coordinates of each block.
using Pairing = std::vector<std::pair<std::size_t, std::size_t>>;
Pairing pairing_of(const ConfigEncoding& encoding, const theory::ScoreFunction& law);

/// A lower bound: |(W(n) - W'(n)) v|/|v| for a v near the first singular vector. W - W' splits into blocks of
/// the coordinates that the two pairings join (4 x 4 for a part of a head against the whole).
Ball singular_value_at_least(const Blocks& a, const Pairing& first, const Blocks& b, const Pairing& second,
                             std::int64_t n, long bits);

}  // namespace gpe::checks
