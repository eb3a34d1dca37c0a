// What has to be trusted stays small: the verifier includes nothing of the engine, and does not grow.
#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"

namespace {

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
    if (!line.starts_with("#include \"") || line == "#include \"checks/program/version.h\"")
      continue;  // --version
    EXPECT_TRUE(line.starts_with("#include \"checks/verifier/")) << file << ": " << line;
    ++own;
  }
  EXPECT_GT(own, 10);
}

TEST(Verifier, does_not_grow) {
  const std::size_t lines = lines_of_the_verifier().size();
  EXPECT_GT(lines, 1000U);
  EXPECT_LE(lines, 4367U) << "docs/certificates.md says how long it is";
}

}  // namespace
