// The rotation that a config.json asks for: frequencies of every rope_type, and the factors that come with
// them.
#pragma once

#include "checks/configs/config_family.h"
#include "checks/configs/encoding_text.h"

namespace gpe::checks {

/// Adds angle, scale, parameters and tables of one kind of layers, and the factors of the gain that the
/// rotation brings: the frequencies and the attention factor of ROPE_INIT_FUNCTIONS in transformers'
/// modeling_rope_utils.py. What does not turn, or not with that factor, is a case of j.
/// @param head_dim  coordinates of a head
/// @throws theory::SpecError  a rope_type that is not known, a key that is missing or out of place
void add_rotation(EncodingText& text, const JsonConfig& config, const ModelFamily& family,
                  const LayerKind& kind);

}  // namespace gpe::checks
