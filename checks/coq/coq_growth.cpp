#include "checks/coq/coq_growth.h"

#include <algorithm>
#include <span>
#include <utility>

#include "checks/coq/coq_constant.h"
#include "checks/coq/coq_term.h"
#include "theory/exact/form_expr.h"
#include "theory/source/table.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using namespace theory::node;
using theory::Context;
using theory::Expr;
using theory::Function;
using theory::Rational;
using theory::Relation;

namespace {

using Exponents = std::vector<Expr>;

Leading nothing() { return {true, {}, Expr(0), 0, "zero"}; }

int sign_of(const Expr& constant, const Context& context) {
  return context.sign(coq_constant(constant, context));
}

// The sign of the first exponent by which two growths differ.
int compare(const Exponents& a, const Exponents& b, const Context& context) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const Expr difference = (i < a.size() ? a[i] : Expr(0)) - (i < b.size() ? b[i] : Expr(0));
    if (const int sign = sign_of(difference, context); sign != 0) return sign;
  }
  return 0;
}

Exponents scaled(const Expr& s, Exponents e) {
  for (Expr& one : e) one = s * one;
  return e;
}

std::string steps(const std::string& lemma, const std::vector<std::string>& goals) {
  return "(eapply " + lemma + "; [" + theory::joined(goals, " | ") + "])";
}

Leading opposite(const Leading& u) {
  if (u.zero) return u;
  return {false, u.exponents, -u.coefficient, -u.sign, steps("asy_opposite", {u.proof})};
}

Leading sum_of(const Leading& u, const Leading& v, const Context& context) {
  if (u.zero && v.zero) return nothing();
  if (u.zero) return {false, v.exponents, v.coefficient, v.sign, steps("asy_zero_left", {u.proof, v.proof})};
  if (v.zero) return {false, u.exponents, u.coefficient, u.sign, steps("asy_zero_right", {u.proof, v.proof})};
  const int order = compare(u.exponents, v.exponents, context);
  if (order > 0)
    return {false, u.exponents, u.coefficient, u.sign,
            steps("asy_plus_left", {u.proof, v.proof, "falls_by"})};
  if (order < 0)
    return {false, v.exponents, v.coefficient, v.sign,
            steps("asy_plus_right", {u.proof, v.proof, "falls_by"})};
  const Expr total = u.coefficient + v.coefficient;
  int sign = u.sign;
  if (u.sign * v.sign < 0) sign = sign_of(total, context);
  if (u.sign * v.sign == 0) sign = context.known_sign(coq_constant(total, context)).value_or(0);
  return {false, u.exponents, total, sign, steps("asy_plus", {u.proof, v.proof, "same_by"})};
}

Leading product_of(const Leading& u, const Leading& v) {
  if (u.zero || v.zero) return nothing();
  Exponents e = u.exponents;
  e.resize(std::max(e.size(), v.exponents.size()), Expr(0));
  for (std::size_t i = 0; i < v.exponents.size(); ++i) e[i] = e[i] + v.exponents[i];
  return {false, e, u.coefficient * v.coefficient, u.sign * v.sign, steps("asy_times", {u.proof, v.proof})};
}

void require(bool condition, const char* what) {
  if (!condition) throw NotExported(what);
}

Leading inverse(const Leading& u) {
  require(!u.zero && u.sign != 0, "a quotient whose denominator has no leading term");
  return {false, scaled(Expr(-1), u.exponents), Expr(1) / u.coefficient, u.sign,
          steps("asy_inverse", {u.proof, "nonzero"})};
}

Leading whole_power(const Leading& u, std::int64_t k) {
  require(!u.zero, "a power of what vanishes");
  return {false, scaled(Expr(k), u.exponents), theory::pow(u.coefficient, Expr(k)),
          k % 2 == 0 ? u.sign * u.sign : u.sign, steps("asy_whole_power", {u.proof})};
}

class Derivation {
 public:
  explicit Derivation(const Context& context) : context_(context) {}

  Leading of(const Expr& e) const {
    for (const auto& [rest, its_limit] : rests_)
      if (e == rest) return its_limit;
    if (!theory::varies(e)) {
      const int sign = sign_of(e, context_);
      if (sign == 0) return nothing();
      return {false, {}, e, sign, "apply asy_constant"};
    }
    if (e.as<Symbol>() != nullptr) return {false, {Expr(1)}, Expr(1), 1, "exact asy_index"};
    if (const auto* sum = e.as<Add>()) return of_sum(*sum);
    if (const auto* product = e.as<Mul>()) return of_product(*product);
    if (const auto* power = e.as<Pow>()) return of_power(*power);
    if (const auto* call = e.as<Call>()) return of_call(*call);
    if (const auto* branch = e.as<If>()) return of_if(*branch);
    if (const auto* entry = e.as<TableAt>()) return of_table(*entry);
    throw NotExported("a sum or H(n) with n inside");
  }

