#include "theory/source/toml_keys.h"

#include <algorithm>
#include <cstdint>

#include "theory/source/nearest_name.h"
#include "theory/source/rational.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

namespace {

constexpr std::size_t kMostUnknown = 5;  // keys of one table that are named

// Of the characters (UTF-8) in bytes [from, to).
std::size_t characters(std::string_view text, std::size_t from, std::size_t to) {
  std::size_t count = 0;
  for (std::size_t i = from; i < std::min(to, text.size()); ++i)
    count += (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

}  // namespace

toml::table TomlSource::document(const std::vector<std::string>& known_keys, const std::string& what) const {
  toml::table result = toml_document(text_, source_);
  only_keys(result, known_keys, what);
  require_schema(result);
  return result;
}

void TomlSource::require_schema(const toml::table& document) const {
  const toml::node& schema = required(document, "schema", "schema = 1");
  const auto version = schema.value_exact<std::int64_t>();
  if (!version) fail(schema, "schema is not an integer; expected schema = 1");
  if (*version != 1)
    fail(schema, "schema " + std::to_string(*version) + " is not known; this program reads schema 1");
}

void TomlSource::fail(const toml::source_region& at, const std::string& message) const {
  throw mistake(at, message);
}

SpecError TomlSource::mistake(const toml::source_region& at, const std::string& message) const {
  const std::size_t length =
      at.end.line == at.begin.line && at.end.column > at.begin.column ? at.end.column - at.begin.column : 1;
  return error_at(source_, text_, std::max<std::size_t>(1, at.begin.line),
                  std::max<std::size_t>(1, at.begin.column), length, message);
}

void TomlSource::fail_inside(const toml::node& node, const std::string& value, std::size_t begin,
                             std::size_t end, const std::string& message) const {
  if (const auto column = column_of_content(node, value)) {
    throw error_at(source_, text_, node.source().begin.line, *column + characters(value, 0, begin),
                   std::max<std::size_t>(1, characters(value, begin, end)), message);
  }
  fail(node,
       message + " (at character " + std::to_string(characters(value, 0, begin) + 1) + " of the expression)");
}

void TomlSource::only_keys(const toml::table& table, const std::vector<std::string>& known,
                           const std::string& where, std::string (*elsewhere)(std::string_view)) const {
  std::vector<std::string> unknown;
  for (const auto& [key, value] : in_file_order(table)) {
    const std::string name(key->str());
    if (unknown.size() == kMostUnknown || std::ranges::find(known, name) != known.end()) continue;
    const std::string place = elsewhere == nullptr ? "" : elsewhere(name);
    unknown.emplace_back(mistake(key->source(), "unknown key '" + name + "' in " + where +
                                                    (place.empty() ? instead_of(name, known) : "; " + place))
                             .what());
  }
  if (!unknown.empty()) throw SpecError(joined(unknown, "\n  "));
}

std::vector<TomlSource::KeyValue> TomlSource::in_file_order(const toml::table& table) {
  std::vector<KeyValue> result;
  for (const auto& [key, value] : table) result.emplace_back(&key, &value);
  std::ranges::sort(result, {}, [](const KeyValue& one) {
    const auto& at = one.first->source().begin;
    return std::pair(at.line, at.column);
  });
  return result;
}

const toml::node& TomlSource::required(const toml::table& table, const std::string& key,
                                       const std::string& expected) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) throw SpecError(source_ + ": '" + key + "' is missing; expected " + expected);
  return *node;
}

const toml::table& TomlSource::table_of(const toml::node& node, const std::string& what) const {
  if (node.as_table() == nullptr) fail(node, what + " is not a table");
  return *node.as_table();
}

const toml::array& TomlSource::array_of(const toml::node& node, const std::string& what) const {
  if (node.as_array() == nullptr) fail(node, "expected " + what);
  return *node.as_array();
}

std::string TomlSource::string_of(const toml::node& node, const std::string& key) const {
  if (const auto* text = node.as_string()) return text->get();
  if (node.is_floating_point()) {
    const std::string value = source_text(node);
    const auto exact = Rational::parse(value);
    fail(node, key + " is a TOML float, which is not exact; write " +
                   (exact && exact->is_integer() ? exact->str() : "it as a string, \"" + value + "\""));
  }
  fail(node, key + " is not a string; expected text in quotes, \"…\"");
}

std::string TomlSource::optional_string(const toml::table& table, const std::string& key) const {
  const toml::node* node = table.get(key);
  return node == nullptr ? std::string() : string_of(*node, key);
}

std::vector<std::string> TomlSource::strings_of(const toml::table& table, const std::string& key) const {
  std::vector<std::string> result;
  if (const toml::node* node = table.get(key)) {
    for (const toml::node& one : array_of(*node, key + " = [\"…\", …]"))
      result.push_back(string_of(one, "an entry of " + key));
  }
  return result;
}

std::string TomlSource::source_text(const toml::node& node) const {
  const auto& region = node.source();
  const std::string_view line = line_from(region.begin.line, region.begin.column);
  return std::string(
      line.substr(0, region.end.column - region.begin.column));  // numbers have bytes for columns
}

std::string TomlSource::instead_of(std::string_view name, const std::vector<std::string>& known) {
  return did_you_mean(name, known, "; expected one of: " + joined(known, ", "));
}

// The rest of a line of the file after a column; columns count characters.
std::string_view TomlSource::line_from(std::size_t line, std::size_t column) const {
  std::string_view rest = text_;
  for (std::size_t i = 1; i < line; ++i) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  for (std::size_t i = 1; i < column && !rest.empty(); ++i) {
    rest.remove_prefix(1);
    while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U)
      rest.remove_prefix(1);
  }
  return rest;
}

// Where the characters of a one-line string without escapes begin; nothing for the other kinds of string.
std::optional<std::size_t> TomlSource::column_of_content(const toml::node& node,
                                                         const std::string& value) const {
  const auto& begin = node.source().begin;
  const std::string_view rest = line_from(begin.line, begin.column);
  if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) return std::nullopt;
  if (rest.substr(1, value.size()) != value) return std::nullopt;
  return begin.column + 1;
}

}  // namespace gpe::theory
