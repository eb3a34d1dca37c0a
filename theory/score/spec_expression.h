// The expressions in an encoding file.
// Tests: tests/theory/score/newcomers_test.cpp, tests/theory/score/parse_error_test.cpp
#pragma once

#include <string>

#include "theory/expression/expr_parse.h"
#include "theory/source/toml_keys.h"

namespace gpe::theory {

/// A string is an expression; an integer is itself; a float is refused.
/// @throws SpecError  with a place in the file, also for a mistake inside the expression
Expr expression_of(const TomlSource& toml, const toml::node& node, const std::string& key,
                   const NameScope& scope);
/// A value as text: an integer, or a string's content.
std::string written(const toml::node& node);
/// The message of a mistake; where the list of known names is the answer, there may be another one.
std::string with_declaration(const ParseError& error, const std::string& declaration);

}  // namespace gpe::theory
