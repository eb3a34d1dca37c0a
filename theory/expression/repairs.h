// What to write in place of what stands where an operator was expected: products of print, formulas of
// Python. Tests: tests/theory/score/newcomers_test.cpp
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "theory/expression/tokens.h"

namespace gpe::theory {

/// "; write …" for the token at `at` of the formula `text`; empty where nothing is known.
/// @param is_formula  in the place of `text`: nothing else is recommended
std::string instead_of_operator(std::string_view text, const std::vector<Token>& tokens, std::size_t at,
                                const std::function<bool(const std::string&)>& is_formula);

}  // namespace gpe::theory
