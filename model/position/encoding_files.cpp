#include "model/position/encoding_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "checks/cli/file_inside.h"
#include "checks/cli/write_file.h"
#include "checks/configs/encoding_library.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"
#include "theory/source/toml_document.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

constexpr const char* kMeasuredTable = "measured_entropy";
constexpr const char* kMeasuredFile = "measured-entropy.csv";
constexpr const char* kKeys = "keys_kept";
constexpr std::array kTableEndings = {".csv", ".tsv", ".txt", ".dat"};

std::string text_of(const toml::table& table) {
  std::ostringstream stream;
  stream << table << "\n";
  return stream.str();
}

toml::array array_of(const std::vector<std::string>& texts) {
  toml::array result;
  for (const std::string& text : texts) result.push_back(text);
  return result;
}

}  // namespace

std::string decimal(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

EncodingFiles read_encoding_files(const std::string& what) {
  if (what == "-") throw SpecError("an encoding for a model must have a name or a file, not standard input");
  const theory::Encoding encoding = checks::find_encoding(what, {});  // also checks it, and names the file
  EncodingFiles result;
  result.source = encoding.source;
  result.toml = theory::read_text_file(encoding.source);
  const toml::table document = theory::toml_document(result.toml, result.source);
  if (const toml::table* tables = document["tables"].as_table()) {
    for (const auto& [name, node] : *tables) {
      const std::string file = (*node.as_table())["file"].value_or(std::string());
      if (file.empty()) continue;  // its values are written in the encoding
      result.tables[file] = theory::read_text_file(fs::path(encoding.source).parent_path() / file);
    }
  }
  return result;
}

theory::Encoding parse_files(const EncodingFiles& files, const theory::TableColumn& column) {
  return theory::parse_packed_encoding(files.toml, files.source, files.tables, column);
}

std::string with_parameters(const EncodingFiles& files, const std::map<std::string, ParameterTexts>& values) {
  toml::table document = theory::toml_document(files.toml, files.source);
  toml::table* parameters = document["parameters"].as_table();
  for (const auto& [name, texts] : values) {
    toml::table* parameter = parameters == nullptr ? nullptr : (*parameters)[name].as_table();
    if (parameter == nullptr) {
      std::vector<std::string> names;
      if (parameters != nullptr) {
        for (const auto& [known, node] : *parameters) names.emplace_back(known.str());
      }
      throw SpecError(files.source + ": there is no parameter '" + name + "'" +
                      theory::did_you_mean(name, names));
    }
    if (texts.size() == 1 && texts.front().size() == 1) {
      parameter->insert_or_assign("default", texts.front().front());
    } else if (texts.size() == 1) {
      parameter->insert_or_assign("default", array_of(texts.front()));
    } else {
      toml::array rows;
      for (const auto& row : texts) rows.push_back(array_of(row));
      parameter->insert_or_assign("default", std::move(rows));
    }
  }
  return text_of(document);
}

EncodingFiles with_measured(const EncodingFiles& files, bool has_alpha0, std::span<const double> entropies,
                            std::size_t columns) {
  EncodingFiles result = files;
  toml::table document = theory::toml_document(files.toml, files.source);
  toml::table& rotation = *document["score"]["rotation"].as_table();
  rotation.insert_or_assign("alpha",
                            std::string(has_alpha0 ? "alpha0*" : "") + "(1 + " + kMeasuredTable + "(n))");
  if (document["tables"].as_table() == nullptr) document.insert_or_assign("tables", toml::table{});
  document["tables"].as_table()->insert_or_assign(
      kMeasuredTable, toml::table{{"file", kMeasuredFile}, {"index", "n"}, {"beyond", "constant"}});
  result.toml = text_of(document);
  std::string table = "n";
  for (std::size_t column = 1; column <= columns; ++column) table += ",column " + std::to_string(column);
  const std::size_t length = entropies.size() / columns;
  for (std::size_t n = 0; n < length; ++n) {
    table += "\n" + std::to_string(n);
    for (std::size_t column = 0; column < columns; ++column)
      table += "," + decimal(entropies[column * length + n]);
  }
  result.tables[kMeasuredFile] = table + "\n";
  return result;
}

EncodingFiles with_windows(const EncodingFiles& files, const std::vector<std::vector<std::int64_t>>& keys) {
  EncodingFiles result = files;
  toml::table document = theory::toml_document(files.toml, files.source);
  if (document["parameters"].as_table() == nullptr) document.insert_or_assign("parameters", toml::table{});
  toml::array rows;
  for (const auto& of_layer : keys) {
    toml::array row;
    for (const std::int64_t count : of_layer) row.push_back(count);
    rows.push_back(std::move(row));
  }
  document["parameters"].as_table()->insert_or_assign(kKeys, toml::table{{"default", std::move(rows)}});
  toml::table& score = *document["score"].as_table();
  const auto own = score["window"].value<std::string>();
  score.insert_or_assign("window", own ? "min(" + *own + ", " + kKeys + ")" : std::string(kKeys));
  result.toml = text_of(document);
  return result;
}

// A table could take the name of a file that another program runs or reads: only these endings are safe.
void check_table_names(const EncodingFiles& files) {
  for (const auto& [name, bytes] : files.tables) {
    const fs::path extension = fs::path(name).extension();
    const bool known = std::ranges::any_of(kTableEndings, [&](const char* one) { return extension == one; });
    if (!known || fs::path(name).filename() == "merges.txt") {
      throw SpecError(files.source + ": the table file '" + name +
                      "' cannot be written beside a model; expected a name that ends in .csv, .tsv, .txt or "
                      ".dat, and not merges.txt");
    }
  }
}

void write_encoding_files(const EncodingFiles& files, const fs::path& toml) {
  check_table_names(files);
  for (const auto& [name, bytes] : files.tables) {
    const fs::path file = checks::file_inside(toml.parent_path(), name);
    fs::create_directories(file.parent_path());
    checks::write_file(file, bytes);
  }
  checks::write_file(checks::file_inside(toml.parent_path(), toml.filename()), files.toml);
}

}  // namespace gpe::model
