#include "checks/verifier/sum.h"

#include <algorithm>

namespace gpe::verifier {

using Kind = Atom::Kind;

namespace {

thread_local std::map<std::pair<Kind, std::string>, Atom> atoms;

}  // namespace

void forget_atoms() { atoms.clear(); }
std::size_t number_of_atoms() { return atoms.size(); }

bool operator<(const AtomRef& a, const AtomRef& b) { return a->place < b->place; }

mpz_class floor(const Q& q) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), q.get_num_mpz_t(), q.get_den_mpz_t());
  return result;
}

std::size_t length(const Powers& a) {
  std::size_t result = 2;
  for (const auto& [atom, exponent] : a) result += 2 + cost(exponent);
  return result;
}

std::size_t length(const Growth& a) {
  std::size_t result = 2;
  for (const Q& exponent : a.of) result += 1 + cost(exponent);
  return result;
}

std::string text(const Constant& c) {
  std::string result = "0";
  for (const auto& [powers, coefficient] : c.terms) {
    result += " + " + coefficient.get_str();
    for (const auto& [atom, exponent] : powers) result += "*" + atom->name + "^" + exponent.get_str();
  }
  spend(result.size() / 4);
  return result;
}

// Multiplies, and writes out whole powers of sums (of numbers, negative ones too).
Constant product(const Powers& a, const Powers& b, const Q& coefficient) {
  spend(length(a) + length(b) + cost(coefficient));
  Powers powers = a;
  for (const auto& [atom, exponent] : b) powers[atom] += exponent;
  Constant outside(1);
  for (auto& [atom, exponent] : powers) {
    const mpz_class whole = floor(exponent);
    if (atom->kind != Kind::sum || (whole < 0 && !atom->of.constant())) continue;
    if (abs(whole) > (atom->of.constant() ? 4096 : 64))
      throw NotFollowed("a power is too large to write out");
    exponent -= whole;
    const Constant factor = whole < 0 ? Constant(1 / atom->of.value()) : atom->of;
    for (long k = std::abs(whole.get_si()); k > 0; --k) outside = outside * factor;
  }
  std::erase_if(powers, [](const auto& power) { return power.second == 0; });
  if (outside.constant()) return {powers, outside.value() * coefficient};
  return outside * Constant(powers, coefficient);
}

Constant atom(Kind kind, const std::string& name, const Constant& of, const Q& exponent) {
  const auto [at, is_new] =
      atoms.try_emplace({kind, name}, Atom{kind, name, of, kind == Kind::symbol, atoms.size(), std::nullopt});
  Atom& result = at->second;
  for (const auto& [powers, coefficient] : is_new ? of.terms : Constant().terms)
    for (const auto& power : powers) result.open = result.open || power.first->open;
  return product({{{&result}, exponent}}, {}, 1);
}

namespace {

Interval value_of(const Atom& atom) {
  if (atom.kind == Kind::error) return {-1, 1};
  if (atom.kind == Kind::part) return {0, 1};
  if (atom.kind == Kind::pi) return pi();
  const Interval of = enclose(atom.of);
  if (atom.kind == Kind::log) return log(of);
  return atom.kind == Kind::exp ? exp(of) : of;
}

Interval enclose(const Atom& atom) {
  if (atom.kind == Kind::symbol || atom.kind == Kind::more)
    throw NotFollowed("the value of " + atom.name + " is open");
  if (!atom.value) atom.value = value_of(atom);
  return *atom.value;
}

}  // namespace

Interval enclose(const Constant& c) {
  Interval sum;
  Q errors = 0;  // their sum, exactly
  for (const auto& [powers, coefficient] : c.terms) {
    Interval product(coefficient);
    const bool error = powers.size() == 1 && powers.begin()->first->kind == Kind::error;
    if (error) errors += abs(coefficient);
    for (const auto& [atom, exponent] : error ? Powers() : powers)
      product = product * power(enclose(*atom.atom), exponent);
    if (!error) sum += product;
  }
  return sum + Interval(-errors, errors);
}

bool is_unknown(const Atom& atom) {
  return atom.kind >= Kind::error || atom.name[0] == '?' || any_atom(atom.of, is_unknown);
}

bool operator<(const Growth& a, const Growth& b) {
  for (std::size_t i = 0; i < std::max(a.of.size(), b.of.size()); ++i)
    if (a.at(i) != b.at(i)) return a.at(i) < b.at(i);
  return false;
}

Form product(const Growth& a, const Growth& b, const Constant& coefficient) {
  Growth result;
  for (std::size_t i = 0; i < std::max(a.of.size(), b.of.size()); ++i) result.of.push_back(a.at(i) + b.at(i));
  return {scaled(result, 1), coefficient};
}

Growth scaled(Growth a, const Q& factor) {
  for (Q& exponent : a.of) exponent *= factor;
  while (!a.of.empty() && a.of.back() == 0) a.of.pop_back();
  return a;
}

Growth single(std::size_t i) {
  Growth growth;
  growth.of.resize(i + 1);
  growth.of[i] = 1;
  return growth;
}

std::string text(const Form& f) {
  std::string result = "0";
  for (const auto& [growth, c] : f.terms) {
    result += " + (" + text(c) + ")";
    for (std::size_t i = 0; i < growth.of.size(); ++i)
      result += "*g" + std::to_string(i) + "^" + growth.of[i].get_str();
  }
  return result;
}

}  // namespace gpe::verifier
