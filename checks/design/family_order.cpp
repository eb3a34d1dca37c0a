#include "checks/design/family_order.h"
// Tests: tests/checks/design/design_test.cpp
#include <algorithm>

#include "checks/arb/precision.h"
#include "checks/arb/range.h"
#include "checks/certificate/number_certificate.h"
#include "checks/halfline/direction.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/any_part.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;
using theory::Undecided;

namespace {

std::vector<Expr> factors_of(const Expr& e) {
  const auto* product = e.as<theory::node::Mul>();
  return product != nullptr ? product->factors : std::vector<Expr>{e};
}
std::vector<Expr> terms_of(const Expr& e) {
  const auto* sum = e.as<theory::node::Add>();
  return sum != nullptr ? sum->terms : std::vector<Expr>{e};
}

// Reads −b as a sum of ±q·Π θ^a·Π ψ(n), q >= 0, and |f| w B as a product of falling powers.
class Reader {
 public:
  Reader(const std::vector<FreeParameter>& free, std::int64_t first, const Context& context)
      : free_(free), first_(first), context_(context) {}

  FamilyOrder result;

  // closed·e is a sum of such terms.
  void term(const Expr& e, const std::vector<Expr>& closed_before) {
    for (const Expr& one : terms_of(e)) {
      std::vector<Expr> closed = closed_before, varying;
      const std::vector<Expr> factors = factors_of(one);
      for (std::size_t i = 0; i < factors.size(); ++i) {
        const bool sum = factors[i].as<theory::node::Add>() != nullptr;
        if (theory::varies(factors[i])) {
          varying.push_back(factors[i]);
        } else if (sum && mentions_free(factors[i])) {  // (1 + θ) ψ = ψ + θ ψ
          std::vector<Expr> rest = factors;
          for (const Expr& part : terms_of(factors[i])) {
            rest[i] = part;
            term(theory::mul(rest), closed_before);
          }
          varying.clear();
          closed.clear();
          break;
        } else {
          closed.push_back(factors[i]);
        }
      }
      if (varying.size() == 1 && varying[0].as<theory::node::Add>() != nullptr)
        term(varying[0], closed);
      else if (!varying.empty() || !closed.empty())
        product(one, closed, varying);
    }
  }

  // |f| w B = Π q·Π θ^a·Π (c + Σ q' θ^a' n^p)^-e·Π exp(-Σ q' θ^a' n^p)·Π ψ(n), c >= 0 and q' >= 0, with ψ
  // that falls to no less than 0. Without bars around what is at least 0, and with the other sign where it is
  // at most 0.
  Expr amplitude(const Expr& e) {
    std::vector<Expr> read;
    if (content_sign(e, read) < 0) fail(e);
    return theory::mul(read);
  }

 private:
  // The sign of such a product; `read` gets its factors.
  int content_sign(const Expr& e, std::vector<Expr>& read) {
    int result_sign = 1;
    for (const Expr& factor : factors_of(e)) {
      const auto* call = factor.as<theory::node::Call>();
      const auto* power = factor.as<theory::node::Pow>();
      if (call != nullptr && call->function == theory::Function::abs) {
        if (content_sign(call->arguments[0], read) < 0) read.push_back(Expr(-1));
        continue;
      }
      read.push_back(factor);
      if (!theory::varies(factor)) {
        result_sign *= closed_factor(factor, 1, factor);
      } else if (call != nullptr && call->function == theory::Function::exp) {
        for (const Expr& part : terms_of(call->arguments[0])) falling_exponent(part, factor);
      } else if (!mentions_free(factor) && falls_above_zero(factor)) {
        continue;
      } else {
        const Rational* exponent = power != nullptr ? power->exponent.number() : nullptr;
        if (exponent == nullptr || exponent->sign() >= 0) fail(factor);
        for (const Expr& part : terms_of(power->base)) {
          for (const Expr& inside : factors_of(part)) {
            if (theory::varies(inside) ? !is_power_of_n(inside) : closed_factor(inside, -1, factor) < 0)
              fail(factor);
          }
        }
      }
    }
    return result_sign;
  }

