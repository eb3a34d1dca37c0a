#include "checks/coq/coq_defined.h"

#include <algorithm>
#include <set>

#include "checks/coq/coq_term.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/whole_number.h"
#include "theory/source/table.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using namespace theory::node;
using theory::Expr;
using theory::Function;
using theory::Rational;
using theory::Relation;

namespace {

Relation contrary(Relation relation) {
  using enum Relation;
  switch (relation) {
    case less:
      return greater_equal;
    case less_equal:
      return greater;
    case greater:
      return less_equal;
    case greater_equal:
      return less;
    case equal:
      return not_equal;
    case not_equal:
      return equal;
  }
  return relation;
}

class Conditions {
 public:
  Conditions(std::string keys, int blocks, const theory::Context& context, bool by_form)
      : keys_(std::move(keys)), blocks_(blocks), context_(context), by_form_(by_form) {}

  void add(const Expr& formula) {
    if (formula.number() != nullptr) return;
    if (const auto* sum = formula.as<Add>())
      for (const Expr& term : sum->terms) add(term);
    if (const auto* product = formula.as<Mul>())
      for (const Expr& factor : product->factors) add(factor);
    if (const auto* power = formula.as<Pow>()) add_power(*power);
    if (const auto* call = formula.as<Call>()) {
      for (const Expr& argument : call->arguments) add(argument);
      if (call->function == Function::log) require(Relation::greater, call->arguments.front());
    }
    if (const auto* branch = formula.as<If>()) add_if(*branch, [this](const Expr& part) { add(part); });
    if (const auto* sum = formula.as<Sum>()) add_sum(*sum);
    if (const auto* entry = formula.as<TableAt>()) {
      add(entry->index);
      add_row(entry->index, static_cast<int>(entry->table->values.size()));
    }
  }

  std::string text() const { return theory::joined(claims_, " /\\\n  ", &Claim::text); }

 private:
  static NotExported not_seen() { return NotExported("the score is not seen to have a value everywhere"); }

  void add_power(const Pow& power) {
    add(power.base);
    add(power.exponent);
    const Rational* exponent = power.exponent.number();
    if (is_product(power)) {
      if (exponent->sign() < 0) require(Relation::not_equal, power.base);
    } else if (exponent != nullptr) {
      require(exponent->sign() < 0 ? Relation::greater : Relation::greater_equal, power.base);
    } else if (power.base.is_number(0)) {
      require(Relation::greater, power.exponent);
    } else if (power.base.number() == nullptr || power.base.number()->sign() < 0) {
      if (!is_seen(power.base, Relation::greater)) throw not_seen();
      const std::string base = coq_term(power.base);
      claim({power.base, power.exponent},
            "0 < " + base + " \\/ " + base + " = 0 /\\ 0 < " + coq_term(power.exponent));
    }
  }

  template <class Add>
  void add_if(const If& branch, const Add& add_part) {
    add(branch.left);
    add(branch.right);
    for (const bool then : {true, false}) {
      path_.push_back({then ? branch.relation : contrary(branch.relation), branch.left, branch.right});
      add_part(then ? branch.then : branch.otherwise);
      path_.pop_back();
    }
  }

  void add_sum(const Sum& sum) {
    const Rational *low = sum.low.number(), *high = sum.high.number();
    if (low == nullptr || high == nullptr) throw NotExported("a sum with open bounds");
    const std::string name = coq_name(sum.variable);
    whole_.insert("INR " + name);
    const Expr shifted = Expr::symbol("INR " + name) + sum.low;
    sums_.push_back("forall " + name + " : nat, (" + name + " <= " + (*high - *low).str() + ")%nat -> ");
    add(theory::substitute(sum.body, sum.variable, shifted));
    sums_.pop_back();
  }

  void add_row(const Expr& index, int rows) {
    if (const auto* branch = index.as<If>())
      return add_if(*branch, [&](const Expr& part) { add_row(part, rows); });
    if (!is_whole(index, whole_)) throw NotExported("a table at an index that is not seen to be an integer");
    require(Relation::greater_equal, index);
    require(Relation::greater, Expr(rows) - index);
  }

