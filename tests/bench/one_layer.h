// The encoding, shape and inputs that the benches of attention measure: one sequence, one layer, all heads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "checks/arb/expr_ball.h"
#include "model/attention/attention.h"
#include "model/position/score_cache.h"
#include "tests/bench/measured.h"

namespace gpe::bench {

struct OneLayer {
  OneLayer(const std::string& encoding, std::int64_t tokens, int heads, int head_dim)
      : files(model::read_encoding_files(encoding)),
        positions(files, {.layers = 1, .heads = heads, .head_dim = head_dim, .learned = {}}, oracle),
        shape{.batch = 1, .heads = heads, .queries = tokens, .keys = tokens, .head_dim = head_dim} {}

  /// Of queries, keys, values or outputs, [head][token][coordinate].
  std::size_t size() const { return static_cast<std::size_t>(shape.heads * shape.queries * shape.head_dim); }
  template <class Element>
  model::Strided<Element> tensor(Element* data) const {
    return {data, shape.heads * shape.queries * shape.head_dim, shape.queries * shape.head_dim,
            shape.head_dim};
  }

  checks::BallOracle oracle;
  model::EncodingFiles files;
  model::Positions positions;
  model::AttentionShape shape;
};

/// The columns of all heads, made anew: a part of what is measured.
struct FreshScores {
  explicit FreshScores(const OneLayer& layer) : cache(layer.positions) {
    for (const auto& head : cache.at({}, {}, layer.shape.keys).front()) heads.push_back(head.get());
  }
  model::ScoreCache<float> cache;
  std::vector<const model::HeadScores<float>*> heads;
};

}  // namespace gpe::bench
