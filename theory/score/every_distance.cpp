#include "theory/score/every_distance.h"

#include <algorithm>
#include <array>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/product_to_sum.h"
#include "theory/expression/expr_print.h"
#include "theory/source/table.h"

namespace gpe::theory {

namespace {

constexpr std::int64_t kEveryDistance = 1024;  // up to here each n is tried, beyond in doublings
constexpr std::int64_t kEveryUnsettled = 8;    // the same where earlier ones were not settled
constexpr std::int64_t kFarthest = std::int64_t{1} << 20;
constexpr std::array<std::int64_t, 4> kTails = {16, 64, 256, 1024};  // proofs are tried from here on, too
constexpr std::int64_t kMaxClasses = 48;

// Signs of functions of n and L over all integers n, L >= 0, by shape.
class NaturalSigns {
 public:
  explicit NaturalSigns(const Context& context) : context_(context) {}

  std::optional<int> operator()(const Form& form) const {
    if (is_at_least_zero(form, true)) return 1;
    if (is_at_least_zero(-form, true)) return -1;
    return std::nullopt;
  }

 private:
  bool is_at_least_zero(const Form& form, bool strictly) const {
    bool positive = false;
    for (const Term& term : form.terms()) {
      int sign = term.coefficient.sign();
      bool strict = true;
      for (const KernelPower& power : term.powers) {
        const auto [at_least_zero, above_zero] = of_kernel(*power.kernel);
        const Form constant = Form::power(power.kernel);
        const auto known = varies(constant) ? std::nullopt : context_.known_sign(constant);
        const bool odd = power.exponent.is_integer() && !power.exponent.is_even_integer();
        if (known && *known != 0) {
          if (odd) sign *= *known;
        } else if (at_least_zero) {
          strict = strict && (above_zero || power.exponent.sign() < 0);  // 1/n: then n is not 0
        } else if (power.exponent.is_even_integer()) {
          strict = strict && power.exponent.sign() < 0;
        } else {
          return false;
        }
      }
      if (sign < 0) return false;
      positive = positive || strict;
    }
    return positive || !strictly;
  }

  // At least zero, above zero.
  std::pair<bool, bool> of_kernel(const Kernel& kernel) const {
    switch (kernel.kind) {
      case Kernel::Kind::symbol:
        return {kernel.name == kIndex || kernel.name == kLength, false};
      case Kernel::Kind::pi:
      case Kernel::Kind::prime:
      case Kernel::Kind::exp:
        return {true, true};
      case Kernel::Kind::log:
        return both(kernel.argument - Form(1));
      case Kernel::Kind::power:
      case Kernel::Kind::sum:
        return both(kernel.argument);
      default:
        return {false, false};
    }
  }
  std::pair<bool, bool> both(const Form& form) const {
    return {is_at_least_zero(form, false), is_at_least_zero(form, true)};
  }

  Context context_;  // for constants
};

// The sign at every n >= 0, over a common denominator; -2 where it is not known.
int known_sign(const Form& form, const Context& naturals) {
  Form denominator;
  const Form numerator = cleared(form, &denominator);
  const auto above = naturals.known_sign(numerator);
  const auto below = naturals.known_sign(denominator);
  return above && below && *below != 0 ? *above * *below : -2;
}

// Conditions, tables, whole turns and floors that settle at every n >= 0 are replaced by what they settle to.
Expr settled_on_naturals(const Expr& expression, const Context& naturals) {
  const auto step = [&](const Expr& e) -> Expr {
    if (!varies(e)) return e;
    if (const auto* branch = e.as<node::If>()) {
      const Form difference = to_form(branch->left - branch->right, naturals);
      const auto sign = naturals.known_sign(difference);
      if (!sign) return e;
      return satisfies(branch->relation, *sign) ? branch->then : branch->otherwise;
    }
    if (const auto* at = e.as<node::TableAt>()) {
      const Table& table = *at->table;
      const auto past =
          naturals.known_sign(to_form(at->index, naturals) - Form(Rational(table.last_index() - 1)));
      return past == 1 && table.beyond == Beyond::constant ? Expr(table.values.back()) : e;
    }
    const auto* called = e.as<node::Call>();
    if (called == nullptr) return e;
    const Form argument = to_form(called->arguments.front(), naturals);
    if (called->function == Function::sin || called->function == Function::cos)
      return call(called->function, {to_expr(without_whole_turns(argument))});
    if (called->function != Function::floor) return e;
    Form whole;
    for (const Term& term : argument.terms()) {
      if (is_integer_valued(term)) whole = whole + Form::of_terms({term});
    }
    const Form rest = argument - whole;
    if (known_sign(rest, naturals) >= 0 && known_sign(Form(1) - rest, naturals) > 0) return to_expr(whole);
    return to_expr(whole) + floor(to_expr(rest));
  };
  return rewrite(expression, [&](const Expr& e) {
    // undefined on a branch that is not taken
    return attempt_in_time<Undecided, Undefined>([&] { return step(e); }).value_or(e);
  });
}

// Whether function(n) = 0 at every n >= 0: in residue classes, where floors and waves settle; those of what
// has settled may need more of them (floor(n/4) half turns).
bool vanishes(const Expr& function, const Context& naturals, const Context& context,
              std::int64_t most_classes) {
  const Expr settled = settled_on_naturals(function, naturals);
  if (cancels(to_form(settled, naturals))) return true;
  const std::int64_t modulus = residue_modulus(settled, context, most_classes);
  if (modulus == 1) return false;
  const std::vector<Expr> classes = residue_classes(settled, modulus);
  return std::ranges::all_of(
      classes, [&](const Expr& one) { return vanishes(one, naturals, context, most_classes / modulus); });
}

}  // namespace

bool vanishes_from(const Expr& function, std::int64_t start, const Context& context) {
  Context naturals = context;
  naturals.set_facts(NaturalSigns(context));
  const Expr n = Expr(start) + Expr::symbol(kIndex);
  const auto zero = [&] { return vanishes(substitute(function, kIndex, n), naturals, context, kMaxClasses); };
  return attempt_in_time<Undecided, Undefined>(zero).value_or(false);
}

bool sees(const ScoreFunction& law, std::int64_t n, const Context& context) {
  return !law.window_size || context.sign(to_form(*law.window_size - Expr(n - law.first + 1), context)) >= 0;
}

std::optional<std::int64_t> where_it_differs(const ScoreFunction& law, const DistanceQuestion& question,
                                             const Context& context) {
  if (question.same_from(law.first)) return std::nullopt;
  const bool open = law.window_size && !to_form(*law.window_size, context).rational();
  bool all_settled = true;
  bool gap = false;  // distances were left out
  for (std::int64_t k = 1; k <= kFarthest;) {
    context.check_time();
    const std::int64_t n = law.first + k;
    const bool complete = all_settled && !gap;
    if (!open && !sees(law, n, context)) {
      if (complete) return std::nullopt;
      break;
    }
    if (complete && std::ranges::find(kTails, k) != kTails.end() && question.same_from(n))
      return std::nullopt;
    const auto differs = question.differs(n);
    if (differs == true) {
      if (sees(law, n, context)) return n;
      if (complete) return std::nullopt;  // the window ends before it
      break;
    }
    all_settled = all_settled && differs.has_value();
    if (k < (all_settled ? kEveryDistance : kEveryUnsettled)) {
      ++k;
    } else {
      gap = true;
      k *= 2;
    }
  }
  throw Undecided("cannot tell whether " + question.what + ": no difference is seen at the n tried");
}

}  // namespace gpe::theory
