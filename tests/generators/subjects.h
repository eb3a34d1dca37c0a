// What the rewritings and laws are tried on: every built-in encoding, and every row of instances.csv.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cases/csv.h"
#include "theory/properties/verdict.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_families.h"
#include "theory/score/spec_parse.h"

namespace gpe::testing {

/// Those whose weights are a softmax of functions of n and L.
inline std::vector<theory::Encoding> built_in_encodings() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings")) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<theory::Encoding> result;
  for (const auto& file : files) result.push_back(theory::load_encoding(file));
  std::erase_if(result, [](const theory::Encoding& one) { return !theory::is_softmax_of_n(one); });
  return result;
}

inline std::vector<theory::Encoding> instance_encodings() {
  std::vector<theory::Encoding> result;
  for (const CsvRow& row : read_cases("instances.csv")) {
    result.push_back(
        theory::encoding_of({row.at("bias"), row.at("gain"), "", "", std::stoll(row.at("first"))}));
    result.back().name = row.at("id");
  }
  return result;
}

/// "cn/every-content".
inline std::string key_of(const theory::Reading& reading) {
  return std::string(short_name_of(reading.property)) + "/" + std::string(reading.name);
}

/// The verdict of every reading at the default values, B = 1; with `open`, also the region.
inline std::vector<theory::Finding> verdicts(const theory::Encoding& encoding, const theory::Context& context,
                                             bool open = false) {
  const theory::ScoreFunction law = theory::instantiate(encoding, {}, {}, context);
  return find_all(open ? law : at_values(law), {theory::Rational(1)}, context);
}

}  // namespace gpe::testing
