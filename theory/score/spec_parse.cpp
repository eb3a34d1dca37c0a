#include "theory/score/spec_parse.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "theory/expression/sha256.h"
#include "theory/expression/table_read.h"
#include "theory/expression/text_file.h"
#include "theory/expression/toml_document.h"
#include "theory/score/parameter_ranges.h"

namespace gpe::theory {

namespace {

constexpr std::size_t kMostDomains = 128;

using KeyValue = std::pair<const toml::key*, const toml::node*>;

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::vector<KeyValue> in_file_order(const toml::table& table) {
  std::vector<KeyValue> result;
  for (const auto& [key, value] : table) result.emplace_back(&key, &value);
  std::ranges::sort(result, [](const KeyValue& a, const KeyValue& b) {
    const auto& x = a.first->source().begin;
    const auto& y = b.first->source().begin;
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
  return result;
}

class Reader {
 public:
  Reader(std::string_view text, std::string source, std::filesystem::path folder, const TableColumn& column)
      : text_(text), source_(std::move(source)), folder_(std::move(folder)), column_(column) {}
  Reader(std::string_view text, std::string source, const TableFiles& packed, const TableColumn& column)
      : text_(text), source_(std::move(source)), packed_(&packed), column_(column) {}

  Encoding read() {
    const toml::table document = toml_document(text_, source_);
    only_keys(document, {"schema", "name", "title", "reference", "parameters", "tables", "score"},
              "an encoding file");
    const toml::node& schema = required(document, "schema", "schema = 1");
    const auto version = schema.value_exact<std::int64_t>();
    if (!version) fail(schema, "schema is not an integer; expected schema = 1");
    if (*version != 1)
      fail(schema, "schema " + std::to_string(*version) + " is not known; this program reads schema 1");
    bytes_ = std::string(text_);

    Encoding encoding;
    encoding.source = source_;
    encoding.name = string_of(required(document, "name", "name = \"…\""), "name");
    if (!std::ranges::all_of(encoding.name,
                             [](char c) {
                               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
                                      c == '_' || c == '.';
                             }) ||
        encoding.name.empty() || encoding.name.size() > 64) {
      fail(*document.get("name"), "name is used in file names: expected up to 64 of a-z 0-9 - _ .");
    }
    encoding.title = optional_string(document, "title");
    encoding.reference = optional_string(document, "reference");
    if (const toml::node* tables = document.get("tables")) read_tables(table_of(*tables, "[tables]"));
    if (packed_ != nullptr) {
      for (const auto& [file, bytes] : *packed_) {
        if (!files_.contains(file))
          throw SpecError(source_ + ": a table file that the encoding does not name comes with it");
      }
    }
    if (const toml::node* parameters = document.get("parameters")) {
      read_parameters(table_of(*parameters, "[parameters]"), encoding);
    }
    read_score(table_of(required(document, "score", "a table [score] with gain and bias"), "[score]"),
               encoding);
    encoding.sha256 = sha256_hex(bytes_);
    encoding.tables = tables_;
    return encoding;
  }

 private:
  [[noreturn]] void fail(const toml::source_region& region, const std::string& message) const {
    const std::size_t line = std::max<std::size_t>(1, region.begin.line);
    const std::size_t column = std::max<std::size_t>(1, region.begin.column);
    const std::size_t length = region.end.line == region.begin.line && region.end.column > region.begin.column
                                   ? region.end.column - region.begin.column
                                   : 1;
    throw error_at(source_, text_, line, column, length, message);
  }
  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    fail(node.source(), message);
  }

  void only_keys(const toml::table& table, const std::vector<std::string>& known,
                 const std::string& where) const {
    for (const auto& [key, value] : in_file_order(table)) {
      const std::string name(key->str());
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string nearest = nearest_name(name, known);
      std::string list;
      for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
      fail(key->source(),
           "unknown key '" + name + "' in " + where +
               (nearest.empty() ? "; expected one of: " + list : "; did you mean '" + nearest + "'?"));
    }
  }

  const toml::node& required(const toml::table& table, const std::string& key,
                             const std::string& expected) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) throw SpecError(source_ + ": '" + key + "' is missing; expected " + expected);
    return *node;
  }

