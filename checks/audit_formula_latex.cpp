#include "checks/audit_formula_latex.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "theory/expr_print.h"

namespace gpe::checks {

namespace {

std::string name_latex(const std::string& name) { return "\\claimfn{" + escaped_latex(name) + "}"; }

std::string relation_latex(theory::Relation relation) {
  switch (relation) {
    case theory::Relation::less:
      return " < ";
    case theory::Relation::less_equal:
      return " \\le ";
    case theory::Relation::greater:
      return " > ";
    case theory::Relation::greater_equal:
      return " \\ge ";
    case theory::Relation::equal:
      return " = ";
    case theory::Relation::not_equal:
      return " \\ne ";
  }
  return "";
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t i = 0; (i = text.find(from, i)) != std::string::npos; i += to.size())
    text.replace(i, from.size(), to);
}

// A fraction that reads better as a decimal: 2.325, not 93/40; but 1/100, 3/256.
std::string decimal_or_fraction(const theory::Rational& value, const std::string& otherwise) {
  constexpr std::size_t kPlaces = 9;
  const theory::Rational denominator = value.denominator();
  const theory::Rational shifted = value * theory::Rational(10).pow(kPlaces);
  const bool binary =
      theory::factor(denominator).size() == 1 && theory::factor(denominator)[0].base == theory::Rational(2);
  if (!shifted.is_integer() || denominator < theory::Rational(20) || binary ||
      value.numerator().abs().is_one())
    return otherwise;
  std::string digits = shifted.abs().str();
  if (digits.size() <= kPlaces) digits.insert(0, kPlaces + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - kPlaces);
  while (fraction.back() == '0') fraction.pop_back();
  return (value.sign() < 0 ? "-" : "") + digits.substr(0, digits.size() - kPlaces) + "." + fraction;
}

std::string number_latex(const theory::Expr& value) {
  std::string text = theory::to_latex(value);
  replace_all(text, "\\mathrm{eps}", "\\varepsilon");
  const std::string open = "\\tfrac{";
  for (std::size_t i = 0; (i = text.find(open, i)) != std::string::npos; ++i) {
    const std::size_t middle = text.find("}{", i);
    const std::size_t end = text.find('}', middle + 2);
    const auto numerator = theory::Rational::parse(text.substr(i + open.size(), middle - i - open.size()));
    const auto denominator = theory::Rational::parse(text.substr(middle + 2, end - middle - 2));
    if (!numerator || !denominator) continue;
    const std::string whole = text.substr(i, end + 1 - i);
    text.replace(i, whole.size(), decimal_or_fraction(*numerator / *denominator, whole));
  }
  constexpr int kZeros = 9;
  const std::string zeros(kZeros, '0');
  for (std::size_t i = 0; (i = text.find("1" + zeros, i)) != std::string::npos; ++i) {
    std::size_t end = i + 1;
    while (end < text.size() && text[end] == '0') ++end;
    text.replace(i, end - i, "10^{" + std::to_string(end - i - 1) + "}");
  }
  return text;
}

// For an index: 1/16 on one line.
std::string flat_latex(const theory::Expr& value) {
  const theory::Rational* number = value.number();
  return number == nullptr ? number_latex(value) : decimal_or_fraction(*number, number->str());
}

std::string term_latex(const ClaimTerm& term);

std::string encoding_latex(const EncodingName& encoding) {
  std::string text = name_latex(encoding.name);
  if (encoding.name.size() == 1) text = encoding.name;  // a variable
  if (encoding.settings.empty()) return text;
  std::string settings;
  for (const auto& [name, value] : encoding.settings)
    settings += (settings.empty() ? "" : ",\\,") + number_latex(theory::Expr::symbol(name)) + "{=}" +
                flat_latex(value);
  return text + "_{" + settings + "}";
}

// Symbols where the field has one.
std::string quantity_name(const std::string& name) {
  static const std::map<std::string, std::string> known = {
      {"Z", "Z"},
      {"H", "H"},
      {"mean", "\\mathrm{E}\\,n"},
      {"Zleast", "Z^{\\min}"},
      {"Zmost", "Z^{\\max}"},
      {"Hleast", "H^{\\min}"},
      {"Hmost", "H^{\\max}"},
      {"bias", "b"},
      {"gain", "f"},
      {"norm", "w"},
      {"var", "\\mathrm{Var}"},
      {"limit", "\\lim"},
      {"limsup", "\\limsup"},
      {"within", "N"},
      {"literal", "N^{\\mathrm{lit}}"},
      {"window", "W"},
  };
  const auto found = known.find(name);
  return found == known.end() ? name_latex(name) : found->second;
}

std::string quantity_latex(const Quantity& q) {
  if (q.name == "choose") return "\\binom{" + term_latex(q.terms[0]) + "}{" + term_latex(q.terms[1]) + "}";
  std::string arguments = q.encoding ? encoding_latex(*q.encoding) : "";
  for (const ClaimTerm& term : q.terms) arguments += (arguments.empty() ? "" : ",\\, ") + term_latex(term);
  for (const std::string& word : q.words) {
    std::string text = escaped_latex(word);
    if (const std::size_t arrow = word.find("<-"); arrow != std::string::npos) {
      text = escaped_latex(word.substr(0, arrow)) + "$\\leftarrow$" + escaped_latex(word.substr(arrow + 2));
    }
    arguments += (arguments.empty() ? "" : ",\\,\\allowbreak ") + ("\\text{" + text + "}");
  }
  return quantity_name(q.name) + "(" + arguments + ")";
}

std::string term_latex(const ClaimTerm& term) {
  std::string text = number_latex(term.skeleton);
  for (std::size_t i = 0; i < term.quantities.size(); ++i) {
    const std::string placeholder = theory::to_latex(theory::Expr::symbol("_q" + std::to_string(i)));
    const std::size_t at = text.find(placeholder);
    if (at != std::string::npos) text.replace(at, placeholder.size(), quantity_latex(term.quantities[i]));
  }
  return text;
}

std::string binding_latex(const Binding& binding) {
  const std::string name = number_latex(theory::Expr::symbol(binding.name));
  switch (binding.range) {
    case Binding::Range::encodings:
      return name + " \\in \\claimfn{" + escaped_latex(binding.family) + "}";
    case Binding::Range::list: {
      std::string list;
      for (const theory::Expr& value : binding.list) list += (list.empty() ? "" : ", ") + number_latex(value);
      return name + " \\in \\{" + list + "\\}";
    }
    case Binding::Range::integers:
      return name + " = " + std::to_string(binding.low) +
             (binding.high ? ", \\ldots, " + std::to_string(*binding.high) : ", \\ldots");
    case Binding::Range::reals:
      break;
  }
  std::string text;
  for (std::size_t i = 0; i < binding.conditions.size(); ++i) {
    const theory::Condition& condition = binding.conditions[i];
    if (i == 0) text = number_latex(condition.left);
    if (i > 0 && !(condition.left == binding.conditions[i - 1].right))
      text += ",\\; " + number_latex(condition.left);
    text += relation_latex(condition.relation) + number_latex(condition.right);
  }
  return text.empty() ? name + " \\in \\mathbf{R}" : text;
}

std::string joined(const std::vector<Formula>& parts, const std::string& sign,
                   bool (*needs_brackets)(Formula::Kind)) {
  std::string text;
  for (const Formula& part : parts) {
    const std::string one = formula_latex(part);
    text += (text.empty() ? "" : sign) + (needs_brackets(part.kind) ? "(" + one + ")" : one);
  }
  return text;
}

bool is_loose(Formula::Kind kind) {
  return kind == Formula::Kind::implication || kind == Formula::Kind::equivalence;
}
bool is_not_tight(Formula::Kind kind) { return is_loose(kind) || kind == Formula::Kind::disjunction; }
bool is_compound(Formula::Kind kind) {
  return is_not_tight(kind) || kind == Formula::Kind::conjunction || kind == Formula::Kind::for_all ||
         kind == Formula::Kind::for_some;
}

}  // namespace

