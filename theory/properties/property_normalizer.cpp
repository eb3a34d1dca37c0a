// Normalizers other than softmax (theorems N1 to N5, docs/theorems.md). The scores are
// without L, without a path and on one side, as spec_normalizer.cpp sees to.
// Tests: tests/theory/properties/normalizer_test.cpp
#include <array>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/overloaded.h"
#include "theory/properties/property.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

namespace {

bool is_finite(const Limit& limit) { return limit.kind == Limit::Kind::finite; }

// One question about a law whose weights are not a softmax of its scores.
class NormalizerQuestion {
 public:
  NormalizerQuestion(const ScoreFunction& law, const Expr& bound, const Context& context)
      : law_(law), bound_(bound), context_(context) {
    law_.normalizer = Normalizer::softmax;
    law_.normalizer_parameter.reset();
  }

  Decision of(ReadingOf which) const { return decide(reading(which), law_, bound_, context_); }

  // Of a far token, without content, before the weights are divided by their sum.
  Decision weight(Normalizer normalizer) const {
    if (law_.window) return of(CorrelationReading::weight);
    switch (normalizer) {
      case Normalizer::softmax:
      case Normalizer::sigmoid:
      case Normalizer::top_k:
        break;
      case Normalizer::relu:  // (b)_+, and not e^b
        return of(CorrelationReading::with_sign);
      case Normalizer::entmax:
        return decide_entmax_weight(law_, context_);
      case Normalizer::stick_breaking:
        return fails("all weights sum to at most 1, so they tend to 0");
    }
    return of(CorrelationReading::weight);
  }

  // N1: Σ σ(A) and Σ e^A converge together, and so do their entropies.
  Decision sigmoid(NormalizationReading which) const {
    if (which != NormalizationReading::expected || !is_infinite_above(above()))
      return with("sum sigma(A) converges where sum e^A does; ", of(which));
    auto most = attempt_in_time([&] { return of(which); });
    if (most && most->truth == Truth::holds) return with("sigma(A) <= e^A; ", *most);
    const SumDecision least = decide_sum(law_.bias, context_);
    if (!least.converges) return fails("A >= b with probability 1/2 at least; for the bias, " + least.reason);
    throw Undecided("A is unbounded above, where E sigma(A) is far less than E e^A");
  }
  Decision sigmoid(EntropyReading which) const {
    if (which == EntropyReading::uniform)
      return with("H_L is bounded where Z and H are finite, and only there, as weights are at most 1/Z_L; ",
                  of(EntropyReading::limit));
    return with("Z and H are finite where they are for softmax; ", of(which));
  }

  // N2.
  Decision relu(NormalizationReading which) const {
    if (law_.window) return of(which);
    if (which != NormalizationReading::expected)
      return positive_sum(which == NormalizationReading::every_content ? above() : below(), false);
    const auto most = attempt_in_time([&] { return positive_sum(above(), false); });
    if (most && most->truth == Truth::holds) return with("E (A)_+ <= (A+)_+; ", *most);
    const auto least = attempt_in_time([&] { return positive_sum(law_.bias, false); });
    if (least && least->truth == Truth::fails) return with("E (A)_+ >= (b)_+, and for A = b, ", *least);
    if (is_finite(limit(amplitude(law_, bound_), context_).high) &&
        sign(limsup(above(), context_).low, context_) > 0)
      return fails(
          "limsup A+ > 0 and |f| w is bounded: infinitely many A exceed a positive number with a probability "
          "bounded below");
    throw Undecided(
        "E (A)_+ lies between (b)_+, whose sum is not seen to diverge, and (A+)_+, whose sum is not seen to "
        "converge");
  }
  Decision relu(EntropyReading which) const {
    if (law_.window) return of(which);
    const Decision sum = positive_sum(which == EntropyReading::some_content ? below() : above(), false);
    if (sum.truth == Truth::holds)
      return positive_sum(which == EntropyReading::some_content ? below() : above(), true);
    if (which != EntropyReading::uniform) return with("Z is infinite: ", sum);
    return relu_uniform();
  }

