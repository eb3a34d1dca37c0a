#include "checks/audit/file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "checks/audit/formula_parse.h"
#include "theory/expression/printable.h"
#include "theory/expression/spec_error.h"
#include "theory/expression/text_file.h"
#include "theory/expression/toml_document.h"
#include "theory/score/spec_parse.h"

namespace gpe::checks {

using theory::Expr;
using theory::SpecError;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostMembers = 2000;  // of a family
constexpr std::int64_t kMostTermsOfMember = 20;
constexpr std::size_t kMostProse = 2000;  // characters

class Reader {
 public:
  Reader(const std::string& text, std::string source) : text_(text), source_(std::move(source)) {}

  ClaimFile read() {
    const toml::table document = theory::toml_document(text_, source_);
    only_keys(document, {"schema", "title", "reference", "encodings", "families", "claim"},
              "a file of claims");
    const toml::node* schema = document.get("schema");
    if (schema == nullptr || schema->value_exact<std::int64_t>() != 1)
      throw SpecError(source_ + ": expected schema = 1");
    ClaimFile file;
    file.name = fs::path(source_).stem().string();
    file.title = prose_of(document, "title");
    file.reference = prose_of(document, "reference");
    for (const auto& [key, node] : in_file_order(table_at(document, "encodings")))
      file.encodings.push_back(encoding(*key, table_of(*node)));
    for (const auto& [key, node] : in_file_order(table_at(document, "families")))
      file.families.push_back(family(*key, table_of(*node)));
    for (const theory::Encoding& one : file.encodings) encodings_.push_back(one.name);
    for (const Family& one : file.families) families_.push_back(one.name);
    if (const toml::node* claims = document.get("claim")) {
      for (const toml::node& node : array_of(*claims, "[[claim]]"))
        file.claims.push_back(claim(table_of(node)));
    }
    if (file.claims.empty()) throw SpecError(source_ + ": no [[claim]]");
    return file;
  }

 private:
  using KeyValue = std::pair<const toml::key*, const toml::node*>;

  [[noreturn]] void fail(const toml::source_region& at, const std::string& message) const {
    const std::size_t length =
        at.end.line == at.begin.line && at.end.column > at.begin.column ? at.end.column - at.begin.column : 1;
    throw theory::error_at(source_, text_, std::max<std::size_t>(1, at.begin.line),
                           std::max<std::size_t>(1, at.begin.column), length, message);
  }

  static std::vector<KeyValue> in_file_order(const toml::table* table) {
    std::vector<KeyValue> result;
    if (table == nullptr) return result;
    for (const auto& [key, value] : *table) result.emplace_back(&key, &value);
    std::ranges::sort(result, {}, [](const KeyValue& one) {
      const auto& at = one.first->source().begin;
      return std::pair(at.line, at.column);
    });
    return result;
  }

  void only_keys(const toml::table& table, const std::vector<std::string>& known,
                 const std::string& where) const {
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (std::ranges::find(known, name) != known.end()) continue;
      std::string list;
      for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
      const std::string nearest = theory::nearest_name(name, known);
      fail(key.source(),
           "unknown key '" + name + "' in " + where +
               (nearest.empty() ? "; expected one of: " + list : "; did you mean '" + nearest + "'?"));
    }
  }

