// Measured results: JSON files of numbers, each with its interval.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checks/arb/ball.h"

namespace gpe::checks {

/// The number at `path`: its first word names the file FILE.json in `folder`; the others lead from the root:
/// a key of an object, an element of an array that has the word among its values, a row of a table
/// {"columns", "rows"} by its first cell. A row is its second cell, with the interval of the columns low and
/// high where there are such. The end is a number, its text, or {"lower": "…", "upper": "…"}.
/// One word may name several runs, "rope-64 | rope-64-seed-1 | rope-64-seed-2": then it is the mean over
/// them, with Student's 95 % interval of the mean of so many runs, and the mean of their own intervals added
/// to both sides. All of them have to be there.
/// @throws theory::Undecided  saying what is missing; theory::SpecError for a file that is not of this form
Ball measured(const std::filesystem::path& folder, const std::vector<std::string>& path);

/// The same number of one run without its interval; where there is only an interval, its middle.
Ball measured_value(const std::filesystem::path& folder, const std::vector<std::string>& path);

/// The names between the bars of a word, without the spaces around them. @throws theory::SpecError.
std::vector<std::string> run_names(const std::string& word);

/// The mean with Student's 95 % interval over runs, and the mean of their own intervals added to both sides.
/// @param word  names the runs in messages
/// @throws theory::Undecided  for a single run; theory::SpecError for more than the table of quantiles has
Ball over_runs(const std::vector<Ball>& runs, const std::string& word);

}  // namespace gpe::checks
