// Powers, logarithms, exponentials and circular functions of normal forms, exact, each under stated facts.
// Tests: tests/theory/exact/form_test.cpp
#pragma once

#include <functional>
#include <optional>

#include "theory/exact/form.h"

namespace gpe::theory {

/// What is known about signs: +1, 0, -1, or nothing. Must be sound; need not be complete.
using KnownSign = std::function<std::optional<int>(const Form&)>;

/// base^exponent. Hypothesis: base^exponent is defined as a real number (for a fractional exponent base >= 0,
/// for a negative one base != 0).
Form pow(const Form& base, const Rational& exponent, const KnownSign& sign);
/// Hypothesis: argument > 0. Products and powers of positive factors are split, sums are factored.
Form log(const Form& argument, const KnownSign& sign);
/// exp of a sum is the product of the exps; exp(q·log x) is x^q.
Form exp(const Form& argument, const KnownSign& sign);
/// Whether the first coefficient is negative: of form and -form, one leads so.
bool leads_negative(const Form& form);
/// Exact at the multiples of π/4 and π/6; at other rational multiples of π ± a cosine in the first quadrant;
/// otherwise ± a kernel whose angle has a normalized sign and a multiple of π in [0, π/2) as a term.
Form sin(const Form& argument);
Form cos(const Form& argument);
/// q where the kernel is cos(q·π) with a rational q.
std::optional<Rational> angle_of_cosine(const Kernel& kernel);

}  // namespace gpe::theory
