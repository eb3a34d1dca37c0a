// --color: when a report has colors. Tests: tests/cli/output.cmake
#pragma once

#include <cstdlib>

#include "checks/program/program.h"

namespace gpe::checks {

/// --color auto, always or never, before has_color is asked: it sets the variables that has_color reads.
inline void add_color(CLI::App& app) {
  app.add_option_function<std::string>(
         "--color",
         [](const std::string& when) {
           unsetenv("CLICOLOR_FORCE");
           if (when == "never") setenv("NO_COLOR", "1", 1);
           if (when != "always") return;
           unsetenv("NO_COLOR");
           setenv("CLICOLOR_FORCE", "1", 1);
         },
         "colors on standard output: auto (on a terminal without NO_COLOR), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

}  // namespace gpe::checks
