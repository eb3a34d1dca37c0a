#include "checks/stack/dependence.h"

#include <algorithm>
#include <cassert>

namespace gpe::checks {

using theory::Rational;

std::optional<Rational> tokens_seen(const std::vector<Mixing>& layers) {
  Rational reach(0);  // distances that windows add up to
  std::int64_t chunk = 0;
  bool one_size = true;
  bool mixed = false;
  for (const Mixing& layer : layers) {
    if (layer.kind == Mixing::Kind::everything) return std::nullopt;
    assert(layer.keys >= 1);
    if (layer.kind == Mixing::Kind::window) {
      reach += Rational(layer.keys - 1);
      mixed = mixed || layer.keys > 1;
      continue;
    }
    one_size = one_size && (chunk == 0 || chunk == layer.keys);
    chunk = std::max(chunk, layer.keys);
  }
  if (chunk == 0) return reach + Rational(1);
  if (one_size && !mixed) return Rational(chunk);
  // From the last layer down: a window moves the first position that counts, a chunk moves it to its border,
  // from farthest away where the first chunk is entered at its last position.
  if (one_size) {
    const Rational size(chunk);
    Rational moved(0);  // from the last token to the first border, then from there
    std::optional<Rational> beyond_border;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
      const bool is_chunk = layer->kind == Mixing::Kind::chunk;
      if (beyond_border) {
        *beyond_border += is_chunk ? (-(-*beyond_border / size).floor()) * size - *beyond_border
                                   : Rational(layer->keys - 1);
      } else {
        moved += Rational(layer->keys - 1);
        if (is_chunk) beyond_border = Rational(0);
      }
    }
    return moved + *beyond_border + Rational(1);
  }
  for (const Mixing& layer : layers) {
    if (layer.kind == Mixing::Kind::chunk) reach += Rational(layer.keys - 1);
  }
  return reach + Rational(1);
}

MassBeyond mass_beyond(const std::vector<LayerWindow>& layers) {
  Rational distance(0);
  Rational inside(1);
  for (const LayerWindow& layer : layers) {
    distance += layer.distance;
    inside = inside * (Rational(1) - layer.epsilon);
  }
  return {distance, Rational(1) - inside};
}

}  // namespace gpe::checks
