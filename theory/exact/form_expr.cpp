#include "theory/exact/form_expr.h"

#include <algorithm>
#include <unordered_map>

#include "theory/exact/attempt.h"
#include "theory/exact/factor.h"
#include "theory/exact/special_functions.h"
#include "theory/expression/expr_print.h"
#include "theory/source/table.h"

namespace gpe::theory {

using namespace node;

namespace {

constexpr std::int64_t kMaxSummands = 20000;

class FormOf {
 public:
  explicit FormOf(const Context& context) : context_(context) {}

  // In lowest terms, for callers that look at the terms.
  Form whole(const Expr& e) { return lowest_terms(form(e)); }

 private:
  Form form(const Expr& e) {
    if (const auto found = done_.find(e.identity()); found != done_.end()) return found->second;
    Form result = fresh(e);
    done_.emplace(e.identity(), result);
    kept_.push_back(e);
    return result;
  }

  Form fresh(const Expr& e) {
    context_.check_time();
    if (const Rational* number = e.number()) return Form(*number);
    if (const auto* symbol = e.as<Symbol>())
      return context_.constraints().reduced(Form::symbol(symbol->name));
    if (e.as<Pi>() != nullptr) return Form::power(Kernel::pi());
    if (const auto* sum = e.as<Add>()) {
      Form result;
      for (const Expr& term : sum->terms) result = result + form(term);
      return result;
    }
    if (const auto* product = e.as<Mul>()) {
      Form result(1);
      for (const Expr& factor : product->factors) result = result * form(factor);
      return result;
    }
    if (const auto* power = e.as<Pow>()) return context_.pow(whole(power->base), whole(power->exponent));
    if (const auto* call = e.as<Call>()) return call_form(e, *call);
    if (const auto* branch = e.as<If>()) {
      const Form difference = lowest_terms(form(branch->left) - form(branch->right));
      if (varies(difference)) return same_branches(*branch).value_or(opaque(e));
      return form(satisfies(branch->relation, context_.sign(difference)) ? branch->then : branch->otherwise);
    }
    if (const auto* sum = e.as<Sum>()) return sum_form(*sum);
    if (const auto* at = e.as<TableAt>()) {
      const Form index = whole(at->index);
      if (varies(index)) return opaque(e);
      return table_entry(*at->table, index);
    }
    return opaque(e);
  }

  static Form opaque(const Expr& e) { return Form::power(Kernel::of_opaque(e)); }

  Form call_form(const Expr& e, const Call& call) {
    std::vector<Form> arguments;
    bool indexed = false;
    for (const Expr& argument : call.arguments) {
      arguments.push_back(whole(argument));
      indexed = indexed || varies(arguments.back());
    }
    switch (call.function) {
      case Function::log:
        return context_.log(arguments[0]);
      case Function::exp:
        return context_.exp(arguments[0]);
      case Function::sin:
        return sin(arguments[0]);
      case Function::cos:
        return cos(arguments[0]);
      case Function::abs: {
        if (indexed) {
          const auto known = context_.known_sign(arguments[0]);
          if (known) return *known < 0 ? -arguments[0] : arguments[0];
          return opaque(call_over(call, arguments));
        }
        return context_.sign(arguments[0]) < 0 ? -arguments[0] : arguments[0];
      }
      case Function::floor:
        if (indexed) return opaque(call_over(call, arguments));
        return Form(context_.floor(arguments[0]));
      case Function::atan:
      case Function::erfc:
      case Function::lgamma:
      case Function::polygamma:
        return special(call.function, arguments, context_);
      case Function::min:
      case Function::max: {
        Form best = arguments[0];
        for (std::size_t i = 1; i < arguments.size(); ++i) {
          const Form difference = lowest_terms(arguments[i] - best);
          const auto order = indexed ? context_.known_sign(difference) : context_.sign(difference);
          if (!order) return opaque(call_over(call, arguments));
          if (call.function == Function::min ? *order < 0 : *order > 0) best = arguments[i];
        }
        return best;
      }
    }
    return opaque(e);
  }

  // Whatever the condition, both branches may be the same.
  std::optional<Form> same_branches(const If& branch) {
    const auto same = [&]() -> std::optional<Form> {
      const Form then = whole(branch.then);
      if (then == whole(branch.otherwise)) return then;
      return std::nullopt;
    };
    // a branch that is not taken may be undefined
    return attempt<Undefined, Undecided, SplitRequest>(same).value_or(std::nullopt);
  }

  static Expr call_over(const Call& old, const std::vector<Form>& arguments) {
    std::vector<Expr> simplified;
    for (const Form& argument : arguments) simplified.push_back(to_expr(argument));
    return call(old.function, std::move(simplified));
  }

  Form sum_form(const Sum& sum) {
    const auto bound = [&](const Expr& e, const std::string& which) {
      return integer(whole(e), "the " + which + " bound of a sum");
    };
    const Rational low = bound(sum.low, "lower");
    const Rational high = bound(sum.high, "upper");
    if (high - low >= Rational(kMaxSummands)) throw Undecided("a sum with more than 20000 terms");
    Form result;
    for (Rational k = low; k <= high; k += Rational(1)) {
      result = result + form(theory::substitute(sum.body, sum.variable, Expr(k)));
    }
    return result;
  }

  Rational integer(const Form& value, const std::string& what) const {
    const Form reduced = context_.constraints().reduced(value);
    const Rational* number = reduced.rational();
    if (number != nullptr && number->is_integer()) return *number;
    throw Undecided(what + " is " + (number == nullptr ? "not known to be" : "not") +
                    " an integer: " + to_text(reduced));
  }

  Form table_entry(const Table& table, const Form& index) {
    const Rational at = integer(index, "the index of table " + table.name);
    const Rational last(table.last_index());
    if (at < Rational(table.first_index) || (at > last && table.beyond == Beyond::error))
      throw Undefined("table " + table.name + " has no entry " + at.str());
    const auto place = std::min(at, last).to_int64().value() - table.first_index;
    return Form(table.values[static_cast<std::size_t>(place)]);
  }

  const Context& context_;
  std::unordered_map<const void*, Form> done_;
  std::vector<Expr> kept_;  // keeps the identities in done_ alive
};

}  // namespace

Form to_form(const Expr& expression, const Context& context) { return FormOf(context).whole(expression); }

Expr simplify(const Expr& expression, const Context& context) {
  return to_expr(to_form(expression, context));
}

}  // namespace gpe::theory
