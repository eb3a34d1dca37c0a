#include "theory/exact/form.h"

#include <algorithm>
#include <cassert>

#include "theory/expression/undecided.h"

namespace gpe::theory {

namespace {

// Far beyond what decisions about encodings need (a thousand); each further factor a + b would double it.
constexpr std::size_t kMaxProducts = 5000;

void require_few_products(const Form& a, const Form& b) {
  if (a.term_count() * b.term_count() > kMaxProducts)
    throw Undecided("a product of sums with more than " + std::to_string(kMaxProducts) + " terms");
}

template <class T>
int three_way(const T& a, const T& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

std::size_t mix(std::size_t seed, std::size_t value) {
  return static_cast<std::size_t>((seed ^ value) * 0x9E3779B97F4A7C15ULL + (seed >> 29U));
}

template <class Has>
bool any_kernel(const std::vector<Term>* terms, const Has& has) {
  return terms != nullptr && std::ranges::any_of(*terms, [&](const Term& term) {
           return std::ranges::any_of(term.powers,
                                      [&](const KernelPower& power) { return has(*power.kernel); });
         });
}

int compare_powers(const std::vector<KernelPower>& a, const std::vector<KernelPower>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (const int order = compare(*a[i].kernel, *b[i].kernel); order != 0) return order;
    if (const int order = three_way(a[i].exponent, b[i].exponent); order != 0) return order;
  }
  return three_way(a.size(), b.size());
}

bool needs_expansion(const KernelPower& power) {
  return power.kernel->kind == Kernel::Kind::power && power.exponent >= Rational(1);
}

bool needs_reduction(const KernelPower& power) {
  return power.kernel->kind == Kernel::Kind::prime &&
         (power.exponent.sign() < 0 || power.exponent >= Rational(1));
}

std::vector<KernelPower> multiply_powers(const std::vector<KernelPower>& a,
                                         const std::vector<KernelPower>& b) {
  std::vector<KernelPower> result;
  result.reserve(a.size() + b.size());
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() || k < b.size()) {
    const auto order = [&] {
      if (i == a.size()) return 1;
      return k == b.size() ? -1 : compare(*a[i].kernel, *b[k].kernel);
    }();
    if (order < 0) {
      result.push_back(a[i++]);
    } else if (order > 0) {
      result.push_back(b[k++]);
    } else {
      Rational exponent = a[i].exponent + b[k].exponent;
      if (!exponent.is_zero()) result.push_back({a[i].kernel, std::move(exponent)});
      ++i;
      ++k;
    }
  }
  return result;
}

// Brings prime exponents into (0, 1) and writes out whole powers of sums; what is left over multiplies.
Form settle(Term term) {
  Form extra(1);
  bool expanded = false;
  for (KernelPower& power : term.powers) {
    if (needs_reduction(power)) {
      const Rational whole = power.exponent.floor();
      term.coefficient *= power.kernel->prime.pow(*whole.to_int64());
      power.exponent -= whole;
    } else if (needs_expansion(power)) {
      const Rational whole = power.exponent.floor();
      for (std::int64_t i = 0; i < *whole.to_int64(); ++i) extra = extra * power.kernel->argument;
      power.exponent -= whole;
      expanded = true;
    }
  }
  std::erase_if(term.powers, [](const KernelPower& power) { return power.exponent.is_zero(); });
  std::vector<Term> single;
  single.push_back(std::move(term));
  Form result = Form::of_terms(std::move(single));
  return expanded ? result * extra : result;
}

}  // namespace

KernelPtr Kernel::symbol(const std::string& name) {
  const std::size_t hash = mix(1, std::hash<std::string>{}(name));
  return std::make_shared<const Kernel>(Kernel{Kind::symbol, name, {}, false, {}, Expr(0), hash});
}

KernelPtr Kernel::pi() {
  static const KernelPtr kernel =
      std::make_shared<const Kernel>(Kernel{Kind::pi, {}, {}, false, {}, Expr(0), mix(2, 0)});
  return kernel;
}

KernelPtr Kernel::of_prime(const Rational& prime, bool proved) {
  return std::make_shared<const Kernel>(
      Kernel{Kind::prime, {}, prime, proved, {}, Expr(0), mix(3, prime.hash())});
}

KernelPtr Kernel::of(Kind kind, Form argument) {
  const std::size_t hash = mix(static_cast<std::size_t>(kind) + 10, argument.hash());
  return std::make_shared<const Kernel>(Kernel{kind, {}, {}, false, std::move(argument), Expr(0), hash});
}

KernelPtr Kernel::of_opaque(const Expr& expression) {
  const std::size_t hash = mix(5, expression.hash());
  return std::make_shared<const Kernel>(Kernel{Kind::opaque, {}, {}, false, {}, expression, hash});
}

