// Pictures and pages of reports, drawn by the command gpe that stands beside the program.
// Tests: tests/cli/frontier.cmake, tests/python/gpe_command_test.py
#pragma once

#include <string>

namespace gpe::checks {

enum class Drawing { plot, page };

/// Before long work: whether `gpe plot` or `gpe page` can write the file.
/// @throws theory::SpecError  naming the option: an ending that it has no picture for, no gpe, or a Python
/// that cannot draw (./setup.sh --plots)
void require_drawing(Drawing what, const std::string& option, const std::string& file);

/// The report, JSON, as a picture or a page.
/// @throws theory::SpecError  as above; std::runtime_error  the file cannot be written
void draw(Drawing what, const std::string& option, const std::string& file, const std::string& report);

}  // namespace gpe::checks
