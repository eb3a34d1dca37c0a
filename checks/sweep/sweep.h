// Many points of encodings, one row each, by any number of processes, begun again where they were stopped
// (docs/sweeps.md). Tests: tests/cli/sweep.cmake
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "checks/program/rank.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// One point: an encoding, with values of its parameters that the grid says.
struct SweepPoint {
  std::string encoding;  ///< of Sweep::encodings
  std::vector<std::pair<std::string, theory::Rational>> values;
};

inline constexpr std::size_t kMostPoints = 1000000;

struct Sweep {
  std::map<std::string, theory::Encoding> encodings;  ///< read once: by name, or by path
  std::vector<std::string> parameters;                ///< columns
  std::vector<SweepPoint> points;                     ///< in the order of the rows
};

/// A grid file: schema = 1, encodings = […], [parameters] with lists of values, or { range = "LOW..HIGH",
/// points = N }. Paths of encodings are relative to the grid's folder. @throws theory::SpecError
Sweep read_sweep(const std::string& file, std::size_t most_points = kMostPoints);

std::string sweep_titles(const Sweep& sweep);
/// What the row of a point begins with: the encoding's name and the values, each with a comma after it.
std::string sweep_cells(const Sweep& sweep, std::size_t point);
/// What decides the content of the rows, the bytes of the encodings among it, for write_rows.
std::string sweep_question(const Sweep& sweep, const theory::Setting& setting, const ReportOptions& options,
                           const theory::Budget& budget);
/// The row of one point, without its end: verdicts in their usual readings and numbers, at the first content
/// bound, ε and weight of the options. @throws theory::SpecError for values outside of their domains
std::string sweep_row(const Sweep& sweep, std::size_t point, const theory::Setting& setting,
                      const ReportOptions& options, const theory::Context& context);

/// The rows of a file, as write_rows makes them.
struct RowMaker {
  std::string titles;
  std::size_t count = 0;
  std::function<std::string(std::size_t)> begin;  ///< what a row begins with; quick, unlike `row`
  std::function<std::string(std::size_t)> row;
};

/// Makes all rows, those with index ≡ rank modulo size in this process, each written as soon as it is made to
/// a file of this rank beside `output`; rows that such files have already are not made again. Who finds all
/// rows there writes `output`, whole, and removes those files.
/// @param question  what decides the rows' content: files of another question are left alone, as is every
/// file that this function does not make; a line is a row of the question if its checksum, its beginning and
/// the number of its cells say so, and is made again otherwise
/// @param progress  with the number of rows that are there, and of all
/// @returns whether `output` was written
/// @throws theory::SpecError  when another process has this rank's file; whatever `row` throws: after a
/// SpecError no file of this rank is left; std::runtime_error
bool write_rows(
    const std::string& output, const RowMaker& rows, const std::string& question, const Rank& rank,
    const std::function<void(std::size_t)>& progress = [](std::size_t) {});

}  // namespace gpe::checks
