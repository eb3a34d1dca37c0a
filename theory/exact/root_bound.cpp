#include "theory/exact/root_bound.h"

#include <algorithm>
#include <vector>

#include "theory/exact/form_functions.h"

namespace gpe::theory {

namespace {

// Upper bounds of log2 u(E) and log2 l(E), where E = U/L with algebraic integers U, L whose conjugates stay
// below u and l; and the radicals met, each once, with their degrees.
struct Bound {
  Rational log_u;
  Rational log_l;
};

class Bounder {
 public:
  std::optional<Bound> of(const Form& form) {
    if (form.is_zero()) return Bound{0, 0};
    std::optional<Bound> sum;
    for (const Term& term : form.terms()) {
      std::optional<Bound> product = of_rational(term.coefficient);
      for (const KernelPower& power : term.powers) {
        const auto factor = of_power(power);
        if (!factor) return std::nullopt;
        product = Bound{product->log_u + factor->log_u, product->log_l + factor->log_l};
      }
      if (!sum) {
        sum = product;  // ±: u = u1·l2 + l1·u2 <= 2·max, l = l1·l2
      } else {
        sum = Bound{std::max(sum->log_u + product->log_l, sum->log_l + product->log_u) + Rational(1),
                    sum->log_l + product->log_l};
      }
    }
    return sum;
  }

  Rational degree() const {
    Rational product =
        std::max(Rational(1), (cosines_ / Rational(2)).floor());  // of cos(π/q), q >= 3: φ(2q)/2
    for (const auto& [kernel, root] : radicals_) product *= root;
    return product;
  }

 private:
  static Bound of_rational(const Rational& value) {
    return {Rational(value.numerator().bits()), Rational(value.denominator().bits())};
  }

  std::optional<Bound> of_power(const KernelPower& power) {
    std::optional<Bound> base;
    if (power.kernel->kind == Kernel::Kind::prime) {
      base = of_rational(power.kernel->prime);
    } else if (power.kernel->kind == Kernel::Kind::power && !power.kernel->argument.has_symbols()) {
      base = of(power.kernel->argument);
    } else if (const auto angle = angle_of_cosine(*power.kernel)) {
      base = Bound{1, 1};  // 2 cos(p π/q) is an algebraic integer of conjugates 2 cos(k π/q)
      cosines_ *= (cosines_ * *angle).denominator();
    }
    if (!base) return std::nullopt;
    const auto times = power.exponent.numerator().abs().to_int64();
    if (!times || *times > 1000) return std::nullopt;
    Bound result = *base;
    const Rational root = power.exponent.denominator();
    if (!root.is_one()) {
      note_radical(power.kernel, root);
      // k√(U/L) = k√(U·L^(k-1)) / L, or U / k√(U^(k-1)·L), whichever keeps the bounds smaller
      const Rational rest = root - Rational(1);
      result = base->log_u >= base->log_l ? Bound{(base->log_u + rest * base->log_l) / root, base->log_l}
                                          : Bound{base->log_u, (rest * base->log_u + base->log_l) / root};
    }
    result = {result.log_u * Rational(*times), result.log_l * Rational(*times)};
    if (power.exponent.sign() < 0) std::swap(result.log_u, result.log_l);
    return result;
  }

  void note_radical(const KernelPtr& kernel, const Rational& root) {
    for (auto& [known, degree] : radicals_) {
      if (!same(known, kernel)) continue;
      while (!(degree / root).is_integer()) degree *= root;  // both roots lie in the field of this one
      return;
    }
    radicals_.emplace_back(kernel, root);
  }

  std::vector<std::pair<KernelPtr, Rational>> radicals_;
  Rational cosines_ = 1;  // q: all cosines are of multiples of π/q
};

}  // namespace

std::optional<std::int64_t> separation_bits(const Form& form, std::int64_t most_bits) {
  Bounder bounder;
  const auto bound = bounder.of(form);
  if (!bound) return std::nullopt;
  const Rational bits = ((bounder.degree() - Rational(1)) * bound->log_u + bound->log_l).ceil();
  if (bits > Rational(most_bits)) return std::nullopt;
  return bits.to_int64();
}

}  // namespace gpe::theory
