// The facts of a config.json from files of other formats. Tests: tests/checks/formats_test.py
#pragma once

#include <filesystem>

#include "checks/configs/json_config.h"

namespace gpe::checks {

/// A config.json; the metadata of a GGUF file of an architecture whose scores they determine; Mistral's
/// params.json; or the arguments of Megatron-LM.
/// @throws theory::SpecError  also for what the metadata do not say
JsonConfig config_of_file(const std::filesystem::path& file);

/// Whether a file of this name has arguments: .txt, .args or .sh.
bool is_of_arguments(const std::filesystem::path& file);

}  // namespace gpe::checks