  // -q θ^a n^p in an exponent: it falls with n, and grows or falls with θ.
  void falling_exponent(const Expr& part, const Expr& whole) {
    int part_sign = 1;
    for (const Expr& inside : factors_of(part)) {
      if (theory::varies(inside) && !is_power_of_n(inside)) fail(whole);
      if (!theory::varies(inside)) part_sign *= closed_factor(inside, -1, whole);
    }
    if (part_sign > 0 && (theory::varies(part) || mentions_free(part))) fail(whole);
  }
  bool falls_above_zero(const Expr& e) const {
    const Range values =
        over_block(e, block(first_, std::nullopt, kBoundBits), kBoundBits, context_.budget());
    return values.defined && values.surely_nonnegative() && surely_never_rises(e, first_, context_);
  }

  [[noreturn]] void fail(const Expr& e) const {
    std::string advice;
    for (const FreeParameter& one : free_) {
      const Rational middle = (one.low + one.high) / Rational(2);
      if (is_in_exponent(e, one.name))
        advice += "; " + one.name + " is an exponent: fix it with --set " + one.name + "=" + middle.str();
    }
    throw Undecided("the family is not known to be ordered: " + theory::to_text(e) + advice);
  }
  static bool is_in_exponent(const Expr& e, const std::string& name) {
    return theory::any_part(e, [&](const Expr& part) {
      const auto* power = part.as<theory::node::Pow>();
      return power != nullptr && power->exponent.mentions(name);
    });
  }
  bool mentions_free(const Expr& e) const {
    return std::ranges::any_of(free_, [&](const FreeParameter& one) { return e.mentions(one.name); });
  }
  int sign(const Expr& e) const { return context_.sign(theory::to_form(e, context_)); }

  void product(const Expr& e, const std::vector<Expr>& closed, const std::vector<Expr>& varying) {
    int side = 1;
    bool open = std::ranges::any_of(varying, [&](const Expr& v) { return mentions_free(v); });
    for (const Expr& factor : closed) {
      open = open || mentions_free(factor);
      side *= sign_of_factor(factor);
    }
    if (side == 0) return;
    const bool rises = std::ranges::all_of(varying, [&](const Expr& v) { return grows(v, side); });
    if (open && !rises) fail(e);
    for (const Expr& factor : closed) {
      if (mentions_free(factor)) closed_factor(factor, side, e);
    }
    if (!varying.empty() && (side < 0 || !rises)) result.falls = false;
  }

  // The sign of a factor without n, where closed_factor reads it.
  int sign_of_factor(const Expr& factor) const {
    if (!mentions_free(factor)) return sign(factor);
    const auto* power = factor.as<theory::node::Pow>();
    int result_sign = 1;
    if (power != nullptr && power->base.as<theory::node::Mul>() != nullptr) {
      for (const Expr& one : factors_of(power->base))
        result_sign *= sign_of_factor(theory::pow(one, power->exponent));
    }
    return result_sign;
  }

  // The sign of a factor without n: a number, or a power of a free parameter, which is noted.
  int closed_factor(const Expr& factor, int side, const Expr& in) {
    if (!mentions_free(factor)) return sign(factor);
    const auto* power = factor.as<theory::node::Pow>();
    const Expr base = power != nullptr ? power->base : factor;
    const auto* symbol = base.as<theory::node::Symbol>();
    const Rational* exponent = power != nullptr ? power->exponent.number() : nullptr;
    if (power != nullptr && exponent == nullptr) fail(in);
    if (base.as<theory::node::Mul>() != nullptr) {  // 1/(2 θ)
      int result_sign = 1;
      for (const Expr& one : factors_of(base))
        result_sign *= closed_factor(theory::pow(one, power->exponent), side, in);
      return result_sign;
    }
    if (symbol == nullptr) fail(in);
    note(symbol->name, exponent == nullptr ? 1 : exponent->sign(), side);
    return 1;
  }

  // θ to a power of this sign is a factor of a term on this side.
  void note(const std::string& name, int sign, int side, bool positive = false) {
    const auto one = std::ranges::find(free_, name, &FreeParameter::name);
    if (one->low.sign() < 0 || ((positive || sign < 0) && one->low.sign() == 0))
      throw Undecided(name + " may be negative, or a divisor or exponent that may be 0");
    const auto [known, is_new] = result.direction.try_emplace(name, sign * side);
    if (!is_new && known->second != sign * side) throw BothWays(name);
  }

