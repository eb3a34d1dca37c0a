#include "checks/audit/claim_file.h"
// Tests: tests/checks/audit/audit_claims_test.cpp, tests/fuzz/claims_fuzz.cpp
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "checks/audit/formula_parse.h"
#include "checks/cli/file_inside.h"
#include "checks/configs/encoding_library.h"
#include "theory/score/one_liner.h"
#include "theory/score/score_function.h"
#include "theory/score/spec_parse.h"
#include "theory/source/nearest_name.h"
#include "theory/source/printable.h"
#include "theory/source/text_file.h"
#include "theory/source/text_list.h"
#include "theory/source/toml_keys.h"

namespace gpe::checks {

using theory::Expr;
using theory::SpecError;
using theory::TomlSource;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxMembers = 2000;  // of a family
constexpr std::int64_t kMaxTermsOfMember = 20;
constexpr std::size_t kMaxProse = 2000;  // characters
constexpr const char* kExample =
    "  [[claim]]\n"
    "  id = \"1\"\n"
    "  statement = \"the entropy stays bounded\"\n"
    "  [[claim.reading]]\n"
    "  name = \"as stated\"\n"
    "  formula = \"eb(alibi)\"";

class Reader {
 public:
  Reader(const std::string& text, const std::string& source, const std::optional<fs::path>& folder)
      : toml_(text, source), folder_(folder) {}

  ClaimFile read() {
    const toml::table document = toml_.document(
        {"schema", "title", "reference", "encodings", "families", "claim"}, "a file of claims");
    ClaimFile file;
    file.name = fs::path(toml_.source()).stem().string();
    file.title = prose_of(document, "title");
    file.reference = prose_of(document, "reference");
    for (const auto& [key, node] : entries(document, "encodings"))
      file.encodings.push_back(encoding(*key, toml_.table_of(*node, "an encoding")));
    for (const auto& [key, node] : entries(document, "families"))
      file.families.push_back(family(*key, toml_.table_of(*node, "a family")));
    encodings_ = theory::names_of(file.encodings);
    families_ = theory::names_of(file.families);
    if (const toml::node* claims = document.get("claim")) {
      for (const toml::node& node : toml_.array_of(*claims, "[[claim]]"))
        file.claims.push_back(claim(toml_.table_of(node, "a claim")));
    }
    if (file.claims.empty())
      throw SpecError(toml_.source() + ": no [[claim]]; expected one such as\n" + kExample);
    return file;
  }

