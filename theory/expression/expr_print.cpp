#include "theory/expression/expr_print.h"

#include <algorithm>
#include <array>

#include "theory/source/table.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

using namespace node;

namespace {

// How tightly the printed text binds: a child looser than its place gets parentheses.
enum Precedence { kSum = 1, kProduct = 2, kPower = 3, kAtom = 4 };

struct Printed {
  std::string text;
  Precedence precedence;
};

bool leads_with_minus(const Expr& e) {
  if (const Rational* number = e.number()) return number->sign() < 0;
  const auto* product = e.as<Mul>();
  return product != nullptr && product->factors.front().number() != nullptr &&
         product->factors.front().number()->sign() < 0;
}

Expr without_minus(const Expr& e) {
  if (const Rational* number = e.number()) return Expr(-*number);
  std::vector<Expr> factors = e.as<Mul>()->factors;
  const Rational lead = -*factors.front().number();
  if (lead.is_one()) {
    factors.erase(factors.begin());
    return factors.size() == 1 ? factors.front() : Expr::raw(Mul{std::move(factors)});
  }
  factors.front() = Expr(lead);
  return Expr::raw(Mul{std::move(factors)});
}

const Rational kHalf(1, 2);

bool is_reciprocal(const Expr& e) {
  const auto* power = e.as<Pow>();
  return power != nullptr && power->exponent.is_number(-1);
}

class TextPrinter {
 public:
  explicit TextPrinter(bool sympy) : sympy_(sympy) {}

  std::string at_least(const Expr& e, Precedence needed) const {
    Printed printed = print(e);
    return printed.precedence >= needed ? printed.text : "(" + printed.text + ")";
  }

  Printed print(const Expr& e) const {
    if (const Rational* number = e.number()) return print_number(*number);
    if (const auto* symbol = e.as<Symbol>()) return {symbol_text(symbol->name), kAtom};
    if (e.as<Pi>() != nullptr) return {"pi", kAtom};
    if (const auto* sum = e.as<Add>()) return print_sum(*sum);
    if (const auto* product = e.as<Mul>()) return print_product(e, *product);
    if (const auto* power = e.as<Pow>()) return print_power(e, *power);
    if (const auto* call = e.as<Call>()) return print_call(*call);
    if (const auto* branch = e.as<If>()) return print_if(*branch);
    if (const auto* sum = e.as<Sum>()) return print_finite_sum(*sum);
    if (const auto* at = e.as<TableAt>()) return print_applied(at->table->name, at->index);
    return print_applied("H", e.as<CutEntropy>()->at);
  }

 private:
  Printed print_number(const Rational& value) const {
    if (sympy_ && !value.is_integer()) {
      return {"Rational(" + value.numerator().str() + ", " + value.denominator().str() + ")", kAtom};
    }
    if (!value.is_integer()) return {value.str(), value.sign() < 0 ? kSum : kProduct};
    return {value.str(), value.sign() < 0 ? kSum : kAtom};
  }

  // SymPy knows several hundred names (beta, factor, E, S, …), so only those that it surely does not know are
  // left bare: single lower-case letters, and a few.
  std::string symbol_text(const std::string& name) const {
    static constexpr std::array<std::string_view, 8> free_in_sympy = {"L",     "heads", "layer", "layers",
                                                                      "alpha", "delta", "theta", "base"};
    const bool letter = name.size() == 1 && name[0] >= 'a' && name[0] <= 'z';
    if (!sympy_ || letter || std::ranges::find(free_in_sympy, name) != free_in_sympy.end()) return name;
    return "Symbol(\"" + name + "\")";
  }

  Printed print_sum(const Add& sum) const {
    std::string text = at_least(sum.terms.front(), leads_with_minus(sum.terms.front()) ? kSum : kProduct);
    for (std::size_t i = 1; i < sum.terms.size(); ++i) {
      const Expr& term = sum.terms[i];
      text += leads_with_minus(term) ? " - " + at_least(without_minus(term), kProduct)
                                     : " + " + at_least(term, kProduct);
    }
    return {text, kSum};
  }

  Printed print_product(const Expr& whole, const Mul& product) const {
    if (leads_with_minus(whole)) {
      // -a*b reads back as (-a)*b, the same tree; -(a + b) keeps its parentheses.
      return {"-" + at_least(without_minus(whole), kProduct), kSum};
    }
    std::string text;
    for (std::size_t i = 0; i < product.factors.size(); ++i) {
      const Expr& factor = product.factors[i];
      if (i == 0) {
        text = at_least(factor, kProduct);
        continue;
      }
      const Rational* number = factor.number();
      if (is_reciprocal(factor)) {
        text += "/" + at_least(factor.as<Pow>()->base, kPower);
      } else if (!sympy_ && number != nullptr && !number->is_integer() && number->numerator().is_one()) {
        text += "/" + number->denominator().str();
      } else {
        text += "*" + at_least(factor, kPower);
      }
    }
    return {text, kProduct};
  }

