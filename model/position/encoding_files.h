// An encoding as the text of its files: what a checkpoint keeps, and what training writes back.
// Tests: tests/model/position/positions_test.cpp, tests/model/training/checkpoint_test.cpp
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "theory/score/spec_parse.h"

namespace gpe::model {

struct EncodingFiles {
  std::string toml;
  theory::TableFiles tables;  ///< path inside the folder of the TOML file → bytes
  std::string source;         ///< for messages
};

/// @param what  a built-in name or the path of a .toml file
/// @throws theory::SpecError
EncodingFiles read_encoding_files(const std::string& what);

/// What the text and its tables say; no file is read.
/// @throws theory::SpecError  also when a table comes with them that the text does not name
theory::Encoding parse_files(const EncodingFiles& files, const theory::TableColumn& column);

/// A parameter's values as text: one; or one per head; or one row per layer.
using ParameterTexts = std::vector<std::vector<std::string>>;

/// The TOML file with other values of its parameters.
/// @throws theory::SpecError  a parameter that it does not have
std::string with_parameters(const EncodingFiles& files, const std::map<std::string, ParameterTexts>& values);

/// The same encoding with alpha = "measured" replaced by what was measured: alpha0·(1 + a table of n),
/// constant beyond its end.
/// @param entropies  by [layer][head][n]
EncodingFiles with_measured(const EncodingFiles& files, bool has_alpha0, std::span<const double> entropies,
                            std::size_t columns);

/// The same encoding where head h of layer l sees `keys` keys at most: its own window, or this one when that
/// is smaller.
/// @param keys  by [layer][head]
EncodingFiles with_windows(const EncodingFiles& files, const std::vector<std::vector<std::int64_t>>& keys);

/// What write_encoding_files would refuse, before there is something to write.
/// @throws theory::SpecError  a table whose file is no .csv, .tsv, .txt or .dat
void check_table_names(const EncodingFiles& files);

/// Writes NAME.toml and the tables beside it, through no link.
/// @throws theory::SpecError  what check_table_names refuses; a file or folder there that is a link
void write_encoding_files(const EncodingFiles& files, const std::filesystem::path& toml);

/// The shortest decimal that is read back as this double.
std::string decimal(double value);

}  // namespace gpe::model