  // 1: positive, 0: not negative by its form, whatever n and open signs are; -1: not seen.
  int least_sign(const Expr& e) const {
    const auto least = [&](const std::vector<Expr>& parts) {
      int found = 1;
      for (const Expr& part : parts) found = std::min(found, least_sign(part));
      return found;
    };
    const auto most = [&](const std::vector<Expr>& parts) {
      int found = -1;
      for (const Expr& part : parts) found = std::max(found, least_sign(part));
      return found;
    };
    if (const Rational* number = e.number()) return number->sign();
    if (e.as<Symbol>() != nullptr) {
      if (is_whole(e, whole_)) return 0;
      return context_.known_sign(theory::to_form(e, context_)) == 1 ? 1 : -1;
    }
    if (const auto* sum = e.as<Add>()) return least(sum->terms) < 0 ? -1 : most(sum->terms);
    if (const auto* product = e.as<Mul>()) return least(product->factors);
    const auto* call = e.as<Call>();
    if (call == nullptr) return -1;
    if (call->function == Function::exp) return 1;
    if (call->function == Function::max) return most(call->arguments);
    if (call->function == Function::min) return least(call->arguments);
    return call->function == Function::abs ? 0 : -1;
  }

  // Whether Coq is asked for it. Of parameters alone, wherever they are, the domains have to show it.
  bool is_seen(const Expr& e, Relation relation) const {
    const int least = relation == Relation::greater_equal ? 0 : 1;
    if (!path_.empty() || coq_term(e).find("INR ") != std::string::npos)
      return !by_form_ || least_sign(e) >= least;
    const auto form = theory::attempt<theory::Undecided, theory::SplitRequest>(
        [&] { return theory::to_form(e, context_); });
    if (!form) return false;
    const theory::SignSet signs = context_.constraints().signs(*form);
    if (relation == Relation::not_equal && !signs.zero) return true;
    return (!signs.negative && (least == 0 || !signs.zero)) || context_.known_sign(*form) == 1;
  }

  // Of an expression and 0.
  void require(Relation relation, const Expr& e) {
    if (const Rational* number = e.number(); number != nullptr && theory::satisfies(relation, number->sign()))
      return;
    if (!is_seen(e, relation)) throw not_seen();
    const std::string term = coq_term(e);
    if (relation == Relation::not_equal)
      claim({e}, term + " <> 0");
    else
      claim({e}, (relation == Relation::greater ? "0 < " : "0 <= ") + term);
  }

  // What a condition says in one part of a formula it says in the parts of that part.
  void claim(std::vector<Expr> parts, const std::string& condition) {
    std::string part = theory::joined(sums_, "");
    for (const theory::Condition& one : path_) {
      part += coq_condition(one) + " -> ";
      parts.insert(parts.end(), {one.left, one.right});
    }
    const bool said = std::ranges::any_of(
        claims_, [&](const Claim& one) { return one.condition == condition && part.starts_with(one.part); });
    if (said) return;
    const auto mention = [&](const char* name) {
      return std::ranges::any_of(parts, [&](const Expr& e) { return e.mentions(name); });
    };
    std::string places;
    if (mention("L")) places += "forall L : nat, ";
    const bool at_distance = mention("n") || condition.find("H (fun n =>") != std::string::npos;
    if (at_distance) places += "forall n : nat, ";
    if (at_distance && mention("L")) places += "(n <= L)%nat -> ";
    if (at_distance && !keys_.empty()) places += "(n < " + keys_ + ")%nat -> ";
    if (mention("j")) places += "forall j : nat, (j < " + std::to_string(blocks_) + ")%nat -> ";
    claims_.push_back({part, condition, "(" + places + part + condition + ")"});
  }

  struct Claim {
    std::string part, condition, text;
  };

  std::string keys_;
  int blocks_;
  const theory::Context& context_;
  bool by_form_;
  std::set<std::string> whole_ = {"n", "L", "j"};
  std::vector<theory::Condition> path_;
  std::vector<std::string> sums_;
  std::vector<Claim> claims_;
};

}  // namespace

std::string coq_defined(const std::vector<Expr>& formulas, const std::string& keys, int blocks,
                        const theory::Context& context, bool by_form) {
  Conditions conditions(keys, blocks, context, by_form);
  for (const Expr& formula : formulas) conditions.add(formula);
  return conditions.text();
}

}  // namespace gpe::checks
