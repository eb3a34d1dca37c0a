#include "checks/ordered_family.h"

#include <algorithm>

#include "checks/expr_ball.h"
#include "checks/or_undecided.h"
#include "theory/decision.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"
#include "theory/spec_error.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;
using theory::Undecided;

namespace {

constexpr long kBits = 128;

// Reads -b as a sum of q·Π θ^a·ψ(n) with q >= 0, and notes the sign of each exponent a.
class Order {
 public:
  Order(const std::vector<FreeParameter>& free, const Context& context)
      : free_(free), context_(context), found_(free.size(), 0) {}

  const std::vector<int>& found() const { return found_; }

  // side·e is a sum of such terms. The side: a sign, and whether it has a free parameter.
  void term(const Expr& e, int sign, bool open) {
    if (const auto* sum = e.as<theory::node::Add>()) {
      for (const Expr& one : sum->terms) term(one, sign, open);
      return;
    }
    if (const auto* product = e.as<theory::node::Mul>()) {
      for (std::size_t i = 0; i < product->factors.size(); ++i) {  // (1 + θ) ψ = ψ + θ ψ
        const Expr& factor = product->factors[i];
        const auto* parts = factor.as<theory::node::Add>();
        if (parts == nullptr || theory::varies(factor) || !mentions_free(factor)) continue;
        for (const Expr& part : parts->terms) {
          std::vector<Expr> factors = product->factors;
          factors[i] = part;
          term(theory::mul(factors), sign, open);
        }
        return;
      }
      std::optional<Expr> varying;
      for (const Expr& factor : product->factors) {
        if (theory::varies(factor)) {
          if (varying) fail(e);
          varying = factor;
          continue;
        }
        sign *= closed_factor(factor);
        open = open || mentions_free(factor);
      }
      if (varying) return term(*varying, sign, open);
      if (open && sign < 0) fail(e);
      return;
    }
    if (!open && !mentions_free(e)) return;  // the same at all parameters
    if (!theory::varies(e)) {
      if (sign * closed_factor(e) < 0) fail(e);
      return;
    }
    if (sign < 0 || !rises(e)) fail(e);
  }

 private:
  [[noreturn]] static void fail(const Expr& e) {
    throw Undecided("the order of the family is not seen: " + theory::to_text(e));
  }
  bool mentions_free(const Expr& e) const {
    return std::ranges::any_of(free_, [&](const FreeParameter& one) { return e.mentions(one.name); });
  }
  void note(const std::string& name, int sign) {
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (free_[i].name != name) continue;
      if (found_[i] == -sign)
        throw Undecided("the bias falls with " + name + " in one term, and rises in another");
      if (free_[i].low.sign() < 0 || (sign < 0 && free_[i].low.sign() == 0))
        throw Undecided(name + " may be negative, or a divisor");
      found_[i] = sign;
    }
  }

  // The sign of a factor without n: a number, or a power of a free parameter.
  int closed_factor(const Expr& e) {
    if (!mentions_free(e)) return context_.sign(theory::to_form(e, context_));
    const auto* power = e.as<theory::node::Pow>();
    const Expr base = power != nullptr ? power->base : e;
    const auto* symbol = base.as<theory::node::Symbol>();
    const Rational* exponent = power != nullptr ? power->exponent.number() : nullptr;
    if (symbol == nullptr || (power != nullptr && exponent == nullptr)) fail(e);
    note(symbol->name, exponent == nullptr ? 1 : exponent->sign());
    return 1;
  }

  // Nonnegative, and falls nowhere in n: n, a positive power of it, or log(c + q·Π θ^a·n^p), c >= 1, q >= 0.
  bool rises(const Expr& e) {
    if (e.as<theory::node::Symbol>() != nullptr) return true;  // n
    if (const auto* power = e.as<theory::node::Pow>()) {
      const Rational* exponent = power->exponent.number();
      return exponent != nullptr && exponent->sign() > 0 && !mentions_free(e) && rises(power->base);
    }
    const auto* call = e.as<theory::node::Call>();
    if (call == nullptr || call->function != theory::Function::log) return false;
    const auto* sum = call->arguments[0].as<theory::node::Add>();
    if (sum == nullptr) return false;
    Expr number(0);
    std::vector<Expr> others;
    for (const Expr& one : sum->terms) {
      if (theory::varies(one) || mentions_free(one))
        others.push_back(one);
      else
        number = number + one;
    }
    if (others.size() != 1 || context_.sign(theory::to_form(number - Expr(1), context_)) < 0) return false;
    const auto* product = others[0].as<theory::node::Mul>();
    const std::vector<Expr> factors = product != nullptr ? product->factors : others;
    int sign = 1;
    for (const Expr& factor : factors) {
      if (!theory::varies(factor))
        sign *= closed_factor(factor);
      else if (factor.as<theory::node::Call>() != nullptr || !rises(factor))
        return false;
    }
    return sign >= 0;
  }

  const std::vector<FreeParameter>& free_;
  const Context& context_;
  std::vector<int> found_;
};

}  // namespace

OrderedFamily::OrderedFamily(theory::Encoding encoding, const theory::Setting& setting,
                             std::vector<theory::Override> fixed, std::vector<FreeParameter> free,
                             const Rational& bound, const theory::ConstantOracle& oracle)
    : encoding_(std::move(encoding)),
      setting_(setting),
      fixed_(std::move(fixed)),
      free_(std::move(free)),
      bound_(bound),
      oracle_(&oracle) {
  or_undecided([&] {
    ParameterPoint low;
    for (const FreeParameter& one : free_) low.push_back(one.low);
    const theory::Law open = theory::at_values(law(low), names());
    if (open.depends_on_length() || open.two_sided)
      throw Undecided("laws that depend on L, and two-sided ones, have no certified order");
    bias_ = open.bias;
    const Context context = theory::context_for(open, names(), oracle);
    Order order(free_, context);
    order.term(bias_, -1, false);
    direction_ = order.found();
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const bool in_window = open.window_size && open.window_size->mentions(free_[i].name);
      free_[i].whole = in_window;
      if (in_window) {
        const auto* symbol = open.window_size->as<theory::node::Symbol>();
        if (symbol == nullptr || direction_[i] != 0)
          throw Undecided("the window is not a parameter alone: " + theory::to_text(*open.window_size));
        direction_[i] = -1;
      }
      if (direction_[i] == 0) throw Undecided("the bias does not depend on " + free_[i].name);
    }
    const Expr amplitude = theory::amplitude(open, Expr(bound_));
    if (theory::varies(amplitude) || !free_symbols(amplitude).empty())
      throw Undecided("the content has another bound at other n or other parameters: " +
                      theory::to_text(amplitude));
    amplitude_ = evaluate(amplitude, {}, kBits);
    return 0;
  });
}

std::vector<std::string> OrderedFamily::names() const {
  std::vector<std::string> result;
  for (const FreeParameter& one : free_) result.push_back(one.name);
  return result;
}

theory::Law OrderedFamily::law(const ParameterPoint& point) const {
  std::vector<theory::Override> overrides = fixed_;
  for (std::size_t i = 0; i < free_.size(); ++i) overrides.push_back({free_[i].name, Expr(point[i])});
  return theory::instantiate(encoding_, setting_, overrides, *oracle_);
}

ParameterPoint OrderedFamily::corner(const ParameterBox& box, bool flat) const {
  ParameterPoint result;
  for (std::size_t i = 0; i < box.size(); ++i)
    result.push_back((direction_[i] > 0) == flat ? box[i].first : box[i].second);
  return result;
}

}  // namespace gpe::checks
