// Text from a model, token by token, with the keys and values of what it has read; all of them, or as many as
// are proved to matter.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/data/tokenizer.h"
#include "model/evaluation/bounded_reader.h"

namespace gpe::model {

struct SampleOptions {
  std::int64_t tokens = 200;
  double temperature = 0.8;     ///< 0: always the likeliest
  std::int64_t top_k = 50;      ///< only among these many; 0: all
  std::int64_t vocabulary = 0;  ///< only tokens below this number; 0: all that the model has
  std::uint64_t seed = 1;
  std::optional<Token> end;  ///< stops after it
};

/// The token of a drawing: the first `vocabulary` logits are those of tokens. A function of the logits, the
/// options and the index alone.
Token draw(const at::Tensor& logits, std::int64_t vocabulary, const SampleOptions& options,
           std::uint64_t index);

struct SampleStep {
  Token token = 0;
  std::optional<double> logits_difference;  ///< largest, between all keys kept and those of the bounded cache
};

/// @param prompt   at least one token
/// @param bounded  the same model with few keys, from whose logits the tokens are then drawn; or nullptr
void sample(Transformer& model, BoundedReader* bounded, const std::vector<Token>& prompt,
            const SampleOptions& options, const std::function<void(const SampleStep&)>& next);

}  // namespace gpe::model
