// The one file that knows CLI11.
#include "checks/cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "checks/cli/mistaken_use.h"
#include "theory/expression/formula_argument.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

Option format_option(std::string& format, const std::string& group, const std::vector<std::string>& known) {
  std::string names = known.front();
  for (std::size_t i = 1; i < known.size(); ++i) names += (i + 1 < known.size() ? ", " : " or ") + known[i];
  return {"--format", &format, "F", names, group, OneOf{known}};
}

Option output_option(std::string& output, const std::string& group) {
  return {"--output", &output,
          "FILE",     "write there instead of standard output; without --format, its ending says which",
          group,      OutputFile{}};
}

Option time_limit_option(double& seconds, const std::string& of_what, const std::string& group) {
  return {"--time-limit", &seconds,           "S", "seconds of CPU time for " + of_what + " (default 10)",
          group,          Numbers{0.001, 1e6}};
}

Option head_dim_option(int& head_dim, const std::string& group) {
  return {"--head-dim", &head_dim, "D", "head dimension d (even; default 64)", group, WholeNumbers{2, 4096}};
}

void require_one_of(const std::string& what, int number, int count) {
  if (number > count)
    throw theory::SpecError("--" + what + " " + std::to_string(number) + ": not one of " +
                            theory::counted(count, what) + "; use --" + what + "s");
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

// What `known` refuses, in our words.
CLI::Validator worded(const CLI::Validator& known, const std::string& expected,
                      const std::vector<std::string>& names = {}) {
  return {[known, expected, names](std::string& text) {
            if (known(text).empty()) return std::string();
            return "'" + text + "' is not " + expected + theory::did_you_mean(text, names);
          },
          known.get_description(), ""};
}

// Unlike CLI::Range, this refuses "nan".
CLI::Validator number_between(double low, double high) {
  std::ostringstream expected;
  expected << "a number from " << low << " to " << high;
  const auto outside = [low, high](const std::string& text) {
    double value = 0;
    const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
    return std::string(inside ? "" : "outside");
  };
  return worded({outside, "", "between"}, expected.str());
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
  void operator()(const WholeNumbers& range) const {
    option->check(
        worded(CLI::Range(range.low, range.high),
               "a whole number from " + std::to_string(range.low) + " to " + std::to_string(range.high)));
  }
  void operator()(const Numbers& range) const { option->check(number_between(range.low, range.high)); }
  void operator()(const OneOf& one) const {
    option->check(worded(CLI::IsMember(one.known), "one of " + theory::joined(one.known, ", "), one.known));
  }
  void operator()(OutputFile) const { option->check(output_file()); }
  void operator()(Required) const { option->required(); }
  void operator()(CommaList) const {
    option->delimiter(',')->transform([](const std::string& name) { return CLI::detail::trim_copy(name); });
  }
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

// "--heads: …", what CLI11 says of an option, in our words; what our rules say, as it is.
std::string in_words(const CLI::App& app, const CLI::ParseError& error) {
  const std::string said = error.what();
  const std::size_t begin = std::min(said.find("--"), said.size());
  const std::string name = said.substr(begin, said.find_first_of(": ", begin) - begin);
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return said;
  std::string type = option->get_type_name();
  type = type.substr(0, type.find(':'));
  const std::string expected = "expected " + type;
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return "expected " + name + " " + type;
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
    return name + ": expected without " + said.substr(said.rfind(' ') + 1);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    if (type.empty()) return name + ": expected without a value";
    return name + ": '" + option->results().back() + "' is not a value of it; " + expected;
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return said;
  if (option->count() > 1)
    return name + ": given " + std::to_string(option->count()) + " times; expected once";
  return name + ": the value is missing; " + expected;
}

// What is wrong with a command line that `app` refused.
std::string mistaken_use(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> options;
  std::string places;   // where arguments stand that are not options
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
  return (missing.empty() ? in_words(app, error) : "expected " + missing) + help;
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

// Without --format, the ending of --output says which, where the program has it.
void take_format_of_output(const CLI::App& app, const std::vector<Option>& options) {
  static const std::map<std::string, std::string> formats = {
      {".json", "json"}, {".md", "markdown"}, {".csv", "csv"}, {".tex", "latex"}};
  const auto format = std::ranges::find(options, "--format", &Option::name);
  const CLI::Option* output = app.get_option_no_throw("--output");
  if (format == options.end() || output == nullptr || output->empty() || !app["--format"]->empty()) return;
  const std::string ending = std::filesystem::path(output->results().back()).extension().string();
  if (ending == ".pdf" || ending == ".png" || ending == ".svg")
    throw CLI::ValidationError("--output", "'" + output->results().back() + "': expected no " + ending +
                                               ", as it is a text; gpe plot makes pictures");
  const auto meant = formats.find(ending);
  const auto* known = std::get_if<OneOf>(&format->rule);
  if (meant == formats.end() || known == nullptr) return;
  if (std::ranges::find(known->known, meant->second) != known->known.end())
    *std::get<std::string*>(format->value) = meant->second;
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
    take_format_of_output(app, options);
  } catch (const CLI::Success& success) {
    return end_output(program.name, app.exit(success));
  } catch (const CLI::ParseError& error) {
    say(program.name, mistaken_use(app, error));
    return kBadInput;
  }
  return run_program(program.name, body);
}

}  // namespace gpe::checks