int compare(const Kernel& a, const Kernel& b) {
  if (&a == &b) return 0;
  if (a.kind != b.kind) return three_way(a.kind, b.kind);
  switch (a.kind) {
    case Kernel::Kind::symbol:
      return three_way(a.name, b.name);
    case Kernel::Kind::pi:
      return 0;
    case Kernel::Kind::prime:
      return three_way(a.prime, b.prime);
    case Kernel::Kind::opaque:
      return compare_structure(a.opaque, b.opaque);
    case Kernel::Kind::log:
    case Kernel::Kind::exp:
    case Kernel::Kind::power:
    case Kernel::Kind::sum:
    case Kernel::Kind::sin:
    case Kernel::Kind::cos:
      return compare(a.argument, b.argument);
  }
  return 0;
}

int compare(const Form& a, const Form& b) {
  if (a.rational() != nullptr && b.rational() != nullptr) return three_way(*a.rational(), *b.rational());
  const TermList left = a.terms();
  const TermList right = b.terms();
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (const int order = compare_powers(left[i].powers, right[i].powers); order != 0) return order;
    if (const int order = three_way(left[i].coefficient, right[i].coefficient); order != 0) return order;
  }
  return three_way(left.size(), right.size());
}

bool same(const KernelPtr& a, const KernelPtr& b) {
  return a == b || (a->hash == b->hash && compare(*a, *b) == 0);
}

Form Form::power(KernelPtr kernel, const Rational& exponent) {
  if (exponent.is_zero()) return Form(1);
  return settle({Rational(1), {{std::move(kernel), exponent}}});
}

Form Form::symbol(const std::string& name) { return power(Kernel::symbol(name)); }

Form Form::of_terms(std::vector<Term> terms) {
  std::ranges::sort(terms,
                    [](const Term& a, const Term& b) { return compare_powers(a.powers, b.powers) < 0; });
  std::vector<Term> merged;
  for (Term& term : terms) {
    if (!merged.empty() && compare_powers(merged.back().powers, term.powers) == 0) {
      merged.back().coefficient += term.coefficient;
    } else {
      merged.push_back(std::move(term));
    }
  }
  std::erase_if(merged, [](const Term& term) { return term.coefficient.is_zero(); });
  return of_sorted(std::move(merged));
}

Form Form::of_sorted(std::vector<Term> terms) {
  if (terms.empty()) return {};
  if (terms.size() == 1 && terms[0].powers.empty()) return Form(std::move(terms[0].coefficient));
  Form result;
  result.terms_ = std::make_shared<const std::vector<Term>>(std::move(terms));
  return result;
}

TermList Form::terms() const {
  if (terms_) return TermList(terms_);
  auto own = std::make_shared<std::vector<Term>>();
  if (!rational_.is_zero()) own->push_back({rational_, {}});
  return TermList(std::move(own));
}

bool Form::mentions(std::string_view symbol) const {
  return any_kernel(terms_.get(), [&](const Kernel& kernel) {
    if (kernel.kind == Kernel::Kind::symbol) return kernel.name == symbol;
    return kernel.kind == Kernel::Kind::opaque ? kernel.opaque.mentions(symbol)
                                               : kernel.argument.mentions(symbol);
  });
}

bool Form::has_symbols() const {
  return any_kernel(terms_.get(), [](const Kernel& kernel) {
    if (kernel.kind == Kernel::Kind::symbol) return true;
    return kernel.kind == Kernel::Kind::opaque ? !free_symbols(kernel.opaque).empty()
                                               : kernel.argument.has_symbols();
  });
}

std::size_t Form::hash() const {
  if (!terms_) return mix(7, rational_.hash());
  std::size_t result = 11;
  for (const Term& term : *terms_) {
    result = mix(result, term.coefficient.hash());
    for (const KernelPower& power : term.powers) {
      result = mix(mix(result, power.kernel->hash), power.exponent.hash());
    }
  }
  return result;
}

Form operator+(const Form& a, const Form& b) {
  if (a.rational() != nullptr && b.rational() != nullptr) return Form(*a.rational() + *b.rational());
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  // Both are sorted, each product once.
  const TermList left = a.terms();
  const TermList right = b.terms();
  std::vector<Term> merged;
  merged.reserve(left.size() + right.size());
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < left.size() || k < right.size()) {
    const auto order = [&] {
      if (i == left.size()) return 1;
      return k == right.size() ? -1 : compare_powers(left[i].powers, right[k].powers);
    }();
    if (order < 0) {
      merged.push_back(left[i++]);
    } else if (order > 0) {
      merged.push_back(right[k++]);
    } else {
      Rational sum = left[i].coefficient + right[k].coefficient;
      if (!sum.is_zero()) merged.push_back({std::move(sum), left[i].powers});
      ++i;
      ++k;
    }
  }
  return Form::of_sorted(std::move(merged));
}

Form operator-(const Form& a) {
  if (a.rational() != nullptr) return Form(-*a.rational());
  std::vector<Term> terms = a.terms().copy();
  for (Term& term : terms) term.coefficient = -term.coefficient;
  return Form::of_sorted(std::move(terms));
}
Form operator-(const Form& a, const Form& b) { return a + (-b); }