  Printed print_power(const Expr& whole, const Pow& power) const {
    if (is_reciprocal(whole)) return {"1/" + at_least(power.base, kPower), kProduct};
    if (power.exponent.is_number(kHalf)) return {"sqrt(" + print(power.base).text + ")", kAtom};
    return {at_least(power.base, kAtom) + (sympy_ ? "**" : "^") + at_least(power.exponent, kPower), kPower};
  }

  // A function of this project: a table, or H.
  Printed print_applied(const std::string& name, const Expr& argument) const {
    const std::string function = sympy_ ? "Function(\"" + name + "\")" : name;
    return {function + "(" + print(argument).text + ")", kAtom};
  }

  Printed print_call(const Call& call) const {
    std::string text(name_of(call.function));
    if (sympy_ && call.function == Function::abs) text = "Abs";
    if (sympy_ && call.function == Function::min) text = "Min";
    if (sympy_ && call.function == Function::max) text = "Max";
    if (sympy_ && call.function == Function::lgamma) text = "loggamma";
    const auto printed = [&](const Expr& argument) { return print(argument).text; };
    return {text + "(" + joined(call.arguments, ", ", printed) + ")", kAtom};
  }

  Printed print_if(const If& branch) const {
    const std::string left = print(branch.left).text;
    const std::string right = print(branch.right).text;
    const std::string then = print(branch.then).text;
    const std::string otherwise = print(branch.otherwise).text;
    if (!sympy_) {
      return {"if(" + left + " " + std::string(symbol_of(branch.relation)) + " " + right + ", " + then +
                  ", " + otherwise + ")",
              kAtom};
    }
    std::string condition = left + " " + std::string(symbol_of(branch.relation)) + " " + right;
    if (branch.relation == Relation::equal) condition = "Eq(" + left + ", " + right + ")";
    if (branch.relation == Relation::not_equal) condition = "Ne(" + left + ", " + right + ")";
    return {"Piecewise((" + then + ", " + condition + "), (" + otherwise + ", True))", kAtom};
  }

  Printed print_finite_sum(const Sum& sum) const {
    const std::string low = print(sum.low).text;
    const std::string high = print(sum.high).text;
    const std::string body = print(sum.body).text;
    if (sympy_) {
      return {"Sum(" + body + ", (" + symbol_text(sum.variable) + ", " + low + ", " + high + "))", kAtom};
    }
    return {"sum(" + sum.variable + ", " + low + ", " + high + ", " + body + ")", kAtom};
  }

  bool sympy_;
};

std::string latex_symbol(const std::string& name) {
  static constexpr std::array<std::string_view, 14> greek = {"alpha", "beta",  "gamma", "delta",  "epsilon",
                                                             "zeta",  "theta", "kappa", "lambda", "mu",
                                                             "nu",    "rho",   "sigma", "tau"};
  std::size_t letters = 0;
  while (letters < name.size() && std::isdigit(static_cast<unsigned char>(name[letters])) == 0) ++letters;
  const std::string stem = name.substr(0, letters);
  const std::string subscript = name.substr(letters);
  std::string text = "\\mathrm{" + stem + "}";
  if (std::ranges::find(greek, stem) != greek.end()) text = "\\" + stem;
  if (stem.size() == 1) text = stem;
  for (std::size_t i = 0; (i = text.find('_', i)) != std::string::npos; i += 2) text.replace(i, 1, "\\_");
  return subscript.empty() ? text : text + "_{" + subscript + "}";
}

std::string latex_relation(Relation relation) {
  static constexpr std::array<std::string_view, 6> symbols = {"<", "\\le", ">", "\\ge", "=", "\\ne"};
  return std::string(symbols.at(static_cast<std::size_t>(relation)));
}

Precedence latex_precedence(const Expr& e) {
  if (const Rational* number = e.number()) {
    if (number->sign() < 0) return kSum;
    return number->is_integer() ? kAtom : kPower;
  }
  if (e.as<Add>() != nullptr || e.as<Sum>() != nullptr) return kSum;
  if (e.as<Mul>() != nullptr) return leads_with_minus(e) ? kSum : kProduct;
  if (const auto* power = e.as<Pow>()) return power->exponent.is_number(kHalf) ? kAtom : kPower;
  return kAtom;
}

class LatexPrinter {
 public:
  explicit LatexPrinter(std::string (*number)(const Rational&)) : number_(number) {}

