#include "checks/audit/formula_latex.h"

#include "theory/source/text_list.h"

namespace gpe::checks {

namespace {

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

std::string binding_latex(const Binding& binding) {
  const std::string name = expression_latex(theory::Expr::symbol(binding.name));
  switch (binding.range) {
    case Binding::Range::encodings:
      return name + " \\in \\claimfn{" + escaped_latex(binding.family) + "}";
    case Binding::Range::list: {
      return name + " \\in \\{" + theory::joined(binding.list, ", ", expression_latex) + "\\}";
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
    if (i == 0) text = expression_latex(condition.left);
    if (i > 0 && !(condition.left == binding.conditions[i - 1].right))
      text += ",\\; " + expression_latex(condition.left);
    text += relation_latex(condition.relation) + expression_latex(condition.right);
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
  std::string text = "\\text{for which } ";
  if (formula.kind == Formula::Kind::for_all) text = "\\forall ";
  if (formula.kind == Formula::Kind::for_some) text = "\\exists ";
  for (const Binding& binding : formula.bindings)
    text += (&binding == formula.bindings.data() ? "" : ",\\; \\allowbreak ") + binding_latex(binding);
  return text + ":\\;\\; \\allowbreak " + formula_latex(formula.parts[0]);
}

}  // namespace gpe::checks
