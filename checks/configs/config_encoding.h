// A Hugging Face config.json as encodings: one for each kind of layers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checks/configs/json_config.h"
#include "theory/score/encoding.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

struct ConfigEncoding {
  std::string name;         ///< model_type, with the kind of layers where there are several
  std::string toml;         ///< the encoding file
  std::vector<int> layers;  ///< that have it, from 1
  int all_layers = 0;
  int heads = 0;
  int key_heads = 0;  ///< fewer than heads: they share keys and values
  int head_dim = 0;
  /// B where queries and keys are normed with weights 1, as an expression; empty where they are not normed.
  std::string content_bound;
  /// Why its scores may not be a function of the distance, and where they are one; empty: they are one.
  std::string caveat;
  std::string kept;  ///< which of the keys it attends to, where neither window nor chunk says it; empty: all
  int turned = 0;    ///< coordinates of a head that turn, in pairs among themselves
  bool turned_last = false;   ///< they are the last ones of a head, not the first
  bool by_head = false;       ///< heads differ
  bool learned_bias = false;  ///< its values are not in the config, and 0 here
  bool chunked = false;       ///< the window is a chunk, and chunks have common borders in all layers
  bool mixes_beside =
      false;                ///< its layers mix tokens beside their attention, by convolutions or recurrences
  std::int64_t cached = 0;  ///< numbers that a cache keeps for a token in one of its layers
  std::vector<int> cached_layers;  ///< its layers that keep them; others read those of an earlier layer

  theory::Encoding parsed() const;
  /// What check-properties reports on: each head where they differ, the first one where they do not.
  std::vector<theory::Setting> settings(int only_head = 0) const;
};

/// Whether an ENCODING of the command line is one: a path that ends in .json or .gguf, a file of arguments,
/// or a folder with a config.json.
bool is_config(const std::string& what);

/// rope parameters of every type, ALiBi, buckets, windows by layer, soft caps, sinks, scales and
/// temperatures, as transformers' code reads them (docs/configs.md), with the defaults of its classes. Where
/// `text_config` is an object, that one is read.
/// @throws theory::SpecError  key, value and what was expected, also for what is not a function of a distance
std::vector<ConfigEncoding> encodings_of_config(const JsonConfig& config);

/// "1-3, 5-7"; of more than `most` ranges the first three and the last one.
std::string ranges_of(const std::vector<int>& layers, std::size_t most = 6);
/// The context that the config states, max_position_embeddings or what its family calls it; 0 where it does
/// not.
std::int64_t context_of_config(const JsonConfig& config);

/// {"schema": 1, "encodings": [{name, layers, heads, head_dim, …, toml}]}
std::string config_encodings_json(const std::vector<ConfigEncoding>& encodings);
/// The TOML files, one after another, each under a comment with its name and layers.
std::string config_encodings_text(const std::vector<ConfigEncoding>& encodings);

}  // namespace gpe::checks
