#include "checks/verifier/order.h"
// Tests: tests/certificates/design_test.cpp, tests/certificates/forged_designs.py
#include <algorithm>

#include "checks/verifier/jet.h"

namespace gpe::verifier {

namespace {

bool is_n(const Atom& atom) { return atom.kind == Atom::Kind::symbol && atom.name == "n"; }
Constant closed(const Powers& powers, const Q& q) { return {only(powers, is_open, false), q}; }
// The sum as one of products of open atoms, each with a closed factor, such as π - 1.
std::map<Powers, Constant> gathered(const Constant& sum) {
  if (any_atom(sum, is_unknown)) throw NotShown("an unknown in " + text(sum));
  std::map<Powers, Constant> result;
  for (const auto& [powers, coefficient] : sum.terms)
    result[only(powers, is_open)] += closed(powers, coefficient);
  return result;
}
bool is_n_alone(const Constant& c) { return text(c) == "0 + 1*n^1"; }

}  // namespace

void Order::read(const Constant& phi) {
  for (const auto& [powers, coefficient] : phi.terms) {
    const Constant factor = closed(powers, coefficient);
    const bool positive = enclose(factor).nonnegative();
    if (!positive && !enclose(-factor).nonnegative()) throw NotShown("a sign in " + text(phi));
    bool free = false, rises = true, with_n = false;
    for (const auto& [atom, exponent] : powers) {
      if (is_unknown(*atom.atom)) {
        rises = false;
        with_n = unknown = true;
      }
      if (!atom->open) continue;
      const bool mine = note(*atom.atom, positive ? exponent : -exponent);
      free = free || depends(*atom.atom);
      with_n = with_n || !mine;
      rises = rises && (mine || (exponent > 0 && grows(*atom.atom, exponent, positive ? 1 : -1)));
    }
    if (free && !rises) throw NotShown("the order of the family, in " + text(phi));
    falls = falls && (!with_n || (positive && rises));
  }
}

// |f| w B = Σ q Π θ^a Π (Σ q' Π θ^a' n^p)^-e, q and q' >= 0, e > 0
void Order::read_content(const Constant& a) {
  for (const auto& [powers, q] : gathered(a)) {
    bool falls_with_n = enclose(q).nonnegative();
    for (const auto& [atom, exponent] : powers) {
      if (note(*atom.atom, exponent)) continue;
      falls_with_n = falls_with_n && exponent < 0 && (is_n(*atom.atom) || atom->kind == Atom::Kind::sum);
      for (const auto& [inner, factor] : gathered(atom->of)) {
        falls_with_n = falls_with_n && enclose(factor).nonnegative();
        for (const auto& [one, e] : inner)
          if (!note(*one.atom, -e)) falls_with_n = falls_with_n && is_n(*one.atom) && e > 0;
      }
    }
    if (!falls_with_n) throw NotShown("the content is not seen to fall with n: " + text(a));
  }
}

// Whether it is a free parameter, whose power grows or falls.
bool Order::note(const Atom& atom, const Q& exponent, bool strict) {
  const auto at = atom.kind == Atom::Kind::symbol ? box_.find(atom.name) : box_.end();
  if (at == box_.end()) return false;
  int& known = direction_[atom.name];
  const int sign = sgn(exponent);
  if (known == -sign || at->second.first < 0 || (strict && at->second.first == 0))
    throw NotShown("the direction of " + atom.name);
  known = sign;
  return true;
}
bool Order::depends(const Atom& atom) const {
  return (atom.kind == Atom::Kind::symbol && box_.contains(atom.name)) ||
         any_atom(atom.of, [&](const Atom& one) { return depends(one); });
}
// At least 0, nowhere falling with n, and growing more at larger n with each parameter inside.
bool Order::grows(const Atom& atom, const Q& exponent, const Q& side) {
  if (!depends(atom)) return is_n(atom) || is_bernstein(Constant(Powers{{{&atom}, 1}}, 1), 0);
  if (atom.kind == Atom::Kind::log) return exponent >= 1 && logarithm(atom.of, side);
  if (atom.kind != Atom::Kind::exp || atom.of.terms.size() != 1) return false;
  const auto& [powers, coefficient] = *atom.of.terms.begin();
  return coefficient > 0 && std::ranges::all_of(powers, [&](const auto& one) {  // n^θ
           return one.first->kind == Atom::Kind::log
                      ? one.second == 1 && (is_n_alone(one.first->of) || is_bernstein(one.first->of, 1))
                      : note(*one.first.atom, side * one.second, true);
         });
}
// c + q·Π θ^a·n^p with c >= 1, q >= 0
bool Order::logarithm(const Constant& of, const Q& side) {
  Constant number;
  std::size_t others = 0;
  for (const auto& [powers, coefficient] : of.terms) {
    bool known = true;
    for (const auto& [atom, exponent] : powers) {
      if (!atom->open) continue;
      known = false;
      if (!note(*atom.atom, side * exponent) && (!is_n(*atom.atom) || exponent < 0)) others = 9;
    }
    if (known) number += Constant(powers, coefficient);
    others += !known;
    if (!known && !enclose(closed(powers, coefficient)).nonnegative()) others = 9;
  }
  return others == 1 && (enclose(number) - Interval(1)).nonnegative();
}

}  // namespace gpe::verifier
