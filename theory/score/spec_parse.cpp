#include "theory/score/spec_parse.h"

#include <algorithm>
#include <array>
#include <map>

#include "theory/expression/habits.h"
#include "theory/score/parameter_ranges.h"
#include "theory/score/spec_expression.h"
#include "theory/score/spec_families.h"
#include "theory/score/spec_normalizer.h"
#include "theory/score/spec_tables.h"
#include "theory/score/window.h"
#include "theory/source/sha256.h"
#include "theory/source/text_file.h"
#include "theory/source/text_list.h"
#include "theory/source/toml_keys.h"

namespace gpe::theory {

namespace {

constexpr std::size_t kMaxParameters = 256;
constexpr std::size_t kMaxDomains = 128;
constexpr std::size_t kMaxValues = 1024;  // heads, and layers
constexpr std::size_t kMaxMistakes = 8;   // told at once

// The tables of an encoding file and their keys.
const std::vector<std::string> kTopKeys = {"schema",     "name",   "title", "reference",
                                           "parameters", "tables", "score"};
const std::vector<std::string> kParameterKeys = {"default", "domain", "doc", "range"};
const std::vector<std::string> kScoreKeys = {"gain", "bias",    "transform", "first",    "window",
                                             "sink", "softcap", "sided",     "rotation", "hyperbolic",
                                             "path", "query",   "normalizer"};
const std::vector<std::string> kRotationKeys = {"angle", "scale", "layout", "alpha"};
const std::vector<std::string> kHyperbolicKeys = {"rate", "decay"};

bool among(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// What to do with a key that does not stand where it may.
std::string place_of(std::string_view key) {
  const std::string name = "'" + std::string(key) + "'";
  if (key == "rotation" || key == "hyperbolic" || key == "path" || key == "query")
    return "its table is called [score." + std::string(key) + "]";
  if (among(kTopKeys, key)) return name + " belongs at the top, before the first line in brackets";
  if (among(kScoreKeys, key)) return name + " belongs under a line [score]";
  if (among(kRotationKeys, key)) return name + " belongs under a line [score.rotation]";
  if (among(kHyperbolicKeys, key)) return name + " belongs under a line [score.hyperbolic]";
  if (const std::string_view family = family_of(key); !family.empty())
    return name + " belongs under a line [score." + std::string(family) + "]";
  if (among(kParameterKeys, key)) return name + " belongs to a parameter: NAME = { default = \"1\" }";
  return std::string(answer_to(Habit::key, key));
}

std::string_view transform_hint(std::string_view name) { return answer_to(Habit::transform, name); }

class Reader {
 public:
  /// @param packed  the table files that come with the encoding, instead of those in the folder; or null
  Reader(std::string_view text, const std::string& source, const std::filesystem::path& folder,
         const TableFiles* packed, const TableColumn& column)
      : toml_(text, source), tables_(toml_, folder, packed, column) {}

  Encoding read() {
    const toml::table document = toml_document(toml_.text(), toml_.source());
    Encoding encoding;
    encoding.source = toml_.source();
    part([&] { toml_.only_keys(document, kTopKeys, "an encoding file", place_of); });
    part([&] { toml_.require_schema(document); });
    part([&] { encoding.name = name_of(toml_.required(document, "name", "name = \"…\"")); });
    part([&] { encoding.title = toml_.optional_string(document, "title"); });
    part([&] { encoding.reference = toml_.optional_string(document, "reference"); });
    part([&] {
      if (const toml::node* tables = document.get("tables"))
        tables_.read(toml_.table_of(*tables, "[tables]"));
      tables_.require_all_named();
    });
    part([&] {
      if (const toml::node* parameters = document.get("parameters"))
        read_parameters(toml_.table_of(*parameters, "[parameters]"), encoding);
    });
    part([&] {
      const toml::node& score = toml_.required(document, "score", "a table [score] with gain and bias");
      read_score(toml_.table_of(score, "[score]"), encoding);
    });
    if (!mistakes_.empty()) throw SpecError(joined(mistakes_, "\n  "));
    encoding.sha256 = sha256_hex(std::string(toml_.text()) + tables_.bytes());
    encoding.tables = tables_.tables();
    return encoding;
  }

 private:
  // Reads one part; what is wrong there is told together with what is wrong in others, but for what an
  // earlier mistake may have caused: a name or a table that is missing.
  template <class Read>
  void part(const Read& read) {
    try {
      if (mistakes_.size() < kMaxMistakes) read();
    } catch (const SpecError& error) {
      const std::string message = error.what();
      constexpr std::array caused = {"unknown name", "unknown function", "is missing", " needs "};
      const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
      if (mistakes_.empty() || std::ranges::none_of(caused, says)) mistakes_.push_back(message);
    }
  }

  std::string name_of(const toml::node& node) const {
    std::string name = toml_.string_of(node, "name");
    const bool plain = std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    });
    if (!plain || name.empty() || name.size() > 64)
      toml_.fail(node, "name is used in file names: expected up to 64 of a-z 0-9 - _ .");
    return name;
  }

