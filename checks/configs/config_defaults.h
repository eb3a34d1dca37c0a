// What the classes of transformers take where a config.json leaves a key out.
// Tests: tests/checks/decoders_test.py
#pragma once

#include <map>
#include <string>

namespace gpe::checks {

/// By model_type: the defaults of keys as a JSON object; beside them `default_theta`, and
/// `reads_partial_rotary_factor` where the code of the plain rotation reads that key.
const std::map<std::string, std::string>& config_defaults();
/// The model_type of the text decoder inside another model_type.
const std::map<std::string, std::string>& config_aliases();

}  // namespace gpe::checks