 private:
  const toml::table* table_at(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? nullptr : &toml_.table_of(*node, key);
  }
  std::vector<TomlSource::KeyValue> entries(const toml::table& table, const std::string& key) const {
    const toml::table* inner = table_at(table, key);
    return inner == nullptr ? std::vector<TomlSource::KeyValue>() : TomlSource::in_file_order(*inner);
  }
  // What is only printed: one line.
  static std::string printed(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return theory::printable(text, kMaxProse);
  }
  std::string prose_of(const toml::table& table, const std::string& key) const {
    return printed(toml_.optional_string(table, key));
  }
  std::string required_prose(const toml::table& table, const std::string& key) const {
    return printed(required_text(table, key));
  }
  std::string required_text(const toml::table& table, const std::string& key) const {
    std::string result = toml_.optional_string(table, key);
    if (result.empty()) toml_.fail(table, "expected " + key + " = \"…\"");
    return result;
  }
  // What formulas and the names of files refer to.
  void check_name(const toml::source_region& at, const std::string& what, const std::string& name) const {
    const bool plain = std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
             c == '_' || c == '.';
    });
    if (!plain || name.size() > 64) toml_.fail(at, what + ": expected up to 64 of a-z A-Z 0-9 - _ .");
  }
  theory::Encoding encoding(const toml::key& key, const toml::table& table) const {
    theory::Encoding result;
    const std::string name(key.str());
    check_name(key.source(), "the name of an encoding", name);
    const std::string source = toml_.source() + ": encoding '" + name + "'";
    if (const toml::node* file = table.get("file")) {
      toml_.only_keys(table, {"file"}, "an encoding with a file");
      if (!folder_) toml_.fail(*file, "no file is read here; expected spec or bias");
      result = theory::with_one_gate_in_bias(
          theory::load_encoding(file_inside(*folder_, toml_.string_of(*file, "file"))));
    } else if (table.contains("spec")) {
      toml_.only_keys(table, {"spec"}, "an encoding with a spec");
      result = theory::with_one_gate_in_bias(
          theory::parse_encoding(toml_.optional_string(table, "spec"), source, "."));
    } else {
      toml_.only_keys(table, {"bias", "gain", "transform", "angle", "first"}, "an encoding");
      std::int64_t first = 0;
      if (const toml::node* node = table.get("first")) {
        first = node->value_exact<std::int64_t>().value_or(-1);
        if (first < 0 || first > 1000000000) toml_.fail(*node, "first is not a whole number from 0 to 10^9");
      }
      result = theory::encoding_of(
          {toml_.optional_string(table, "bias"), toml_.optional_string(table, "gain"),
           toml_.optional_string(table, "transform"), toml_.optional_string(table, "angle"), first},
          source);
    }
    result.name = name;
    return result;
  }

  ClaimFamily family(const toml::key& key, const toml::table& table) const {
    toml_.only_keys(table, {"title", "terms", "most", "coefficients", "gains", "members"}, "a family");
    ClaimFamily result;
    result.name = std::string(key.str());
    check_name(key.source(), "the name of a family", result.name);
    result.title = required_prose(table, "title");
    theory::NameScope scope;
    scope.names = {"n"};
    const auto expressions = [&](const std::string& what) {
      std::vector<Expr> list;
      for (const std::string& text : toml_.strings_of(table, what)) {
        try {
          list.push_back(theory::parse_expression(text, scope));
        } catch (const theory::ParseError& error) {
          toml_.fail(*table.get(what), what + " '" + text + "': " + error.what());
        }
      }
      return list;
    };
    result.terms = expressions("terms");
    if (table.contains("gains")) result.gains = expressions("gains");
    if (const toml::node* most = table.get("most")) {
      const auto count = most->value_exact<std::int64_t>();
      if (!count || *count < 0 || *count > kMaxTermsOfMember)
        toml_.fail(*most, "most is not a whole number from 0 to " + std::to_string(kMaxTermsOfMember));
      result.most = static_cast<int>(*count);
    }
    result.coefficients = toml_.optional_string(table, "coefficients");
    result.members = toml_.strings_of(table, "members");
    if (result.terms.empty() == result.members.empty())
      toml_.fail(key.source(), "a family has either terms or members");
    // The ways to choose 0, 1, … most of the terms, with each gain.
    std::size_t ways = 1, all = 1;
    for (std::size_t k = 1; k <= std::min(static_cast<std::size_t>(result.most), result.terms.size()); ++k) {
      ways = std::min(ways * (result.terms.size() - k + 1) / k, kMaxMembers + 1);
      all += ways;
    }
    if (std::max(all * result.gains.size(), result.members.size()) > kMaxMembers)
      toml_.fail(key.source(), "a family of more than " + std::to_string(kMaxMembers) + " members");
    return result;
  }

  Claim claim(const toml::table& table) const {
    toml_.only_keys(table, {"id", "where", "source", "statement", "reading", "repair"}, "a claim");
    Claim result;
    result.id = required_prose(table, "id");
    check_name(table.get("id")->source(), "id", result.id);
    result.where = prose_of(table, "where");
    result.source = prose_of(table, "source");
    result.statement = required_prose(table, "statement");
    const toml::node* list = table.get("reading");
    if (list == nullptr)
      toml_.fail(
          table,
          "expected at least one [[claim.reading]], with name = \"as stated\" and formula = \"eb(alibi)\"");
    for (const toml::node& node : toml_.array_of(*list, "[[claim.reading]]"))
      result.readings.push_back(reading(toml_.table_of(node, "a reading"), result.id));
    if (const toml::table* repair = table_at(table, "repair")) {
      toml_.only_keys(*repair, {"statement", "reading"}, "a repair");
      result.repair = required_prose(*repair, "statement");
      if (const toml::node* node = repair->get("reading")) {
        for (const toml::node& one : toml_.array_of(*node, "[[claim.repair.reading]]"))
          result.repairs.push_back(reading(toml_.table_of(one, "a reading"), result.id));
      }
    }
    return result;
  }

  ClaimReading reading(const toml::table& table, const std::string& id) const {
    toml_.only_keys(table, {"name", "says", "formula", "not"}, "a reading");
    ClaimReading result;
    result.name = required_prose(table, "name");
    result.says = prose_of(table, "says");
    result.text = required_text(table, "formula");
    if (result.text != theory::printable_lines(result.text))
      toml_.fail(*table.get("formula"), "formula has a character that cannot be shown");
    if (const toml::node* node = table.get("not")) {
      const auto value = node->value_exact<bool>();
      if (!value) toml_.fail(*node, "not is not a boolean; expected not = true");
      result.negated = *value;
    }
    try {
      result.formula = parse_formula(result.text, families_, encodings_);
    } catch (const theory::ParseError& error) {
      std::string line = result.text;
      std::ranges::replace(line, '\n', ' ');
      throw theory::error_in_argument(toml_.source() + ": claim " + id + ", reading '" + result.name + "'",
                                      line, error.begin, error.end, error.what());
    }
    result.text = result.formula.text;
    return result;
  }

  TomlSource toml_;
  std::optional<fs::path> folder_;
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

ClaimFile parse_claims(const std::string& text, const std::string& source,
                       const std::optional<fs::path>& folder) {
  return Reader(text, source, folder).read();
}

ClaimFile one_claim(const std::string& formula, const std::string& encoding) {
  ClaimFile file;
  file.name = "claim";
  file.title = theory::printable(formula, kMaxProse);
  if (!encoding.empty()) file.encodings.push_back(theory::with_one_gate_in_bias(find_encoding(encoding, {})));
  ClaimReading reading;
  reading.name = "as stated";
  try {
    reading.formula = parse_formula(formula, {}, theory::names_of(file.encodings));
  } catch (const theory::ParseError& error) {
    throw theory::error_in_argument("--claim", formula, error.begin, error.end, error.what());
  }
  reading.text = reading.formula.text;
  Claim claim;
  claim.id = "claim";
  claim.statement = file.title;
  claim.readings.push_back(std::move(reading));
  file.claims.push_back(std::move(claim));
  return file;
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
  if (is_path) return parse_claims(theory::read_text_file(what), what, fs::absolute(what).parent_path());
  const std::vector<std::string> names = claim_file_names();
  if (std::ranges::find(names, what) == names.end()) {
    throw SpecError("'" + what + "' is neither a built-in file of claims nor a path ending in .toml" +
                    theory::did_you_mean(what, names, "; built in: " + theory::joined(names, ", ")));
  }
  return parse_claims(theory::read_text_file(claims_folder() / (what + ".toml")), what + ".toml");
}

}  // namespace gpe::checks
