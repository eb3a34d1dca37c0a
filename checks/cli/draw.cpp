#include "checks/cli/draw.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include "theory/source/spec_error.h"

extern char** environ;

namespace gpe::checks {

namespace {

// A file without a name, for what a child reads or says.
class NamelessFile {
 public:
  NamelessFile() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw std::runtime_error("no temporary file can be made");
  }
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
      throw std::runtime_error("a temporary file cannot be written");
    std::rewind(file_.get());
  }
  std::string line() {
    std::rewind(file_.get());
    std::string text;
    for (int c = 0; (c = std::fgetc(file_.get())) != EOF && c != '\n';) text += static_cast<char>(c);
    return text;
  }
  int descriptor() const { return fileno(file_.get()); }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

// Runs gpe with these words; what it says against it becomes an error.
void run_gpe(const std::string& option, std::vector<std::string> words, const std::string& input) {
  std::error_code error;
  words.insert(words.begin(),
               (std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "gpe").string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  NamelessFile report;
  report.write(input);
  NamelessFile messages;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, report.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, messages.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int trouble = posix_spawn(&child, arguments.front(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (trouble != 0)
    throw theory::SpecError(option +
                            ": the command gpe is not beside this program; it draws, with what "
                            "./setup.sh --plots installs");
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
    throw std::runtime_error("gpe ended before its time");
  if (WEXITSTATUS(status) == 0) return;
  std::string said = messages.line();
  for (const std::string& start : {std::string("gpe: "), std::string("--output ")})  // what it was given here
    if (said.starts_with(start)) said.erase(0, start.size());
  if (WEXITSTATUS(status) == 2) throw theory::SpecError(option + ": " + said);
  throw std::runtime_error(option + ": " + said);
}

std::vector<std::string> words_of(Drawing what, const std::string& file) {
  return {what == Drawing::plot ? "plot" : "page", "--output=" + file};
}

}  // namespace

void require_drawing(Drawing what, const std::string& option, const std::string& file) {
  std::vector<std::string> words = words_of(what, file);
  words.emplace_back("--can");
  run_gpe(option, words, "");
}

void draw(Drawing what, const std::string& option, const std::string& file, const std::string& report) {
  std::vector<std::string> words = words_of(what, file);
  words.emplace_back("-");
  run_gpe(option, words, report);
}

}  // namespace gpe::checks
