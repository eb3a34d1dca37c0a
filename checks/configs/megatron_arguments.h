// Megatron-LM's command-line arguments as the keys of a config.json. Tests: tests/checks/megatron_test.py
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gpe::checks {

/// Of a text file with arguments, one or many per line; a script of a shell may hold them. Arguments that say
/// nothing of positions, heads and attention are passed over.
/// @throws theory::SpecError  an argument without the value that it needs, one of attention that is not read,
/// or learned positions
nlohmann::json config_of_megatron(const std::string& text, const std::string& source);

}  // namespace gpe::checks
