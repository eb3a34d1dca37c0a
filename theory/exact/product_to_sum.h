// Products of sines and cosines as sums of waves. Tests: tests/theory/exact/form_test.cpp
#pragma once

#include "theory/exact/form.h"

namespace gpe::theory {

/// A sine or a cosine.
bool is_circular(const Kernel& kernel);

/// The same function, in which whole powers and products of sines and cosines, up to degree 8 in a term and
/// some 10,000 waves in all, are written as sums by cos a cos b = (cos(a - b) + cos(a + b))/2 and the like:
/// sin(x)² + cos(x)² becomes 1. Identities among waves whose angles are linear combinations of each other
/// over the rationals then cancel term by term.
/// @throws Undecided  beyond the longest product of sums
Form product_to_sum(const Form& form);

/// Whether the form is zero by algebra alone, over a common denominator; false says nothing.
/// @throws as product_to_sum
bool cancels(const Form& form);

}  // namespace gpe::theory
