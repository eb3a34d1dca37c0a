#include "checks/audit/measured_results.h"
// Tests: tests/cli/audit.cmake
#include <array>
#include <nlohmann/json.hpp>

#include "checks/arb/precision.h"
#include "checks/cli/read_json.h"
#include "theory/exact/decision.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"

namespace gpe::checks {

namespace {

Ball number(const nlohmann::json& value, const std::string& where) {
  std::string text;
  if (value.is_string()) text = value.get<std::string>();
  if (value.is_number()) text = value.dump();  // read as written
  const auto result = theory::Rational::parse(text);
  if (!result) throw theory::SpecError(where + ": expected a number or {\"lower\", \"upper\"}");
  return {*result, kSearchBits};
}

using nlohmann::json;

// What a word leads to; nullptr when there is nothing of the name.
const json* step(const json& at, const std::string& word) {
  if (at.is_array()) {
    for (const json& element : at) {
      if (!element.is_object()) continue;
      for (const auto& [key, value] : element.items()) {
        if (value == word) return &element;
      }
    }
    return nullptr;
  }
  if (!at.is_object()) return nullptr;
  if (at.contains(word)) return &at[word];
  if (!at.contains("columns") || !at.contains("rows")) return nullptr;
  for (const json& row : at["rows"]) {
    if (row.is_array() && row.size() >= 2 && (row[0] == word || row[0].dump() == word)) return &row;
  }
  return nullptr;
}

struct Measurement {
  Ball value;     // the middle of the interval where nothing else is given
  Ball interval;  // the value where there is none
};

Measurement between(const Ball& low, const Ball& high) {
  const Ball interval = Ball::hull(low, high, kSearchBits);
  return {interval.mid(), interval};
}

// A row's second cell, with the columns low and high that follow it.
Measurement row_number(const json& table, const json& row, const std::string& where) {
  const json& columns = table["columns"];
  const Ball value = number(row[1], where);
  const bool interval = row.size() >= 4 && columns.size() >= 4 && columns[2] == "low" && columns[3] == "high";
  if (!interval) return {value, value};
  return {value, Ball::hull(number(row[2], where), number(row[3], where), kSearchBits)};
}

// Of one file, at one place.
Measurement one_run(const std::filesystem::path& folder, const std::vector<std::string>& path) {
  std::string wanted = path.front() + ".json";
  for (std::size_t i = 1; i < path.size(); ++i) wanted += (i == 1 ? ": " : ".") + path[i];
  if (folder.empty()) throw theory::Undecided("not measured yet: needs " + wanted + " (--results DIR)");
  const std::filesystem::path file = folder / (path.front() + ".json");
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw theory::Undecided("not measured yet: needs " + wanted + ", and there is no such file");
  const std::string text = theory::read_text_file(file);
  const json document = read_json(text, file.string());
  const std::string where = file.string() + ": " + wanted;
  const json* at = &document;
  const json* before = nullptr;
  for (std::size_t i = 1; i < path.size(); ++i) {
    before = at;
    at = step(*at, path[i]);
    if (at == nullptr) throw theory::Undecided("not measured yet: " + wanted + " is not in the file");
  }
  if (at->is_array() && before != nullptr && before->is_object() && before->contains("columns"))
    return row_number(*before, *at, where);
  if (!at->is_object()) {
    const Ball value = number(*at, where);
    return {value, value};
  }
  if (!at->contains("lower") || !at->contains("upper"))
    throw theory::SpecError(where + ": expected a number or {\"lower\", \"upper\"}");
  return between(number((*at)["lower"], where), number((*at)["upper"], where));
}

// Upper 97.5 % points of Student's distribution with 1 to 9 degrees of freedom, rounded up; from the tables
// of any textbook, to three decimals.
constexpr std::array<int, 9> kStudentThousandths = {12707, 4303, 3183, 2777, 2571, 2447, 2365, 2307, 2263};

}  // namespace

std::vector<std::string> run_names(const std::string& word) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find('|', begin), word.size());
    const std::string part = word.substr(begin, end - begin);
    const std::size_t first = part.find_first_not_of(' ');
    if (first == std::string::npos)
      throw theory::SpecError("'" + word + "': expected a name on both sides of every '|'");
    result.push_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
    begin = end + 1;
  }
  return result;
}

Ball over_runs(const std::vector<Ball>& runs, const std::string& word) {
  const auto count = static_cast<std::int64_t>(runs.size());
  if (count < 2) throw theory::Undecided("only one run, so its variation over seeds is unknown: " + word);
  if (runs.size() > kStudentThousandths.size() + 1)
    throw theory::SpecError("'" + word + "': more than " + std::to_string(kStudentThousandths.size() + 1) +
                            " runs");
  Ball sum(0);
  Ball middles(0);
  for (const Ball& run : runs) {
    sum = add(sum, run, kSearchBits);
    middles = add(middles, run.mid(), kSearchBits);
  }
  const Ball middle = div(middles, Ball(count), kSearchBits);
  Ball squares(0);
  for (const Ball& run : runs) {
    const Ball difference = sub(run.mid(), middle, kSearchBits);
    squares = add(squares, mul(difference, difference, kSearchBits), kSearchBits);
  }
  const Ball variance =
      div(squares, Ball(count * (count - 1)), kSearchBits);  // of the mean; its ball may reach below 0
  const Ball quantile(theory::Rational(kStudentThousandths[runs.size() - 2], 1000), kSearchBits);
  const Ball half = mul(quantile, sqrt(variance.upper(kSearchBits), kSearchBits), kSearchBits);
  return div(sum, Ball(count), kSearchBits).widened(half);
}

Ball measured_value(const std::filesystem::path& folder, const std::vector<std::string>& path) {
  return one_run(folder, path).value;
}

Ball measured(const std::filesystem::path& folder, const std::vector<std::string>& path) {
  std::vector<std::string> one = path;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::vector<std::string> names = run_names(path[i]);
    if (names.size() == 1) continue;
    std::vector<Ball> runs;
    for (const std::string& name : names) {
      one[i] = name;
      runs.push_back(measured(folder, one));
    }
    return over_runs(runs, path[i]);
  }
  return one_run(folder, one).interval;
}

}  // namespace gpe::checks
