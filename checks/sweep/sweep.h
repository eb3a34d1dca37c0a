// Many points of encodings, one row each, started again where they were stopped (docs/sweeps.md).
// Tests: tests/cli/sweep.cmake
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "checks/report/report.h"

namespace gpe::checks {

/// One point: an encoding, with values of its parameters that the grid says.
struct SweepPoint {
  std::string encoding;  ///< of Sweep::encodings
  std::vector<std::pair<std::string, theory::Rational>> values;
};

inline constexpr std::size_t kMaxPoints = 1000000;

struct Sweep {
  std::map<std::string, theory::Encoding> encodings;  ///< read once: by name, or by path
  std::vector<std::string> parameters;                ///< columns
  std::vector<SweepPoint> points;                     ///< in the order of the rows
};

/// A grid file: schema = 1, encodings = […], [parameters] with lists of values, or { range = "LOW..HIGH",
/// points = N }. Paths of encodings are relative to the grid's folder. @throws theory::SpecError
Sweep read_sweep(const std::string& file, std::size_t most_points = kMaxPoints);

/// Leaves the points "FIRST..LAST" alone, counted from 1; LAST may be more than there are.
/// @throws theory::SpecError  naming --points
void keep_points(Sweep& sweep, const std::string& text);

/// The points alone, as CSV: the encoding, the values, and the digest of the bytes of its file and tables.
std::string sweep_points(const Sweep& sweep);
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

/// Makes all rows, in order, each appended as soon as it is made to a file beside `output`; rows of an
/// earlier run of the same question that was stopped are kept. `output` is written when all are there, whole,
/// and that file is removed.
/// @param question  what decides the rows' content: a file of another question is left alone
/// @param progress  with the number of rows that are there
/// @throws theory::SpecError  when another process writes the same rows; whatever `row` throws: after a
/// SpecError no file is left; std::runtime_error
void write_rows(const std::string& output, const RowMaker& rows, const std::string& question,
                const std::function<void(std::size_t)>& progress);

}  // namespace gpe::checks
