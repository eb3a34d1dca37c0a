// Taylor coefficients of functions of n, enclosed; and what makes their signs known: Bernstein functions.
#pragma once

#include "checks/verifier/sum.h"

namespace gpe::verifier {

using Jet = std::vector<Interval>;  ///< of f(x + t): the coefficients of 1, t, t², …

Jet operator*(const Jet& a, const Jet& b);
Jet exp(const Jet& a);
/// Of a constant in which the symbol n stands for x + t. @throws NotShown  where it has no value
Jet jet(const Constant& c, const Interval& x, std::size_t size);

/// A proof that c is, for n > 0, a number plus a Bernstein function of the symbol n (one that is >= 0, with a
/// derivative whose derivatives alternate in sign, beginning with >= 0), up to a number; and with `least`
/// that it is a number >= least plus one.
bool is_bernstein(const Constant& c, const std::optional<Q>& least = std::nullopt);

/// B_2, B_4, … B_2m
std::vector<Q> bernoulli_numbers(std::size_t m);

}  // namespace gpe::verifier
