// A TOML text whose mistakes are answered with their place and what was expected: the one way in which
// encodings, claims, grids and configurations are read.
// Tests: tests/theory/score/newcomers_test.cpp, tests/cli/bad_specs.cmake
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "theory/source/toml_document.h"

namespace gpe::theory {

class TomlSource {
 public:
  using KeyValue = std::pair<const toml::key*, const toml::node*>;

  /// @param text  outlives this; @param source  its name in messages
  TomlSource(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  std::string_view text() const { return text_; }
  const std::string& source() const { return source_; }
  /// @throws SpecError  also where `schema = 1` is missing
  toml::table document(const std::vector<std::string>& known_keys, const std::string& what) const;
  void require_schema(const toml::table& document) const;

  [[noreturn]] void fail(const toml::source_region& at, const std::string& message) const;
  [[noreturn]] void fail(const toml::node& at, const std::string& message) const {
    fail(at.source(), message);
  }
  /// A mistake at bytes [begin, end) of a string: under its characters where the string is written on one
  /// line, else with the number of its character.
  [[noreturn]] void fail_inside(const toml::node& node, const std::string& value, std::size_t begin,
                                std::size_t end, const std::string& message) const;

  /// @param elsewhere  what to do with a key that does not stand where it may; empty: nothing is known
  /// @throws SpecError  with a line for each of the first keys that are not known, and the nearest that is
  void only_keys(const toml::table& table, const std::vector<std::string>& known, const std::string& where,
                 std::string (*elsewhere)(std::string_view) = nullptr) const;
  static std::vector<KeyValue> in_file_order(const toml::table& table);

  const toml::node& required(const toml::table& table, const std::string& key,
                             const std::string& expected) const;
  const toml::table& table_of(const toml::node& node, const std::string& what) const;
  const toml::array& array_of(const toml::node& node, const std::string& what) const;
  /// @throws SpecError  where it is not a string; of a float, which is not exact, with what to write instead
  std::string string_of(const toml::node& node, const std::string& key) const;
  std::string optional_string(const toml::table& table, const std::string& key) const;  ///< empty without
  std::vector<std::string> strings_of(const toml::table& table, const std::string& key) const;  ///< likewise
  /// One of `known` by name. @param hint  for names that others use; may be empty
  template <class T>
  T choice(const toml::node& node, const std::string& key,
           const std::vector<std::pair<std::string, T>>& known,
           std::string_view (*hint)(std::string_view) = nullptr) const {
    const std::string text = string_of(node, key);
    std::vector<std::string> names;
    for (const auto& [name, value] : known) {
      if (name == text) return value;
      names.push_back(name);
    }
    const std::string_view answer = hint == nullptr ? std::string_view() : hint(text);
    fail(node, "unknown " + key + " '" + text + "'" +
                   (answer.empty() ? instead_of(text, names) : "; " + std::string(answer)));
  }

  /// A value as it stands in the file, on one line.
  std::string source_text(const toml::node& node) const;

 private:
  SpecError mistake(const toml::source_region& at, const std::string& message) const;
  /// "; did you mean '…'?", or the list.
  static std::string instead_of(std::string_view name, const std::vector<std::string>& known);
  std::string_view line_from(std::size_t line, std::size_t column) const;
  std::optional<std::size_t> column_of_content(const toml::node& node, const std::string& value) const;

  std::string_view text_;
  std::string source_;
};

}  // namespace gpe::theory