 private:
  // A row that is the same for all large n, by conditions n < c or n <= c.
  Leading of_table(const TableAt& entry) const {
    std::int64_t from = 0;
    Expr row = entry.index;
    while (const auto* branch = row.as<If>()) {
      const Rational* bound = branch->right.number();
      const bool below = branch->relation == Relation::less || branch->relation == Relation::less_equal;
      require(below && branch->left == Expr::symbol(theory::kIndex) && bound != nullptr,
              "a table with n inside");
      const auto whole = bound->floor().to_int64();
      require(whole && *whole < 10000, "a table with n inside");
      from = std::max(from, *whole + 1);
      row = branch->otherwise;
    }
    const Rational* number = row.number();
    const std::int64_t at = number != nullptr && number->is_integer() ? number->to_int64().value_or(-1) : -1;
    require(at >= 0 && at <= entry.table->last_index(), "a table with n inside");
    const Expr value(entry.table->values[static_cast<std::size_t>(at)]);
    const int sign = sign_of(value, context_);
    require(sign != 0, "a row of a table that is 0");
    return {false,
            {},
            value,
            sign,
            steps(equal_to(value), {"apply asy_constant", "table_settles " + std::to_string(from) + "%nat"})};
  }

  Leading of_sum(const Add& sum) const {
    Leading result = of(sum.terms.front());
    for (std::size_t i = 1; i < sum.terms.size(); ++i) {
      const Expr& term = sum.terms[i];
      result = sum_of(result, is_negated(term) ? opposite(of(without_sign(term))) : of(term), context_);
    }
    return result;
  }

  Leading of_product(const Mul& product) const {
    const bool negated = product.factors.front().is_number(-1);
    Leading result = negated ? opposite(of(product.factors[1])) : of(product.factors[0]);
    for (std::size_t i = negated ? 2 : 1; i < product.factors.size(); ++i)
      result = product_of(result, of(product.factors[i]));
    return result;
  }

  Leading of_power(const Pow& power) const {
    require(!theory::varies(power.exponent), "a power whose exponent varies");
    const Leading base = of(power.base);
    const Rational* exponent = power.exponent.number();
    if (exponent != nullptr && exponent->is_integer() && exponent->abs() <= Rational(64)) {
      const std::int64_t k = *exponent->to_int64();
      if (k == -1) return inverse(base);
      return k < 0 ? inverse(whole_power(base, -k)) : whole_power(base, k);
    }
    require(!base.zero && base.sign > 0, "a power of what has no positive leading term");
    const bool root = exponent != nullptr && *exponent == Rational(1, 2);
    return {false, scaled(power.exponent, base.exponents), theory::pow(base.coefficient, power.exponent), 1,
            steps(root ? "asy_root" : "asy_powers", {base.proof, "above_0"})};
  }

  Leading of_call(const Call& call) const {
    if (theory::is_special(call.function)) throw NotExported(std::string(name_of(call.function)));
    const Leading u = of(call.arguments.front());
    switch (call.function) {
      case Function::log:
        return logarithm(u);
      case Function::exp:
        return exponential(u);
      case Function::abs:
        if (u.zero) return nothing();
        if (u.sign == 0) return {false, u.exponents, u.coefficient, 0, steps("asy_absolute", {u.proof})};
        return {false, u.exponents, u.sign < 0 ? -u.coefficient : u.coefficient, 1,
                steps(u.sign > 0 ? "asy_absolute_above" : "asy_absolute_below", {u.proof, "above_0"})};
      case Function::floor:
        require(!u.zero && compare(u.exponents, {}, context_) > 0, "floor of what stays bounded");
        return {false, u.exponents, u.coefficient, u.sign, steps("asy_floor", {u.proof, "falls_by"})};
      case Function::min:
      case Function::max:
        return extreme(call);
      default:
        throw NotExported("sin and cos");
    }
  }

