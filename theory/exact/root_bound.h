// The separation bound that turns "encloses zero at enough bits" into "is zero", for constants of radicals.
// Tests: tests/theory/exact/form_test.cpp
#pragma once

#include <optional>

#include "theory/exact/form.h"

namespace gpe::theory {

/// For a form built from rationals, + - * /, real radicals and cosines of rational multiples of π: an s with
/// value != 0  =>  |value| >= 2^-s.
///   |E| >= 1 / (u(E)^(D(E)-1) · l(E))          bound Z1, docs/asymptotics.md
/// Burnikel, Funke, Mehlhorn, Schirra, Schmitt, "A separation bound for real algebraic expressions".
/// nullopt when the form holds anything else, or when s would exceed `most_bits`.
std::optional<std::int64_t> separation_bits(const Form& form, std::int64_t most_bits);

}  // namespace gpe::theory
