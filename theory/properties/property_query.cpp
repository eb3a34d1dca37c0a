// A bias linear in the query: each reading for every query, and for some (theorem Q1, docs/theorems.md).
#include <algorithm>

#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/deciding_score.h"
#include "theory/properties/property.h"
#include "theory/score/every_distance.h"

namespace gpe::theory {

namespace {

// One question about a law whose bias has r·p added, |r| <= R, p its shape.
class QueryQuestion {
 public:
  QueryQuestion(const Reading& reading, bool every, const ScoreFunction& law, const Expr& bound,
                const Context& context)
      : reading_(reading), every_(every), law_(law), bound_(bound), context_(context) {}

  // Sums, and heights: theorem Q1 names the extreme score that decides.
  Decision by_extremes() const {
    if (vanishes() || (reading_.which != ReadingOf(CorrelationReading::with_sign) && bounded()))
      return at_zero();
    const int times = deciding_query(reading_, every_ ? Quantifier::every : Quantifier::some);
    if (const auto sign = attempt_in_time([&] { return eventual_sign(shape(), context_); }))
      return at(Expr(*sign * times) * radius());
    auto extreme = attempt_in_time([&] { return at_extreme(times); });
    if (extreme && (times > 0 || extreme->truth != witness())) return *extreme;
    return by_trying(times > 0 ? ends() : several());
  }

  Decision uniform() const {
    if (bounded()) return at_zero();
    const auto balance = attempt_in_time([&] { return balancing(); });
    std::vector<Expr> tried = several();
    if (balance && *balance) tried.push_back(**balance);
    bool known = static_cast<bool>(balance);
    for (const Expr& r : tried) {
      const auto decision = attempt_in_time([&] { return at(r); });
      if (decision && decision->truth == witness()) return *decision;
      known = known && decision;
    }
    if (every_) {
      const Reading& all_finite = reading(ReadingOf(EntropyReading::limit));
      const auto finite = attempt_in_time(
          [&] { return QueryQuestion(all_finite, true, law_, bound_, context_).by_extremes(); });
      if (finite && finite->truth == Truth::holds) return *finite;
      if (climbs_at_ends())
        return holds("A grows at least linearly for r = " + text(radius()) + " and for r = -" +
                     text(radius()) + ", and so for all r between");
    }
    if (known && bounded_content() && has_expansion(law_.bias, context_) &&
        has_expansion(shape(), context_)) {
      const std::string where = "for r = " + text(radius()) + ", r = -" + text(radius()) +
                                " and where b + r p is smaller than b and p, ";
      return every_ ? holds(where + "and so for all r, as b and p are exp-log functions")
                    : fails("it fails " + where + "and so for all r, as b and p are exp-log functions");
    }
    throw Undecided("r = " + text(radius()) + ", r = -" + text(radius()) +
                    " and r = 0 do not settle it, and other r are not looked at");
  }

  // |b + r p| >= C > 0 for infinitely many n.
  Decision away_from_zero() const {
    if (vanishes()) return at_zero();
    const bool stays = sign(limsup(abs(shape()), context_).low, context_) > 0;
    if (!every_) {
      if (stays) return holds("b + r p tends to 0 for at most one r, as p does not tend to 0");
      return by_trying(several());
    }
    const auto apart = [&] {
      return sign(limsup(abs(law_.bias) - radius() * abs(shape()), context_).low, context_) > 0;
    };
    if (const auto far = attempt_in_time(apart); far && *far)
      return holds("limsup (|b| - " + text(radius()) + " |p|) > 0");
    if (!stays) throw Undecided("it is not settled whether b + r p tends to 0 for one r");
    const std::optional<Expr> balance = balancing();
    if (!balance) return holds("b + r p tends to 0 for no |r| <= " + text(radius()) + ", by lim b/p");
    return at(*balance);  // the only r for which it may fail
  }

  Decision probability() const {
    const Reading& content = reading(ReadingOf(CorrelationReading::content));
    return decide(content, still(), bound_, context_).truth == Truth::holds ? at_zero() : away_from_zero();
  }

