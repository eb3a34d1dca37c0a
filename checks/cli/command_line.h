// What the programs' command lines share: values, lists, and one way to end.
// Tests: tests/cli/bad_use.cmake, tests/cli/output.cmake
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "theory/score/score_function.h"
#include "theory/source/rational.h"

namespace gpe::checks {

/// Exit codes, fixed: 0 done, 1 anything else, 2 bad use or bad specification, 3 a required property is not
/// there.
enum ExitCode { kDone = 0, kFailed = 1, kBadInput = 2, kRequirementFailed = 3 };

/// "1/2", "0.1", "1e-3". @throws theory::SpecError naming the option.
theory::Rational number_option(const std::string& option, const std::string& text);
/// A number > 0; >= 0; in (0, 1). @throws theory::SpecError naming the option and what it has instead.
theory::Rational positive_option(const std::string& option, const std::string& text);
theory::Rational bound_option(const std::string& option, const std::string& text);
theory::Rational share_option(const std::string& option, const std::string& text);
/// "1,5,10", each by one of the above; at most 1000. @throws theory::SpecError.
std::vector<theory::Rational> list_option(const std::string& option, const std::string& text,
                                          theory::Rational (*number)(const std::string&,
                                                                     const std::string&) = number_option);
/// "64..16384" (doubling, the last one included) or "64,100,1e6"; at most 1000 whole numbers from 0 to 10^30.
std::vector<theory::Rational> lengths_option(const std::string& option, const std::string& text);
/// One of these numbers.
theory::Rational length_option(const std::string& option, const std::string& text);
/// "8192", "128k" (of 1024) or "1M"; nothing for another text.
std::optional<theory::Rational> number_of_tokens(std::string text);
/// The same from 2 to 2^24. @throws theory::SpecError  naming the option
std::int64_t tokens_option(const std::string& option, const std::string& text);

/// "NAME=VALUE" or "ENCODING.NAME=VALUE", VALUE an expression in `names`.
struct Assignment {
  std::string encoding;  ///< empty: every encoding
  std::string name;
  theory::Expr value = theory::Expr(0);
};
Assignment assignment_option(const std::string& option, const std::string& text,
                             const std::vector<std::string>& names = {"h", "heads", "layer", "layers", "d"});

std::vector<std::string> split_commas(const std::string& text);

/// What --time-limit says.
std::chrono::milliseconds seconds_option(double seconds);

/// To the file of --output, or to standard output when there is none, as theory::printable_lines has it.
/// @throws std::runtime_error  the file cannot be written
void write_output(const std::string& file, const std::string& text);
/// Whether what write_output writes may have colors: on a terminal, unless NO_COLOR is set.
bool has_color(const std::string& file);

/// One message on standard error, after the program's name, as theory::printable_message has it.
void say(const std::string& program, const std::string& message);
/// Several about one file, each once in the life of the program: of many laws the same may be said.
void say_each(const std::string& program, const std::string& source,
              const std::vector<std::string>& messages);

/// The end of a program that would exit with `code`: with kFailed and a message, if standard output took not
/// all.
int end_output(const std::string& program, int code);

/// Runs a program's body: bad input becomes one message on standard error and exit code 2, anything else exit
/// code 1; so does output that could not be written.
int run_program(const std::string& program, const std::function<int()>& body);

}  // namespace gpe::checks
