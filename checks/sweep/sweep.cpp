#include "checks/sweep/sweep.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "checks/arb/decimal.h"
#include "checks/configs/encoding_library.h"
#include "checks/content/effective_window.h"
#include "checks/halfline/definedness.h"
#include "checks/halfline/or_undecided.h"
#include "checks/program/version.h"
#include "checks/report/plain_number.h"
#include "checks/sweep/parameter_grid.h"
#include "theory/expression/spec_error.h"
#include "theory/expression/text_file.h"
#include "theory/expression/toml_document.h"
#include "theory/properties/property.h"
#include "theory/score/parameter_ranges.h"

namespace gpe::checks {

namespace fs = std::filesystem;
using theory::Rational;
using theory::SpecError;

namespace {

constexpr std::size_t kMostPoints = 10000000;
struct Axis {
  std::string encoding;  // empty: every one that has the parameter
  std::string name;
  std::vector<Rational> values;
  std::optional<theory::ParameterRange> range;
  int points = 0;
};

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file), text_(theory::read_text_file(file)) {}

  Sweep read() {
    const toml::table document = theory::toml_document(text_, file_);
    only_keys(document, {"schema", "encodings", "parameters"}, "a grid");
    if (document["schema"].value_exact<std::int64_t>() != std::int64_t{1})
      throw SpecError(file_ + ": expected schema = 1");
    const toml::array* encodings = document["encodings"].as_array();
    if (encodings == nullptr || encodings->empty())
      throw SpecError(file_ + ": expected encodings = [\"NAME or FILE.toml\", …]");
    if (const toml::table* parameters = document["parameters"].as_table()) {
      std::vector<std::pair<toml::source_position, std::string>> in_file_order;
      for (const auto& [key, node] : *parameters) in_file_order.emplace_back(key.source().begin, key.str());
      std::ranges::sort(in_file_order);
      for (const auto& [place, key] : in_file_order) read_axis(key, *parameters->get(key));
    }
    for (const toml::node& node : *encodings) {
      const auto name = node.value_exact<std::string>();
      if (!name) fail(node, "an encoding is no string");
      add_points(*name);
    }
    for (const Axis& axis : axes_) {
      if (!used_.contains(axis.encoding + "." + axis.name))
        throw SpecError(file_ + ": no encoding has the parameter " +
                        (axis.encoding.empty() ? "" : axis.encoding + ".") + axis.name);
    }
    return std::move(sweep_);
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    throw SpecError(file_ + ":" + std::to_string(node.source().begin.line) + ": " + what);
  }
  void only_keys(const toml::table& table, const std::vector<std::string>& known,
                 const std::string& where) const {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string nearest = theory::nearest_name(name, known);
      fail(node, "unknown key '" + name + "' in " + where +
                     (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    }
  }
  Rational number(const toml::node& node) const {
    if (const auto integer = node.value_exact<std::int64_t>()) return Rational(*integer);
    const auto text = node.value_exact<std::string>();
    const auto value = text ? Rational::parse(*text) : std::nullopt;
    if (!value) fail(node, "expected an integer, or a number in quotes, such as \"1/48\" or \"0.1\"");
    return *value;
  }

  void read_axis(const std::string& key, const toml::node& node) {
    const std::size_t dot = key.rfind('.');
    Axis axis;
    axis.encoding = dot == std::string::npos ? "" : key.substr(0, dot);
    axis.name = dot == std::string::npos ? key : key.substr(dot + 1);
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& value : *list) axis.values.push_back(number(value));
      if (axis.values.empty()) fail(node, key + " has no values");
    } else if (const toml::table* table = node.as_table()) {
      only_keys(*table, {"range", "points"}, key);
      const auto text = (*table)["range"].value_exact<std::string>();
      const auto points = (*table)["points"].value_exact<std::int64_t>();
      axis.range = text ? theory::parse_range(*text) : std::nullopt;
      if (!axis.range || !points || *points < 2 || *points > 10000000)
        fail(node, key + ": expected { range = \"LOW..HIGH\", points = N }, LOW < HIGH, N >= 2");
      axis.points = static_cast<int>(*points);
    } else {
      fail(node, key + ": expected a list of values, or { range = \"LOW..HIGH\", points = N }");
    }
    axes_.push_back(std::move(axis));
    if (std::ranges::find(sweep_.parameters, axes_.back().name) == sweep_.parameters.end())
      sweep_.parameters.push_back(axes_.back().name);
  }

  void add_points(const std::string& name) {
    const std::string found = names_file(name) ? (fs::path(file_).parent_path() / name).string() : name;
    if (!sweep_.encodings.contains(found)) sweep_.encodings.emplace(found, find_encoding(found, {}));
    const theory::Encoding& encoding = sweep_.encodings.at(found);
    std::vector<std::string> names;
    std::vector<std::vector<Rational>> values;
    for (const Axis& axis : axes_) {
      const bool mine = axis.encoding.empty() ? encoding.find(axis.name) != nullptr
                                              : axis.encoding == name || axis.encoding == encoding.name;
      if (!mine) continue;
      if (encoding.find(axis.name) == nullptr)
        throw SpecError(file_ + ": " + name + " has no parameter '" + axis.name + "'");
      used_.insert(axis.encoding + "." + axis.name);
      names.push_back(axis.name);
      values.push_back(!axis.range ? axis.values
                       : is_whole(encoding, axis.name)
                           ? spaced_whole(axis.range->first, axis.range->second, axis.points)
                           : spaced(axis.range->first, axis.range->second, axis.points));
    }
    std::size_t count = 1;
    for (const auto& one : values) count = std::min(count * one.size(), kMostPoints + 1);
    if (sweep_.points.size() + count > kMostPoints)
      throw SpecError(file_ + ": more than " + std::to_string(kMostPoints) + " points");
    for (const std::vector<Rational>& chosen : combinations(values)) {
      SweepPoint point{found, {}};
      for (std::size_t i = 0; i < chosen.size(); ++i) point.values.emplace_back(names[i], chosen[i]);
      sweep_.points.push_back(std::move(point));
    }
  }

  std::string file_, text_;
  std::vector<Axis> axes_;
  std::set<std::string> used_;
  Sweep sweep_;
};