  // N3.
  Decision top_k(NormalizationReading which) const {
    if (law_.window) return of(which);
    if (which == NormalizationReading::every_content) return bounded("A+", above());
    if (which == NormalizationReading::some_content) return bounded("A-", below());
    if (is_finite(limit(amplitude(law_, bound_), context_).high))
      return with("|f| w is bounded, so the bias decides: ", bounded("b", law_.bias));
    const auto most = attempt_in_time([&] { return bounded("A+", above()); });
    if (most && most->truth == Truth::holds) return *most;
    const auto least = attempt_in_time([&] { return bounded("b", law_.bias); });
    if (least && least->truth == Truth::fails) return with("E e^A >= e^b; ", *least);
    const auto whole = attempt_in_time([&] { return of(which); });
    if (whole && whole->truth == Truth::holds)
      return with("the largest e^A is at most the sum of all; ", *whole);
    throw Undecided("E of the k largest e^A lies between sup e^b and E of the sum over all keys");
  }
  Decision top_k(EntropyReading which) const {
    if (law_.window) return of(which);
    if (which == EntropyReading::uniform) return holds("H_L <= log k: at most k weights are not 0");
    const Decision sum = top_k(which == EntropyReading::limit ? NormalizationReading::every_content
                                                              : NormalizationReading::some_content);
    return with(sum.truth == Truth::holds ? "H <= log k; " : "Z is infinite: ", sum);
  }

  // N4: the threshold is finite where the largest score is.
  Decision entmax(NormalizationReading which, const Expr&) const {
    return with("the threshold is within 1 of the largest (alpha - 1) A; ", top_k(which));
  }
  Decision entmax(EntropyReading which, const Expr& alpha) const {
    return law_.window ? of(which) : decide_entmax(which, law_, alpha, bound_, context_);
  }

  // N5: with β = σ(A), the weight at n is β_n Π_{m < n} (1 - β_m), and what is left is one more outcome.
  Decision stick_breaking(NormalizationReading) const {
    const auto converges = [&](const Expr& score) {
      return attempt_in_time([&] { return decide_sum(score, context_).converges; });
    };
    const auto least = converges(below()), most = converges(above());
    const char* left = "";
    if (law_.window || (most && *most))
      left = "; what is left stays above 0 for every content";
    else if (least && !*least)
      left = "; what is left tends to 0 for every content";
    return holds(std::string("the weights and what is left sum to 1") + left);
  }
  Decision stick_breaking(EntropyReading which) const {
    if (law_.window)
      return holds("a window of " + counted(*law_.window, "key") + ", and what is left: H <= log " +
                   std::to_string(*law_.window + 1));
    const bool some = which == EntropyReading::some_content;
    const auto finite = attempt_in_time([&] { return of(some ? which : EntropyReading::limit); });
    if (finite && finite->truth == Truth::holds)
      return with("H is at most sum sigmoid(A) (1 + |log sigmoid(A)|); ", *finite);
    const Expr least = (some ? above() : below()) + log(Expr::symbol(kIndex));
    if (limit(least, context_).low.kind != Limit::Kind::minus_infinity)
      return holds("A >= C - log n, so what is left falls like a power of n, and H_L is bounded");
    const auto infinite = [&](const Expr& converges, const Expr& weighted) {
      const auto does = attempt_in_time([&] {
        return decide_sum(converges, context_).converges &&
               !decide_weighted_sum(weighted, context_).converges;
      });
      return does && *does;
    };
    const bool fail =
        some ? infinite(above(), below())
             : infinite(above(), above()) || infinite(law_.bias, law_.bias) || infinite(below(), below());
    if (fail) return fails("sum e^A is finite, so what is left stays above 0, and sum |A| e^A is infinite");
    throw Undecided("what is left tends to 0 for some content, and A + log n tends to -inf");
  }

 private:
  static Decision with(const std::string& before, const Decision& decision) {
    return {decision.truth, before + decision.reason};
  }
  Expr above() const { return score_above(law_, bound_); }
  Expr below() const { return score_below(law_, bound_); }
  bool is_infinite_above(const Expr& score) const {
    return limsup(score, context_).high.kind == Limit::Kind::plus_infinity;
  }

  // Is sup score < ∞?
  Decision bounded(const std::string& name, const Expr& score) const {
    const SupremumBounds size = limsup(score, context_);
    if (size.high.kind == Limit::Kind::minus_infinity)
      return holds("scores are bounded above: " + name + " tends to -inf");
    if (size.high.kind != Limit::Kind::plus_infinity)
      return holds("scores are bounded above: limsup " + name + " <= " + to_text(size.high));
    if (size.low.kind == Limit::Kind::plus_infinity)
      return fails("scores are unbounded above: limsup " + name + " = +inf");
    throw Undecided("it is not settled whether " + name + " is bounded above");
  }

