#include "theory/score/spec_tables.h"

#include <algorithm>

#include "theory/expression/expr_parse.h"
#include "theory/score/encoding.h"
#include "theory/source/text_file.h"

namespace gpe::theory {

namespace {

constexpr std::size_t kMaxTableBytes = std::size_t{16} << 20U;

}  // namespace

void require_new_name(const TomlSource& toml, const toml::key& key, const std::string& what,
                      const Tables& tables) {
  const std::string name(key.str());
  if (!is_name(name)) toml.fail(key.source(), what + " '" + name + "' is not a name (letters, digits and _)");
  if (std::ranges::find(reserved_names(), name) != reserved_names().end())
    toml.fail(key.source(), what + " '" + name + "' has a fixed meaning in expressions; choose another name");
  if (tables.contains(name)) toml.fail(key.source(), what + " '" + name + "' is also the name of a table");
}

void SpecTables::require_all_named() const {
  if (packed_ == nullptr) return;
  for (const auto& [file, bytes] : *packed_) {
    if (!named_.contains(file))
      throw SpecError(toml_.source() + ": a table file that the encoding does not name comes with it");
  }
}

void SpecTables::read(const toml::table& tables) {
  for (const auto& [key, node] : TomlSource::in_file_order(tables)) {
    require_new_name(toml_, *key, "table", tables_);
    const std::string name(key->str());
    const toml::table& entry = toml_.table_of(*node, "table '" + name + "'");
    toml_.only_keys(entry, {"file", "values", "index", "beyond"}, "table '" + name + "'");
    const std::string index =
        toml_.string_of(toml_.required(entry, "index", "index = \"n\" in table '" + name + "'"), "index");
    if (index != "n" && index != "j" && index != "k") {
      toml_.fail(*entry.get("index"), "index '" + index + "' is not known; expected \"n\", \"j\" or \"k\"");
    }
    std::string beyond = "error";
    if (entry.contains("beyond")) beyond = toml_.string_of(*entry.get("beyond"), "beyond");
    if (beyond != "constant" && beyond != "error") {
      toml_.fail(*entry.get("beyond"),
                 "beyond '" + beyond + "' is not known; expected \"constant\" or \"error\"");
    }
    const Beyond past_the_end = beyond == "constant" ? Beyond::constant : Beyond::error;
    if (const toml::node* values = entry.get("values")) {
      if (entry.contains("file"))
        toml_.fail(*values, "table '" + name + "' has a file and values; expected one");
      tables_.emplace(name, std::make_shared<const Table>(Table{name, numbers_of(*values), 0, past_the_end}));
    } else {
      read_file(
          name,
          toml_.required(entry, "file", "file = \"NAME.csv\" or values = [...] in table '" + name + "'"),
          past_the_end);
      if (bytes_.size() > kMaxTableBytes)
        toml_.fail(*entry.get("file"),
                   "the table files hold more than 16 MiB in all; a file that two tables name counts twice");
    }
  }
}

// Strings and integers.
std::vector<Rational> SpecTables::numbers_of(const toml::node& node) const {
  if (!node.is_array()) toml_.fail(node, "values is not an array; expected numbers, from index 0 on");
  std::vector<Rational> result;
  for (const toml::node& value : *node.as_array()) {
    if (const auto whole = value.value_exact<std::int64_t>()) {
      result.emplace_back(*whole);
      continue;
    }
    const std::string text = toml_.string_of(value, "an entry of values");
    const auto number = Rational::parse(text);
    if (!number) toml_.fail(value, not_exact(text));
    result.push_back(*number);
  }
  if (result.empty()) toml_.fail(node, "values: no entries; expected numbers, from index 0 on");
  return result;
}

void SpecTables::read_file(const std::string& name, const toml::node& file_node, Beyond beyond) {
  const std::filesystem::path file = toml_.string_of(file_node, "file");
  const std::filesystem::path clean = file.lexically_normal();
  if (clean.is_absolute() || clean.empty() || *clean.begin() == ".." ||
      clean.string().find('\0') != std::string::npos) {
    toml_.fail(file_node, "a table file must lie in the folder of the encoding file");
  }
  if (packed_ != nullptr) return read_packed(name, file_node, clean.string(), beyond);
  std::error_code ignored;
  const auto inside = std::filesystem::weakly_canonical(std::filesystem::absolute(folder_ / clean), ignored);
  const auto root = std::filesystem::weakly_canonical(folder_.empty() ? "." : folder_, ignored);
  if (std::ranges::mismatch(root, inside).in1 != root.end()) {
    toml_.fail(file_node, "a table file must lie in the folder of the encoding file");
  }
  const std::filesystem::path path = folder_ / clean;
  const std::string text = [&] {
    try {
      return read_text_file(path);
    } catch (const SpecError& error) {
      toml_.fail(file_node, error.what());
    }
  }();
  tables_.emplace(name, table_of_text(name, text, path.string(), beyond, column_));
  bytes_ += text;
}

void SpecTables::read_packed(const std::string& name, const toml::node& file_node, const std::string& file,
                             Beyond beyond) {
  const auto found = packed_->find(toml_.string_of(file_node, "file"));
  if (found == packed_->end()) toml_.fail(file_node, "this table file does not come with the encoding");
  if (found->second.size() > kMaxSpecBytes) toml_.fail(file_node, "the table file is larger than 1 MiB");
  named_.insert(found->first);
  tables_.emplace(name, table_of_text(name, found->second, file, beyond, column_));
  bytes_ += found->second;
}

}  // namespace gpe::theory
