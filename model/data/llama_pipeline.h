// What a tokenizer.json of Llama's kind says of the way from text to its pieces and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace gpe::model {

inline constexpr std::string_view kLlamaSpace = "\u2581";  ///< is written for a space

/// One space before the text, and kLlamaSpace for each.
nlohmann::json llama_normalizer();
/// The inverse; tokens of bytes become characters.
nlohmann::json llama_decoder();

}  // namespace gpe::model
