// The head of a GGUF file: its keys and values, the names of its tensors, and factors of frequencies.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace gpe::checks {

struct GgufHead {
  std::shared_ptr<const nlohmann::json> values;  ///< by key: numbers, texts, flags, and "a list" for a list
  std::set<std::string> tensors;
  /// Of rope_freqs.weight, one for each block of two coordinates; empty where there is no such tensor.
  std::vector<float> rope_factors;
};

/// @throws theory::SpecError  no GGUF file of version 2 or 3, or one that ends too early or states what
/// cannot be
GgufHead read_gguf_head(const std::filesystem::path& file);

}  // namespace gpe::checks
