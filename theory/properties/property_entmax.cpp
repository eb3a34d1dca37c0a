// Entmax: the threshold F against 1 (theorem N4, docs/theorems.md).
// Tests: tests/theory/properties/entmax_test.cpp
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"

namespace gpe::theory {

namespace {

constexpr std::int64_t kMaxTerms = 64;     // of F that are looked at
constexpr std::int64_t kMaxOpenTerms = 8;  // where they have parameters, each of which may split the region

// F = Σ ((α - 1)(score - top))₊^{1/(α - 1)} over n >= first, against 1.
class Threshold {
 public:
  Threshold(const Expr& score, const Expr& top, const Expr& alpha, std::int64_t first, const Context& context)
      : excess_((alpha - Expr(1)) * (score - top)),
        power_(Expr(1) / (alpha - Expr(1))),
        first_(first),
        context_(context) {}

  // Infinitely many terms are positive, and their sum is infinite.
  bool diverges() const {
    for (const Expr& part : residue_classes(excess_, residue_modulus(excess_, context_)))
      if (eventual_sign(part, context_) > 0 && !decide_sum(power_ * log(part), context_).converges)
        return true;
    return false;
  }

  // F >= 1 with finitely many positive terms, or F > 1: holds; F < 1: fails.
  Decision against_one() const {
    const auto infinite = attempt_in_time([&] { return diverges(); });
    if (infinite && *infinite) return holds("F is infinite, so the support is finite");
    Form sum(0);
    for (std::int64_t n = first_; n < first_ + kMaxTerms; ++n) {
      if (none_from(n))
        return decided(context_.compare(sum, Form(1)) >= 0,
                       "F = " + to_text(sum) + ", of finitely many terms");
      const Expr term = substitute(excess_, kIndex, Expr(n));
      if (n >= first_ + kMaxOpenTerms && to_form(term, context_).has_symbols()) break;
      if (context_.sign(to_form(term, context_)) <= 0) continue;
      sum = sum + to_form(pow(term, power_), context_);
      if (context_.compare(sum, Form(1)) > 0)
        return holds("F > 1, by its terms up to n = " + std::to_string(n) + ": the support is finite");
    }
    throw Undecided("F is at least " + to_text(sum) + ", and its other terms are not settled");
  }

 private:
  // Proved: no term from n on is positive.
  bool none_from(std::int64_t n) const {
    const auto proved = attempt_in_time<Undecided, Undefined, SplitRequest>([&] {
      const Expr beyond = Expr::symbol("n''");  // n less (this n - 1): positive; the name of no parameter
      Context positive = context_;
      positive.constraints().add({to_form(beyond, context_), Relation::greater});
      return positive.sign(to_form(substitute(excess_, kIndex, Expr(n - 1) + beyond), positive)) <= 0;
    });
    return proved && *proved;
  }

  Expr excess_;
  Expr power_;
  std::int64_t first_;
  const Context& context_;
};

// The limit of a score's upper bound, where it is one number or infinite.
Limit settled_limsup(const std::string& name, const Expr& score, const Context& context) {
  const SupremumBounds size = limsup(score, context);
  if (compare(size.low, size.high, context) != 0) throw Undecided("limsup " + name + " is not settled");
  return size.high;
}

}  // namespace

Decision decide_entmax(EntropyReading reading, const ScoreFunction& law, const Expr& alpha, const Expr& bound,
                       const Context& context) {
  const bool some = reading == EntropyReading::some_content;
  const Expr above = score_above(law, bound), below = score_below(law, bound);
  const std::string name = some ? "A-" : "A+";
  const Limit top = settled_limsup(name, some ? below : above, context);
  if (top.kind == Limit::Kind::minus_infinity) return holds("A tends to -inf, so the support is finite");
  if (top.kind == Limit::Kind::plus_infinity) {
    if (reading != EntropyReading::uniform)
      return fails("limsup " + name + " = +inf, and the threshold with it");
    throw Undecided("scores are unbounded above for some content");
  }
  const Decision found =
      Threshold(some ? above : below, to_expr(top.value), alpha, law.first, context).against_one();
  const std::string what =
      std::string("for the content with the ") + (some ? "largest" : "smallest") + " F, ";
  return {found.truth, what + found.reason + (found.truth == Truth::fails ? " < 1, and H_L -> inf" : "")};
}

Decision decide_entmax_weight(const ScoreFunction& law, const Context& context) {
  const SupremumBounds size = limsup(law.bias, context);
  if (size.high.kind == Limit::Kind::minus_infinity)
    return fails("b tends to -inf: only finitely many weights are not 0");
  if (size.low.kind == Limit::Kind::plus_infinity)
    return holds("b exceeds all earlier ones infinitely often");
  if (!to_form(law.bias, context).mentions(kIndex)) return holds("b is constant: all weights are equal");
  if (compare({Limit::Kind::finite, to_form(substitute(law.bias, kIndex, Expr(law.first)), context)},
              size.high, context) > 0)
    return fails("b(" + std::to_string(law.first) + ") > limsup b: far weights tend to 0, or are 0");
  throw Undecided("it is not settled whether far tokens are in the support");
}

}  // namespace gpe::theory