  Decision at_zero() const {
    const Decision decision = decide(reading_, still(), bound_, context_);
    return {decision.truth, "decided by r = 0: " + decision.reason};
  }

 private:
  const Expr& shape() const { return law_.query->shape; }
  const Expr& radius() const { return law_.query->radius; }
  static std::string text(const Expr& e) { return e.number() ? to_text(e) : "(" + to_text(e) + ")"; }
  ScoreFunction still() const {
    ScoreFunction still = law_;
    still.query.reset();
    return still;
  }
  std::vector<Expr> ends() const { return {radius(), -radius()}; }
  std::vector<Expr> several() const { return {Expr(0), radius(), -radius()}; }
  Truth witness() const { return every_ ? Truth::fails : Truth::holds; }  // one r with it is enough

  Decision at(const Expr& r) const {
    if (r.is_number(0)) return at_zero();
    const Decision decision = decide(reading_, with_query(law_, r), bound_, context_);
    return {decision.truth, "decided by r = " + to_text(r) + ": " + decision.reason};
  }
  Decision at_extreme(int times) const {
    const Decision decision = decide(reading_, with_extreme_query(law_, times), bound_, context_);
    return {decision.truth, std::string("decided by b ") + (times > 0 ? "+ " : "- ") + text(radius()) +
                                "|p|, p = " + to_text(shape()) + ": " + decision.reason};
  }

  // The first r that is a witness. Both ends together decide where Q1 says that r between follow them.
  Decision by_trying(const std::vector<Expr>& all) const {
    std::optional<Decision> last;
    bool known = true;
    for (const Expr& r : all) {
      const auto decision = attempt_in_time([&] { return at(r); });
      if (decision && decision->truth == witness()) return *decision;
      known = known && decision;
      if (decision) last = *decision;
    }
    if (known && all.size() == 2) return *last;
    const auto zero = attempt_in_time([&] { return at_zero(); });
    if (zero && zero->truth == witness()) return *zero;
    throw Undecided("r = " + text(radius()) + ", r = -" + text(radius()) +
                    " and the largest and smallest scores do not settle it, and other r are not looked at");
  }

  bool bounded() const {
    return attempt_in_time([&] { return limit(abs(shape()), context_).high.kind == Limit::Kind::finite; })
        .value_or(false);
  }
  bool vanishes() const {
    return attempt_in_time([&] { return sign(limit(abs(shape()), context_).high, context_) == 0; })
        .value_or(false);
  }
  bool bounded_content() const {
    return limit(amplitude(law_, bound_), context_).high.kind == Limit::Kind::finite;
  }
  bool in_range(const Expr& r) const {
    return context_.sign(to_form(radius() - r, context_)) >= 0 &&
           context_.sign(to_form(radius() + r, context_)) >= 0;
  }

  // -lim b/p, where it is an r: there b + r p is smaller than either. @throws Undecided
  std::optional<Expr> balancing() const {
    const auto ratio =
        attempt_in_time<Undefined, Undecided>([&] { return limit(law_.bias / shape(), context_); });
    if (!ratio || !ratio->settled()) throw Undecided("b/p has no settled limit");
    if (ratio->low.kind != Limit::Kind::finite) return std::nullopt;
    const Expr r = -to_expr(ratio->low.value);
    return in_range(r) ? std::optional(r) : std::nullopt;
  }

  bool climbs_at_ends() const {
    return std::ranges::all_of(ends(),
                               [&](const Expr& r) { return climbs(with_query(law_, r), bound_, context_); });
  }

  const Reading& reading_;
  bool every_;
  const ScoreFunction& law_;
  const Expr& bound_;
  const Context& context_;
};

// Theorem Q1 for gps: the gradient is M(n) k/√d + p(n) v. p(n) v is that of a law with the gain p.
class QueryGradient {
 public:
  QueryGradient(const ScoreFunction& law, const Context& context)
      : law_(law), context_(context), still_(law), shape_(law) {
    still_.query.reset();
    shape_.query.reset();
    shape_.softcap.reset();
    shape_.transform = Transform::identity;
    shape_.has_content = true;
    shape_.gain = law.query->shape;
    shape_.norm = Expr(1);
  }