  // A formula of the score; its text is kept.
  Expr formula(const toml::node& node, const std::string& key, const NameScope& scope,
               Encoding& encoding) const {
    encoding.formulas[key] = written(node);
    return expression_of(toml_, node, key, scope);
  }

  NameScope scope_with(const std::vector<std::string>& names) const {
    NameScope scope;
    scope.names = names;
    scope.names.insert(scope.names.end(), parameter_names_.begin(), parameter_names_.end());
    scope.tables = tables_.tables();
    return scope;
  }

  // A value that was given without the table around it, as it is written there.
  std::string default_of(const toml::node& node) const {
    if (node.is_string() || node.is_floating_point())
      return "\"" + (node.is_string() ? written(node) : toml_.source_text(node)) + "\"";
    return node.is_integer() ? written(node) : "[…]";
  }

  void read_parameters(const toml::table& parameters, Encoding& encoding) {
    const auto entries = TomlSource::in_file_order(parameters);
    for (const auto& [key, node] : entries) require_new_name(toml_, *key, "parameter", tables_.tables());
    if (entries.size() > kMaxParameters)
      toml_.fail(entries[kMaxParameters].first->source(),
                 "more than " + std::to_string(kMaxParameters) + " parameters");
    for (const auto& [key, node] : entries) parameter_names_.emplace_back(key->str());
    std::size_t conditions = 0;
    for (const TomlSource::KeyValue& entry : entries) {
      part([&] {
        encoding.parameters.push_back(parameter_of(*entry.first, *entry.second));
        conditions += encoding.parameters.back().domain.size();
        if (conditions > kMaxDomains)
          toml_.fail(entry.first->source(),
                     "the domains have more than " + std::to_string(kMaxDomains) + " conditions in all");
      });
    }
  }

  Parameter parameter_of(const toml::key& key, const toml::node& node) const {
    Parameter parameter;
    parameter.name = std::string(key.str());
    const std::string where = "parameter '" + parameter.name + "'";
    if (!node.is_table())
      toml_.fail(node, where + " is not a table; write " + parameter.name +
                           " = { default = " + default_of(node) + " }");
    const toml::table& entry = *node.as_table();
    toml_.only_keys(entry, kParameterKeys, where, place_of);
    read_values(toml_.required(entry, "default", "default = \"…\" in " + where), parameter);
    parameter.doc = toml_.optional_string(entry, "doc");
    if (const toml::node* domain = entry.get("domain")) read_domain(*domain, parameter);
    if (const toml::node* range = entry.get("range");
        range != nullptr && !parse_range(toml_.string_of(*range, "range")))
      toml_.fail(*range, "range is not an interval of numbers; expected \"LOW..HIGH\" with LOW < HIGH");
    return parameter;
  }

  void read_domain(const toml::node& node, Parameter& parameter) const {
    parameter.domain_text = toml_.string_of(node, "domain");
    NameScope scope;
    scope.names = {"d", "h", "heads", "layer", "layers"};
    scope.names.insert(scope.names.end(), parameter_names_.begin(), parameter_names_.end());
    try {
      parameter.domain = parse_conditions(parameter.domain_text, scope);
    } catch (const ParseError& error) {
      toml_.fail_inside(node, parameter.domain_text, error.begin, error.end,
                        "domain: " + with_declaration(error, "a parameter is declared under [parameters]"));
    }
  }

