// Which model_type a config.json is read as. Tests: tests/cli/configs.cmake
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <utility>

#include "checks/configs/config_family.h"
#include "checks/configs/json_config.h"

namespace gpe::checks {

inline constexpr const char* kConfigFile = "config.json";

/// Keys of a model with several parts, one of which is its text decoder; and the one that this config has.
inline constexpr std::array kTextParts = {"text_config", "llm_config", "language_config", "thinker_config"};
JsonConfig::Path text_place(const JsonConfig& config);

/// The config.json that such a path names.
/// @param as  a model_type in place of its own, or a file with keys in place of its own; empty: nothing
/// @throws theory::SpecError  also for an `as` that is neither
JsonConfig read_config(const std::filesystem::path& file_or_folder, const std::string& as = "");

/// The text decoder with the defaults of its class, and its type: a key of a model with several parts, or the
/// config itself under another type.
std::pair<JsonConfig, std::string> text_decoder(const JsonConfig& config);

/// Whose code a type that is newer than transformers 5.23 is read by; empty for the others.
std::string reader_of(const std::string& type);

/// @throws theory::SpecError  a type that is not known, with those that read most of its keys, or that is
/// refused, with the reason
/// @param read  throws for a config that its type does not read
const ModelFamily& family_of(const std::string& type, const JsonConfig& whole,
                             void (*read)(const JsonConfig&));

}  // namespace gpe::checks