  Leading logarithm(const Leading& u) const {
    require(!u.zero && u.sign > 0, "log of what has no positive leading term");
    std::size_t i = 0;
    while (i < u.exponents.size() && sign_of(u.exponents[i], context_) == 0) ++i;
    if (i == u.exponents.size()) {
      const Expr c = theory::log(u.coefficient);
      return {false,
              {},
              c,
              context_.known_sign(coq_constant(c, context_)).value_or(0),
              steps("asy_log_constant", {u.proof, "same_by", "above_0"})};
    }
    const std::string rest = theory::joined(std::span(u.exponents).subspan(i + 1), "; ", coq_term);
    Exponents e(i + 2, Expr(0));
    e.back() = Expr(1);
    return {false, e, u.exponents[i], sign_of(u.exponents[i], context_),
            steps("(asy_log _ " + std::to_string(i) + " " + coq_argument(u.exponents[i]) + " [" + rest + "])",
                  {steps("asy_same", {u.proof, "same_by"}), "above_0"})};
  }

  Leading exponential(const Leading& u) const {
    require(!u.zero && u.sign < 0 && compare(u.exponents, {Expr(0), Expr(1)}, context_) > 0,
            "exp of what does not fall faster than log n");
    return {false,
            {Expr(-20)},
            Expr(0),
            0,
            steps("(asy_exp_small _ _ _ (- 20))", {u.proof, "below_0", "falls_by"})};
  }

  // What the function is equal to for all large n; without it the steps for it would have nothing to look at.
  static std::string equal_to(const Expr& e) { return "(asy_equal _ (fun n => " + coq_term(e) + "))"; }

  // Which argument a maximum or minimum of two is for all large n; of more, the first two are one.
  struct Chosen {
    Expr first, last, same;
    std::string lemma, difference;  // with the proof that the difference is positive
  };
  Chosen choice(const Call& call) const {
    std::vector<Expr> arguments = call.arguments;
    const Expr last = arguments.back();
    arguments.pop_back();
    const Expr first = arguments.size() == 1 ? arguments.front() : Expr::raw(Call{call.function, arguments});
    const Leading difference = of(minus(first, last));
    require(!difference.zero && difference.sign != 0,
            "min or max of what is not told apart by leading terms");
    const bool left = (difference.sign > 0) == (call.function == Function::max);
    const std::string name = std::string("asy_") + (call.function == Function::max ? "max" : "min");
    return {first, last, left ? first : last, name + (left ? "_left" : "_right"),
            difference.sign > 0 ? difference.proof : of(minus(last, first)).proof};
  }

  Leading extreme(const Call& call) const {
    const Chosen chosen = choice(call);
    Leading result = of(chosen.same);
    require(!result.zero, "min or max that vanishes");
    result.proof =
        steps(equal_to(chosen.same), {result.proof, steps(chosen.lemma, {chosen.difference, "above_0"})});
    return result;
  }

  Leading of_if(const If& branch) const {
    const Leading difference = of(minus(branch.left, branch.right));
    require(!difference.zero && difference.sign != 0, "a condition that leading terms do not settle");
    using enum Relation;
    const bool swapped = branch.relation == greater || branch.relation == greater_equal;
    const int sign = swapped ? -difference.sign : difference.sign;
    const bool equality = branch.relation == equal || branch.relation == not_equal;
    const bool holds = equality ? branch.relation == not_equal : sign < 0;
    const Expr& same = holds ? branch.then : branch.otherwise;
    Leading chosen = of(same);
    require(!chosen.zero, "a branch that vanishes");
    const bool strict = branch.relation == less || branch.relation == greater;
    std::string relation = strict ? "less" : "at_most", way = holds ? "_true" : "_false";
    if (equality) {
      relation = "equal";
      way = difference.sign > 0 ? "_above" : "_below";
    }
    const std::string proof =
        difference.sign > 0 ? difference.proof : of(minus(branch.right, branch.left)).proof;
    chosen.proof = steps(equal_to(same), {chosen.proof, steps("asy_" + relation + way, {proof, "above_0"})});
    return chosen;
  }

 public:
  // Where leading terms cancel: every log v that stands in a sum is the logarithm of its growth and of the
  // rest, and what is alike is collected.
  Leading collected(const Expr& e) {
    std::vector<std::pair<Expr, Expr>> parts;  // core, coefficient
    std::vector<std::string> splits;
    collect(e, Expr(1), parts, splits);
    if (splits.empty()) throw NotExported("an inequality that leading terms do not show");
    std::vector<Expr> terms;
    for (const auto& [core, coefficient] : parts) terms.push_back(Expr::raw(Mul{{coefficient, core}}));
    Leading result = of(Expr::raw(Add{terms}));
    std::string both = splits.back();
    for (std::size_t i = splits.size() - 1; i-- > 0;)
      both = "(eventually_and _ _ " + splits[i] + " " + both + ")";
    result.proof = "(eapply " + equal_to(Expr::raw(Add{terms})) + "; [" + result.proof +
                   " | (refine (eventually_imp _ _ _ " + both + "); collect_logs)])";
    return result;
  }