std::string expression_latex(const theory::Expr& expression) { return number_latex(expression); }

std::string formula_latex(const Formula& formula) {
  switch (formula.kind) {
    case Formula::Kind::property: {
      std::string bound;
      for (const ClaimTerm& term : formula.quantity.terms) bound += ",\\, " + term_latex(term);
      return "\\claimproperty{" + formula.quantity.name + "}{" +
             escaped_latex(formula.quantity.words.front()) + "}(" +
             encoding_latex(*formula.quantity.encoding) + bound + ")";
    }
    case Formula::Kind::predicate:
      return quantity_latex(formula.quantity);
    case Formula::Kind::comparison:
      return term_latex(formula.terms[0]) + relation_latex(formula.relation) + "\\allowbreak " +
             term_latex(formula.terms[1]);
    case Formula::Kind::negation:
      return "\\lnot " + joined(formula.parts, "", is_compound);
    case Formula::Kind::conjunction:
      if (formula.chain) {
        std::string chain = formula_latex(formula.parts[0]);
        for (std::size_t i = 1; i < formula.parts.size(); ++i)
          chain += relation_latex(formula.parts[i].relation) + term_latex(formula.parts[i].terms[1]);
        return chain;
      }
      return joined(formula.parts, " \\;\\land\\; \\allowbreak ", is_not_tight);
    case Formula::Kind::disjunction:
      return joined(formula.parts, " \\;\\lor\\; \\allowbreak ", is_loose);
    case Formula::Kind::implication:
      return joined(formula.parts, " \\;\\Rightarrow\\; \\allowbreak ", is_loose);
    case Formula::Kind::equivalence:
      return joined(formula.parts, " \\;\\Leftrightarrow\\; \\allowbreak ", is_loose);
    case Formula::Kind::for_all:
    case Formula::Kind::for_some:
    case Formula::Kind::for_which:
      break;
  }
  std::string text = formula.kind == Formula::Kind::for_all    ? "\\forall "
                     : formula.kind == Formula::Kind::for_some ? "\\exists "
                                                               : "\\text{for which } ";
  for (const Binding& binding : formula.bindings)
    text += (&binding == formula.bindings.data() ? "" : ",\\; \\allowbreak ") + binding_latex(binding);
  return text + ":\\;\\; \\allowbreak " + formula_latex(formula.parts[0]);
}

}  // namespace gpe::checks
