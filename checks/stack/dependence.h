// Which tokens the last output of a stack of layers can depend on: theorem S1, and the mass of S2
// (docs/theorems.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "theory/source/rational.h"

namespace gpe::checks {

/// What the output of a layer at one position reads: the last `keys` positions, its own among them, or those
/// of its own chunk of so many. Everything else in the layer acts position by position.
struct Mixing {
  enum class Kind { window, chunk, everything };
  Kind kind = Kind::everything;
  std::int64_t keys = 0;  ///< at least 1, but for `everything`
};

/// The most tokens, over all positions, that the last output can depend on: 1 + Σ(W - 1) for windows, the
/// chunk for chunks with common borders; of both mixed the bound of S1. Nothing when a layer reads
/// everything.
/// @param layers  from the first to the last
std::optional<theory::Rational> tokens_seen(const std::vector<Mixing>& layers);

/// What a product of attention matrices puts at most beyond the sum of their windows.
struct MassBeyond {
  theory::Rational distance;  ///< Σ W
  theory::Rational mass;      ///< 1 - Π(1 - ε)
};
/// A window of a layer: at most `epsilon` of each of its rows lies beyond this distance.
struct LayerWindow {
  theory::Rational distance;
  theory::Rational epsilon;
};
MassBeyond mass_beyond(const std::vector<LayerWindow>& layers);

}  // namespace gpe::checks
