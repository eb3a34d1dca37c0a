// The tables of an encoding file: values in it, or beside it as CSV files.
// Tests: tests/theory/asymptotics/pieces_test.cpp, tests/cli/bad_specs.cmake
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "theory/source/csv_table.h"
#include "theory/source/toml_keys.h"

namespace gpe::theory {

using Tables = std::map<std::string, std::shared_ptr<const Table>>;

/// @throws SpecError  unless `key` is a name that expressions can use and no table has
void require_new_name(const TomlSource& toml, const toml::key& key, const std::string& what,
                      const Tables& tables);

class SpecTables {
 public:
  /// @param folder  where table files are looked for; they must lie inside it
  /// @param packed  instead of the folder, the files that come with the encoding; may be null
  SpecTables(const TomlSource& toml, std::filesystem::path folder, const TableFiles* packed,
             const TableColumn& column)
      : toml_(toml), folder_(std::move(folder)), packed_(packed), column_(column) {}

  /// @throws SpecError
  void read(const toml::table& tables);
  /// @throws SpecError  when one of the packed files is not one that the encoding names
  void require_all_named() const;

  const Tables& tables() const { return tables_; }
  const std::string& bytes() const { return bytes_; }  ///< of the files, in their order

 private:
  std::vector<Rational> numbers_of(const toml::node& node) const;
  void read_file(const std::string& name, const toml::node& file_node, Beyond beyond);
  void read_packed(const std::string& name, const toml::node& file_node, const std::string& file,
                   Beyond beyond);

  const TomlSource& toml_;
  std::filesystem::path folder_;
  const TableFiles* packed_;
  TableColumn column_;
  std::set<std::string> named_;  // of the packed files
  std::string bytes_;
  Tables tables_;
};

}  // namespace gpe::theory
