// Measured results: JSON files of numbers, each with its interval.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checks/ball.h"

namespace gpe::checks {

/// The number at `path`: its first word names the file FILE.json in `folder`, the others are keys from the
/// root. It is a number's decimal text, or {"lower": "…", "upper": "…"}, an interval over seeds.
/// @throws theory::Undecided  saying what is missing; theory::SpecError for a file that is not of this form
Ball measured(const std::filesystem::path& folder, const std::vector<std::string>& path);

}  // namespace gpe::checks
