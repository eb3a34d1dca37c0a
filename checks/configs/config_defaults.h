// What the classes of transformers take where a config.json leaves a key out.
// Tests: tests/checks/decoders_test.py
#pragma once

#include <map>
#include <string>

namespace gpe::checks {

/// By model_type: the defaults of keys as a JSON object; beside them `default_theta`, and
/// `reads_partial_rotary_factor` where the code of the plain rotation reads that key, `reads_layer_types`
/// where the class tells a rotation by layer from others ("always", or "where stated"), and
/// `drops_sliding_window` where it has no window unless use_sliding_window is true.
const std::map<std::string, std::string>& config_defaults();
/// The model_type of the text decoder inside another model_type.
const std::map<std::string, std::string>& config_aliases();

}  // namespace gpe::checks
