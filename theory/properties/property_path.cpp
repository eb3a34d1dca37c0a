// Gates along the path: each reading for every gate, and for some (theorem P1, docs/theorems.md).
// Tests: tests/theory/properties/path_test.cpp
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/overloaded.h"
#include "theory/properties/deciding_score.h"
#include "theory/properties/property.h"

namespace gpe::theory {

namespace {

// One question about a law with gates. S_n is the sum of the first n.
class PathQuestion {
 public:
  PathQuestion(const Reading& reading, bool every, const ScoreFunction& law, const Expr& bound,
               const Context& context)
      : reading_(reading), every_(every), law_(law), bound_(bound), context_(context) {}

  Decision by_sums() const {
    if (every_) return at(path().high);
    if (!path().low) return holds("gates without a lower bound can fall so fast that all sums are finite");
    return at(*path().low);
  }

  Decision uniform() const {
    if (!every_ && !path().low) return by_sums();
    if (!every_) {
      auto high = attempt_in_time([&] { return at(path().high); });
      if (high && (high->truth == Truth::holds || !several())) return *high;
      Decision low = at(*path().low);
      if (low.truth != Truth::holds)
        throw Undecided("no constant gate at the ends is seen to hold, and others are not looked at");
      return low;
    }
    const auto finite =
        attempt_in_time([&] { return at(reading(ReadingOf(EntropyReading::limit)), path().high); });
    if (finite && finite->truth == Truth::holds) return *finite;
    if (path().low && climbs(with_constant_gate(law_, *path().low), bound_, context_))
      return holds("already with the smallest gates " + text(*path().low) +
                   ", A grows at least linearly, and larger ones add to its increments");
    for (const Expr* gate : {&path().high, path().low ? &*path().low : nullptr}) {
      if (gate == nullptr) continue;
      auto end = attempt_in_time([&] { return at(*gate); });
      if (end && end->truth == Truth::fails) return *end;
    }
    if (reaches_zero())
      return fails(
          "b + S_n tends to 0 for some gates: without content the weights level off, and H_L -> inf");
    throw Undecided("gates between the ends are not settled");
  }

  Decision weight() const {
    if (!every_) return at(path().high);
    if (!path().low) return fails("gates without a lower bound let b + S_n tend to -inf");
    return at(*path().low);
  }

  Decision with_sign() const {
    if (!every_ || !path().low || !path().low_open) return weight();
    auto low = attempt_in_time([&] { return at(*path().low); });
    if (low && low->truth == Truth::holds) return *low;
    // S_n = n low + η_n with η_n >= η_1 > 0, which may be as small as one likes
    const SupremumBounds end = limsup(bias_at(*path().low), context_);
    if (sign(end.low, context_) >= 0)
      return holds("S_n exceeds n*(" + text(*path().low) + ") by no less than at n = 1, and limsup (b + n*(" +
                   text(*path().low) + ")) >= 0");
    if (sign(end.high, context_) < 0)
      return fails("limsup (b + S_n) < 0 for gates that tend to " + text(*path().low) + " fast");
    throw Undecided("limsup b with the smallest gates is not settled");
  }

  static std::string by_ends(bool open, const std::string& gates) {
    return open ? "as S_n stays away by a constant from that of the gates left out, "
                : "already with the " + gates + " gates ";
  }

  // |b + S_n| >= C > 0 for infinitely many n.
  Decision away_from_zero() const {
    if (!every_) {
      if (several()) return holds("b + S_n does not tend to 0 for two different constant gates");
      return at(path().high);
    }
    const Expr top = bias_at(path().high);
    if (sign(limsup(top, context_).high, context_) < (path().high_open ? 1 : 0))
      return holds("limsup (b + S_n) < 0, " + by_ends(path().high_open, "largest") + text(path().high));
    if (path().low) {
      const Expr bottom = bias_at(*path().low);
      if (sign(limsup(-bottom, context_).high, context_) < (path().low_open ? 1 : 0))
        return holds("liminf (b + S_n) > 0, " + by_ends(path().low_open, "smallest") + text(*path().low));
    }
    if (reaches_zero()) return fails("b + S_n tends to 0 for some gates");
    throw Undecided("it is not settled whether b + S_n tends to 0 for gates between the ends");
  }

  Decision probability() const {
    ScoreFunction still = law_;
    still.path.reset();
    const Decision content = decide(reading(ReadingOf(CorrelationReading::content)), still, bound_, context_);
    return content.truth == Truth::holds ? at(path().high) : away_from_zero();
  }

  Decision at(const Expr& gate) const { return at(reading_, gate); }