  // Does Σ (score)₊ converge; weighted: Σ (score)₊ |log (score)₊|, which is asked where the former does.
  Decision positive_sum(const Expr& score, bool weighted) const {
    const SupremumBounds size = limsup(score, context_);
    if (sign(size.low, context_) > 0)
      return fails("limsup A >= " + to_text(size.low) + ": infinitely many weights exceed a positive number");
    const int most = sign(size.high, context_);
    if (most < 0) return holds("A < 0 for all large n: only finitely many weights are not 0");
    if (most > 0) {
      ScoreFunction one = law_;
      one.bias = score;
      const Decision positive = decide_ldcp(CorrelationReading::with_sign, one, context_);
      if (positive.truth == Truth::holds)
        return fails("infinitely many weights exceed a positive number: " + positive.reason);
      throw Undecided("bounds do not settle whether limsup A > 0: " + positive.reason);
    }
    std::string reason = "A <= 0 for all large n: only finitely many weights are not 0";
    const auto modulus = residue_modulus(score, context_);
    for (const Expr& part : residue_classes(score, modulus)) {
      if (eventual_sign(part, context_) <= 0) continue;
      const SumDecision sum =
          weighted ? decide_weighted_sum(log(part), context_) : decide_sum(log(part), context_);
      reason = std::string(weighted ? "sum |log A| A" : "sum A") + " over A > 0, " +
               (modulus == 1 ? ""
                             : "in one class of n modulo " + std::to_string(modulus) +
                                   ", whose terms are numbered by n, ") +
               "with log A written A: " + sum.reason;
      if (!sum.converges) return fails(reason);
    }
    return holds(reason);
  }

  // M is infinite for A+.
  Decision relu_uniform() const {
    const auto levels = attempt_in_time([&] {
      const Limit least = limit(above(), context_).low;
      return sign(least, context_) > 0 && compare(limsup(below(), context_).high, least, context_) < 0;
    });
    if (levels && *levels)
      return fails(
          "for a content with which A is the same positive number far away, Z is infinite and H_L -> inf");
    const std::array<std::pair<Expr, const char*>, 3> contents = {{{above(), "with the largest content"},
                                                                   {law_.bias, "without content"},
                                                                   {below(), "with the smallest content"}}};
    for (const auto& one : contents) {
      const Expr& score = one.first;
      const auto unbounded = attempt_in_time([&]() -> std::string {
        if (positive_sum(score, false).truth == Truth::holds) return "";
        if (!is_infinite_above(score)) return "Z is infinite and its terms are bounded, so H_L -> inf";
        if (limit(score, context_).low.kind != Limit::Kind::plus_infinity) return "";
        const EntropyGrowth growth = decide_entropy_growth(log(score), context_);
        return growth.bounded ? "" : "with log A written A, " + growth.reason;
      });
      if (unbounded && !unbounded->empty()) return fails(one.second + std::string(", ") + *unbounded);
    }
    const bool near = limit(below(), context_).low.kind == Limit::Kind::plus_infinity &&
                      sign(limit(below() / above(), context_).low, context_) > 0;
    if (near && decide_entropy_growth(log(above()), context_).bounded)
      return holds(
          "A tends to infinity at least exponentially: the last tokens take all the weight and H_L is "
          "bounded; "
          "content changes weights by bounded factors");
    throw Undecided(
        "Z is infinite for some content, and contents between the extremes may level the weights");
  }

  ScoreFunction law_;  // as if its weights were a softmax
  const Expr& bound_;
  const Context& context_;
};

}  // namespace

Decision decide_normalizer(const Reading& reading, const ScoreFunction& law, const Expr& bound,
                           const Context& context) {
  const NormalizerQuestion question(law, bound, context);
  const auto of_weights = [&](auto which) {
    switch (law.normalizer) {
      case Normalizer::softmax:
        break;
      case Normalizer::sigmoid:
        return question.sigmoid(which);
      case Normalizer::relu:
        return question.relu(which);
      case Normalizer::top_k:
        return question.top_k(which);
      case Normalizer::entmax:
        return question.entmax(which, *law.normalizer_parameter);
      case Normalizer::stick_breaking:
        return question.stick_breaking(which);
    }
    return question.of(which);
  };
  return std::visit(Overloaded{[&](NormalizationReading which) { return of_weights(which); },
                               [&](EntropyReading which) { return of_weights(which); },
                               [&](CorrelationReading which) {
                                 return which == CorrelationReading::weight ? question.weight(law.normalizer)
                                                                            : question.of(which);
                               },
                               [&](GradientReading which) { return question.of(which); }},
                    reading.which);
}

}  // namespace gpe::theory