std::string plain(const EnclosedNumber& number, int digits) { return plain_number(number, digits, true); }
std::string plain(const BigCount& count) { return plain_number(count); }

}  // namespace

Sweep read_sweep(const std::string& file) { return Reader(file).read(); }

std::string sweep_titles(const Sweep& sweep) {
  std::string titles = "encoding";
  for (const std::string& name : sweep.parameters) titles += "," + name;
  for (const auto& [property, reading] : theory::kUsualReadings)
    titles += "," + std::string(theory::short_name_of(property));
  return titles + ",Z,H,mean_distance,local_range,effective_window,reach,self_reach";
}

std::string sweep_question(const Sweep& sweep, const theory::Setting& setting, const ReportOptions& options,
                           double time_limit) {
  std::string question = std::string(kVersion) + "\n" + sweep_titles(sweep) + "\n" +
                         options.content_bounds.front().str() + " " + options.epsilons.front().str() + " " +
                         options.weights.front().str() + " " + options.threshold.str() + " " +
                         std::to_string(options.digits) + " " + std::to_string(setting.head_dim) + "\n" +
                         std::to_string(time_limit) + "\n";
  for (const auto& [name, encoding] : sweep.encodings) question += name + " " + encoding.sha256 + "\n";
  for (const SweepPoint& point : sweep.points) {
    question += point.encoding;
    for (const auto& [name, value] : point.values) question += " " + name + "=" + value.str();
    question += "\n";
  }
  return question;
}

std::string sweep_row(const Sweep& sweep, std::size_t index, const theory::Setting& setting,
                      const ReportOptions& options, const theory::ConstantOracle& oracle) {
  const SweepPoint& point = sweep.points[index];
  const theory::Encoding& encoding = sweep.encodings.at(point.encoding);
  std::vector<theory::Override> overrides;
  for (const auto& [name, value] : point.values) overrides.push_back({name, theory::Expr(value)});
  const theory::Law open = theory::instantiate(encoding, setting, overrides, oracle);
  require_defined(open, encoding.source, oracle);
  const theory::Law law = theory::at_values(open);
  std::string row = encoding.name;
  for (const std::string& name : sweep.parameters) {
    const auto at = std::ranges::find(point.values, name, [](const auto& one) { return one.first; });
    row += "," + (at == point.values.end() ? "" : plain_number(at->second));
  }
  const Rational bound = options.content_bounds.front();
  for (const auto& [property, reading] : theory::kUsualReadings) {
    theory::Context context = theory::context_for(law, {}, oracle);
    context.set_deadline(theory::Context::Clock::now() + options.time_limit);
    const theory::Reading& decided = *theory::find_reading(property, reading);
    std::string verdict = "undecided";
    try {
      const theory::Truth truth =
          or_undecided([&] { return theory::decide(decided, law, theory::Expr(bound), context).truth; });
      if (truth != theory::Truth::undecided) verdict = truth == theory::Truth::holds ? "holds" : "fails";
    } catch (const theory::Undecided&) {  // as it is
    }
    row += "," + verdict;
  }
  const SumOptions sums{options.digits, options.time_limit};
  const Sums all = enclose_sums(law, sums, oracle);
  const Reach reached = reach(law, options.weights.front(), bound, std::nullopt, sums, oracle);
  return row + "," + plain(all.z, options.digits) + "," + plain(all.entropy, options.digits) + "," +
         plain(all.mean_distance, options.digits) + "," +
         plain(local_range(law, options.threshold, oracle, options.time_limit).within) + "," +
         plain(effective_window(law, options.epsilons.front(), bound, std::nullopt, sums, oracle)) + "," +
         plain(reached.n) + "," + plain(reached.self_reach);
}

}  // namespace gpe::checks
