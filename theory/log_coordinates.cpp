#include "theory/log_coordinates.h"

#include <unordered_map>

#include "theory/form_expr.h"
#include "theory/germ.h"

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
      return context_.pow(lead, exponent) * near_one(theory::pow(over(base, lead), to_expr(exponent)));
    }
    if (const auto* called = e.as<Call>()) {
      const Expr& x = called->arguments.front();
      switch (called->function) {
        case Function::exp:
          return context_.exp(in_u(x));
        case Function::log:
          return log_in_u(x);
        case Function::sin:
          return sin(in_u(x));
        case Function::cos:
          return cos(in_u(x));
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

  // 1 + small terms, kept as it stands: normal form would take the small exponentials out of it again.
  static Form near_one(const Expr& e) { return Form::power(Kernel::of_opaque(e)); }

  Expr over(const Form& form, const Form& lead) const {
    return to_expr(form * context_.pow(lead, Rational(-1)));
  }

  // The first term of the expansion of x at infinity, in u.
  Form leading_term(const Expr& x) {
    Multiseries series(context_);
    const Germ germ = GermExpander(series).expand(x);
    if (!germ.exact()) throw Undecided("only bounds are known at infinity");
    const auto lead = series.leading(germ.low);
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

Expr log_coordinates(const Expr& expression, const Context& context) {
  return to_expr(log_coordinates_form(expression, context));
}

}  // namespace gpe::theory