  const toml::table& table_of(const toml::node& node, const std::string& what) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) fail(node, what + " is not a table");
    return *table;
  }

  std::string string_of(const toml::node& node, const std::string& key) const {
    const auto* text = node.as_string();
    if (text == nullptr) {
      const bool is_float = node.is_floating_point();
      fail(node,
           key + (is_float ? " is a TOML float, which is not exact; write it as a string, for example \"0.1\""
                           : " is not a string"));
    }
    return text->get();
  }

  std::string optional_string(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? std::string() : string_of(*node, key);
  }

  // Where the characters of a one-line string without escapes begin; nothing for the other kinds of string.
  std::optional<std::size_t> column_of_content(const toml::node& node, const std::string& value) const {
    const auto& begin = node.source().begin;
    std::string_view rest = text_;
    for (std::size_t i = 1; i < begin.line; ++i) {
      const std::size_t end = rest.find('\n');
      if (end == std::string_view::npos) return std::nullopt;
      rest.remove_prefix(end + 1);
    }
    rest = rest.substr(0, rest.find('\n'));
    for (std::size_t i = 1; i < begin.column && !rest.empty(); ++i) {  // columns count characters
      rest.remove_prefix(1);
      while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U)
        rest.remove_prefix(1);
    }
    if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) return std::nullopt;
    if (rest.substr(1, value.size()) != value) return std::nullopt;
    return begin.column + 1;
  }

  [[noreturn]] void fail_inside(const toml::node& node, const std::string& value, const ParseError& error,
                                const std::string& key) const {
    const auto characters = [&](std::size_t from, std::size_t to) {
      std::size_t count = 0;
      for (std::size_t i = from; i < std::min(to, value.size()); ++i) {
        count += (static_cast<unsigned char>(value[i]) & 0xC0U) != 0x80U ? 1 : 0;
      }
      return count;
    };
    const std::string message = key + ": " + error.what();
    if (const auto column = column_of_content(node, value)) {
      throw error_at(source_, text_, node.source().begin.line, *column + characters(0, error.begin),
                     std::max<std::size_t>(1, characters(error.begin, error.end)), message);
    }
    fail(node, message + " (at character " + std::to_string(characters(0, error.begin) + 1) +
                   " of the expression)");
  }

  static std::string written(const toml::node& node) {
    if (const auto integer = node.value_exact<std::int64_t>()) return std::to_string(*integer);
    return node.value_or(std::string());
  }

  // A formula of the score; its text is kept.
  Expr formula(const toml::node& node, const std::string& key, const NameScope& scope,
               Encoding& encoding) const {
    encoding.formulas[key] = written(node);
    return expression_of(node, key, scope);
  }

  // A string is an expression; an integer is itself; a float is refused.
  Expr expression_of(const toml::node& node, const std::string& key, const NameScope& scope) const {
    if (const auto integer = node.value_exact<std::int64_t>()) return Expr(*integer);
    const std::string text = string_of(node, key);
    try {
      return parse_expression(text, scope);
    } catch (const ParseError& error) {
      fail_inside(node, text, error, key);
    }
  }

  NameScope scope_with(const std::vector<std::string>& names) const {
    NameScope scope;
    scope.names = names;
    scope.names.insert(scope.names.end(), parameter_names_.begin(), parameter_names_.end());
    scope.tables = tables_;
    return scope;
  }

  void check_new_name(const toml::key& key, const std::string& what) {
    const std::string name(key.str());
    if (!is_name(name)) fail(key.source(), what + " '" + name + "' is not a name (letters, digits and _)");
    if (std::ranges::find(reserved_names(), name) != reserved_names().end()) {
      fail(key.source(), what + " '" + name + "' has a fixed meaning in expressions; choose another name");
    }
    if (tables_.contains(name)) fail(key.source(), what + " '" + name + "' is also the name of a table");
  }

  void read_tables(const toml::table& tables) {
    for (const auto& [key, node] : in_file_order(tables)) {
      check_new_name(*key, "table");
      const std::string name(key->str());
      const toml::table& entry = table_of(*node, "table '" + name + "'");
      only_keys(entry, {"file", "values", "index", "beyond"}, "table '" + name + "'");
      const std::string index =
          string_of(required(entry, "index", "index = \"n\" in table '" + name + "'"), "index");
      if (index != "n" && index != "j" && index != "k") {
        fail(*entry.get("index"), "index '" + index + "' is not known; expected \"n\", \"j\" or \"k\"");
      }
      std::string beyond = "error";
      if (entry.contains("beyond")) beyond = string_of(*entry.get("beyond"), "beyond");
      if (beyond != "constant" && beyond != "error") {
        fail(*entry.get("beyond"),
             "beyond '" + beyond + "' is not known; expected \"constant\" or \"error\"");
      }
      const Beyond past_the_end = beyond == "constant" ? Beyond::constant : Beyond::error;
      if (const toml::node* values = entry.get("values")) {
        if (entry.contains("file")) fail(*values, "table '" + name + "' has a file and values; expected one");
        try {
          tables_.emplace(name, table_of_values(name, texts_of(*values), past_the_end));
        } catch (const SpecError& error) {
          fail(*values, error.what());
        }
      } else {
        read_table_file(
            name, required(entry, "file", "file = \"NAME.csv\" or values = [...] in table '" + name + "'"),
            past_the_end);
      }
    }
  }

  // Numbers as they are written: strings and integers.
  std::vector<std::string> texts_of(const toml::node& node) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) fail(node, "values is not an array; expected numbers, from index 0 on");
    std::vector<std::string> result;
    for (const toml::node& value : *array) {
      const auto whole = value.value_exact<std::int64_t>();
      result.push_back(whole ? std::to_string(*whole) : string_of(value, "an entry of values"));
    }
    return result;
  }

  void read_table_file(const std::string& name, const toml::node& file_node, Beyond beyond) {
    const std::filesystem::path file = string_of(file_node, "file");
    const std::filesystem::path clean = file.lexically_normal();
    if (clean.is_absolute() || clean.empty() || *clean.begin() == ".." ||
        clean.string().find('\0') != std::string::npos) {
      fail(file_node, "a table file must lie in the folder of the encoding file");
    }
    if (packed_ != nullptr) return read_packed_table(name, file_node, clean.filename().string(), beyond);
    std::error_code ignored;
    const auto inside =
        std::filesystem::weakly_canonical(std::filesystem::absolute(folder_ / clean), ignored);
    const auto root = std::filesystem::weakly_canonical(folder_.empty() ? "." : folder_, ignored);
    if (std::ranges::mismatch(root, inside).in1 != root.end()) {
      fail(file_node, "a table file must lie in the folder of the encoding file");
    }
    std::string bytes;
    try {
      tables_.emplace(name, read_table(name, folder_ / clean, beyond, column_, &bytes));
    } catch (const SpecError& error) {
      fail(file_node, error.what());
    }
    bytes_ += bytes;
  }

  void read_packed_table(const std::string& name, const toml::node& file_node, const std::string& file,
                         Beyond beyond) {
    const auto found = packed_->find(string_of(file_node, "file"));
    if (found == packed_->end()) fail(file_node, "this table file does not come with the encoding");
    if (found->second.size() > kMostSpecBytes) fail(file_node, "the table file is larger than 1 MiB");
    files_.insert(found->first);
    try {
      tables_.emplace(name, table_of_text(name, found->second, file, beyond, column_));
    } catch (const SpecError& error) {
      fail(file_node, error.what());
    }
    bytes_ += found->second;
  }

  void read_parameters(const toml::table& parameters, Encoding& encoding) {
    const auto entries = in_file_order(parameters);
    for (const auto& [key, node] : entries) check_new_name(*key, "parameter");
    std::size_t conditions = 0;
    for (const auto& [key, node] : entries) {
      Parameter parameter;
      parameter.name = std::string(key->str());
      const std::string where = "parameter '" + parameter.name + "'";
      const toml::table& entry = table_of(*node, where);
      only_keys(entry, {"default", "domain", "doc", "range"}, where);
      const toml::node& value = required(entry, "default", "default = \"…\" in " + where);
      read_values(value, parameter);
      parameter.doc = optional_string(entry, "doc");
      if (const toml::node* domain = entry.get("domain")) {
        parameter.domain_text = string_of(*domain, "domain");
        NameScope scope;
        scope.names = {"d", "h", "heads", "layer", "layers"};
        for (const auto& entry_of : entries) scope.names.emplace_back(entry_of.first->str());
        try {
          parameter.domain = parse_conditions(parameter.domain_text, scope);
        } catch (const ParseError& error) {
          fail_inside(*domain, parameter.domain_text, error, "domain");
        }
      }
      if (const toml::node* range = entry.get("range");
          range != nullptr && !parse_range(string_of(*range, "range")))
        fail(*range, "range is no interval of numbers; expected \"LOW..HIGH\" with LOW < HIGH");
      encoding.parameters.push_back(std::move(parameter));
      conditions += encoding.parameters.back().domain.size();
      if (conditions > kMostDomains)
        fail(key->source(),
             "the domains have more than " + std::to_string(kMostDomains) + " conditions in all");
      parameter_names_.emplace_back(key->str());
    }
  }

  void read_values(const toml::node& node, Parameter& parameter) const {
    NameScope scope;
    scope.names = {"h", "heads", "layer", "layers", "d"};
    const std::string where = "parameter '" + parameter.name + "'";
    const toml::array* rows = node.as_array();
    if (rows == nullptr) {
      parameter.values = {{expression_of(node, "default", scope)}};
      parameter.value_texts = {{written(node)}};
      return;
    }
    if (rows->empty()) fail(node, where + " has an empty array; expected one value a head");
    const bool by_layer = rows->get(0)->is_array();
    parameter.value_texts.resize(1);
    if (!by_layer) parameter.values.emplace_back();
    for (const toml::node& row : *rows) {
      if (row.is_array() != by_layer)
        fail(row, where + " mixes values and rows; expected one value a head, or one row a layer");
      if (!by_layer) {
        parameter.values.front().push_back(expression_of(row, "default", scope));
        parameter.value_texts.front().push_back(written(row));
        continue;
      }
      parameter.values.emplace_back();
      parameter.value_texts.resize(parameter.values.size());
      for (const toml::node& cell : *row.as_array()) {
        parameter.values.back().push_back(expression_of(cell, "default", scope));
        parameter.value_texts.back().push_back(written(cell));
      }
      if (parameter.values.back().empty() ||
          parameter.values.back().size() != parameter.values.front().size()) {
        fail(row, where + ": every row needs the same number of heads");
      }
    }
  }

  template <class T>
  T choice(const toml::table& table, const std::string& key,
           const std::vector<std::pair<std::string, T>>& known, T otherwise) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    const std::string text = string_of(*node, key);
    std::vector<std::string> names;
    std::string list;
    for (const auto& [name, value] : known) {
      if (name == text) return value;
      names.push_back(name);
      list += (list.empty() ? "" : ", ") + name;
    }
    const std::string nearest = nearest_name(text, names);
    fail(*node, "unknown " + key + " '" + text + "'" +
                    (nearest.empty() ? "; expected one of: " + list : "; did you mean '" + nearest + "'?"));
  }

  void read_score(const toml::table& score, Encoding& encoding) {
    only_keys(score,
              {"gain", "bias", "transform", "first", "window", "sink", "softcap", "sided", "rotation",
               "hyperbolic"},
              "[score]");
    const NameScope of_n = scope_with({"n", "L", "d", "h", "heads", "layer", "layers"});
    const NameScope of_l = scope_with({"L", "d", "h", "heads", "layer", "layers"});
    const NameScope constant = scope_with({"d", "h", "heads", "layer", "layers"});
    if (const toml::node* gain = score.get("gain")) encoding.gain = formula(*gain, "gain", of_n, encoding);
    if (const toml::node* bias = score.get("bias")) encoding.bias = formula(*bias, "bias", of_n, encoding);
    if (const toml::node* window = score.get("window"))
      encoding.window = formula(*window, "window", constant, encoding);
    if (const toml::node* sink = score.get("sink")) encoding.sink = formula(*sink, "sink", of_l, encoding);
    if (const toml::node* cap = score.get("softcap"))
      encoding.softcap = formula(*cap, "softcap", constant, encoding);
    encoding.two_sided = choice<bool>(score, "sided", {{"causal", false}, {"two", true}}, false);
    encoding.transform = choice<Transform>(score, "transform",
                                           {{"identity", Transform::identity},
                                            {"rotation", Transform::rotation},
                                            {"scaled-rotation", Transform::scaled_rotation},
                                            {"hyperbolic", Transform::hyperbolic},
                                            {"none", Transform::none}},
                                           Transform::identity);
    if (const toml::node* first = score.get("first")) {
      const Expr value = expression_of(*first, "first", NameScope{});
      const auto whole = value.number() == nullptr ? std::nullopt : value.number()->to_int64();
      if (!whole || *whole < 0 || *whole > 1000000000)
        fail(*first, "first is not a whole number from 0 to 10^9");
      encoding.first = *whole;
    }
    const bool rotates =
        encoding.transform == Transform::rotation || encoding.transform == Transform::scaled_rotation;
    read_rotation(score, rotates, encoding);
    read_hyperbolic(score, encoding);
  }

  void read_rotation(const toml::table& score, bool rotates, Encoding& encoding) {
    const toml::node* node = score.get("rotation");
    if (node == nullptr) {
      if (rotates) {
        fail(*score.get("transform"), "this transform needs a table [score.rotation] with angle = \"…\"");
      }
      return;
    }
    if (!rotates) fail(*node, "[score.rotation] needs transform = \"rotation\" or \"scaled-rotation\"");
    const toml::table& rotation = table_of(*node, "[score.rotation]");
    only_keys(rotation, {"angle", "scale", "layout", "alpha"}, "[score.rotation]");
    NameScope of_block = scope_with({"n", "L", "d", "j", "h", "heads", "layer", "layers"});
    of_block.no_cut_entropy.clear();
    std::optional<Expr> alpha;
    if (const toml::node* key = rotation.get("alpha")) {
      const std::string text = string_of(*key, "alpha");
      encoding.formulas["alpha"] = text;
      const Expr scale = std::ranges::find(parameter_names_, "alpha0") == parameter_names_.end()
                             ? Expr(1)
                             : Expr::symbol("alpha0");
      if (text == "self-entropy") {
        encoding.rotation.alpha = Alpha::self_entropy;
        alpha = scale * (Expr(1) + Expr::raw(node::CutEntropy{Expr::symbol("n")}));
      } else if (text == "measured") {
        encoding.rotation.alpha = Alpha::measured;
      } else if (text == "frozen-pair") {
        encoding.rotation.alpha = Alpha::frozen_pair;
      } else {
        encoding.rotation.alpha = Alpha::schedule;
        alpha = expression_of(*key, "alpha", scope_with({"n", "d", "h", "heads", "layer", "layers"}));
      }
      of_block.names.emplace_back("alpha");
      of_block.no_cut_entropy = "H(n) and the key alpha exclude each other: alpha is what angle uses";
    }
    encoding.rotation.angle = formula(required(rotation, "angle", "angle = \"…\" in [score.rotation]"),
                                      "angle", of_block, encoding);
    if (alpha) encoding.rotation.angle = substitute(encoding.rotation.angle, "alpha", *alpha);
    if (const toml::node* scale = rotation.get("scale")) {
      if (encoding.transform != Transform::scaled_rotation)
        fail(*scale, "scale needs transform = \"scaled-rotation\"");
      of_block.no_cut_entropy = NameScope().no_cut_entropy;
      encoding.rotation.scale = formula(*scale, "scale", of_block, encoding);
    } else if (encoding.transform == Transform::scaled_rotation) {
      fail(*node, "transform \"scaled-rotation\" needs scale = \"…\" in [score.rotation]");
    }
    encoding.rotation.layout = choice<Layout>(
        rotation, "layout", {{"half", Layout::half}, {"interleaved", Layout::interleaved}}, Layout::half);
  }

  void read_hyperbolic(const toml::table& score, Encoding& encoding) {
    const toml::node* node = score.get("hyperbolic");
    const bool wanted = encoding.transform == Transform::hyperbolic;
    if (node == nullptr) {
      if (wanted)
        fail(*score.get("transform"),
             "transform \"hyperbolic\" needs a table [score.hyperbolic] with rate and decay");
      return;
    }
    if (!wanted) fail(*node, "[score.hyperbolic] needs transform = \"hyperbolic\"");
    const toml::table& hyperbolic = table_of(*node, "[score.hyperbolic]");
    only_keys(hyperbolic, {"rate", "decay"}, "[score.hyperbolic]");
    const NameScope of_block = scope_with({"d", "j", "h", "heads", "layer", "layers"});
    encoding.hyperbolic.rate = formula(required(hyperbolic, "rate", "rate = \"…\" in [score.hyperbolic]"),
                                       "rate", of_block, encoding);
    encoding.hyperbolic.decay = formula(required(hyperbolic, "decay", "decay = \"…\" in [score.hyperbolic]"),
                                        "decay", of_block, encoding);
  }

  std::string_view text_;
  std::string source_;
  std::filesystem::path folder_;
  const TableFiles* packed_ = nullptr;  // instead of the folder
  std::set<std::string> files_;         // of these, what the encoding names
  TableColumn column_;
  std::string bytes_;
  std::map<std::string, std::shared_ptr<const Table>> tables_;
  std::vector<std::string> parameter_names_;
};

}  // namespace

