// main() of the programs: the command line, then a body, and one way to end.
// Tests: tests/cli/help.cmake, tests/cli/bad_use.cmake
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>

#include "checks/program/command_line.h"
#include "checks/program/mistaken_use.h"
#include "checks/program/version.h"
#include "theory/expression/formula_argument.h"

namespace gpe::checks {

/// Unlike CLI::Range, this refuses "nan".
inline CLI::Validator number_between(double low, double high) {
  std::ostringstream expected;
  expected << "a number from " << low << " to " << high;
  return {[low, high, what = expected.str()](std::string& text) {
            double value = 0;
            const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
            return inside ? std::string() : "'" + text + "' is not " + what;
          },
          "", "between"};
}

/// The name of a file that can be made or replaced, asked before the work whose result goes there.
inline CLI::Validator output_file() {
  return {[](std::string& text) {
            namespace fs = std::filesystem;
            const fs::path file = text;
            std::error_code ignored;
            if (text.empty() || (file.has_filename() && !fs::is_directory(file, ignored) &&
                                 fs::is_directory(fs::absolute(file, ignored).parent_path(), ignored)))
              return std::string();
            return "'" + text + "' cannot be made; expected a file in a folder that exists";
          },
          "", "output file"};
}

/// Options under a heading of their own in --help.
inline void add_heading(CLI::App& app, const std::string& heading,
                        std::initializer_list<const char*> options) {
  for (const char* option : options) app.get_option(option)->group(heading);
}

/// "text, json or csv"
inline void add_format(CLI::App& app, std::string& format,
                       const std::vector<std::string>& known = {"text", "json"}) {
  std::string names = known.front();
  for (std::size_t i = 1; i < known.size(); ++i) names += (i + 1 < known.size() ? ", " : " or ") + known[i];
  app.add_option("--format", format, names)->check(CLI::IsMember(known))->type_name("F");
}

inline void add_output(CLI::App& app, std::string& output) {
  app.add_option("--output", output, "write there instead of standard output")
      ->check(output_file())
      ->type_name("FILE");
}

/// "seconds of CPU time for each number (default 10)"
inline void add_time_limit(CLI::App& app, double& seconds, const std::string& of_what) {
  app.add_option("--time-limit", seconds, "seconds of CPU time for " + of_what + " (default 10)")
      ->check(number_between(0.001, 1e6))
      ->type_name("S");
}

inline void add_head_dim(CLI::App& app, int& head_dim) {
  app.add_option("--head-dim", head_dim, "head dimension d (even; default 64)")
      ->check(CLI::Range(2, 4096))
      ->type_name("D");
}

inline void add_threshold(CLI::App& app, std::string& threshold) {
  app.add_option("--threshold", threshold, "local range threshold C1 > 0 (default 1)")->type_name("C1");
}

/// What is wrong with a command line that `app` refused.
inline std::string mistaken_use(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> options;
  std::string places;   // where arguments stand that are no options
  std::string missing;  // one of them that has to be there
  bool encodings = false;
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    options.insert(options.end(), names.begin(), names.end());
    if (!option->get_positional()) continue;
    const std::string type = option->get_type_name();
    places += (places.empty() ? "" : " ") + type;
    if (missing.empty() && option->get_required() && option->count() == 0)
      missing = type + ", " + option->get_description();
    encodings = encodings || type == "ENCODING" || type == "FAMILY";
  }
  const std::vector<std::string> left = app.remaining();
  for (const std::string& word : left) {
    if (encodings && theory::is_formula(word)) return theory::formula_instead(word);
    if (word.size() > 1 && word.starts_with("-")) return unknown_option(word, options);
  }
  const std::string help = " (see --help)";
  if (!left.empty())
    return "unexpected argument '" + left.front() + "'; expected " +
           (places.empty() ? "options alone" : "nothing behind " + places + " but options") + help;
  return (missing.empty() ? std::string(error.what()) : "expected " + missing) + help;
}

/// Options with an empty value, as of a variable that a script has not set, are not options that are absent.
inline void require_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const CLI::results_t& values = option->results();
    if (!option->get_lnames().empty() && std::find(values.begin(), values.end(), "") != values.end())
      throw CLI::ValidationError(option->get_name(),
                                 "the value is empty; expected " + option->get_type_name());
  }
}

/// run_program, after `parse` has handed the command line to `app`: --help and --version end well, bad use is
/// one message on standard error and kBadInput.
inline int run_program(const CLI::App& app, const std::string& program, const std::function<void()>& parse,
                       const std::function<int()>& body) {
  try {
    parse();
    require_values(app);
  } catch (const CLI::Success& success) {
    return end_output(program, app.exit(success));
  } catch (const CLI::ParseError& error) {
    say(program, mistaken_use(app, error));
    return kBadInput;
  }
  return run_program(program, body);
}

inline int run_program(CLI::App& app, const std::string& program, int argc, char** argv,
                       const std::function<int()>& body) {
  return run_program(
      app, program, [&] { app.parse(argc, argv); }, body);
}

/// main() of a program whose options `describe` adds, --version aside, and whose work is `body`.
template <class Options>
int program_main(CLI::App&& app, const std::string& program, int argc, char** argv,
                 void (*describe)(CLI::App&, Options&), int (*body)(const Options&)) {
  Options options;
  describe(app, options);
  app.set_version_flag("--version", program + " " + kVersion);
  return run_program(app, program, argc, argv, [&] { return body(options); });
}

}  // namespace gpe::checks
