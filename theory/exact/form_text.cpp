#include "theory/exact/form_text.h"

#include "theory/expression/expr_print.h"

namespace gpe::theory {

namespace {

Expr kernel_expr(const Kernel& kernel) {
  switch (kernel.kind) {
    case Kernel::Kind::symbol:
      return Expr::symbol(kernel.name);
    case Kernel::Kind::pi:
      return Expr::pi();
    case Kernel::Kind::prime:
      return Expr(kernel.prime);
    case Kernel::Kind::log:
      return log(to_expr(kernel.argument));
    case Kernel::Kind::exp:
      return exp(to_expr(kernel.argument));
    case Kernel::Kind::power:
    case Kernel::Kind::sum:
      return to_expr(kernel.argument);
    case Kernel::Kind::sin:
      return call(Function::sin, {to_expr(kernel.argument)});
    case Kernel::Kind::cos:
      return call(Function::cos, {to_expr(kernel.argument)});
    case Kernel::Kind::opaque:
      return kernel.opaque;
  }
  return Expr(0);
}

// exp(p·log x) reads better as x^p.
Expr kernel_power_expr(const KernelPower& power) {
  const Kernel& kernel = *power.kernel;
  if (kernel.kind == Kernel::Kind::exp) {
    const TermList terms = kernel.argument.terms();
    if (terms.size() == 1) {
      for (std::size_t i = 0; i < terms[0].powers.size(); ++i) {
        const KernelPower& factor = terms[0].powers[i];
        if (factor.kernel->kind != Kernel::Kind::log || !factor.exponent.is_one()) continue;
        std::vector<Term> rest;
        rest.push_back({terms[0].coefficient * power.exponent, terms[0].powers});
        rest[0].powers.erase(rest[0].powers.begin() + static_cast<std::ptrdiff_t>(i));
        return pow(to_expr(factor.kernel->argument), to_expr(Form::of_terms(std::move(rest))));
      }
      std::vector<Term> scaled;
      scaled.push_back({terms[0].coefficient * power.exponent, terms[0].powers});
      return exp(to_expr(Form::of_terms(std::move(scaled))));
    }
  }
  return pow(kernel_expr(kernel), Expr(power.exponent));
}

Expr term_expr(const Term& term) {
  std::vector<Expr> numerator;
  std::vector<Expr> denominator;
  if (!term.coefficient.is_one() || term.powers.empty()) numerator.emplace_back(term.coefficient);
  for (const KernelPower& power : term.powers) {
    if (power.exponent.sign() < 0 && power.kernel->kind != Kernel::Kind::exp) {
      denominator.push_back(pow(kernel_power_expr({power.kernel, -power.exponent}), Expr(-1)));
    } else {
      numerator.push_back(kernel_power_expr(power));
    }
  }
  numerator.insert(numerator.end(), denominator.begin(), denominator.end());
  return mul(numerator);
}

}  // namespace

Expr to_expr(const Form& form) {
  std::vector<Expr> terms;
  for (const Term& term : form.terms()) terms.push_back(term_expr(term));
  return terms.empty() ? Expr(0) : add(terms);
}

std::string to_text(const Form& form) { return to_text(to_expr(form)); }

}  // namespace gpe::theory
