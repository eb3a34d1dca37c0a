#include "model/data/llama_pipeline.h"
// Tests: tests/model/data/tokenizer_test.cpp
#include <nlohmann/json.hpp>

namespace gpe::model {

using nlohmann::json;

namespace {

json replace(std::string_view from, std::string_view to) {
  return {{"type", "Replace"}, {"pattern", {{"String", from}}}, {"content", to}};
}

}  // namespace

json llama_normalizer() {
  const json before = {{"type", "Prepend"}, {"prepend", kLlamaSpace}};
  return {{"type", "Sequence"}, {"normalizers", json::array({before, replace(" ", kLlamaSpace)})}};
}

json llama_decoder() {
  const json strip = {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}};
  return {{"type", "Sequence"},
          {"decoders",
           json::array({replace(kLlamaSpace, " "), {{"type", "ByteFallback"}}, {{"type", "Fuse"}}, strip})}};
}

}  // namespace gpe::model