  static bool is_power_of_n(const Expr& e) {
    const auto* power = e.as<theory::node::Pow>();
    const Rational* exponent = power != nullptr ? power->exponent.number() : nullptr;
    const Expr base = power != nullptr ? power->base : e;
    return base.as<theory::node::Symbol>() != nullptr &&
           (power == nullptr || (exponent != nullptr && exponent->sign() > 0));
  }
  // At least `least`, and growing with n: without free parameters.
  bool surely_grows(const Expr& e, int least) const {
    Expr number(0);
    return is_bernstein(e, Expr(1), context_, true, number) && sign(number - Expr(least)) >= 0;
  }

  bool rises_above_zero(const Expr& e) const {
    const int at_first =
        theory::attempt([&] { return sign(substitute(e, theory::kIndex, Expr(first_))); }).value_or(-1);
    return at_first >= 0 && surely_never_rises(-e, first_, context_);
  }

  // A factor that is nonnegative and falls nowhere with n, and with its free parameters grows more at larger
  // n: a power of n or of such a factor; n^θ; log(c + q·Π θ^a·n^p), c >= 1, q >= 0.
  bool grows(const Expr& e, int side) {
    const auto* power = e.as<theory::node::Pow>();
    if (power != nullptr && mentions_free(power->exponent)) {
      if (mentions_free(power->base) ||
          (power->base.as<theory::node::Symbol>() == nullptr && !surely_grows(power->base, 1)))
        return false;
      for (const Expr& factor : factors_of(power->exponent)) {
        if (!mentions_free(factor)) {
          if (sign(factor) <= 0) return false;
          continue;
        }
        const auto* root = factor.as<theory::node::Pow>();
        const Expr base = root != nullptr ? root->base : factor;
        const Rational* exponent = root != nullptr ? root->exponent.number() : nullptr;
        if (base.as<theory::node::Symbol>() == nullptr || (root != nullptr && exponent == nullptr))
          return false;
        note(base.as<theory::node::Symbol>()->name, exponent == nullptr ? 1 : exponent->sign(), side, true);
      }
      return true;
    }
    if (!mentions_free(e)) {
      const Rational* exponent = power != nullptr ? power->exponent.number() : nullptr;
      if (exponent != nullptr && exponent->sign() > 0) return grows(power->base, side);
      return e.as<theory::node::Symbol>() != nullptr || surely_grows(e, 0) || rises_above_zero(e);
    }
    if (power != nullptr) {
      const Rational* exponent = power->exponent.number();
      return exponent != nullptr && *exponent >= Rational(1) && grows(power->base, side);
    }
    const auto* call = e.as<theory::node::Call>();
    return call != nullptr && call->function == theory::Function::log && log_grows(call->arguments[0], side);
  }
  bool log_grows(const Expr& argument, int side) {
    Expr number(0);
    std::vector<Expr> others;
    for (const Expr& one : terms_of(argument)) {
      if (theory::varies(one) || mentions_free(one))
        others.push_back(one);
      else
        number = number + one;
    }
    if (others.size() != 1 || sign(number - Expr(1)) < 0) return false;
    int inner = 1;
    for (const Expr& factor : factors_of(others[0])) {
      if (theory::varies(factor) ? !is_power_of_n(factor)
                                 : (inner *= closed_factor(factor, side, argument)) < 0)
        return false;
    }
    return inner > 0;
  }

  const std::vector<FreeParameter>& free_;
  const Rational first_;
  const Context& context_;
};

}  // namespace

FamilyOrder order_of_bias(const Expr& bias, const std::vector<FreeParameter>& free, std::int64_t first,
                          const Context& context) {
  Reader reader(free, first, context);
  reader.term(bias, {Expr(-1)});
  return reader.result;
}

ContentOrder order_of_amplitude(const Expr& amplitude, const std::vector<FreeParameter>& free,
                                std::int64_t first, const Context& context) {
  Reader reader(free, first, context);
  const Expr read = reader.amplitude(amplitude);
  return {read, reader.result.direction};
}

}  // namespace gpe::checks