  const toml::table& table_of(const toml::node& node) const {
    if (node.as_table() == nullptr) fail(node.source(), "expected a table");
    return *node.as_table();
  }
  const toml::table* table_at(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? nullptr : &table_of(*node);
  }
  const toml::array& array_of(const toml::node& node, const std::string& what) const {
    if (node.as_array() == nullptr) fail(node.source(), "expected " + what);
    return *node.as_array();
  }
  std::string text_of(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return "";
    if (node->as_string() == nullptr) fail(node->source(), key + " is not a string");
    return node->as_string()->get();
  }
  // What is only printed: one line.
  std::string prose_of(const toml::table& table, const std::string& key) const {
    std::string text = text_of(table, key);
    std::ranges::replace(text, '\n', ' ');
    return theory::printable(text, kMostProse);
  }
  std::string required_text(const toml::table& table, const std::string& key,
                            std::string (Reader::*get)(const toml::table&, const std::string&)
                                const = &Reader::prose_of) const {
    std::string result = (this->*get)(table, key);
    if (result.empty()) fail(table.source(), "expected " + key + " = \"…\"");
    return result;
  }
  // What formulas and the names of files refer to.
  void check_name(const toml::source_region& at, const std::string& what, const std::string& name) const {
    const bool plain = std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
             c == '_' || c == '.';
    });
    if (!plain || name.size() > 64) fail(at, what + ": expected up to 64 of a-z A-Z 0-9 - _ .");
  }
  std::vector<std::string> texts_of(const toml::table& table, const std::string& key) const {
    std::vector<std::string> result;
    const toml::node* node = table.get(key);
    if (node == nullptr) return result;
    for (const toml::node& one : array_of(*node, "an array of strings")) {
      if (one.as_string() == nullptr) fail(one.source(), "expected a string");
      result.push_back(one.as_string()->get());
    }
    return result;
  }

  theory::Encoding encoding(const toml::key& key, const toml::table& table) const {
    theory::Encoding result;
    check_name(key.source(), "the name of an encoding", std::string(key.str()));
    try {
      if (table.contains("spec")) {
        only_keys(table, {"spec"}, "an encoding with a spec");
        result = theory::parse_encoding(text_of(table, "spec"), source_ + ": " + std::string(key.str()), ".");
      } else {
        only_keys(table, {"bias", "gain", "transform", "angle", "first"}, "an encoding");
        std::int64_t first = 0;
        if (const toml::node* node = table.get("first")) first = node->value_or<std::int64_t>(0);
        result = theory::encoding_of({text_of(table, "bias"), text_of(table, "gain"),
                                      text_of(table, "transform"), text_of(table, "angle"), first});
      }
    } catch (const SpecError& error) {
      fail(key.source(), "encoding '" + std::string(key.str()) + "': " + error.what());
    }
    result.name = std::string(key.str());
    return result;
  }

  Family family(const toml::key& key, const toml::table& table) const {
    only_keys(table, {"title", "terms", "most", "coefficients", "gains", "members"}, "a family");
    Family result;
    result.name = std::string(key.str());
    check_name(key.source(), "the name of a family", result.name);
    result.title = required_text(table, "title");
    theory::NameScope scope;
    scope.names = {"n"};
    const auto expressions = [&](const std::string& what) {
      std::vector<Expr> list;
      for (const std::string& text : texts_of(table, what)) {
        try {
          list.push_back(theory::parse_expression(text, scope));
        } catch (const theory::ParseError& error) {
          fail(table.get(what)->source(), what + " '" + text + "': " + error.what());
        }
      }
      return list;
    };
    result.terms = expressions("terms");
    if (table.contains("gains")) result.gains = expressions("gains");
    if (const toml::node* most = table.get("most")) {
      const auto count = most->value_exact<std::int64_t>();
      if (!count || *count < 0 || *count > kMostTermsOfMember)
        fail(most->source(), "most is not a whole number from 0 to " + std::to_string(kMostTermsOfMember));
      result.most = static_cast<int>(*count);
    }
    result.coefficients = text_of(table, "coefficients");
    result.members = texts_of(table, "members");
    if (result.terms.empty() == result.members.empty())
      fail(key.source(), "a family has either terms or members");
    // The ways to choose 0, 1, … most of the terms, with each gain.
    std::size_t ways = 1, all = 1;
    for (std::size_t k = 1; k <= std::min(static_cast<std::size_t>(result.most), result.terms.size()); ++k) {
      ways = std::min(ways * (result.terms.size() - k + 1) / k, kMostMembers + 1);
      all += ways;
    }
    if (std::max(all * result.gains.size(), result.members.size()) > kMostMembers)
      fail(key.source(), "a family of more than " + std::to_string(kMostMembers) + " members");
    return result;
  }

  Claim claim(const toml::table& table) const {
    only_keys(table, {"id", "where", "source", "statement", "reading", "repair"}, "a claim");
    Claim result;
    result.id = required_text(table, "id");
    check_name(table.get("id")->source(), "id", result.id);
    result.where = prose_of(table, "where");
    result.source = prose_of(table, "source");
    result.statement = required_text(table, "statement");
    const toml::node* list = table.get("reading");
    if (list == nullptr) fail(table.source(), "expected at least one [[claim.reading]]");
    for (const toml::node& node : array_of(*list, "[[claim.reading]]"))
      result.readings.push_back(reading(table_of(node), result.id));
    if (const toml::table* repair = table_at(table, "repair")) {
      only_keys(*repair, {"statement", "reading"}, "a repair");
      result.repair = required_text(*repair, "statement");
      if (const toml::node* node = repair->get("reading")) {
        for (const toml::node& one : array_of(*node, "[[claim.repair.reading]]"))
          result.repairs.push_back(reading(table_of(one), result.id));
      }
    }
    return result;
  }

  ClaimReading reading(const toml::table& table, const std::string& id) const {
    only_keys(table, {"name", "says", "formula", "not"}, "a reading");
    ClaimReading result;
    result.name = required_text(table, "name");
    result.says = prose_of(table, "says");
    result.text = required_text(table, "formula", &Reader::text_of);
    if (result.text != theory::printable_lines(result.text))
      fail(table.get("formula")->source(), "formula has a character that cannot be shown");
    if (const toml::node* node = table.get("not")) {
      const auto value = node->value_exact<bool>();
      if (!value) fail(node->source(), "not is not a boolean; expected not = true");
      result.negated = *value;
    }
    try {
      result.formula = parse_formula(result.text, families_, encodings_);
    } catch (const theory::ParseError& error) {
      std::string line = result.text;
      std::ranges::replace(line, '\n', ' ');
      throw theory::error_in_argument(source_ + ": claim " + id + ", reading '" + result.name + "'", line,
                                      error.begin, error.end, error.what());
    }
    result.text = result.formula.text;
    return result;
  }

  const std::string& text_;
  std::string source_;
  std::vector<std::string> families_;
  std::vector<std::string> encodings_;
};

fs::path claims_folder() {
  std::error_code error;
  if (const char* set = std::getenv("GPE_CLAIMS"); set != nullptr && *set != '\0') return set;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "share" / "gpe" / "claims";
}

}  // namespace

ClaimFile parse_claims(const std::string& text, const std::string& source) {
  return Reader(text, source).read();
}

std::vector<std::string> claim_file_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(claims_folder(), error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

ClaimFile find_claims(const std::string& what) {
  const bool is_path = what.find('/') != std::string::npos || fs::path(what).extension() == ".toml";
  if (is_path) return parse_claims(theory::read_text_file(what), what);
  const std::vector<std::string> names = claim_file_names();
  if (std::ranges::find(names, what) == names.end()) {
    const std::string nearest = theory::nearest_name(what, names);
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    throw SpecError("'" + what + "' is neither a built-in file of claims nor a path ending in .toml; " +
                    (nearest.empty() ? "built in: " + list : "did you mean '" + nearest + "'?"));
  }
  return parse_claims(theory::read_text_file(claims_folder() / (what + ".toml")), what + ".toml");
}

}  // namespace gpe::checks
