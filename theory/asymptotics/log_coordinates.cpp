#include "theory/asymptotics/log_coordinates.h"

#include <algorithm>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/exact/form_expr.h"

namespace gpe::theory {

using namespace node;

namespace {

class Rewriter {
 public:
  explicit Rewriter(const Context& context) : context_(context) {}

  // The expression in u, as a normal form.
  Form in_u(const Expr& e) {
    context_.check_time();
    if (!e.mentions(kIndex)) return to_form(e, context_);
    if (e.as<Symbol>() != nullptr) return context_.exp(u_);
    if (const auto* sum = e.as<Add>()) {
      Form result;
      for (const Expr& term : sum->terms) result = result + in_u(term);
      return result;
    }
    if (const auto* product = e.as<Mul>()) {
      Form result(1);
      for (const Expr& factor : product->factors) result = result * in_u(factor);
      return result;
    }
    if (const auto* power = e.as<Pow>()) {
      if (power->exponent.mentions(kIndex))
        return context_.exp(in_u(power->exponent) * log_in_u(power->base));
      const Form exponent = to_form(power->exponent, context_);
      const Form base = in_u(power->base);
      const Rational* whole = exponent.rational();
      if (whole != nullptr && whole->is_integer() && whole->sign() > 0) return context_.pow(base, exponent);
      if (base.term_count() == 1) return context_.pow(base, exponent);
      const Form lead = leading_term(power->base);
      return context_.pow(lead, exponent) * power_near_one(base, lead, exponent);
    }
    if (const auto* called = e.as<Call>()) {
      const Expr& x = called->arguments.back();
      switch (called->function) {
        case Function::exp:
          return context_.exp(in_u(x));
        case Function::log:
          return log_in_u(x);
        case Function::sin:
          return sin(in_u(x));
        case Function::cos:
          return cos(in_u(x));
        case Function::atan:
        case Function::erfc:
        case Function::lgamma:
        case Function::polygamma: {
          std::vector<Expr> arguments = called->arguments;
          arguments.back() = by_exponentials(in_u(x));
          return near_one(call(called->function, std::move(arguments)));
        }
        default:
          break;
      }
    }
    throw Undecided("no logarithmic coordinates for a floor, minimum, maximum, condition or table");
  }

 private:
  Form log_in_u(const Expr& x) {
    const Form form = in_u(x);
    if (form.term_count() == 1) return context_.log(form);
    const Form lead = leading_term(x);
    return context_.log(lead) + near_one(theory::log(over(form, lead)));
  }

  // (base/lead)^exponent = (1 + t)^(p/q) as 1 + t·R with t in normal form and R near p/q, for small p and q:
  // with y = (1 + t)^(1/q), y^p - 1 = t (1 + y + … + y^(p-1))/(1 + y + … + y^(q-1)). So the ones of a
  // difference cancel before anything is evaluated.
  Form power_near_one(const Form& base, const Form& lead, const Form& exponent) {
    const Expr whole = over(base, lead);
    const Rational* power = exponent.rational();
    const auto p = power == nullptr ? std::nullopt : power->numerator().to_int64();
    const auto q = power == nullptr ? std::nullopt : power->denominator().to_int64();
    if (!p || !q || std::abs(*p) > 6 || *q > 6) return near_one(theory::pow(whole, to_expr(exponent)));
    const Form t = base * context_.pow(lead, Rational(-1)) - Form(1);
    const auto geometric = [&](std::int64_t terms) {
      Expr sum(0);
      for (std::int64_t i = 0; i < terms; ++i) sum = sum + theory::pow(whole, Expr(Rational(i, *q)));
      return sum;
    };
    Expr ratio = geometric(std::abs(*p)) / geometric(*q);
    if (*p < 0) ratio = -ratio / theory::pow(whole, Expr(Rational(-*p, *q)));
    return Form(1) + t * near_one(ratio);
  }

  // Near one, or near another constant, kept as it stands: normal form would take the small exponentials out
  // of it again.
  static Form near_one(const Expr& e) { return Form::power(Kernel::of_opaque(e)); }

  Expr over(const Form& form, const Form& lead) const {
    return by_exponentials(form * context_.pow(lead, Rational(-1)));
  }

  // The first term of the expansion of x at infinity, in u.
  Form leading_term(const Expr& x) {
    Multiseries series(context_);
    const AsymptoticEnclosure enclosure = EnclosureExpander(series).expand(x);
    if (!enclosure.exact()) throw Undecided("only bounds are known at infinity");
    const auto lead = series.leading(enclosure.low);
    if (!lead) throw Undefined("logarithm or negative power of zero");
    return lead->coefficient * in_u(series.expression(lead->monomial));
  }

  const Context& context_;
  Form u_ = Form::symbol(kIndex);
};

}  // namespace

Form log_coordinates_form(const Expr& expression, const Context& context) {
  return Rewriter(context).in_u(expression);
}

namespace {

struct Group {
  std::vector<KernelPower> common;
  std::vector<Term> rest;
};

// The terms by the product of those powers that `belongs` picks.
template <class Belongs>
std::vector<Group> grouped(const std::vector<Term>& terms, const Belongs& belongs) {
  const auto equal = [](const std::vector<KernelPower>& a, const std::vector<KernelPower>& b) {
    return std::ranges::equal(a, b, [](const KernelPower& x, const KernelPower& y) {
      return same(x.kernel, y.kernel) && x.exponent == y.exponent;
    });
  };
  std::vector<Group> groups;
  for (const Term& term : terms) {
    Term rest{term.coefficient, {}};
    std::vector<KernelPower> common;
    for (const KernelPower& power : term.powers)
      (belongs(power.kernel) ? common : rest.powers).push_back(power);
    auto at = std::ranges::find_if(groups, [&](const Group& group) { return equal(group.common, common); });
    if (at == groups.end()) at = groups.insert(groups.end(), {common, {}});
    at->rest.push_back(std::move(rest));
  }
  return groups;
}

Expr product_of(const std::vector<KernelPower>& powers) {
  return to_expr(Form::of_terms({{Rational(1), powers}}));
}

}  // namespace

Expr by_exponentials(const Form& form) {
  const auto exponential = [](const KernelPtr& kernel) { return kernel->kind == Kernel::Kind::exp; };
  const auto moving = [](const KernelPtr& kernel) { return Form::power(kernel).mentions(kIndex); };
  std::vector<Expr> sum;
  for (const Group& outer : grouped(form.terms().copy(), exponential)) {
    std::vector<Expr> inner;
    for (const Group& one : grouped(outer.rest, moving)) {
      inner.push_back(to_expr(Form::of_terms(one.rest)) * product_of(one.common));
    }
    Form exponent;
    for (const KernelPower& power : outer.common) {
      exponent = exponent + Form(power.exponent) * power.kernel->argument;
    }
    // a single exponential: e^u·e^(-e^u) on a wide box would be infinity times zero
    sum.push_back(theory::exp(to_expr(exponent)) * add(inner));
  }
  return add(sum);
}

}  // namespace gpe::theory
