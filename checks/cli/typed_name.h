// What a message begins with. Tests: tests/python/gpe_command_test.py
#pragma once

#include <string>

namespace gpe::checks {

/// "gpe check", where the command gpe has become this program; else the program's own name.
std::string typed_name(std::string program);

}  // namespace gpe::checks
