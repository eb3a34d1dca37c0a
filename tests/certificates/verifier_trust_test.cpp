// What has to be trusted: the verifier includes nothing of the engine, and its page says how long it is.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "gtest/gtest.h"

namespace verifier_trust_test {

namespace fs = std::filesystem;

std::vector<std::pair<fs::path, std::string>> lines_of_the_verifier() {
  std::vector<std::pair<fs::path, std::string>> result;
  for (const auto& entry : fs::directory_iterator(fs::path(GPE_SOURCE_DIR) / "checks" / "verifier")) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) result.emplace_back(entry.path().filename(), line);
  }
  return result;
}

TEST(Verifier, includes_nothing_of_the_engine) {
  int own = 0;
  for (const auto& [file, line] : lines_of_the_verifier()) {
    if (!line.starts_with("#include \"") || line == "#include \"checks/cli/version.h\"")
      continue;  // --version
    EXPECT_TRUE(line.starts_with("#include \"checks/verifier/")) << file << ": " << line;
    ++own;
  }
  EXPECT_GT(own, 10);
}

TEST(Verifier, has_as_many_lines_as_its_page_says) {
  std::ifstream file(fs::path(GPE_SOURCE_DIR) / "docs" / "certificates.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  std::smatch stated;
  ASSERT_TRUE(std::regex_search(page, stated, std::regex("wc -l` counts ([0-9]+),([0-9]{3})\\s")));
  const std::size_t lines = lines_of_the_verifier().size();
  EXPECT_EQ(std::to_string(lines), stated.str(1) + stated.str(2));
  EXPECT_GT(lines, 1000U);
  EXPECT_LE(lines, 4333U) << "the number may only fall";
}

}  // namespace verifier_trust_test
