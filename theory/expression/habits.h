// What is written elsewhere, and what it is here: answers that a list of the known words does not give.
// Tests: tests/theory/score/newcomers_test.cpp, tests/cli/bad_use.cmake
#pragma once

#include <string_view>

namespace gpe::theory {

/// What a word stands for: a piece of a formula, a word of an encoding file, a word of a command line.
enum class Habit { character, function, name, key, transform, option, encoding };

/// What to do about `word`, to stand behind "unknown …; "; empty where nothing is known of it. Case does not
/// matter.
std::string_view answer_to(Habit kind, std::string_view word);

}  // namespace gpe::theory
