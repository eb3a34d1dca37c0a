// The bias that a config.json asks for: ALiBi's slopes, and the buckets of T5.
#pragma once

#include "checks/configs/config_family.h"
#include "checks/configs/encoding_text.h"

namespace gpe::checks {

/// ALiBi's slopes by head, as build_alibi_tensor of BLOOM and Falcon (the official rule) and
/// build_mpt_alibi_tensor have them; Falcon divides them by the root of the head dimension, with the content.
void add_alibi(EncodingText& text, const JsonConfig& config, const ModelFamily& family, int heads,
               int head_dim);

/// The decoder's buckets, causal: bucket(n) = n below half of them, then logarithmic up to
/// relative_attention_max_distance. Their values are learned, and 0 here.
void add_buckets(EncodingText& text, const JsonConfig& config);

}  // namespace gpe::checks
