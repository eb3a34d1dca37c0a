// Functions of x: domination (Lemma M), series with remainders, signs.
#include "checks/verifier/calculus.h"

#include <algorithm>
#include <optional>

namespace gpe::verifier {

using Kind = Atom::Kind;

namespace {

Constant unknown(Kind kind) { return atom(kind, "?" + std::to_string(number_of_atoms())); }

// What decides the sign of f, affine in an unknown or one power of it: its values at 0 and 1; or at 1, and
// its slope.
struct Ends {
  Form first, second;
  bool slope;
};
std::optional<Ends> ends(const Form& f) {
  AtomRef part;
  for (const auto& [growth, c] : f.terms)
    for (const auto& [powers, q] : c.terms)
      for (const auto& [atom, exponent] : powers)
        if (atom->kind >= Kind::part) part = atom;
  if (part.atom == nullptr) return std::nullopt;
  Form without, factor;
  Q power = 0;  // of the unknown, the same one everywhere
  for (const auto& [growth, c] : f.terms)
    for (const auto& [powers, q] : c.terms) {
      Powers rest = powers;
      const bool mine = rest.erase(part) > 0;
      if (mine && power == 0) power = powers.at(part);
      if (mine && (power < 0 || power != powers.at(part))) return std::nullopt;
      Form& place = mine ? factor : without;
      place += Form(growth, {rest, q});
    }
  if (part->kind == Kind::more) return Ends{without + factor, factor, true};
  return Ends{without, without + factor, false};
}

// Without what may be arbitrarily large as x is, inside of roots and logarithms too.
bool may_grow(const Atom& atom) {
  const bool several = std::string("n n' L H").find(atom.name) != std::string::npos;  // not one number
  return atom.kind == Kind::more || several || any_atom(atom.of, may_grow);
}
bool bounded(const Form& f) {
  return std::ranges::none_of(f.terms, [](const auto& term) { return any_atom(term.second, may_grow); });
}

bool is_long(const Form& f) {
  std::size_t size = 0;
  for (const auto& [growth, c] : f.terms) size += c.terms.size();
  return size > 8;
}

}  // namespace

Form Calculus::between(const Form& a, const Form& b) {
  return a == b ? a : a + unknown(Kind::part) * (b - a);
}

Form Calculus::most(const Form& f) const {
  Form result = f;
  for (auto both = ends(result); both; both = ends(result)) {
    const Form factor = both->slope ? both->second : both->second - both->first;
    const bool rises = nonnegative(factor);
    if (rises ? both->slope : !nonnegative(-factor)) break;
    result = rises ? both->second : both->first;
  }
  return result;
}

Form Calculus::narrowed(const Form& f) const {
  const Form low = -most(-f), high = most(f);
  if (!is_long(f) || (ends(low) && ends(high))) return f;
  if (ends(low) || ends(high))
    return ends(low) ? high + 1 - unknown(Kind::more) : low - 1 + unknown(Kind::more);
  return between(low, high);
}

void Calculus::start(long depth, const Q& ell) {
  if (depth < 1 || depth > 8 || ell <= 1) throw NotShown("a threshold needs 1 <= depth <= 8 and ell > 1");
  found_.clear();
  logs_.assign(static_cast<std::size_t>(depth) + 2, Interval(ell));
  logs_.back() = verifier::log(Interval(ell));
  for (std::size_t j = logs_.size() - 2; j-- > 1;) logs_[j] = verifier::exp(logs_[j + 1]);
}

// The i-th growth (e^x, x, log x ...) at X0.
Interval Calculus::value(std::size_t i) const {
  if (i == 0 || i > logs_.size()) throw NotFollowed("the threshold needs another depth");
  return i == 1 ? verifier::exp(logs_[1]) : logs_[i - 1];
}

// sup a/b over all x: the value at X0, as a/b decreases (Lemma M). Near infinity, 1 stands for it.
Interval Calculus::ratio(const Growth& a, const Growth& b) const {
  const Growth both = product(a, scaled(b, -1), 1).terms.begin()->first;
  if (Growth() < both) throw NotFollowed("a term is larger than the one that should dominate it");
  if (logs_.empty() || both == Growth()) return Interval(1);
  Interval rises, shrinks(1), start;
  std::size_t first = 0;
  while (both.of[first] == 0) ++first;
  for (std::size_t i = first; i < both.of.size(); ++i) {
    start += Interval(both.of[i]) * value(i + 1);
    if (i > first) shrinks = shrinks * inverse(value(i));
    if (both.of[i] > 0) rises += Interval(both.of[i]) * shrinks;
  }
  if (!(Interval(-both.of[first]) - rises).nonnegative())
    throw NotFollowed("a ratio is not seen to decrease");
  return verifier::exp(start);
}

Interval Calculus::bound(const Form& f, const Growth& growth) const {  // sup |f|/growth
  Interval sum;
  for (const auto& [mine, c] : f.terms)
    sum += ratio(mine, growth) * (logs_.empty() ? Interval(1) : magnitude(enclose(c)));
  return sum;
}

bool Calculus::holds(const Form& f, bool strict, int depth) const {
  if (const auto both = ends(f)) {  // first without the unknown
    const Form factor = both->slope ? both->second : both->second - both->first;
    if (nonnegative(factor)) return holds(both->first, strict, depth);
    if (both->slope) return false;
    if (nonnegative(-factor)) return holds(both->second, strict, depth);
    return depth < 6 && holds(both->first, strict, depth + 1) && holds(both->second, strict, depth + 1);
  }
  if (f.constant()) return holds(f.value(), strict, 0);
  try {
    auto term = f.terms.rbegin();  // the largest that is not known to be at least 0 must be positive
    for (; term != f.terms.rend() && !holds(term->second, true, 0); ++term)
      if (!holds(term->second, false, 0)) return false;
    if (term == f.terms.rend()) return !strict;
    if (logs_.empty()) return bounded(f);
    const auto& [growth, c] = *term;
    Form against;
    for (++term; term != f.terms.rend(); ++term)
      if (!holds(term->second, false, 0)) against += Form(term->first, term->second);
    return (enclose(c) - bound(against, growth)).positive();
  } catch (const NotShown&) {
    return false;
  }
}

// sup |f|, proved to be small.
Interval Calculus::small(const Form& f) const {
  if (!bounded(f)) throw NotFollowed("a relative error is not bounded");
  const Interval size = logs_.empty() ? Interval() : bound(f, {});
  const bool vanishes = f.zero() || f.terms.rbegin()->first < Growth();
  if ((logs_.empty() && !vanishes) || !(Interval(Q(9, 10)) - size).positive())
    throw NotFollowed("a relative error is not small");
  return size;
}

// The same number with less to say about it: beside each product of parts, a rational and an error; near
// infinity, what is unknown as one.
Constant Calculus::shortened(const Constant& c) const {
  if (c.terms.size() <= 6) return c;
  std::map<Powers, Constant> groups;
  for (const auto& [powers, q] : c.terms) {
    const auto is_part = [](const Atom& one) { return one.kind == Kind::part; };
    groups[only(powers, is_part)] += Constant(only(powers, is_part, false), q);
  }
  if (std::ranges::all_of(groups, [](const auto& group) { return group.second.terms.size() <= 6; })) return c;
  Constant result;
  for (const auto& [parts, all] : groups) {
    Constant known;
    for (const auto& [powers, q] : all.terms) {
      const Constant one(powers, q);
      const auto out = [](const Atom& atom) { return atom.kind == Kind::symbol && atom.name[0] == '?'; };
      if (logs_.empty() && !any_atom(one, out)) known += one;
    }
    if (all.terms.size() <= 6 || known == all) {
      known = all;
    } else if (logs_.empty()) {
      known += unknown(Kind::symbol);
    } else {
      const Interval value = enclose(all);
      const Q low = -upper(-value), high = upper(value);
      known = Constant((low + high) / 2) + (high - low) / 2 * unknown(Kind::error);
    }
    result += Constant(parts, 1) * known;
  }
  return result;
}

// The largest terms; the others together, as one unknown.
Form Calculus::trimmed(const Form& f) const {
  if (!bounded(f)) return f;
  Form kept, rest;
  for (auto term = f.terms.rbegin(); term != f.terms.rend(); ++term) {
    Form& place = kept.terms.size() < 7 || f.terms.size() == 8 ? kept : rest;
    place += Form(term->first, shortened(term->second));
  }
  if (rest.zero()) return kept;
  const Growth top = rest.terms.rbegin()->first;
  const Q size = logs_.empty() ? Q(1) : upper(bound(rest, top));
  return kept + Form(top, size * unknown(logs_.empty() ? Kind::symbol : Kind::error));
}

// Σ_{k < K} coefficients[k]·ε^k, with an error of at most last·|ε|^K
Form Calculus::series(const Form& small, const std::vector<Q>& coefficients, const Interval& last) const {
  const Form few = trimmed(small);
  Form result, rest = unknown(logs_.empty() ? Kind::symbol : Kind::error) * upper(last);
  for (std::size_t k = coefficients.size(); k-- > 0; rest = trimmed(rest * few))
    result = trimmed(result * few) + coefficients[k];
  return result + rest;
}

Form Calculus::power(const Form& base, const Form& exponent) const {
  const Constant e = exponent.constant() ? exponent.value() : Constant();
  const bool whole = e.constant() && e.value().get_den() == 1;
  if (base.zero() && positive(exponent)) return base;
  if (exponent.zero() && (positive(base) || positive(-base))) return 1;
  if (exponent.constant() && whole && e.value() > 0 && e.value() <= 8) {
    if (e.value().get_num() % 2 != 0) return e.value() == 1 ? base : base * power(base, e - 1);
    const Form half = power(base, Q(e.value() / 2)), square = half * half;
    found_["a root of " + text(square)] = half;
    return square;
  }
  const auto fits = [&](const Form& end) { return positive(exponent) ? nonnegative(end) : positive(end); };
  if (const auto both = ends(base);
      exponent.constant() && both && !both->slope && fits(both->first) && fits(both->second)) {
    if (positive(-exponent) && is_long(base)) return Form(unknown(Kind::more)) - 1;  // no more is said
    return between(power(both->first, exponent), power(both->second, exponent));
  }
  const auto root = found_.find("a root of " + text(base));
  try {
    if (base.constant() && exponent.constant() && e.constant()) return power(base.value(), e.value());
  } catch (const NotShown&) {
    if (root == found_.end()) throw;
  }
  if (root != found_.end()) {
    auto taken = found_.extract(root);  // once: 0 is a root of itself
    const Form result = power(larger(Form(taken.mapped()), -taken.mapped()), 2 * exponent);
    found_.insert(std::move(taken));
    return result;
  }
  if (exponent.constant() && whole && positive(-base))
    return (e.value().get_num() % 2 == 0 ? 1 : -1) * power(-base, exponent);
  Form& result = found_[text(base) + "^" + text(exponent)];
  return result.zero() ? result = exp(exponent * log(base)) : result;
}

Form Calculus::log(const Form& f) const {
  Form& known = found_["log " + text(f)];  // the same unknowns each time
  if (!known.zero()) return known;
  if (const auto both = ends(f); both && !both->slope) return between(log(both->first), log(both->second));
  if (f.constant()) return log(f.value());
  const auto top = std::ranges::find_if(f.terms.rbegin(), f.terms.rend(),
                                        [&](const auto& term) { return !follows(term.second, "="); });
  if (top == f.terms.rend()) throw NotFollowed("a logarithm of 0");
  const auto& [growth, c] = *top;
  const Form rest = (f - Form(growth, c)) * Form(scaled(growth, -1), power(c, -1));
  const Interval last =
      Interval(Q(1, 4)) * verifier::power(inverse(Interval(1) - small(rest)), 4);  // 1/(4 (1 - E)^4)
  Form result = log(c) + series(rest, {0, 1, Q(-1, 2), Q(1, 3)}, last);
  for (std::size_t i = 0; i < growth.of.size(); ++i) {
    if (growth.of[i] != 0 && !logs_.empty()) value(i + 1);  // it has a logarithm from X0 on
    result += Form(single(i + 1), growth.of[i]);
  }
  return known = result;
}

Form Calculus::exp(const Form& f) const {
  if (const auto both = ends(f)) {
    if (both->slope && !nonnegative(-both->second)) throw NotFollowed("an exponential without a bound");
    return between(both->slope ? Form() : exp(both->second), exp(both->first));
  }
  Form result(1), large, rest;
  for (const auto& [growth, c] : f.terms) {
    const std::size_t i = growth.of.size();
    if (growth == Growth())
      result = result * exp(c);
    else if (growth < Growth())
      rest += Form(growth, c);
    else if (i > 1 && growth == single(i - 1) && c.constant())
      result = result * Form(scaled(single(i - 2), c.value()), 1);
    else
      large += Form(growth, c);
  }
  if (!large.zero()) {  // e^t >= t^4/24, e^-t <= 24/t^4; near infinity also with t's largest growth for t
    const bool grows = positive(large);
    if (!grows && !positive(-large))
      throw NotFollowed("an exponential that is not seen to grow or to vanish");
    const auto& [growth, c] = *large.terms.rbegin();
    const Form t = logs_.empty() && (holds(c, true, 0) || holds(-c, true, 0)) ? Form(growth, 1) : large;
    result = result * unknown(grows ? Kind::more : Kind::part) * (grows ? Q(1, 24) : Q(24)) *
             power(t, grows ? 4 : -4);
  }
  result = result * series(rest, {1, 1, Q(1, 2), Q(1, 6)}, verifier::exp(small(rest)));  // e^E/4! < e^E
  found_["log " + text(result)] = f;
  return result;
}

// Monotone; of a number, from its enclosure.
Form Calculus::floor(const Form& f) const {
  if (const auto both = ends(f); both && !both->slope)
    return between(floor(both->first), floor(both->second));
  try {
    const Interval value = f.constant() ? enclose(f.value()) : throw NotFollowed("no number");
    const mpz_class low = verifier::floor(-upper(-value));
    if (low == verifier::floor(upper(value))) return {Q(low)};
  } catch (const NotShown&) {  // then only to within one
  }
  return between(f, f - 1);
}

// The largest of several; or something between one of them and the sum of those that may be larger.
Form Calculus::largest(const std::vector<Form>& all) const {
  Form result = all.at(0), others;
  bool nonnegative_all = true;
  for (const Form& f : all) {
    if (nonnegative(result - f)) continue;
    const bool greater = nonnegative(f - result);
    if (!greater) nonnegative_all = nonnegative_all && nonnegative(f) && nonnegative(result);
    (greater ? result : others) = greater ? f : others + f;
  }
  if (!nonnegative_all) throw NotFollowed("the largest of several, some of them negative");
  return others.zero() ? result : between(result, result + others);
}

Form Calculus::larger(const Form& a, const Form& b) const {
  if (nonnegative(a - b)) return a;
  if (nonnegative(b - a)) return b;
  const auto has_sign = [this](const Form& f) { return nonnegative(f) || nonnegative(-f); };
  if (const auto both = ends(b - a);  // a + max(0, b - a), from the ends of b - a
      both && !both->slope && has_sign(both->first) && has_sign(both->second))
    return between(a + larger(0, both->first), a + larger(0, both->second));
  if (const Form more = most(b - a); nonnegative(more)) return between(a, a + more);
  return nonnegative(a) && nonnegative(b) ? between(a, a + b) : between(a, b);
}

}  // namespace gpe::verifier
