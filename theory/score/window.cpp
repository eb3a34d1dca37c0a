#include "theory/score/window.h"

#include <algorithm>

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"

namespace gpe::theory {

namespace {

// What is left of a formula without `none`; nothing: no window.
std::optional<Expr> chosen(const Expr& formula, const Encoding& encoding, const Context& context) {
  if (!formula.mentions(kNoWindow)) return formula;
  const std::string where = encoding.source + ": window: ";
  if (formula == Expr::symbol(kNoWindow)) return std::nullopt;
  if (const auto* choice = formula.as<node::If>()) {
    const Expr difference = choice->left - choice->right;
    const bool of_parameters = std::ranges::any_of(
        encoding.parameters, [&](const Parameter& one) { return difference.mentions(one.name); });
    const auto holds = attempt<std::runtime_error, SplitRequest>([&] {
      return !of_parameters && satisfies(choice->relation, context.sign(to_form(difference, context)));
    });
    if (of_parameters || !holds)
      throw SpecError(where + "the condition of an if with none is of h, heads, layer, layers and d alone");
    return chosen(*holds ? choice->then : choice->otherwise, encoding, context);
  }
  if (const auto* call = formula.as<node::Call>(); call != nullptr && call->function == Function::min) {
    std::vector<Expr> left;
    for (const Expr& argument : call->arguments) {
      if (auto one = chosen(argument, encoding, context)) left.push_back(*std::move(one));
    }
    if (left.empty()) return std::nullopt;
    return left.size() == 1 ? left.front() : theory::call(Function::min, left);
  }
  throw SpecError(where + "none is expected alone, as a value of if, or in min, and not in " +
                  to_text(formula));
}

}  // namespace

Encoding with_window_of(const Encoding& encoding, const Setting& setting, const Context& context) {
  if (!encoding.window || !encoding.window->mentions(kNoWindow) || encoding.find(kNoWindow) != nullptr)
    return encoding;
  Encoding result = encoding;
  result.window = chosen(with_setting(*encoding.window, setting), encoding, context);
  result.formulas.erase("window");
  if (result.window) result.formulas["window"] = to_text(*result.window);
  return result;
}

}  // namespace gpe::theory
