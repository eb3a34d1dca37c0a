// Signs of constants in a cell, and real functions of them: roots, logarithms, exponentials become atoms.
#include <algorithm>
#include <set>
// Tests: tests/certificates/forged_verdicts.py, tests/certificates/forged_conditions.py
#include "checks/verifier/calculus.h"

namespace gpe::verifier {

using Kind = Atom::Kind;

// Fourier-Motzkin elimination, products of atoms for variables: true proves that no point fulfils the rows.
bool Calculus::contradictory(std::vector<Row> rows) {
  for (;;) {
    std::map<Powers, std::pair<std::size_t, std::size_t>> signs;  // in how many rows it is positive, negative
    for (const auto& [sum, strict] : rows) {
      if (sum.constant() && (strict ? sum.value() <= 0 : sum.value() < 0)) return true;
      for (const auto& [powers, c] : sum.terms)
        if (!powers.empty()) ++(c > 0 ? signs[powers].first : signs[powers].second);
    }
    if (signs.empty() || rows.size() > 1000) return false;
    const auto made = [](const auto& one) { return one.second.first * one.second.second; };
    const Powers variable = std::ranges::min_element(signs, {}, made)->first;  // whose going makes the fewest
    std::vector<Row> rest, below, above;
    spend(rows.size());
    for (const Row& row : rows) {
      const auto at = row.first.terms.find(variable);
      std::vector<Row>* side = &rest;
      if (at != row.first.terms.end()) side = at->second > 0 ? &below : &above;
      side->push_back(row);
    }
    for (const auto& [low, low_strict] : below)
      for (const auto& [high, high_strict] : above) {
        const Q ratio = -low.terms.at(variable) / high.terms.at(variable);
        rest.emplace_back(low + ratio * high, low_strict || high_strict);
      }
    rows = std::move(rest);
  }
}

Calculus::Sign Calculus::sign_of(const Powers& powers, int depth) const {
  Sign result{1, true};
  for (const auto& [atom, exponent] : powers) {
    const bool inner = atom->kind == Kind::sum || atom->kind == Kind::log;
    Constant of(Powers{{atom, 1}}, 1);
    if (inner) of = atom->of - (atom->kind == Kind::log ? 1 : 0);
    const int deeper = atom->kind == Kind::symbol ? 9 : depth + 1;  // of symbols, what conditions alone say
    Sign one;
    if (atom->kind == Kind::exp || atom->kind == Kind::pi || atom->kind == Kind::more) one = {1, true};
    for (int side : {1, -1})
      if (one.sign == 0 && holds(side * of, false, deeper)) one = {side, holds(side * of, true, deeper)};
    if (exponent.get_den() != 1 || exponent.get_num() % 2 == 0) one.sign = 1;
    result = {result.sign * one.sign, result.strict && (one.strict || exponent < 0)};
  }
  return result;
}

// By enclosure; or because the contrary contradicts the conditions and what is known of single products.
bool Calculus::holds(const Constant& c, bool strict, int depth) const {
  if (c.constant()) return strict ? c.value() > 0 : c.value() >= 0;
  bool open = false;
  Powers clear;  // times c, this leaves no negative exponents
  for (const auto& [powers, coefficient] : c.terms)
    for (const auto& [atom, exponent] : powers) {
      open = open || atom->open;
      if (atom->open && exponent < 0) clear[atom] = std::max(clear[atom], Q(-exponent));
    }
  if (!open) {
    const Interval value = enclose(c);
    if (strict || value.nonnegative() || (-value).positive())
      return strict ? value.positive() : value.nonnegative();
    for (const auto& [powers, coefficient] : c.terms) {  // c = coefficient·(T - rest), T^k = rest^k > 0?
      const Constant root(powers, 1), rest = root - 1 / coefficient * c;
      const Q k = powers.empty() ? Q(1) : Q(powers.begin()->second.get_den());
      if (k == 1 || k > 4 || depth > 2 || !enclose(root).positive() || !enclose(rest).positive()) continue;
      const Constant difference = power(rest, k) - power(root, k);
      if (holds(difference, false, depth + 1) && holds(-difference, false, depth + 1)) return true;
    }
    return false;
  }
  const auto question = std::tuple(text(c), strict, depth);
  if (const auto known = known_.find(question); known != known_.end()) return known->second;
  return known_[question] = open_holds(c, clear, strict, depth);
}

// Of a constant with parameters, not asked before; times the powers `clear`, it has no negative exponents.
bool Calculus::open_holds(const Constant& c, const Powers& clear, bool strict, int depth, bool times) const {
  Sign least{1, false}, most{-1, false};  // by the signs of the terms
  for (const auto& [powers, coefficient] : c.terms) {
    const Sign sign = depth < 2 ? sign_of(powers, depth) : Sign();
    const int side = sgn(coefficient) * sign.sign;
    least = {side < 1 ? 0 : least.sign, least.strict || sign.strict};
    most.sign = side > -1 ? 0 : most.sign;
  }
  if (least.sign == 1 && (least.strict || !strict)) return true;
  if (most.sign == -1 && strict) return false;
  std::vector<Row> rows = {{-c, !strict}};
  std::vector<Powers> products;
  std::set<const Row*> used;
  for (std::size_t row = 0, done = 0; row < rows.size(); ++row) {
    for (const auto& [powers, coefficient] : rows[row].first.terms)
      if (spend(products.size()); !powers.empty() && std::ranges::find(products, powers) == products.end())
        products.push_back(powers);
    for (; done < products.size(); ++done) {
      const Powers powers = products[done];
      for (const Row& condition : conditions_)
        if (any_atom(condition.first, [&](const Atom& one) { return powers.contains({&one}); }) &&
            used.insert(&condition).second)
          rows.push_back(condition);
      if (depth >= 2) continue;
      const Constant all(powers, 1);
      const Sign sign = sign_of(powers, depth);
      if (sign.sign != 0) rows.emplace_back(sign.sign * all, sign.strict);
      for (const auto& [atom, exponent] : row == 0 && times ? only(powers, is_open) : Powers()) {
        Powers others = powers;  // a condition on one factor, times the others
        others.erase(atom);
        const Sign factor = only(others, is_open).empty() ? Sign() : sign_of(others, depth);
        for (const auto& [condition, positive] : conditions_)
          if (factor.sign != 0 && condition.terms.contains({{atom, exponent}}))
            rows.emplace_back(factor.sign * Constant(others, 1) * condition, positive && factor.strict);
      }
      const Powers closed = only(powers, is_open, false), rest = only(powers, is_open);
      const bool limited =
          std::ranges::none_of(closed, [](const auto& power) { return power.first->kind == Kind::more; });
      if (const int side = closed.empty() || !limited ? 0 : sign_of(rest, depth).sign; side != 0) {
        const Interval size = enclose(Constant(closed, 1));
        rows.emplace_back(side * (Constant(rest, upper(size)) - all), false);
        rows.emplace_back(side * (all + Constant(rest, upper(-size))), false);
      }
      const auto& [atom, exponent] = *powers.begin();
      if (atom->kind == Kind::log && powers.size() == 1 && exponent == 1 &&
          holds(atom->of - 3, false, depth + 1))
        rows.emplace_back(all - 1, true);  // 3 > e
      // y^e against 1, where y > 0 is known against 1; products of exponentials by their exponents
      Constant over;
      bool exponentials = true;
      for (const auto& [factor, power] : powers) {
        exponentials = exponentials && factor->kind == Kind::exp;
        over += power * factor->of;
      }
      if (!exponentials) {
        if (powers.size() != 1 || exponent == 1 || sign_of({{atom, 1}}, depth).sign != 1) continue;
        over = (exponent > 0 ? 1 : -1) * (Constant(Powers{{atom, 1}}, 1) - 1);
      }
      for (int side : {1, -1})
        if (holds(side * over, false, depth + 1))
          rows.emplace_back(side * (all - 1), holds(side * over, true, depth + 1));
    }
  }
  if (contradictory(std::move(rows))) return true;
  const auto is_product = [](const auto& term) { return only(term.first, is_open).size() > 1; };
  if (!times && depth < 2 && std::ranges::any_of(c.terms, is_product))
    return open_holds(c, clear, strict, depth, true);
  if (clear.empty() || clear.size() > 3 || depth > 2) return false;
  const Sign sign = sign_of(clear, depth);
  return sign.sign == 1 && sign.strict && holds(Constant(clear, 1) * c, strict, depth + 1);
}

void Calculus::assume(const Form& f, const std::string& relation) {
  spend(conditions_.size() * conditions_.size());  // each may be combined with each
  if (!f.constant()) throw NotShown("a condition is not constant");
  const Constant c = f.value();
  if (relation[0] != '=' && relation != "!=") assume_logarithms(c, relation);
  known_.clear();
  if (relation[0] != '<' && relation != "!=") conditions_.emplace_back(c, relation == ">");
  if (relation[0] != '>' && relation != "!=") conditions_.emplace_back(-c, relation == "<");
  for (const auto& [powers, coefficient] : c.terms) {
    if (relation[0] != '=' || powers.size() != 1 || powers.begin()->second != 1) continue;
    const Constant value = Constant(powers, 1) - 1 / coefficient * c;
    if (text(value).find(powers.begin()->first->name) != std::string::npos) continue;
    values_[powers.begin()->first->name] = value;  // from now on in its place
    break;
  }
}

// A > B between positive products is log A > log B.
void Calculus::assume_logarithms(const Constant& c, const std::string& relation) {
  if (c.terms.size() != 2 || c.terms.begin()->second * c.terms.rbegin()->second > 0) return;
  Constant difference;
  for (const auto& [powers, coefficient] : c.terms) {
    const Sign sign = sign_of(powers, 0);
    if (sign.sign != 1 || !sign.strict) return;
    difference += sgn(coefficient) * log(Constant(powers, abs(coefficient)));
  }
  conditions_.emplace_back(relation[0] == '>' ? difference : -difference, relation.size() == 1);
}

bool Calculus::follows(const Form& f, const std::string& relation) const {
  if (relation == "!=") return positive(f) || positive(-f);
  if (relation[0] == '=') return nonnegative(f) && nonnegative(-f);
  return holds(relation[0] == '<' ? -f : f, relation.size() == 1);
}

bool Calculus::empty() const {
  return std::ranges::any_of(conditions_, [&](const Row& row) { return holds(-row.first, !row.second, 0); });
}

std::string contrary(const std::string& relation) {
  if (relation[0] == '=') return "!=";
  if (relation == "!=") return "=";
  return (relation[0] == '<' ? ">" : "<") + std::string(relation.size() == 1 ? "=" : "");
}

Constant Calculus::named(Kind kind, const std::string& name, const Constant& of) const {
  const auto value = values_.find(name);
  return value != values_.end() ? value->second : atom(kind, name, of);
}

Constant Calculus::power(const Constant& base, const Q& exponent) const {
  if (exponent == 1 || (base.zero() && exponent > 0)) return base;
  if (exponent == 0 && (positive(base) || positive(-base))) return 1;
  if (exponent.get_den() == 1 && exponent > 0 && exponent <= 16) return base * power(base, exponent - 1);
  if (base.zero()) throw NotFollowed("a power of 0 is undefined");
  if (abs(exponent) > 1000) throw NotFollowed("a power is too large");
  const auto& [powers, coefficient] = *base.terms.begin();
  const bool whole = exponent.get_den() == 1, single = base.terms.size() == 1 && (whole || coefficient > 0);
  const Q scale = abs(coefficient);
  Constant result = scale == 1 ? Constant(1) : atom(Kind::sum, "(" + scale.get_str() + ")", scale, exponent);
  bool each = single;  // (y z)^e = y^e z^e
  Constant factors(1);
  for (const auto& [y, power] : powers) {
    const Q total = power * exponent;
    const bool even = power.get_den() == 1 && power.get_num() % 2 == 0,
               stays = even && total.get_den() == 1 && total.get_num() % 2 == 0;  // |y|^total
    const int side = power.get_den() == 1 ? sign_of({{y, 1}}, 0).sign : 1;
    const bool strict = sign_of({{y, power}}, 0).strict, turned = !whole && !stays && even && side < 0;
    each = each && (whole ? strict : (side > 0 || turned || stays) && (strict || exponent > 0));
    if (!each) break;
    const Constant opposite(Powers{{y, 1}}, -1);
    factors = factors * (turned ? atom(Kind::sum, "(" + text(opposite) + ")", opposite, total)
                                : atom(y->kind, y->name, y->of, total));
  }
  if (each) return coefficient < 0 && exponent.get_num() % 2 != 0 ? -(result * factors) : result * factors;
  const bool defined = whole ? holds(base, true, 0) || holds(-base, true, 0) : holds(base, exponent < 0, 0);
  if (!defined) throw NotFollowed("a power of " + text(base) + " may be undefined");
  const Constant of = 1 / scale * base;
  return result * atom(Kind::sum, "(" + text(of) + ")", of, exponent);
}

Constant Calculus::log(const Constant& c) const {
  if (!holds(c, true, 0)) throw NotFollowed("a logarithm of " + text(c) + ", which may not be positive");
  if (c.constant() && c.value() < 1) return -log(Constant(Q(1 / c.value())));
  if (c.constant() && c.value().get_den() == 1) {  // log 8 = 3 log 2
    mpz_class root;
    spend(64 * mpz_size(c.value().get_num_mpz_t()));
    for (unsigned long k = 64; k > 1; --k)
      if (c != 1 && mpz_root(root.get_mpz_t(), c.value().get_num_mpz_t(), k) != 0)
        return Q(k) * log(Constant(Q(root)));
  }
  const auto& [powers, coefficient] = *c.terms.begin();
  const bool apart = std::ranges::all_of(powers, [&](const auto& power) {
    const Sign sign = sign_of({power}, 0);
    return sign.sign == 1 && sign.strict;
  });
  if (c.terms.size() == 1 && !powers.empty() && apart &&
      (coefficient != 1 || powers.size() > 1 || powers.begin()->second != 1 ||
       powers.begin()->first->kind == Kind::exp)) {
    Constant result = log(Constant(coefficient));
    for (const auto& [y, exponent] : powers) {  // y^k, k even, may be one of y < 0
      const int side = y->kind == Kind::exp || exponent.get_den() != 1 ? 1 : sign_of({{y, 1}}, 0).sign;
      result += exponent * (y->kind == Kind::exp ? y->of : log(Constant(Powers{{y, 1}}, side)));
    }
    return result;
  }
  return c == 1 ? Constant() : named(Kind::log, "log(" + text(c) + ")", c);
}

Constant Calculus::exp(const Constant& c) const {
  if (c.terms.size() == 1 && abs(c.terms.begin()->second) > 500 && nonnegative(Form(-c)) &&
      std::ranges::none_of(c.terms.begin()->first, [](const auto& one) { return one.first->open; }))
    return atom(Kind::part,
                "exp(" + text(c) + ")");  // it is too small to matter; a part does not say of what
  Constant result(1);
  for (const auto& [powers, coefficient] : c.terms) {
    const Constant of(powers, 1);
    const bool logarithm = powers.size() == 1 && powers.begin()->second == 1 &&
                           powers.begin()->first->kind == Kind::log && abs(coefficient) <= 1000;
    result = result * (logarithm ? power(powers.begin()->first->of, coefficient)
                                 : atom(Kind::exp, "exp(" + text(of) + ")", of, coefficient));
  }
  return result;
}

}  // namespace gpe::verifier
