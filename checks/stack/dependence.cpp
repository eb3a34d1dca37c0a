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
  // From the last layer down: a window moves the first position that counts, a chunk moves it to its border.
  // Positions modulo the chunk decide, and each is tried.
  if (one_size) {
    Rational most(0);
    for (std::int64_t last = 0; last < chunk; ++last) {
      Rational first(last);
      for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        if (layer->kind == Mixing::Kind::window)
          first -= Rational(layer->keys - 1);
        else
          first = (first / Rational(chunk)).floor() * Rational(chunk);
      }
      most = std::max(most, Rational(last) - first + Rational(1));
    }
    return most;
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
