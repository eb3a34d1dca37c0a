#include "checks/programs/specification.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#define TOML_EXCEPTIONS 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <toml++/toml.h>
#pragma GCC diagnostic pop

namespace gpe::verifier {

namespace {

using Node = toml::node_view<const toml::node>;

// A formula as it is written; null where there is none.
Json written(const Node& node) {
  if (const auto integer = node.value_exact<std::int64_t>()) return std::to_string(*integer);
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (node) throw BadSpecification("a value that is neither a string nor an integer");
  return nullptr;
}

void same(const std::string& what, const Json& mine, const Json& theirs) {
  if (mine != theirs)
    throw NotShown(what + " is " + mine.dump() + " in the certificate, " + theirs.dump() + " in the file");
}

// One value; one per head; or one row per layer.
Json chosen(const Node& value, long head, long layer) {
  const toml::array* rows = value.as_array();
  if (rows == nullptr) return written(value);
  const auto pick = [](const toml::array& all, long index) {
    const std::size_t at = all.size() == 1 ? 0 : static_cast<std::size_t>(index - 1);
    if (at >= all.size()) throw NotShown("there are not as many values as heads or layers");
    return Node(all.get(at));
  };
  if (rows->empty() || !rows->get(0)->is_array()) return written(pick(*rows, head));
  return written(pick(*pick(*rows, layer).as_array(), head));
}

// A certificate has the window of its head, and a file may say by an if which heads have none.
void same_window(const Json& law, const Json& theirs) {
  std::set<std::string> names;
  for (const Json& one : law["parameters"]) names.insert(one["name"].get<std::string>());
  if (theirs.is_string() && mentions(theirs, "none") && !names.contains("none")) {
    const Calculus plain;
    Evaluator e = ScoreFunction(law).evaluator(plain, names);
    e.names["none"] = plain.symbol("none");
    const Json mine = law["window"].is_null() ? Json("none") : law["window"];
    if (e(theirs) == e(mine)) return;
  }
  same("window", law["window"], theirs);
}

// "1.25e-3", "2/3"
Q exact(const std::string& text) { return Evaluator(Calculus()).rational(text); }

void same_values(const std::string& name, const Json& mine, const std::vector<Q>& theirs) {
  bool equal = theirs.size() == mine["values"].size();
  for (std::size_t i = 0; equal && i < theirs.size(); ++i) equal = exact(mine["values"][i]) == theirs[i];
  if (!equal) throw NotShown("table " + name + " has other values");
}

// Lines "index,value,value...", after a line of titles; "#" begins a remark.
void compare_table(const std::string& name, const Json& mine, const std::filesystem::path& file,
                   const Json& law) {
  std::error_code none;
  std::ifstream stream(file);
  if (!stream || !std::filesystem::is_regular_file(file, none) ||
      std::filesystem::file_size(file, none) > 1 << 20)
    throw BadSpecification(file.string() + " is not a file of at most 1 MiB that can be read");
  const auto place = static_cast<std::size_t>((law["layer"].get<long>() - 1) * law["heads"].get<long>() +
                                              law["head"].get<long>() - 1);
  std::vector<Q> values;
  for (std::string line; std::getline(stream, line);) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) {
      const std::size_t from = cell.find_first_not_of(" \t\r"), to = cell.find_last_not_of(" \t\r");
      cells.push_back(from == std::string::npos ? "" : cell.substr(from, to - from + 1));
    }
    if (values.empty() && cells[0].find_first_not_of("-0123456789") != std::string::npos) continue;
    const std::size_t columns = cells.size() - 1;
    std::size_t column = columns == 1 ? 0 : place;
    if (columns != 1 && columns == static_cast<std::size_t>(law["heads"].get<long>()))
      column = static_cast<std::size_t>(law["head"].get<long>() - 1);
    if (column >= columns) throw NotShown("table " + name + ": no column for this head");
    if (exact(cells[0]) != mine["first"].get<long>() + static_cast<long>(values.size()))
      throw NotShown("table " + name + ": other indices");
    values.push_back(exact(cells[column + 1]));
  }
  same_values(name, mine, values);
}

toml::table document_of(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none))
    throw BadSpecification(
        file + ": not a file; expected an encoding's .toml (gpe verify also takes a built-in name)");
  if (std::filesystem::file_size(file, none) > 1 << 20)
    throw BadSpecification(file + ": expected a file of at most 1 MiB");
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!is_shallow(text, 200)) throw BadSpecification(file + ": nested too deeply");
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw BadSpecification(file + ": " + std::string(error.description()));
  }
}

}  // namespace