  void read_values(const toml::node& node, Parameter& parameter) const {
    NameScope scope;
    scope.names = {"h", "heads", "layer", "layers", "d"};
    const std::string where = "parameter '" + parameter.name + "'";
    const toml::array* rows = node.as_array();
    if (rows == nullptr) {
      parameter.values = {{expression_of(toml_, node, "default", scope)}};
      parameter.value_texts = {{written(node)}};
      return;
    }
    if (rows->empty()) toml_.fail(node, where + " has an empty array; expected one value per head");
    const auto require_few = [&](const toml::array& values) {
      if (values.size() > kMaxValues)
        toml_.fail(values, where + ": " + std::to_string(values.size()) + " values; expected at most " +
                               std::to_string(kMaxValues));
    };
    require_few(*rows);
    const bool by_layer = rows->get(0)->is_array();
    parameter.value_texts.resize(1);
    if (!by_layer) parameter.values.emplace_back();
    for (const toml::node& row : *rows) {
      if (row.is_array() != by_layer)
        toml_.fail(row, where + " mixes values and rows; expected one value per head, or one row per layer");
      if (!by_layer) {
        parameter.values.front().push_back(expression_of(toml_, row, "default", scope));
        parameter.value_texts.front().push_back(written(row));
        continue;
      }
      require_few(*row.as_array());
      parameter.values.emplace_back();
      parameter.value_texts.resize(parameter.values.size());
      for (const toml::node& cell : *row.as_array()) {
        parameter.values.back().push_back(expression_of(toml_, cell, "default", scope));
        parameter.value_texts.back().push_back(written(cell));
      }
      if (parameter.values.back().empty() ||
          parameter.values.back().size() != parameter.values.front().size()) {
        toml_.fail(row, where + ": every row needs the same number of heads");
      }
    }
  }

  void read_score(const toml::table& score, Encoding& encoding) {
    part([&] { toml_.only_keys(score, kScoreKeys, "[score]", place_of); });
    const NameScope of_n = scope_with({"n", "L", "d", "h", "heads", "layer", "layers"});
    const NameScope of_l = scope_with({"L", "d", "h", "heads", "layer", "layers"});
    const NameScope constant = scope_with({"d", "h", "heads", "layer", "layers"});
    const NameScope of_window = scope_with({"d", "h", "heads", "layer", "layers", kNoWindow});
    const auto keyed = [&](const char* key, const auto& read) {
      if (const toml::node* node = score.get(key)) part([&] { read(*node); });
    };
    keyed("gain", [&](const auto& node) { encoding.gain = formula(node, "gain", of_n, encoding); });
    keyed("bias", [&](const auto& node) { encoding.bias = formula(node, "bias", of_n, encoding); });
    keyed("window",
          [&](const auto& node) { encoding.window = formula(node, "window", of_window, encoding); });
    keyed("sink", [&](const auto& node) { encoding.sink = formula(node, "sink", of_l, encoding); });
    keyed("softcap",
          [&](const auto& node) { encoding.softcap = formula(node, "softcap", constant, encoding); });
    keyed("sided", [&](const auto& node) {
      encoding.two_sided = toml_.choice<bool>(node, "sided", {{"causal", false}, {"two", true}});
    });
    keyed("transform", [&](const auto& node) {
      encoding.transform = toml_.choice<Transform>(node, "transform",
                                                   {{"identity", Transform::identity},
                                                    {"rotation", Transform::rotation},
                                                    {"scaled-rotation", Transform::scaled_rotation},
                                                    {"hyperbolic", Transform::hyperbolic},
                                                    {"none", Transform::none}},
                                                   transform_hint);
    });
    keyed("first", [&](const auto& node) { encoding.first = first_of(node); });
    part([&] { read_rotation(score, encoding); });
    part([&] { read_hyperbolic(score, encoding); });
    part([&] { read_families(toml_, score, {of_n, constant}, place_of, encoding); });
    part([&] { read_normalizer(toml_, score, constant, encoding, place_of); });
  }

  std::int64_t first_of(const toml::node& node) const {
    const Expr value = expression_of(toml_, node, "first", NameScope{});
    const auto whole = value.number() == nullptr ? std::nullopt : value.number()->to_int64();
    if (!whole || *whole < 0 || *whole > 1000000000)
      toml_.fail(node, "first is not a whole number from 0 to 10^9");
    return *whole;
  }

