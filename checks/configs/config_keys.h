// Keys of a config.json that its class does not read, or that change nothing.
#pragma once

#include <string>
#include <vector>

#include "checks/configs/json_config.h"

namespace gpe::checks {

/// A key that the config states in vain: misspelled, or one that other engines read.
struct MistakenKey {
  std::string key;  ///< with the objects around it, as "rope_scaling.attn_factor"
  std::string
      why;  ///< the key that was meant and what is used instead, or the engines and what they do with it
};
/// "key 'KEY' is not read…", as a sentence about the file.
std::string sentence_of(const MistakenKey& mistaken);

/// @throws theory::SpecError  as encodings_of_config
std::vector<MistakenKey> mistaken_keys(const JsonConfig& config);

/// And the other keys, as the text decoder has them: those that the config states and that change nothing
/// when they are left out, and those about positions and attention, or inside rope parameters, that are never
/// looked at.
struct IdleKeys {
  std::vector<MistakenKey> mistaken;
  std::vector<std::string> change_nothing;
  std::vector<std::string> unread;
};
IdleKeys idle_keys(const JsonConfig& config);

}  // namespace gpe::checks