Encoding parse_encoding(std::string_view text, const std::string& source, const std::filesystem::path& folder,
                        const TableColumn& column) {
  if (text.size() > kMostSpecBytes) throw SpecError(source + ": larger than 1 MiB");
  return Reader(text, source, folder, column).read();
}

Encoding parse_packed_encoding(std::string_view text, const std::string& source, const TableFiles& tables,
                               const TableColumn& column) {
  if (text.size() > kMostSpecBytes) throw SpecError(source + ": larger than 1 MiB");
  return Reader(text, source, tables, column).read();
}

Encoding load_encoding(const std::filesystem::path& file, const TableColumn& column) {
  const std::string text = read_text_file(file);
  return parse_encoding(text, file.string(), file.parent_path(), column);
}

Encoding encoding_of(const OneLiner& text) {
  Encoding encoding;
  encoding.name = "expression";
  encoding.source = "command line";
  encoding.first = text.first;
  NameScope of_n;
  of_n.names = {"n", "L", "d", "h", "heads", "layer", "layers"};
  NameScope of_block = of_n;
  of_block.names.emplace_back("j");
  of_block.no_cut_entropy.clear();
  const auto parse = [](const std::string& option, const std::string& value, const NameScope& scope,
                        Expr otherwise) {
    if (value.empty()) return otherwise;
    try {
      return parse_expression(value, scope);
    } catch (const ParseError& error) {
      throw error_in_argument(option, value, error.begin, error.end, error.what());
    }
  };
  encoding.formulas = {{"bias", text.bias.empty() ? "0" : text.bias},
                       {"gain", text.gain.empty() ? "1" : text.gain}};
  if (!text.angle.empty()) encoding.formulas["angle"] = text.angle;
  encoding.bias = parse("--bias", text.bias, of_n, Expr(0));
  encoding.gain = parse("--gain", text.gain, of_n, Expr(1));
  const std::string transform =
      text.transform.empty() ? (text.angle.empty() ? "identity" : "rotation") : text.transform;
  if (transform == "identity") {
    encoding.transform = Transform::identity;
  } else if (transform == "rotation") {
    encoding.transform = Transform::rotation;
  } else if (transform == "none") {
    encoding.transform = Transform::none;
  } else {
    throw SpecError("--transform: '" + transform +
                    "' cannot be given on the command line; expected identity, rotation or none (the others "
                    "need a file)");
  }
  if (encoding.transform == Transform::rotation && text.angle.empty()) {
    throw SpecError("--transform rotation needs --angle, for example --angle '10000^(-2*j/d)*n'");
  }
  if (encoding.transform != Transform::rotation && !text.angle.empty()) {
    throw SpecError("--angle needs --transform rotation");
  }
  encoding.rotation.angle = parse("--angle", text.angle, of_block, Expr(0));
  return encoding;
}

}  // namespace gpe::theory