Form operator*(const Form& a, const Form& b) {
  if (a.rational() != nullptr && b.rational() != nullptr) return Form(*a.rational() * *b.rational());
  if (a.is_zero() || b.is_zero()) return {};
  require_few_products(a, b);
  std::vector<Term> plain;
  Form unsettled;
  for (const Term& x : a.terms()) {
    for (const Term& y : b.terms()) {
      Term product{x.coefficient * y.coefficient, multiply_powers(x.powers, y.powers)};
      const auto unsettled_power = [](const KernelPower& p) {
        return needs_expansion(p) || needs_reduction(p);
      };
      if (std::ranges::any_of(product.powers, unsettled_power)) {
        unsettled = unsettled + settle(std::move(product));
      } else {
        plain.push_back(std::move(product));
      }
    }
  }
  Form result = Form::of_terms(std::move(plain));
  return unsettled.is_zero() ? result : result + unsettled;
}

bool operator==(const Form& a, const Form& b) {
  if (a.terms_ == b.terms_) return a.terms_ != nullptr || a.rational_ == b.rational_;
  return compare(a, b) == 0;
}

Primitive primitive_part(const Form& form, bool take_monomial) {
  assert(!form.is_zero());
  const TermList terms = form.terms();
  // gcd of rationals p/q: gcd of numerators over lcm of denominators, by repeated two-number steps.
  const auto gcd = [](Rational a, Rational b) {
    a = a.abs();
    b = b.abs();
    while (!b.is_zero()) {
      Rational r = a - b * (a / b).floor();
      a = std::move(b);
      b = std::move(r);
    }
    return a;
  };
  Rational content;
  for (const Term& term : terms) content = gcd(content, term.coefficient);
  std::vector<KernelPower> common;
  if (take_monomial) {
    common = terms[0].powers;
    for (const Term& term : terms) {
      std::vector<KernelPower> least;
      const auto exponent_in = [](const std::vector<KernelPower>& powers, const KernelPtr& kernel) {
        for (const KernelPower& power : powers) {
          if (same(power.kernel, kernel)) return power.exponent;
        }
        return Rational(0);
      };
      std::vector<KernelPower> all = common;
      for (const KernelPower& power : term.powers) {
        if (exponent_in(common, power.kernel).is_zero()) all.push_back(power);
      }
      std::ranges::sort(all, [](const auto& a, const auto& b) { return compare(*a.kernel, *b.kernel) < 0; });
      for (const KernelPower& power : all) {
        Rational exponent =
            std::min(exponent_in(common, power.kernel), exponent_in(term.powers, power.kernel));
        // a radical of a prime is a number, not a common factor to be divided out below exponent zero
        if (power.kernel->kind == Kernel::Kind::prime && exponent.sign() <= 0) continue;
        if (!exponent.is_zero()) least.push_back({power.kernel, std::move(exponent)});
      }
      common = std::move(least);
    }
  }
  std::vector<KernelPower> inverse = common;
  for (KernelPower& power : inverse) power.exponent = -power.exponent;
  std::vector<Term> plain;
  Form reduced;
  for (const Term& term : terms) {
    Term quotient{term.coefficient / content, multiply_powers(term.powers, inverse)};
    if (std::ranges::any_of(quotient.powers, needs_expansion)) {  // (x + 1)^-1 over itself, for one
      reduced = reduced + settle(std::move(quotient));
    } else {
      plain.push_back(std::move(quotient));
    }
  }
  const bool written_out = !reduced.is_zero();
  reduced = reduced + Form::of_terms(std::move(plain));
  if (!written_out || reduced.is_zero()) return {content, std::move(common), reduced};
  const Primitive inner = primitive_part(reduced, take_monomial);
  return {content * inner.content, multiply_powers(common, inner.monomial), inner.form};
}

Form cleared(const Form& form, Form* denominator) {
  Form result = form;
  if (denominator != nullptr) *denominator = Form(1);
  for (int round = 0; round < 64; ++round) {
    KernelPtr worst;
    Rational least;
    for (const Term& term : result.terms()) {
      for (const KernelPower& power : term.powers) {
        if (power.kernel->kind == Kernel::Kind::power && power.exponent < least) {
          worst = power.kernel;
          least = power.exponent;
        }
      }
    }
    if (worst == nullptr) return result;
    const Rational lift = least.floor().abs();
    for (std::int64_t i = 0; i < *lift.to_int64(); ++i) {
      require_few_products(result, worst->argument);
      // Multiplying by kernel^1 term by term lets kernel^-1·kernel cancel before anything is written out.
      std::vector<Term> next;
      for (const Term& term : result.terms()) {
        Term lifted{term.coefficient, multiply_powers(term.powers, {{worst, Rational(1)}})};
        if (std::ranges::any_of(lifted.powers, needs_expansion)) {
          for (const Term& part : settle(std::move(lifted)).terms()) next.push_back(part);
        } else {
          next.push_back(std::move(lifted));
        }
      }
      result = Form::of_terms(std::move(next));
      if (denominator != nullptr) *denominator = *denominator * worst->argument;
    }
  }
  return result;
}

}  // namespace gpe::theory
