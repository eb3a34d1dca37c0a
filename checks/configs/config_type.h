// Which model_type a config.json is read as. Tests: tests/cli/configs.cmake
#pragma once

#include <string>
#include <utility>

#include "checks/configs/config_family.h"
#include "checks/configs/json_config.h"

namespace gpe::checks {

/// The text decoder with the defaults of its class, and its type: a key of a model with several parts, or the
/// config itself under another type.
std::pair<JsonConfig, std::string> text_decoder(const JsonConfig& config);

/// @throws theory::SpecError  a type that is not known, with those that read most of its keys, or that is
/// refused, with the reason
const Family& family_of(const std::string& type, const JsonConfig& whole);

}  // namespace gpe::checks
