// The head of a GGUF file: its keys and values, and the names of its tensors.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace gpe::checks {

struct GgufHead {
  std::shared_ptr<const nlohmann::json>
      values;  ///< by key: numbers, texts, flags, lists of numbers up to 1024
  std::set<std::string> tensors;
};

/// @throws theory::SpecError  no GGUF file of version 2 or 3, or one that ends too early or states what
/// cannot be
GgufHead read_gguf_head(const std::filesystem::path& file);

}  // namespace gpe::checks
