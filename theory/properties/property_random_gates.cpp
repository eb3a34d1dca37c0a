// Gates at random: what holds almost surely, and in the mean (theorem P2, docs/theorems.md).
// Tests: tests/theory/properties/random_gates_test.cpp
#include "theory/exact/attempt.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/deciding_score.h"
#include "theory/properties/property.h"

namespace gpe::theory {

namespace {

class RandomGatesQuestion {
 public:
  RandomGatesQuestion(const Reading& reading, const ScoreFunction& law, const Expr& bound,
                      const Context& context)
      : reading_(reading), law_(law), bound_(bound), context_(context) {}

  // Z, or Z and H, almost surely.
  Decision almost_surely() const {
    const auto does_fall = attempt_in_time([&] { return falls(); });
    if (does_fall && *does_fall)
      return holds("S_n/n tends to E g almost surely, " + mean_text() +
                   ": A(n) <= -c n for all large n, c > 0");
    if (const auto least = mean_low(); least && stays_up(*least))
      return fails("S_n - n E g returns to [-1, 1] infinitely often almost surely, and with E g >= " +
                   to_text(*least) + " b + n E g " + (smallest() ? "- " : "+ ") +
                   "|f c| is bounded from below: Z is infinite");
    if (!does_fall) does_fall.why().raise();
    throw Undecided(open_mean() + ", nor to be bounded from below");
  }

  // E Z, over gates and content.
  Decision expected() const {
    const auto& [mean, infinite, mean_exp] = *path().random;
    if (mean_exp) return at(log(*mean_exp), "= log E e^g");
    const auto most = attempt_in_time([&] { return at(path().high, ">= log E e^g"); });
    if (most && most->truth == Truth::holds) return *most;
    if (const auto least = mean_low()) {
      const Decision low = at(*least, "<= log E e^g");
      if (low.truth == Truth::fails) return low;
    }
    throw Undecided("E e^g is not given (mean_exp)");
  }

  // sup_L E H_L.
  Decision mean_entropy() const {
    const auto does_fall = attempt_in_time([&] { return falls(); });
    if (does_fall && *does_fall)
      return holds("E e^(s A(n)) falls geometrically for small s > 0, " + mean_text());
    if (const auto least = mean_low();
        least && path().low && climbs(with_constant_gate(law_, *least), bound_, context_))
      return holds("gates are bounded from below, and with E g >= " + to_text(*least) +
                   " b + n E g grows at least linearly: seen from the farthest key, E e^(s A(n)) falls "
                   "geometrically for small s > 0");
    if (!does_fall) does_fall.why().raise();
    throw Undecided(open_mean() + ", nor to grow so with gates that are bounded from below");
  }

 private:
  const Path& path() const { return *law_.path; }
  bool smallest() const {
    return reading_.which == ReadingOf(NormalizationReading::some_content) ||
           reading_.which == ReadingOf(EntropyReading::some_content);
  }

  // Bounds of E g, by its interval and Jensen's inequality where it is not given.
  std::optional<Expr> mean_low() const {
    if (path().random->mean_infinite) return std::nullopt;
    return path().random->mean ? path().random->mean : path().low;
  }
  Expr mean_high() const {
    const auto& [mean, infinite, mean_exp] = *path().random;
    if (mean) return *mean;
    return mean_exp && !infinite ? log(*mean_exp) : path().high;
  }
  std::string mean_text() const {
    const auto& [mean, infinite, mean_exp] = *path().random;
    if (infinite) return "E g = -inf";
    return (mean ? "E g = " : "E g <= ") + to_text(mean_high());
  }
  std::string open_mean() const {
    const auto& [mean, infinite, mean_exp] = *path().random;
    return std::string(mean || infinite ? "" : "E g is not given (mean): ") + "with " + mean_text() +
           " for each gate A is not seen to fall at least linearly";
  }

  Expr score(const Expr& gate) const {
    const ScoreFunction law = with_constant_gate(law_, gate);
    return smallest() ? score_below(law, bound_) : score_above(law, bound_);
  }
  // limsup (b ± |f c|)/n + E g < 0.
  bool falls() const {
    const Limit rate = limsup(score(mean_high()) / Expr::symbol(kIndex), context_).high;
    return path().random->mean_infinite ? rate.kind != Limit::Kind::plus_infinity : sign(rate, context_) < 0;
  }
  bool stays_up(const Expr& gate) const {
    return attempt_in_time(
               [&] { return limsup(-score(gate), context_).high.kind != Limit::Kind::plus_infinity; })
        .value_or(false);
  }

  Decision at(const Expr& gate, const std::string& which) const {
    const Decision decision = decide(reading_, with_constant_gate(law_, gate), bound_, context_);
    return {decision.truth,
            "decided by the constant gate " + to_text(gate) + " " + which + ": " + decision.reason};
  }

  const Reading& reading_;
  const ScoreFunction& law_;
  const Expr& bound_;
  const Context& context_;
};

}  // namespace

Decision decide_for_random_gates(const Reading& reading, const ScoreFunction& law, const Expr& bound,
                                 const Context& context) {
  const RandomGatesQuestion question(reading, law, bound, context);
  if (reading.which == ReadingOf(NormalizationReading::expected)) return question.expected();
  return reading.which == ReadingOf(EntropyReading::uniform) ? question.mean_entropy()
                                                             : question.almost_surely();
}

}  // namespace gpe::theory