  void read_rotation(const toml::table& score, Encoding& encoding) {
    const bool rotates =
        encoding.transform == Transform::rotation || encoding.transform == Transform::scaled_rotation;
    const toml::node* node = score.get("rotation");
    if (node == nullptr) {
      if (rotates) {
        toml_.fail(*score.get("transform"),
                   "this transform needs a table [score.rotation] with angle = \"…\"");
      }
      return;
    }
    if (!rotates) toml_.fail(*node, "[score.rotation] needs transform = \"rotation\" or \"scaled-rotation\"");
    const toml::table& rotation = toml_.table_of(*node, "[score.rotation]");
    toml_.only_keys(rotation, kRotationKeys, "[score.rotation]", place_of);
    NameScope of_block = scope_with({"n", "L", "d", "j", "h", "heads", "layer", "layers"});
    of_block.no_cut_entropy.clear();
    std::optional<Expr> alpha;
    if (const toml::node* key = rotation.get("alpha")) {
      const std::string text = toml_.string_of(*key, "alpha");
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
        alpha = expression_of(toml_, *key, "alpha", scope_with({"n", "d", "h", "heads", "layer", "layers"}));
      }
      of_block.names.emplace_back("alpha");
      of_block.no_cut_entropy = "H(n) and the key alpha exclude each other: alpha is what angle uses";
    }
    encoding.rotation.angle = formula(toml_.required(rotation, "angle", "angle = \"…\" in [score.rotation]"),
                                      "angle", of_block, encoding);
    if (alpha) encoding.rotation.angle = substitute(encoding.rotation.angle, "alpha", *alpha);
    if (const toml::node* scale = rotation.get("scale")) {
      if (encoding.transform != Transform::scaled_rotation)
        toml_.fail(*scale, "scale needs transform = \"scaled-rotation\"");
      of_block.no_cut_entropy = NameScope().no_cut_entropy;
      encoding.rotation.scale = formula(*scale, "scale", of_block, encoding);
    } else if (encoding.transform == Transform::scaled_rotation) {
      toml_.fail(*node, "transform \"scaled-rotation\" needs scale = \"…\" in [score.rotation]");
    }
    if (const toml::node* layout = rotation.get("layout")) {
      encoding.rotation.layout = toml_.choice<Layout>(
          *layout, "layout", {{"half", Layout::half}, {"interleaved", Layout::interleaved}});
    }
  }

  void read_hyperbolic(const toml::table& score, Encoding& encoding) {
    const toml::node* node = score.get("hyperbolic");
    const bool wanted = encoding.transform == Transform::hyperbolic;
    if (node == nullptr) {
      if (wanted)
        toml_.fail(*score.get("transform"),
                   "transform \"hyperbolic\" needs a table [score.hyperbolic] with rate and decay");
      return;
    }
    if (!wanted) toml_.fail(*node, "[score.hyperbolic] needs transform = \"hyperbolic\"");
    const toml::table& hyperbolic = toml_.table_of(*node, "[score.hyperbolic]");
    toml_.only_keys(hyperbolic, kHyperbolicKeys, "[score.hyperbolic]", place_of);
    const NameScope of_block = scope_with({"d", "j", "h", "heads", "layer", "layers"});
    encoding.hyperbolic.rate = formula(
        toml_.required(hyperbolic, "rate", "rate = \"…\" in [score.hyperbolic]"), "rate", of_block, encoding);
    encoding.hyperbolic.decay =
        formula(toml_.required(hyperbolic, "decay", "decay = \"…\" in [score.hyperbolic]"), "decay", of_block,
                encoding);
  }

  TomlSource toml_;
  SpecTables tables_;
  std::vector<std::string> parameter_names_;
  std::vector<std::string> mistakes_;
};

}  // namespace

Encoding parse_encoding(std::string_view text, const std::string& source, const std::filesystem::path& folder,
                        const TableColumn& column) {
  if (text.size() > kMaxSpecBytes) throw SpecError(source + ": larger than 1 MiB");
  return Reader(text, source, folder, nullptr, column).read();
}

Encoding parse_packed_encoding(std::string_view text, const std::string& source, const TableFiles& tables,
                               const TableColumn& column) {
  if (text.size() > kMaxSpecBytes) throw SpecError(source + ": larger than 1 MiB");
  return Reader(text, source, {}, &tables, column).read();
}

Encoding load_encoding(const std::filesystem::path& file, const TableColumn& column) {
  const std::string text = read_text_file(file);
  return parse_encoding(text, file.string(), file.parent_path(), column);
}

}  // namespace gpe::theory