 private:
  const Path& path() const { return *law_.path; }
  static std::string text(const Expr& gate) { return to_text(gate); }
  static const Reading& reading(ReadingOf which) { return theory::reading(which); }
  Expr bias_at(const Expr& gate) const { return with_constant_gate(law_, gate).bias; }

  Decision at(const Reading& asked, const Expr& gate) const {
    const Decision decision = decide(asked, with_constant_gate(law_, gate), bound_, context_);
    return {decision.truth, "decided by the constant gate " + text(gate) + ": " + decision.reason};
  }

  bool several() const {
    return !path().low || context_.sign(to_form(path().high - *path().low, context_)) > 0;
  }

  // Gates with b + S_n -> 0. With u and l the limits of b + n high and b + n low: one of them is 0, and its
  // gate belongs to the interval; or l < 0 < u, and either one is finite, or b's steps can be made up for.
  // @pre not u < 0, nor l > 0. False: not proved.
  bool reaches_zero() const {
    const LimitBounds top = limit(bias_at(path().high), context_);
    if (!top.settled()) return false;
    if (sign(top.low, context_) == 0) return !path().high_open;
    if (path().low) {
      const LimitBounds bottom = limit(bias_at(*path().low), context_);
      if (!bottom.settled()) return false;
      if (sign(bottom.low, context_) == 0) return !path().low_open;
      if (sign(top.low, context_) < 0 || sign(bottom.low, context_) > 0) return false;
      if (bottom.low.kind == Limit::Kind::finite) return true;
    }
    if (sign(top.low, context_) < 0) return false;
    if (top.low.kind == Limit::Kind::finite) return true;
    const Expr n = Expr::symbol(kIndex);
    const Expr step = substitute(law_.bias, kIndex, n + Expr(1)) - law_.bias;
    const auto room = [&](const Expr& gap, bool open) {
      return eventual_sign(gap, context_) >= (open ? 1 : 0);
    };
    return room(step + path().high, path().high_open) &&
           (!path().low || room(-(step + *path().low), path().low_open));
  }

  const Reading& reading_;
  bool every_;
  const ScoreFunction& law_;
  const Expr& bound_;
  const Context& context_;
};

}  // namespace

bool climbs(const ScoreFunction& law, const Expr& bound, const Context& context) {
  return attempt_in_time([&] {
           return limit(amplitude(law, bound), context).high.kind == Limit::Kind::finite &&
                  !decide_sum(law.bias, context).converges &&
                  decide_entropy_growth(law.bias, context).bounded;
         })
      .value_or(false);
}

std::optional<Expr> deciding_gate(const Reading& reading, Quantifier quantifier, const Path& path) {
  if (quantifier == Quantifier::random) return std::nullopt;
  const bool every = quantifier == Quantifier::every;
  const ReadingOf which = reading.which;
  const std::optional<Expr> high = path.high;
  if (which == ReadingOf(EntropyReading::uniform)) return std::nullopt;
  if (reading.property == Property::convergent_normalization ||
      reading.property == Property::entropy_boundedness)
    return every ? high : path.low;
  if (which == ReadingOf(CorrelationReading::weight)) return every ? path.low : high;
  if (which != ReadingOf(CorrelationReading::with_sign) || (every && path.low_open)) return std::nullopt;
  return every ? path.low : high;
}

Decision decide(const Reading& reading, Quantifier quantifier, const ScoreFunction& law, const Expr& bound,
                const Context& context) {
  if (law.content_law) return decide_under_law(reading, quantifier, law, bound, context);
  if (law.query) return decide_for_queries(reading, quantifier, law, bound, context);
  if (!law.path) return decide(reading, law, bound, context);
  if (quantifier == Quantifier::none) {
    ScoreFunction still = law;
    still.path.reset();
    return decide(reading, still, bound, context);
  }
  const PathQuestion question(reading, quantifier == Quantifier::every, law, bound, context);
  if (law.window) return question.at(law.path->high);
  if (quantifier == Quantifier::random) return decide_for_random_gates(reading, law, bound, context);
  const auto of_correlation = [&](CorrelationReading which) {
    switch (which) {
      case CorrelationReading::literal:
        return question.away_from_zero();
      case CorrelationReading::with_sign:
        return question.with_sign();
      case CorrelationReading::probability:
        return question.probability();
      case CorrelationReading::content:
        break;
      case CorrelationReading::weight:
        return question.weight();
    }
    return question.at(law.path->high);
  };
  return std::visit(Overloaded{[&](NormalizationReading) { return question.by_sums(); },
                               [&](EntropyReading which) {
                                 return which == EntropyReading::uniform ? question.uniform()
                                                                         : question.by_sums();
                               },
                               of_correlation, [&](GradientReading) { return question.at(law.path->high); }},
                    reading.which);
}

}  // namespace gpe::theory
