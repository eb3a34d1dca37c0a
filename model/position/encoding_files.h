// An encoding as the text of its files: what a checkpoint keeps, and what training writes back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gpe::model {

struct EncodingFiles {
  std::string toml;
  std::map<std::string, std::string> tables;  ///< path inside the folder of the TOML file → bytes
  std::string source;                         ///< for messages
};

/// @param what  a built-in name or the path of a .toml file
/// @throws theory::SpecError
EncodingFiles read_encoding_files(const std::string& what);

/// A parameter's values as text: one; or one a head; or one row a layer.
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

/// Writes NAME.toml and the tables beside it.
void write_encoding_files(const EncodingFiles& files, const std::filesystem::path& toml);

/// The shortest decimal that is read back as this double.
std::string decimal(double value);

}  // namespace gpe::model
