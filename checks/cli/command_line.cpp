#include "checks/cli/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <set>

#include "checks/cli/typed_name.h"
#include "checks/cli/write_file.h"
#include "theory/expression/expr_parse.h"
#include "theory/source/printable.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Rational;
using theory::SpecError;

Rational number_option(const std::string& option, const std::string& text) {
  const auto value = Rational::parse(text);
  if (!value)
    throw SpecError(
        option + ": '" + text +
        "' is not a number of at most 20000 digits; expected an integer, a fraction a/b, or a decimal");
  return *value;
}

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

Rational positive_option(const std::string& option, const std::string& text) {
  const Rational value = number_option(option, text);
  if (value.sign() <= 0) throw SpecError(option + ": " + text + " is not positive");
  return value;
}

Rational bound_option(const std::string& option, const std::string& text) {
  const Rational value = number_option(option, text);
  if (value.sign() < 0) throw SpecError(option + ": " + text + " is negative; expected B >= 0");
  return value;
}

Rational share_option(const std::string& option, const std::string& text) {
  const Rational value = number_option(option, text);
  if (value.sign() <= 0 || value >= Rational(1))
    throw SpecError(option + ": " + text + " is not between 0 and 1");
  return value;
}

namespace {

std::vector<std::string> few(const std::string& option, const std::string& text) {
  constexpr std::size_t kMax = 1000;
  std::vector<std::string> parts = split_commas(text);
  if (parts.size() > kMax)
    throw SpecError(option + ": " + std::to_string(parts.size()) + " values; expected at most " +
                    std::to_string(kMax));
  return parts;
}

}  // namespace

std::vector<Rational> list_option(const std::string& option, const std::string& text,
                                  Rational (*number)(const std::string&, const std::string&)) {
  std::vector<Rational> values;
  for (const std::string& part : few(option, text)) values.push_back(number(option, part));
  return values;
}

std::vector<Rational> lengths_option(const std::string& option, const std::string& text) {
  static const Rational most = Rational(10).pow(30);
  const auto length = [&](const std::string& part) {
    const auto value = Rational::parse(part);
    if (!value || !value->is_integer() || value->sign() < 0 || *value > most) {
      throw SpecError(option + ": " + (part.empty() ? "''" : part) +
                      " is not a whole number from 0 to 10^30" +
                      (value ? "" : "; expected a range 64..16384, which doubles, or a list 64,100,1e6"));
    }
    return *value;
  };
  const std::size_t dots = text.find("..");
  std::vector<Rational> values;
  if (dots == std::string::npos) {
    for (const std::string& part : few(option, text)) values.push_back(length(part));
    return values;
  }
  const Rational low = length(text.substr(0, dots));
  const Rational high = length(text.substr(dots + 2));
  if (low.sign() == 0 || high < low)
    throw SpecError(option + ": " + text + " is not a range LOW..HIGH with 0 < LOW <= HIGH");
  for (Rational value = low; value <= high; value *= Rational(2)) values.push_back(value);
  return values;
}

Rational length_option(const std::string& option, const std::string& text) {
  const std::vector<Rational> values = lengths_option(option, text);
  if (values.size() != 1) throw SpecError(option + ": expected one number");
  return values.front();
}

namespace {

// "beta=1" of "0, beta=1", where the comma is at `comma`; empty where no assignment follows it.
std::string assignment_after(const std::string& value, std::size_t comma) {
  if (comma >= value.size() || value[comma] != ',') return {};
  const std::size_t begin = value.find_first_not_of(" ,", comma);
  const std::size_t equals = value.find('=', comma);
  if (begin == std::string::npos || equals == std::string::npos || equals <= begin) return {};
  const auto in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  return std::all_of(&value[begin], &value[equals], in_name) ? value.substr(begin) : std::string();
}

}  // namespace

Assignment assignment_option(const std::string& option, const std::string& text,
                             const std::vector<std::string>& names) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw SpecError(option + " " + text + ": expected NAME=VALUE or ENCODING.NAME=VALUE");
  }
  Assignment result;
  result.name = text.substr(0, equals);
  if (const std::size_t dot = result.name.rfind('.'); dot != std::string::npos) {
    result.encoding = result.name.substr(0, dot);
    result.name = result.name.substr(dot + 1);
  }
  const std::string value = text.substr(equals + 1);
  if (value.find("..") != std::string::npos)
    throw SpecError(option + " " + text + ": a range; expected one value");
  theory::NameScope scope;
  scope.names = names;
  try {
    result.value = theory::parse_expression(value, scope);
  } catch (const theory::ParseError& error) {
    if (const std::string next = assignment_after(value, error.begin); !next.empty())
      throw SpecError(option + " " + text + ": expected one parameter; write " + option + " " +
                      text.substr(0, equals + 1 + error.begin) + " " + option + " " + next);
    throw theory::error_in_argument(option + " " + result.name, value, error.begin, error.end, error.what());
  }
  return result;
}

std::optional<Rational> number_of_tokens(std::string text) {
  std::int64_t unit = 1;
  if (text.ends_with("k") || text.ends_with("M")) {
    unit = text.back() == 'k' ? std::int64_t{1} << 10 : std::int64_t{1} << 20;
    text.pop_back();
  }
  const auto number = Rational::parse(text);
  if (!number || (unit > 1 && !number->is_integer())) return std::nullopt;
  return *number * Rational(unit);
}

std::int64_t tokens_option(const std::string& option, const std::string& text) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  const auto number = number_of_tokens(text);
  const auto count = number ? number->to_int64() : std::nullopt;
  if (!count || *count < 2 || *count > most)
    throw SpecError(option + " " + text + ": expected tokens from 2 to " + std::to_string(most) +
                    ", as 131072 or 128k");
  return *count;
}

std::chrono::milliseconds seconds_option(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

void write_output(const std::string& file, const std::string& text) {
  if (!file.empty()) {
    write_file(file, theory::printable_lines(text));
    return;
  }
  const std::string shown = theory::printable_lines(text, has_color(file));
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);  // end_output says what is missing
}

int end_output(const std::string& program, int code) {
  const bool written = std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written) return code;
  std::fprintf(stderr, "%s: standard output cannot be written\n", typed_name(program).c_str());
  return kFailed;
}

void say(const std::string& program, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", typed_name(program).c_str(), theory::printable_message(message).c_str());
}

void say_each(const std::string& program, const std::string& source,
              const std::vector<std::string>& messages) {
  static std::set<std::string> said;
  for (const std::string& message : messages) {
    if (said.insert(source + ": " + message).second) say(program, source + ": " + message);
  }
}

bool has_color(const std::string& file) {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return file.empty() && !is_set("NO_COLOR") && (is_set("CLICOLOR_FORCE") || isatty(STDOUT_FILENO) != 0);
}

namespace {

// The next file that is opened would be a closed one of these, and messages would go into it. Reading and
// writing what is put in its place fail, as they did.
void hold_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace

int run_program(const std::string& program, const std::function<int()>& body) {
  hold_standard_descriptors();
  try {
    return end_output(program, body());
  } catch (const SpecError& error) {
    say(program, error.what());
    return kBadInput;
  } catch (const std::filesystem::filesystem_error& error) {  // a place that was given, and is not to be read
    say(program, error.path1().string() + ": " + error.code().message());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    say(program, "not enough memory");
    return kFailed;
  } catch (const std::exception& error) {
    say(program, error.what());
    return kFailed;
  }
}

}  // namespace gpe::checks