 private:
  void collect(const Expr& e, const Expr& factor, std::vector<std::pair<Expr, Expr>>& parts,
               std::vector<std::string>& splits) {
    const auto add = [&](const Expr& core, const Expr& coefficient) {
      const auto at = std::ranges::find(parts, core, [](const auto& p) { return p.first; });
      if (at == parts.end())
        parts.emplace_back(core, coefficient);
      else
        at->second = at->second + coefficient;
    };
    if (!theory::varies(e)) return add(Expr(1), factor * e);
    if (const auto* terms = e.as<Add>()) {
      for (const Expr& term : terms->terms) collect(term, factor, parts, splits);
      return;
    }
    if (const auto* product = e.as<Mul>()) {
      const auto varying =
          std::ranges::count_if(product->factors, [](const Expr& f) { return theory::varies(f); });
      if (varying == 1) {
        Expr constant = factor, core(1);
        for (const Expr& f : product->factors) {
          if (theory::varies(f))
            core = f;
          else
            constant = constant * f;
        }
        return collect(core, constant, parts, splits);
      }
    }
    const auto* call = e.as<Call>();
    if (call != nullptr && call->function == Function::abs) {
      const Leading inside = of(call->arguments.front());
      if (inside.zero || inside.sign <= 0) return add(e, factor);
      splits.push_back("(asy_abs_above (fun n => " + coq_term(call->arguments.front()) + ") _ _ ltac:(" +
                       inside.proof + ") ltac:(above_0))");
      return collect(call->arguments.front(), factor, parts, splits);
    }
    if (call != nullptr && (call->function == Function::max || call->function == Function::min)) {
      const Chosen chosen = choice(*call);
      splits.push_back("(" + chosen.lemma + " (fun n => " + coq_term(chosen.first) + ") (fun n => " +
                       coq_term(chosen.last) + ") _ _ ltac:(" + chosen.difference + ") ltac:(above_0))");
      return collect(chosen.same, factor, parts, splits);
    }
    if (call == nullptr || call->function != Function::log) return add(e, factor);
    Expr iterated_log = Expr::symbol(theory::kIndex);
    for (int i = 0; i < 8; ++i) {
      iterated_log = Expr::raw(Call{Function::log, {iterated_log}});
      if (e == iterated_log) return add(e, factor);
    }
    const Expr argument = call->arguments.front();
    const Leading v = of(argument);
    require(!v.zero && v.sign > 0, "log of what has no positive leading term");
    const std::string list = theory::joined(v.exponents, "; ", coq_term);
    const std::string growth = "growth [" + list + "] (INR n)";
    splits.push_back("(log_split (fun n => " + coq_term(argument) + ") [" + list +
                     "] _ ltac:(eapply asy_same; [" + v.proof + " | same_by]) ltac:(above_0))");
    Expr scale = Expr::symbol(theory::kIndex);
    for (const Expr& exponent : v.exponents) {
      scale = Expr::raw(Call{Function::log, {scale}});
      add(scale, factor * exponent);
    }
    const Expr rest = Expr::raw(
        Call{Function::log, {Expr::raw(Mul{{argument, Expr::raw(Pow{Expr::symbol(growth), Expr(-1)})}})}});
    const Expr c = theory::log(v.coefficient);
    rests_.emplace_back(rest,
                        Leading{false,
                                {},
                                c,
                                context_.known_sign(coq_constant(c, context_)).value_or(0),
                                steps("(asy_log_rest (fun n => " + coq_term(argument) + ") [" + list + "])",
                                      {steps("asy_same", {v.proof, "same_by"}), "above_0"})});
    add(rest, factor);
  }

  static Expr minus(const Expr& a, const Expr& b) {
    return Expr::raw(Add{{a, Expr::raw(Mul{{Expr(-1), b}})}});
  }

  const Context& context_;
  std::vector<std::pair<Expr, Leading>> rests_;  // logarithms of what is left of a growth
};

}  // namespace

Leading leading(const Expr& expression, const Context& context) { return Derivation(context).of(expression); }

std::string eventually_nonnegative(const Expr& expression, const Context& context) {
  Leading u = leading(expression, context);
  if (u.zero) return "(apply eventually_zero; " + u.proof + ")";
  if (u.sign == 0) u = Derivation(context).collected(expression);
  if (u.sign <= 0) throw NotExported("an inequality that leading terms do not show");
  return steps("asy_nonnegative", {u.proof, "above_0"});
}

}  // namespace gpe::checks
