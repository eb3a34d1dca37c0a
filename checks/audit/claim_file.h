// A file of claims: statements with their readings, each a formula of the claim language (docs/audit.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checks/audit/formula.h"
#include "theory/score/encoding.h"

namespace gpe::checks {

/// Sums c_1·t_1(n) + … of at most `most` different terms with coefficients left open, each with every gain;
/// or encodings by name.
struct ClaimFamily {
  std::string name;
  std::string title;
  std::vector<theory::Expr> terms;
  int most = 1;
  std::string coefficients;  ///< a condition on "c", "c >= 0"; empty: any real number
  std::vector<theory::Expr> gains = {theory::Expr(1)};
  std::vector<std::string> members;
};

struct ClaimReading {
  std::string name;
  std::string says;  ///< in words, where the formula does not speak for itself
  std::string text;  ///< of the formula
  Formula formula;
  bool negated = false;  ///< `not = true`: the opposite is claimed
};

struct Claim {
  std::string id;
  std::string where;      ///< "Theorem 3.1 (i)"
  std::string source;     ///< where another paper than the file's reference
  std::string statement;  ///< in words
  std::vector<ClaimReading> readings;
  std::string repair;  ///< what is true instead, in words; empty: none
  std::vector<ClaimReading> repairs;
};

struct ClaimFile {
  std::string name;  ///< as given
  std::string title;
  std::string reference;
  std::vector<theory::Encoding> encodings;
  std::vector<ClaimFamily> families;
  std::vector<Claim> claims;
};

/// @param folder  where the files of encodings are; nothing: none is read
/// @throws theory::SpecError  with file, line and caret
ClaimFile parse_claims(const std::string& text, const std::string& source,
                       const std::optional<std::filesystem::path>& folder = std::nullopt);
/// The formula as the only claim, about an encoding of the command line by its own name, and about those of
/// the library. @param encoding  as find_encoding has it; empty: none
ClaimFile one_claim(const std::string& formula, const std::string& encoding);

/// A built-in file by name ("vetcha2025"), or a path ending in .toml. @throws theory::SpecError.
ClaimFile find_claims(const std::string& what);
/// Names of the built-in files: those in $GPE_CLAIMS, else in share/gpe/claims beside the program's folder.
std::vector<std::string> claim_file_names();

}  // namespace gpe::checks