std::string compare_with_specification(const Json& certificate, const std::string& file) {
  const Json& law = certificate["law"];
  const toml::table document = document_of(file);
  const auto or_default = [](const Json& value, const char* otherwise) {
    return value.is_null() ? Json(otherwise) : value;
  };
  const Node root(static_cast<const toml::node*>(&document)), score = root["score"];
  same("name", law["name"], written(root["name"]));
  same("first", std::to_string(law["first"].get<long>()), or_default(written(score["first"]), "0"));
  same("transform", law["transform"], or_default(written(score["transform"]), "identity"));
  same("gain", law["gain"], or_default(written(score["gain"]), "1"));
  same("bias", law["bias"], or_default(written(score["bias"]), "0"));
  same("softcap", law["softcap"], written(score["softcap"]));
  same_window(law, written(score["window"]));
  for (const char* key : {"angle", "alpha", "scale"}) same(key, law[key], written(score["rotation"][key]));
  for (const char* key : {"rate", "decay"}) same(key, law[key], written(score["hyperbolic"][key]));
  using Key = std::pair<const char*, const char*>;
  for (const auto& [table, key] : {Key("path", "low"), Key("path", "high"), Key("path", "open"),
                                   Key("query", "radius"), Key("query", "shape")})
    same(key, law.contains(table) ? law[table][key] : Json(), written(score[table][key]));
  for (const char* key : {"mean", "mean_exp"})
    if (law.contains("path") && law["path"].contains(key))
      same(key, law["path"][key], written(score["path"][key]));
  const Node normalizer = score["normalizer"];
  const Json kind = written(normalizer.is_table() ? normalizer["kind"] : normalizer), none_given;
  const bool given = law.contains("normalizer");
  same("normalizer", given ? law["normalizer"]["kind"] : none_given, kind == "softmax" ? none_given : kind);
  same("its parameter", given ? law["normalizer"]["parameter"] : none_given,
       written(normalizer[kind == "entmax" ? "alpha" : "k"]));
  if (const Json& claim = certificate["claim"]; certificate["kind"] != "verdict") {
    const bool reach = certificate["kind"] == "numbers"
                           ? !claim["reach"].empty() || !claim["self_reach"].empty()
                           : claim.dump().find(R"("quantity":"reach")") != std::string::npos;
    if (written(score["sided"]) == "two") throw NotShown("its sums are over one side, and the file has two");
    if (reach && score["sink"]) throw NotShown("its reach is without a sink, and the file has one");
  }
  std::string other;
  const toml::table* parameters = root["parameters"].as_table();
  if (law["parameters"].size() != (parameters == nullptr ? 0 : parameters->size()))
    throw NotShown("the file has other parameters");
  for (const Json& one : law["parameters"]) {
    const std::string name = one["name"];
    const Node entry = root["parameters"][name];
    if (!entry) throw NotShown("the file has no parameter " + name);
    same("the domain of " + name, one["domain"], written(entry["domain"]));
    const Json value = chosen(entry["default"], law["head"].get<long>(), law["layer"].get<long>());
    if (value != one["value"])
      other += "; " + name + " = " + one["value"].get<std::string>() + " where the file has " +
               value.get<std::string>();
  }
  const toml::table* tables = root["tables"].as_table();
  if (law["tables"].size() != (tables == nullptr ? 0 : tables->size()))
    throw NotShown("the file has other tables");
  for (const auto& [name, table] : law["tables"].items()) {
    const Node entry = root["tables"][name];
    if (!entry) throw NotShown("the file has no table " + name);
    same("beyond", table["beyond"], or_default(written(entry["beyond"]), "error"));
    if (const toml::array* values = entry["values"].as_array()) {
      std::vector<Q> theirs;
      for (const toml::node& value : *values)
        theirs.push_back(exact(written(Node(value)).get<std::string>()));
      if (table["first"] != 0) throw NotShown("table " + name + ": other indices");
      same_values(name, table, theirs);
      continue;
    }
    const std::filesystem::path source(written(entry["file"]).get<std::string>());
    compare_table(name, table, std::filesystem::path(file).parent_path() / source, law);
  }
  return other;
}

}  // namespace gpe::verifier
