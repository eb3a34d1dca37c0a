// Expressions as asymptotic interval forms, and the exponential generators that they ask for.
// Tests: tests/checks/halfline/tail_form_test.cpp
#include "checks/halfline/tail_form.h"
#include "theory/exact/attempt.h"
#include "theory/exact/decision.h"
#include "theory/exact/form_expr.h"
#include "theory/source/table.h"

namespace gpe::checks {

using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

constexpr std::size_t kMaxGenerators = 12;

class Builder {
 public:
  explicit Builder(const TailDomain& domain) : domain_(domain) {}

  TailForm form(const Expr& e) {
    if (const auto found = done_.find(e.identity()); found != done_.end()) return found->second;
    domain_.context().check_time();
    TailForm result = fresh(e);
    done_.emplace(e.identity(), result);
    kept_.push_back(e);
    return result;
  }

 private:
  TailForm constant(const Form& value) const { return TailForm::constant(domain_, value); }

  TailForm fresh(const Expr& e) {
    if (!e.mentions(theory::kIndex)) return constant(theory::to_form(e, domain_.context()));
    if (e.as<theory::node::Symbol>() != nullptr) return TailForm::monomial(domain_, domain_.log_power(0));
    if (const auto* sum = e.as<theory::node::Add>()) {
      TailForm result = form(sum->terms.front());
      for (std::size_t i = 1; i < sum->terms.size(); ++i) result = result + form(sum->terms[i]);
      return result;
    }
    if (const auto* product = e.as<theory::node::Mul>()) {
      TailForm result = form(product->factors.front());
      for (std::size_t i = 1; i < product->factors.size(); ++i) result = result * form(product->factors[i]);
      return result;
    }
    if (const auto* power = e.as<theory::node::Pow>()) {
      if (!power->exponent.mentions(theory::kIndex)) {
        const Form exponent = theory::to_form(power->exponent, domain_.context());
        if (const Rational* rational = exponent.rational()) {
          const TailForm base = form(power->base);
          if (*rational == Rational(2)) return base * base;
          return base.pow(*rational);
        }
      }
      return (form(power->exponent) * form(power->base).log()).exp();
    }
    if (const auto* branch = e.as<theory::node::If>()) return conditional(*branch);
    if (const auto* at = e.as<theory::node::TableAt>()) return last_entry(*at);
    if (const auto* sum = e.as<theory::node::Sum>()) return finite_sum(*sum);
    if (const auto* called = e.as<theory::node::Call>()) return call(*called);
    throw NotProved("no asymptotic form of this expression");
  }

  TailForm call(const theory::node::Call& called) {
    const Expr& first = called.arguments.front();
    if (theory::is_special(called.function))
      return special_form(called.function, first.number(), form(called.arguments.back()));
    const TailForm x = form(first);
    switch (called.function) {
      case theory::Function::log:
        return x.log();
      case theory::Function::exp:
        return x.exp();
      case theory::Function::floor:
        return x.floor();
      case theory::Function::sin:
        return x.circular(true);
      case theory::Function::cos:
        return x.circular(false);
      case theory::Function::abs:
        if (x.surely_nonnegative()) return x;
        if (x.surely_negative()) return constant(Form(-1)) * x;
        throw NotProved("the sign inside abs is not settled on the domain");
      default:  // min, max
        break;
    }
    TailForm best = x;
    for (std::size_t i = 1; i < called.arguments.size(); ++i) {
      const TailForm other = form(called.arguments[i]);
      const TailForm difference = best - other;
      const bool best_is_larger = difference.surely_nonnegative();
      if (!best_is_larger && !difference.surely_negative()) {
        throw NotProved("a minimum or maximum is not settled on the domain");
      }
      if (best_is_larger == (called.function == theory::Function::min)) best = other;
    }
    return best;
  }

  TailForm conditional(const theory::node::If& branch) {
    const TailForm difference = form(branch.left) - form(branch.right);
    const bool zero = difference.terms().empty() && difference.is_exact();
    const bool positive = difference.surely_positive();
    const bool negative = difference.surely_negative();
    if (!zero && !positive && !negative) throw NotProved("a condition is not settled on the domain");
    bool holds = false;
    switch (branch.relation) {
      case theory::Relation::less:
        holds = negative;
        break;
      case theory::Relation::less_equal:
        holds = negative || zero;
        break;
      case theory::Relation::greater:
        holds = positive;
        break;
      case theory::Relation::greater_equal:
        holds = positive || zero;
        break;
      case theory::Relation::equal:
        holds = zero;
        break;
      case theory::Relation::not_equal:
        holds = !zero;
        break;
    }
    return form(holds ? branch.then : branch.otherwise);
  }

  TailForm last_entry(const theory::node::TableAt& at) {
    const theory::Table& table = *at.table;
    const TailForm beyond = form(at.index) - constant(Form(Rational(table.last_index())));
    if (table.beyond != theory::Beyond::constant && !(beyond.terms().empty() && beyond.is_exact())) {
      throw NotProved("the index leaves the table");
    }
    if (!beyond.surely_nonnegative()) throw NotProved("the index of a table is not settled on the domain");
    return constant(Form(table.values.back()));
  }

  TailForm finite_sum(const theory::node::Sum& sum) {
    const Form low = theory::to_form(sum.low, domain_.context());
    const Form high = theory::to_form(sum.high, domain_.context());
    if (low.rational() == nullptr || high.rational() == nullptr)
      throw NotProved("the bounds of a sum are not settled");
    TailForm result = constant(Form(0));
    for (Rational k = *low.rational(); k <= *high.rational(); k += Rational(1)) {
      result = result + form(theory::substitute(sum.body, sum.variable, Expr(k)));
    }
    return result;
  }

  const TailDomain& domain_;
  std::unordered_map<const void*, TailForm> done_;
  std::vector<Expr> kept_;
};

}  // namespace

TailForm tail_form(const Expr& expression, const TailDomain& domain) {
  return Builder(domain).form(expression);
}

void with_generators(const theory::Context& context, int depth, const Rational& ell,
                     const std::function<void(const TailDomain&)>& work) {
  std::vector<TailGenerator> generators = TailDomain::chain(depth);
  for (;;) {
    const TailDomain domain(context, depth, ell, generators);
    try {
      const auto done = theory::attempt<theory::Undecided, theory::Undefined>([&] { work(domain); });
      if (!done) throw NotProved(done.reason());
      return;
    } catch (const GeneratorNeeded& needed) {
      if (generators.size() > kMaxGenerators + static_cast<std::size_t>(depth)) {
        throw NotProved("too many exponential scales");
      }
      generators = TailDomain::with_generator(generators, needed.exponent);
    }
  }
}

}  // namespace gpe::checks
