// A comparison of two encodings as text, Markdown and JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "checks/compare/crossings.h"

namespace gpe::checks {

struct ComparedEncoding {
  std::string label;  ///< "ape", or "ape (first)" beside another "ape"
  std::vector<std::pair<std::string, std::string>> parameters;
};

struct ComparisonReport {
  ComparedEncoding first;
  ComparedEncoding second;
  ComparisonOptions options;
  std::vector<Comparison> comparisons;
  std::string parameter;  ///< that is varied; empty: none
  theory::Rational low;
  theory::Rational high;
  int digits = 8;  ///< of the places of changes
  std::vector<Crossings> crossings;
};

std::string comparison_text(const ComparisonReport& report, bool color);
std::string comparison_markdown(const ComparisonReport& report);
std::string comparison_latex(const ComparisonReport& report);
std::string comparison_json(const ComparisonReport& report);

/// "ape below 0.045243984, alibi above"
std::string in_words(const Crossings& crossings, const ComparisonReport& report);

}  // namespace gpe::checks
