// Where a verdict holds, as a cell of a table.
#include <algorithm>

#include "checks/report/report_cells.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Finding;

namespace {

// Of a long region, as many cases have it, only what is decided, where that is short: JSON has it whole.
std::string shown(const std::string& region) {
  constexpr std::size_t longest = 2000;
  if (region.size() <= longest) return region;
  const std::string open = "; undecided: ", decided = region.substr(0, region.find(open));
  const auto instead = [](const std::string& part) {
    return "a region of " + std::to_string(part.size()) + " characters (--format json)";
  };
  if (decided.size() > longest) return instead(region);
  return decided + open + instead(region.substr(decided.size() + open.size()));
}

}  // namespace

std::string region_cell(const std::vector<const Finding*>& findings) {
  const std::string& first = findings.front()->region;
  if (std::ranges::all_of(findings, [&](const Finding* f) { return f->region == first; })) {
    return first.starts_with("always") || first.starts_with("never") ? shown(first) : "when " + shown(first);
  }
  return theory::joined(findings, "; ", [](const Finding* f) {
    return (f->content_bound ? "B = " + f->content_bound->str() + ": " : "") + shown(f->region);
  });
}

}  // namespace gpe::checks
