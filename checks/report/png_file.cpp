#include "checks/report/png_file.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "checks/program/write_file.h"
#include "theory/expression/spec_error.h"

extern char** environ;

namespace gpe::checks {

namespace {

// A folder for two files, removed with them.
class WorkFolder {
 public:
  WorkFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gpe-plot-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error(pattern + " cannot be made");
    path_ = pattern;
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::string png_of_svg(const std::string& svg) {
  const WorkFolder folder;
  std::string source = folder.file("plot.svg");
  std::string target = folder.file("plot.png");
  std::ofstream(source, std::ios::binary) << svg;
  std::array<std::string, 6> words = {"rsvg-convert", "--zoom=2", "--format=png", "--output", target, source};
  std::array<char*, 7> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t child = 0;
  const int trouble = posix_spawnp(&child, "rsvg-convert", nullptr, nullptr, arguments.data(), environ);
  if (trouble == ENOENT)
    throw theory::SpecError(
        "a PNG takes the program rsvg-convert (Debian: apt-get install librsvg2-bin); an SVG takes nothing");
  int status = 0;
  if (trouble != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("rsvg-convert failed");
  std::ifstream picture(target, std::ios::binary);
  return {std::istreambuf_iterator<char>(picture), {}};
}

bool is_png(const std::string& option, const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".png" && ending != ".svg")
    throw theory::SpecError(option + " " + file + ": expected a name that ends in .svg or .png");
  return ending == ".png";
}

void write_picture(const std::string& option, const std::string& file, const std::string& svg) {
  write_file(file, is_png(option, file) ? png_of_svg(svg) : svg);
}

}  // namespace gpe::checks
