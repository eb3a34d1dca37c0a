#include "checks/sweep/sweep.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "checks/configs/encoding_library.h"
#include "checks/sweep/parameter_grid.h"
#include "theory/score/parameter_ranges.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"
#include "theory/source/toml_keys.h"

namespace gpe::checks {

namespace fs = std::filesystem;
using theory::Rational;
using theory::SpecError;

namespace {

struct Axis {
  std::string encoding;  // empty: every one that has the parameter
  std::string name;
  std::vector<Rational> values;
  std::optional<theory::ParameterRange> range;
  int points = 0;
};

class Reader {
 public:
  Reader(const std::string& file, std::size_t most_points)
      : text_(theory::read_text_file(file)), toml_(text_, file), most_points_(most_points) {}

  Sweep read() {
    const toml::table document = toml_.document({"schema", "encodings", "parameters"}, "a grid");
    const toml::array* encodings = document["encodings"].as_array();
    if (encodings == nullptr || encodings->empty())
      throw SpecError(toml_.source() + ": expected encodings = [\"NAME or FILE.toml\", …]");
    if (const toml::table* parameters = document["parameters"].as_table()) {
      for (const auto& [key, node] : theory::TomlSource::in_file_order(*parameters))
        read_axis(std::string(key->str()), *node);
    }
    for (const toml::node& node : *encodings) {
      add_points(toml_.string_of(node, "an encoding"), node);
    }
    for (const Axis& axis : axes_) {
      if (!used_.contains(axis.encoding + "." + axis.name))
        throw SpecError(toml_.source() + ": no encoding has the parameter " +
                        (axis.encoding.empty() ? "" : axis.encoding + ".") + axis.name);
    }
    return std::move(sweep_);
  }

 private:
  Rational number(const toml::node& node) const {
    if (const auto integer = node.value_exact<std::int64_t>()) return Rational(*integer);
    const auto text = node.value_exact<std::string>();
    const auto value = text ? Rational::parse(*text) : std::nullopt;
    if (!value) toml_.fail(node, "expected an integer, or a number in quotes, such as \"1/48\" or \"0.1\"");
    return *value;
  }

  void read_axis(const std::string& key, const toml::node& node) {
    const std::size_t dot = key.rfind('.');
    Axis axis;
    axis.encoding = dot == std::string::npos ? "" : key.substr(0, dot);
    axis.name = dot == std::string::npos ? key : key.substr(dot + 1);
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& value : *list) axis.values.push_back(number(value));
      if (axis.values.empty()) toml_.fail(node, key + " has no values");
    } else if (const toml::table* table = node.as_table()) {
      toml_.only_keys(*table, {"range", "points"}, key);
      const auto text = (*table)["range"].value_exact<std::string>();
      const auto points = (*table)["points"].value_exact<std::int64_t>();
      axis.range = text ? theory::parse_range(*text) : std::nullopt;
      if (!axis.range || !points || *points < 2)
        toml_.fail(node, key + ": expected { range = \"LOW..HIGH\", points = N }, LOW < HIGH, N >= 2");
      require_room(static_cast<std::size_t>(*points));
      axis.points = static_cast<int>(*points);
    } else {
      toml_.fail(node, key + ": expected a list of values, or { range = \"LOW..HIGH\", points = N }");
    }
    axes_.push_back(std::move(axis));
    if (std::ranges::find(sweep_.parameters, axes_.back().name) == sweep_.parameters.end())
      sweep_.parameters.push_back(axes_.back().name);
  }

  const theory::Encoding& encoding_named(const std::string& name, const std::string& found,
                                         const toml::node& node) {
    if (const auto known = sweep_.encodings.find(found); known != sweep_.encodings.end())
      return known->second;
    try {
      return sweep_.encodings.emplace(found, find_encoding(found, {})).first->second;
    } catch (const SpecError& error) {
      std::error_code none;
      if (names_file(name) && std::filesystem::is_regular_file(found, none))
        throw;  // says where, in that file
      toml_.fail(node, error.what());
    }
  }

  std::vector<Rational> values_of(const Axis& axis, const theory::Encoding& encoding) const {
    if (!axis.range) return axis.values;
    const auto& [low, high] = *axis.range;
    if (!is_whole(encoding, axis.name)) return spaced(low, high, axis.points);
    std::vector<Rational> result = spaced_whole(low, high, axis.points);
    if (result.empty())
      throw SpecError(toml_.source() + ": " + axis.name + ": no whole number in " + low.str() + ".." +
                      high.str());
    return result;
  }

  void require_room(std::size_t count) const {
    if (sweep_.points.size() + count > most_points_)
      throw SpecError(toml_.source() + ": more than " + std::to_string(most_points_) + " points");
  }

  /// The axes that the encoding has, each parameter once, and no more points than may be.
  std::vector<const Axis*> axes_of(const std::string& name, const theory::Encoding& encoding) {
    std::vector<const Axis*> result;
    std::size_t count = 1;
    require_room(count);
    for (const Axis& axis : axes_) {
      const bool mine = axis.encoding.empty() ? encoding.find(axis.name) != nullptr
                                              : axis.encoding == name || axis.encoding == encoding.name;
      if (!mine) continue;
      if (encoding.find(axis.name) == nullptr)
        throw SpecError(toml_.source() + ": " + name + " has no parameter '" + axis.name + "'");
      if (std::ranges::any_of(result, [&](const Axis* other) { return other->name == axis.name; }))
        throw SpecError(toml_.source() + ": " + axis.name + " of " + name + " is given twice");
      used_.insert(axis.encoding + "." + axis.name);
      count *= axis.range ? static_cast<std::size_t>(axis.points) : axis.values.size();
      require_room(count);
      result.push_back(&axis);
    }
    return result;
  }

  void add_points(const std::string& name, const toml::node& node) {
    const std::string found =
        names_file(name) ? (fs::path(toml_.source()).parent_path() / name).string() : name;
    const theory::Encoding& encoding = encoding_named(name, found, node);
    const std::vector<const Axis*> axes = axes_of(name, encoding);
    std::vector<std::vector<Rational>> values;
    for (const Axis* axis : axes) values.push_back(values_of(*axis, encoding));
    for (const std::vector<Rational>& chosen : combinations(values)) {
      SweepPoint point{found, {}};
      for (std::size_t i = 0; i < chosen.size(); ++i) point.values.emplace_back(axes[i]->name, chosen[i]);
      sweep_.points.push_back(std::move(point));
    }
  }

  std::string text_;
  theory::TomlSource toml_;
  std::size_t most_points_;
  std::vector<Axis> axes_;
  std::set<std::string> used_;
  Sweep sweep_;
};

}  // namespace

Sweep read_sweep(const std::string& file, std::size_t most_points) {
  return Reader(file, most_points).read();
}

}  // namespace gpe::checks
