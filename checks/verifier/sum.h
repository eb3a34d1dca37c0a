// Constants, as sums of rational multiples of products of atoms (parameters, pi, logarithms, roots ...) to
// rational powers; and functions of x, as sums of constant multiples of products of powers of e^x, x, log x,
// log log x ... Tests: tests/certificates/forged_calculus.py, tests/certificates/attacks_test.cpp
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checks/verifier/interval.h"

namespace gpe::verifier {

template <class Key, class Coefficient>
struct Sum {
  std::map<Key, Coefficient> terms;  // no coefficient is zero

  Sum() = default;
  Sum(Sum&&) noexcept = default;
  Sum(const Sum& other) : terms(other.terms) {
    for (const auto& [key, c] : terms) spend(length(key) + cost(c));
  }
  Sum& operator=(Sum other) {
    terms.swap(other.terms);
    return *this;
  }
  template <std::convertible_to<Coefficient> Number>
  Sum(const Number& c) : Sum(Key(), c) {}  // NOLINT: constants are sums
  Sum(const Key& key, const Coefficient& c) {
    if (!(c == Coefficient())) terms.emplace(key, c);
  }
  bool zero() const { return terms.empty(); }
  bool constant() const { return zero() || (terms.size() == 1 && terms.begin()->first == Key()); }
  Coefficient value() const { return zero() ? Coefficient() : terms.begin()->second; }  ///< of a constant

  friend bool operator==(const Sum& a, const Sum& b) { return a.terms == b.terms; }
  Sum& operator+=(Sum other) {
    spend(other.terms.size());
    terms.merge(other.terms);
    for (const auto& [key, c] : other.terms) {  // that are in both
      spend(length(key) + cost(c));
      const auto at = terms.find(key);
      if ((at->second += c) == Coefficient()) terms.erase(at);
    }
    if (terms.size() > 32768) throw TooLong("it takes a sum of more than 32768 terms to check");
    return *this;
  }
  friend Sum operator+(Sum a, Sum b) { return std::move(a += std::move(b)); }
  friend Sum operator*(const Sum& a, const Sum& b) {
    Sum result;
    for (const auto& [p, c] : a.terms)
      for (const auto& [q, d] : b.terms) result += product(p, q, Coefficient(c * d));
    return result;
  }
  friend Sum operator-(Sum a) {
    for (auto& [key, c] : a.terms) c = -std::move(c);
    spend(a.terms.size());
    return a;
  }
  friend Sum operator-(Sum a, Sum b) { return std::move(a += -std::move(b)); }
};

struct Atom;
struct AtomRef {
  const Atom* atom = nullptr;
  const Atom* operator->() const { return atom; }
  friend bool operator<(const AtomRef& a, const AtomRef& b);
  friend bool operator==(const AtomRef& a, const AtomRef& b) { return a.atom == b.atom; }
};
using Powers = std::map<AtomRef, Q>;  // exponents, none zero
using Constant = Sum<Powers, Q>;
inline std::size_t cost(const Constant&) { return 0; }
std::size_t length(const Powers& a);
Constant product(const Powers& a, const Powers& b, const Q& coefficient);
std::string text(const Constant& c);  ///< equal texts, equal constants

struct Atom {
  /// sum: a number or sum, for its powers. error: unknown, in [-1, 1], like sin and cos. part: unknown, in
  /// [0, 1]. more: unknown, at least 1.
  enum class Kind { symbol, pi, sum, log, exp, error, part, more } kind;
  std::string name;                       ///< with the kind, tells atoms apart
  Constant of;                            ///< the number or sum; the argument
  bool open;                              ///< depends on parameters
  std::size_t place;                      ///< in the order in which atoms were met
  mutable std::optional<Interval> value;  ///< once it is known
};
Constant atom(Atom::Kind kind, const std::string& name, const Constant& of = {}, const Q& exponent = 1);
inline Constant atom_pi() { return atom(Atom::Kind::pi, "pi"); }
/// What a constant without parameters can be. @throws NotShown
Interval enclose(const Constant& c);
bool is_unknown(const Atom& atom);  ///< has an error, part, more or "?k" in it, which may differ with n
inline bool is_open(const Atom& atom) { return atom.open; }
/// Whether the test holds for an atom that occurs.
template <class Test>
bool any_atom(const Constant& c, const Test& test) {
  for (const auto& [powers, q] : c.terms)
    for (const auto& [atom, exponent] : powers)
      if (spend(1); test(*atom.atom)) return true;
  return false;
}
/// The powers of atoms for which the test holds, or not.
template <class Test>
Powers only(Powers powers, const Test& test, bool when = true) {
  std::erase_if(powers, [&](const auto& power) { return test(*power.first.atom) != when; });
  return powers;
}

struct Growth {
  std::vector<Q> of;  // exponents of e^x, x, log x, log log x ...; no zero at the end
  Q at(std::size_t i) const { return i < of.size() ? of[i] : Q(0); }
  friend bool operator<(const Growth& a, const Growth& b);  ///< near infinity
  friend bool operator==(const Growth& a, const Growth& b) { return a.of == b.of; }
};
using Form = Sum<Growth, Constant>;
std::size_t length(const Growth& a);
Form product(const Growth& a, const Growth& b, const Constant& coefficient);
std::string text(const Form& f);
Growth scaled(Growth a, const Q& factor);  ///< to a power
Growth single(std::size_t i);              ///< e^x, x, log x, log log x ... for i = 0, 1, 2, 3 ...
mpz_class floor(const Q& q);
void forget_atoms();
std::size_t number_of_atoms();

}  // namespace gpe::verifier
