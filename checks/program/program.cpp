// The one file that knows CLI11.
#include "checks/program/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "checks/program/mistaken_use.h"
#include "theory/expression/formula_argument.h"
#include "theory/expression/spec_error.h"

namespace gpe::checks {

Option format_option(std::string& format, const std::string& group, const std::vector<std::string>& known) {
  std::string names = known.front();
  for (std::size_t i = 1; i < known.size(); ++i) names += (i + 1 < known.size() ? ", " : " or ") + known[i];
  return {"--format", &format, "F", names, group, OneOf{known}};
}

Option output_option(std::string& output, const std::string& group) {
  return {"--output", &output, "FILE", "write there instead of standard output", group, OutputFile{}};
}

Option time_limit_option(double& seconds, const std::string& of_what, const std::string& group) {
  return {"--time-limit", &seconds,           "S", "seconds of CPU time for " + of_what + " (default 10)",
          group,          Numbers{0.001, 1e6}};
}

Option head_dim_option(int& head_dim, const std::string& group) {
  return {"--head-dim", &head_dim, "D", "head dimension d (even; default 64)", group, WholeNumbers{2, 4096}};
}

void require_even_head_dim(int head_dim) {
  if (head_dim % 2 != 0)
    throw theory::SpecError("--head-dim " + std::to_string(head_dim) + ": expected an even number");
}

Option threshold_option(std::string& threshold, const std::string& group) {
  return {"--threshold", &threshold, "C1", "local range threshold C1 > 0 (default 1)", group};
}

Option color_option(const std::string& group) {
  const auto set = [](const std::string& when) {
    unsetenv("CLICOLOR_FORCE");
    if (when == "never") setenv("NO_COLOR", "1", 1);
    if (when != "always") return;
    unsetenv("NO_COLOR");
    setenv("CLICOLOR_FORCE", "1", 1);
  };
  return {"--color", set,
          "WHEN",    "colors on standard output: auto (on a terminal without NO_COLOR), always, never",
          group,     OneOf{{"auto", "always", "never"}}};
}

namespace {

// Unlike CLI::Range, this refuses "nan".
CLI::Validator number_between(double low, double high) {
  std::ostringstream expected;
  expected << "a number from " << low << " to " << high;
  return {[low, high, what = expected.str()](std::string& text) {
            double value = 0;
            const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
            return inside ? std::string() : "'" + text + "' is not " + what;
          },
          "", "between"};
}

CLI::Validator output_file() {
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

struct AddRule {
  CLI::Option* option;

  void operator()(std::monostate) const {}
  void operator()(const WholeNumbers& range) const { option->check(CLI::Range(range.low, range.high)); }
  void operator()(const Numbers& range) const { option->check(number_between(range.low, range.high)); }
  void operator()(const OneOf& one) const { option->check(CLI::IsMember(one.known)); }
  void operator()(OutputFile) const { option->check(output_file()); }
  void operator()(Required) const { option->required(); }
  void operator()(CommaList) const { option->delimiter(','); }
  void operator()(const Excludes& one) const { option->excludes(one.other); }
};

struct AddOption {
  CLI::App& app;
  const Option& one;

  CLI::Option* operator()(bool* flag) const { return app.add_flag(one.name, *flag, one.meaning); }
  CLI::Option* operator()(std::vector<std::string>* values) const {
    CLI::Option* option = app.add_option(one.name, *values, one.meaning);
    if (one.name.starts_with("-") && !std::holds_alternative<CommaList>(one.rule))
      option->allow_extra_args(false);
    return option;
  }
  CLI::Option* operator()(void (*set)(const std::string&)) const {
    return app.add_option_function<std::string>(one.name, set, one.meaning);
  }
  template <class T>
  CLI::Option* operator()(T* value) const {
    return app.add_option(one.name, *value, one.meaning);
  }
};

void add(CLI::App& app, const Option& one) {
  CLI::Option* option = std::visit(AddOption{app, one}, one.value);
  if (!one.type.empty()) option->type_name(one.type);
  if (!one.group.empty()) option->group(one.group);
  std::visit(AddRule{option}, one.rule);
}

// What is wrong with a command line that `app` refused.
std::string mistaken_use(const CLI::App& app, const CLI::ParseError& error) {
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

// Options with an empty value, as of a variable that a script has not set, are not options that are absent.
void require_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const CLI::results_t& values = option->results();
    if (!option->get_lnames().empty() && std::find(values.begin(), values.end(), "") != values.end())
      throw CLI::ValidationError(option->get_name(),
                                 "the value is empty; expected " + option->get_type_name());
  }
}

// The words of a command line, the last one first, as CLI11 takes them.
std::vector<std::string> words_of(const Program& program, int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (program.minus_begins_argument && !words.empty() && words[0].size() > 1 && words[0][0] == '-' &&
      words[0][1] != '-' && words[0] != "-h") {
    words.insert(words.begin(), "--");
    std::rotate(words.begin(), words.begin() + 2, words.end());
  }
  std::reverse(words.begin(), words.end());
  return words;
}

}  // namespace

int run_program(const Program& program, int argc, char** argv, const std::vector<Option>& options,
                const std::function<int()>& body) {
  CLI::App app(program.about, program.name);
  try {
    for (const Option& one : options) add(app, one);
    app.set_version_flag("--version", program.name + " " + kVersion);
    app.footer(program.footer);
    app.parse(words_of(program, argc, argv));
    require_values(app);
  } catch (const CLI::Success& success) {
    return end_output(program.name, app.exit(success));
  } catch (const CLI::ParseError& error) {
    say(program.name, mistaken_use(app, error));
    return kBadInput;
  }
  return run_program(program.name, body);
}

}  // namespace gpe::checks
