// A transformer small enough for double precision and differences, for tests.
#pragma once

#include <filesystem>
#include <string>

#include "model/training/checkpoint.h"
#include "tests/oracle.h"

namespace gpe::tests {

using gpe::testing::oracle;

inline std::string library(const std::string& name) {
  std::filesystem::path file = GPE_SOURCE_DIR;
  file = file / "theory" / "encodings" / name;
  file += ".toml";
  return file.string();
}

inline constexpr std::int64_t kSmallVocabulary = 11;

inline model::TsmConfig small(const std::string& encoding, const std::string& dtype = "float64") {
  model::TsmConfig config;
  config.model = {.layers = 2,
                  .heads = 2,
                  .width = 8,
                  .vocabulary = kSmallVocabulary,
                  .vocabulary_padded = 13,
                  .position_table = 0,
                  .bias = false};
  config.position.encoding = library(encoding);
  config.training.context = 10;
  config.training.dtype = dtype;
  return config;
}

/// Matrices `factor` times as large: away from the beginning, where scores are nearly equal.
inline void stretch(const model::Transformer& transformer, double factor) {
  const at::NoGradGuard no_gradients;
  for (const model::NamedTensor& weight : transformer.weights())
    weight.tensor.mul_(weight.tensor.dim() == 2 ? factor : 1);
}

inline at::Tensor some_tokens(std::int64_t rows, std::int64_t columns, std::int64_t factor) {
  return (at::arange(rows * columns, at::kLong) * factor).remainder(kSmallVocabulary).view({rows, columns});
}

}  // namespace gpe::tests
