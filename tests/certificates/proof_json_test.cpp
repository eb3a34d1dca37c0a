// The rules of the search are those of the page.
#include "checks/certificate/proof_json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace proof_json_test {

using namespace gpe::checks;

TEST(ProofJson, rules_are_those_of_the_page) {
  std::set<std::string> on_page, of_search;
  std::ifstream page(GPE_SOURCE_DIR "/docs/certificates.md");
  const std::regex name("`([^`]+)`");
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) in_table = line == "## Rules";
    if (!in_table || !line.starts_with("| `")) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator at(cell.begin(), cell.end(), name), end; at != end; ++at)
      on_page.insert((*at)[1]);
  }
  for (int at = 0; at <= static_cast<int>(Rule::window); ++at)
    of_search.emplace(name_of(static_cast<Rule>(at)));
  EXPECT_EQ(of_search, on_page);
  std::ifstream file(GPE_SOURCE_DIR "/docs/certificate.schema.json");
  const Json schema = Json::parse(file);
  std::set<std::string> in_schema;
  for (const Json& row : schema["$defs"]["proof"]["oneOf"])
    for (const std::string rule : row["properties"]["rule"]["enum"]) in_schema.insert(rule);
  EXPECT_EQ(in_schema, on_page);
}

}  // namespace proof_json_test
