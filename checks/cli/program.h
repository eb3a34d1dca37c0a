// main() of the programs: a table of options, then a body, and one way to end.
// Tests: tests/cli/help.cmake, tests/cli/bad_use.cmake
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "checks/cli/command_line.h"
#include "checks/cli/version.h"

namespace gpe::checks {

/// Where a value goes. A bool is a flag; several values are one option given several times.
using Value = std::variant<bool*, int*, std::int64_t*, std::uint64_t*, double*, std::string*,
                           std::vector<std::string>*, void (*)(const std::string&)>;

struct WholeNumbers {
  std::int64_t low;
  std::int64_t high;
};
/// NaN is not one of them.
struct Numbers {
  double low;
  double high;
};
struct OneOf {
  std::vector<std::string> known;
};
/// The name of a file that can be made or replaced, asked before the work whose result goes there.
struct OutputFile {};
struct Required {};
/// "A,B" is two values.
struct CommaList {};
struct Excludes {
  std::string other;
};
using Rule =
    std::variant<std::monostate, WholeNumbers, Numbers, OneOf, OutputFile, Required, CommaList, Excludes>;

/// What --help, completion and the parser know of an option.
struct Option {
  std::string name;  ///< "--heads"; without dashes, an argument that has no name
  Value value;
  std::string type;        ///< of the value, as --help shows it; of a flag, nothing
  std::string meaning;     ///< with its default
  std::string group = {};  ///< the heading in --help; default: that of --help itself
  Rule rule = {};
};

struct Program {
  std::string name;
  std::string about;
  std::string footer;                  ///< examples and exit codes
  bool minus_begins_argument = false;  ///< the first word, "-n + 1", is not an option
};

// Options of several programs.

/// "text, json or csv"
Option format_option(std::string& format, const std::string& group = "",
                     const std::vector<std::string>& known = {"text", "json"});
Option output_option(std::string& output, const std::string& group = "");
/// "seconds of CPU time for each number (default 10)"
Option time_limit_option(double& seconds, const std::string& of_what, const std::string& group = "");
Option head_dim_option(int& head_dim, const std::string& group = "");
/// @throws theory::SpecError  a --head-dim that is odd
void require_even_head_dim(int head_dim);
/// @throws theory::SpecError  a --head or --layer (`what`: "head") beyond their number
void require_one_of(const std::string& what, int number, int count);
Option threshold_option(std::string& threshold, const std::string& group = "");
/// --color auto, always or never, before has_color is asked: it sets the variables that has_color reads.
Option color_option(const std::string& group = "");

/// Parses the command line, then runs `body` as run_program of command_line.h: --help and --version end well,
/// bad use is one message on standard error and kBadInput.
int run_program(const Program& program, int argc, char** argv, const std::vector<Option>& options,
                const std::function<int()>& body);

/// main() of a program whose options are `table`, --version aside, and whose work is `body`.
template <class Options>
int program_main(const Program& program, int argc, char** argv, std::vector<Option> (*table)(Options&),
                 int (*body)(const Options&)) {
  Options options;
  return run_program(program, argc, argv, table(options), [&] { return body(options); });
}

}  // namespace gpe::checks