  std::string bare(const Expr& e) const {
    if (const Rational* number = e.number()) return number_(*number);
    if (const auto* symbol = e.as<Symbol>()) return latex_symbol(symbol->name);
    if (e.as<Pi>() != nullptr) return "\\pi";
    if (const auto* sum = e.as<Add>()) {
      std::string text = at_least(sum->terms.front(), kSum);
      for (std::size_t i = 1; i < sum->terms.size(); ++i) {
        const Expr& term = sum->terms[i];
        text += leads_with_minus(term) ? " - " + at_least(without_minus(term), kProduct)
                                       : " + " + at_least(term, kProduct);
      }
      return text;
    }
    if (e.as<Mul>() != nullptr) return product(e);
    if (const auto* power = e.as<Pow>()) {
      if (is_reciprocal(e)) return "\\frac{1}{" + at_least(power->base, kSum) + "}";
      if (power->exponent.is_number(kHalf)) return "\\sqrt{" + at_least(power->base, kSum) + "}";
      std::string base = at_least(power->base, kAtom);
      if (power->base.number() != nullptr && base.find('^') != std::string::npos)  // as 10^{9} may be written
        base = "\\left(" + base + "\\right)";
      return base + "^{" + at_least(power->exponent, kSum) + "}";
    }
    if (const auto* call = e.as<Call>()) return call_text(*call);
    if (const auto* branch = e.as<If>()) {
      return "\\begin{cases}" + at_least(branch->then, kSum) + " & " + at_least(branch->left, kSum) + " " +
             latex_relation(branch->relation) + " " + at_least(branch->right, kSum) + "\\\\ " +
             at_least(branch->otherwise, kSum) + " & \\text{otherwise}\\end{cases}";
    }
    if (const auto* sum = e.as<Sum>()) {
      return "\\sum_{" + latex_symbol(sum->variable) + "=" + at_least(sum->low, kSum) + "}^{" +
             at_least(sum->high, kSum) + "} " + at_least(sum->body, kProduct);
    }
    if (const auto* at = e.as<TableAt>()) {
      return latex_symbol(at->table->name) + "\\left(" + at_least(at->index, kSum) + "\\right)";
    }
    return "H\\left(" + at_least(e.as<CutEntropy>()->at, kSum) + "\\right)";
  }

 private:
  std::string at_least(const Expr& e, Precedence needed) const {
    return latex_precedence(e) >= needed ? bare(e) : "\\left(" + bare(e) + "\\right)";
  }

  // Factors side by side, with a dot before a number; a lone one beside nothing else needs no parentheses.
  std::string side(const std::vector<Expr>& factors, bool in_fraction) const {
    if (in_fraction && factors.size() == 1) return at_least(factors.front(), kSum);
    std::string text;
    for (const Expr& factor : factors) {
      const std::string next = at_least(factor, kPower);
      const bool number = std::isdigit(static_cast<unsigned char>(next.front())) != 0;
      if (!text.empty()) text += number ? " \\cdot " : "\\,";
      text += next;
    }
    return text.empty() ? "1" : text;
  }

  std::string product(const Expr& e) const {
    if (leads_with_minus(e)) return "-" + at_least(without_minus(e), kProduct);
    std::vector<Expr> numerator;
    std::vector<Expr> denominator;
    for (const Expr& factor : e.as<Mul>()->factors) {
      if (is_reciprocal(factor)) {
        denominator.push_back(factor.as<Pow>()->base);
      } else {
        numerator.push_back(factor);
      }
    }
    if (denominator.empty()) return side(numerator, false);
    return "\\frac{" + side(numerator, true) + "}{" + side(denominator, true) + "}";
  }

  std::string call_text(const Call& call) const {
    const std::string arguments =
        joined(call.arguments, ", ", [this](const Expr& argument) { return at_least(argument, kSum); });
    if (call.function == Function::abs) return "\\left|" + arguments + "\\right|";
    if (call.function == Function::floor) return "\\left\\lfloor " + arguments + "\\right\\rfloor";
    if (call.function == Function::polygamma)
      return "\\psi^{(" + at_least(call.arguments.front(), kSum) + ")}\\left(" +
             at_least(call.arguments.back(), kSum) + "\\right)";
    std::string name = "\\" + std::string(name_of(call.function));
    if (call.function == Function::atan) name = "\\arctan";
    if (call.function == Function::erfc) name = "\\operatorname{erfc}";
    if (call.function == Function::lgamma) name = "\\log\\Gamma";
    return name + "\\left(" + arguments + "\\right)";
  }

  std::string (*number_)(const Rational&);
};

}  // namespace

std::string to_text(const Expr& expression) { return TextPrinter(false).print(expression).text; }
std::string to_sympy(const Expr& expression) { return TextPrinter(true).print(expression).text; }
std::string latex_number(const Rational& value) {
  if (value.is_integer()) return value.str();
  return std::string(value.sign() < 0 ? "-" : "") + "\\tfrac{" + value.numerator().abs().str() + "}{" +
         value.denominator().str() + "}";
}
std::string to_latex(const Expr& expression, std::string (*number)(const Rational&)) {
  return LatexPrinter(number).bare(expression);
}

}  // namespace gpe::theory