  Decision decide(GradientReading reading) const {
    if (!sees(law_, law_.first + 1, context_)) return fails("a window of one key");
    if (reading == GradientReading::scalar) return scalar();
    if (reading == GradientReading::norm && law_.has_content) {
      const auto changes = attempt_in_time([&] { return decide_gps(reading, shape_, context_); });
      if (changes && changes->truth == Truth::holds) return about_shape(reading);
      if (law_.softcap && !(changes && is_nothing()))
        throw Undecided("the length of the gradient of a soft cap and of r p together is not settled");
      ScoreFunction product = still_;
      product.softcap.reset();
      product.gain = law_.gain * law_.query->shape;
      return any({{reading, still_}, {GradientReading::vector, product}, {reading, shape_}});
    }
    return any({{reading, still_}, {reading, shape_}});
  }

 private:
  using Part = std::pair<GradientReading, const ScoreFunction&>;

  Decision about_shape(GradientReading reading) const {
    return holds("the part p(n) v of dA/dq, p = " + to_text(law_.query->shape) + ", changes" +
                 (reading == GradientReading::norm ? " its length: it is all there is at k = 0" : ""));
  }

  // Holds if one does; fails if all fail.
  Decision any(const std::vector<Part>& parts) const {
    std::optional<NotKnown> open;
    Decision last;
    for (const Part& part : parts) {
      auto decision = attempt_in_time([&] { return decide_gps(part.first, part.second, context_); });
      if (!decision)
        open = decision.why();
      else if (decision->truth == Truth::holds)
        return &part.second == &shape_ ? about_shape(part.first) : *decision;
      else
        last = *decision;
    }
    if (open) open->raise();
    return fails("neither f(n) W(n) nor p(n) changes it: " + last.reason);
  }

  bool is_nothing() const {  // p = 0 at every n. @pre p² is constant
    return context_.is_zero(to_form(substitute(law_.query->shape, kIndex, Expr(law_.first)), context_));
  }

  Decision scalar() const {
    const Decision changes = decide_gps(GradientReading::vector, shape_, context_);
    if (changes.truth == Truth::holds || !is_nothing())
      return fails("dA/dq has the part p(n) v, p = " + to_text(law_.query->shape) + ", at k = 0 too");
    return decide_gps(GradientReading::scalar, still_, context_);
  }

  const ScoreFunction& law_;
  const Context& context_;
  ScoreFunction still_;
  ScoreFunction shape_;
};

}  // namespace

int deciding_query(const Reading& reading, Quantifier quantifier) {
  const bool every = quantifier == Quantifier::every;
  const ReadingOf which = reading.which;
  if (quantifier == Quantifier::none || which == ReadingOf(EntropyReading::uniform)) return 0;
  if (reading.property == Property::convergent_normalization ||
      reading.property == Property::entropy_boundedness)
    return every ? 1 : -1;
  const bool height =
      which == ReadingOf(CorrelationReading::weight) || which == ReadingOf(CorrelationReading::with_sign);
  if (!height) return 0;
  return every ? -1 : 1;
}

Decision decide_for_queries(const Reading& reading, Quantifier quantifier, const ScoreFunction& law,
                            const Expr& bound, const Context& context) {
  if (const auto* gradient = std::get_if<GradientReading>(&reading.which))
    return QueryGradient(law, context).decide(*gradient);
  const QueryQuestion question(reading, quantifier == Quantifier::every, law, bound, context);
  if (law.window || quantifier == Quantifier::none) return question.at_zero();
  if (deciding_query(reading, quantifier) != 0) return question.by_extremes();
  if (reading.property == Property::entropy_boundedness) return question.uniform();
  if (reading.which == ReadingOf(CorrelationReading::probability)) return question.probability();
  return question.away_from_zero();
}

}  // namespace gpe::theory
