#include "checks/coq/coq_rule.h"

#include <algorithm>
#include <array>

#include "checks/coq/coq_constant.h"
#include "checks/coq/coq_growth.h"
#include "checks/coq/coq_term.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;
using theory::Property;

namespace {

// Trees as they are written in Certificates.v: nothing is folded.
Expr sum(std::vector<Expr> terms) {
  for (Expr& term : terms) {  // (-m)*n stays a term of its own, and is not taken away
    const auto* factors = term.as<theory::node::Mul>();
    const bool taken_away =
        factors != nullptr && factors->factors.size() == 2 && factors->factors.front().is_number(-1);
    if (is_negated(term) && !taken_away && term.number() == nullptr)
      term = Expr::raw(theory::node::Add{{term}});
  }
  return Expr::raw(theory::node::Add{std::move(terms)});
}
Expr product(std::vector<Expr> factors) { return Expr::raw(theory::node::Mul{std::move(factors)}); }
Expr minus(const Expr& e) { return product({Expr(-1), e}); }
Expr call(theory::Function function, const Expr& e) { return Expr::raw(theory::node::Call{function, {e}}); }
Expr inverse(const Expr& e) { return Expr::raw(theory::node::Pow{e, Expr(-1)}); }

const Expr index() { return Expr::symbol(theory::kIndex); }

// The tree with L called n, and nothing else changed: theory::substitute orders the terms anew.
Expr in_index(const Expr& e) {
  namespace node = theory::node;
  const auto each = [](std::vector<Expr> parts) {
    for (Expr& part : parts) part = in_index(part);
    return parts;
  };
  if (const auto* symbol = e.as<node::Symbol>()) return symbol->name == theory::kLength ? index() : e;
  if (const auto* terms = e.as<node::Add>()) return Expr::raw(node::Add{each(terms->terms)});
  if (const auto* factors = e.as<node::Mul>()) return Expr::raw(node::Mul{each(factors->factors)});
  if (const auto* power = e.as<node::Pow>())
    return Expr::raw(node::Pow{in_index(power->base), in_index(power->exponent)});
  if (const auto* value = e.as<node::Call>())
    return Expr::raw(node::Call{value->function, each(value->arguments)});
  return theory::substitute(e, theory::kLength, index());
}

Expr iter(int i) {
  Expr result = index();
  for (int k = 0; k < i; ++k) result = call(theory::Function::log, result);
  return result;
}

Expr logs(int k) {
  Expr result(0);
  for (int i = 1; i <= k; ++i) result = sum({result, iter(i)});
  return result;
}

std::string underscores(std::string_view reading) {
  std::string text(reading);
  for (char& c : text) c = c == '-' ? '_' : c;
  return text;
}

class Step {
 public:
  Step(const theory::Reading& reading, const ProofTerm& proof, const theory::ScoreFunction& law,
       const theory::Context& context)
      : reading_(reading), proof_(proof), law_(law), context_(context) {}
  // A claim in residue classes (`modulus`) is shown for all n at once, by leading terms, or not at all.

  std::string tactic() const {
    if (law_.bias.mentions(theory::kLength) && reading_.property != Property::gps) return network();
    switch (proof_.rule) {
      case Rule::sum_converges:
        return sum_converges();
      case Rule::sum_diverges:
        return sum_diverges();
      case Rule::weighted_sum_converges:
        return weighted_sum_converges();
      case Rule::sum_diverges_bounded:
        return sum_diverges_bounded();
      case Rule::length_diverges:
      case Rule::first_diverges:
      case Rule::length_converges:
      case Rule::length_levels:
      case Rule::length_weighted_converges:
      case Rule::length_spread:
        return lengths();
      case Rule::bias_stays:
        return bias_stays();
      case Rule::bias_stays_positive:
      case Rule::bias_vanishes:
      case Rule::bias_not_positive:
      case Rule::bias_bounded_below:
      case Rule::bias_sinks:
        return bias();
      case Rule::content_stays:
      case Rule::content_stays_likely:
        return content_stays();
      case Rule::content_vanishes:
      case Rule::both_vanish:
        return content_vanishes();
      case Rule::size_changes:
      case Rule::factor_changes:
      case Rule::turns:
        return gradient_changes();
      case Rule::turns_by_entropy_fast:
      case Rule::turns_by_entropy_slow:
      case Rule::turns_by_entropy_divergent:
        return turns_by_entropy();
      case Rule::constant:
        return constant();
      case Rule::one_key:
        return "(only_key " + coq_argument(*law_.window_size) + "%nat)";
      case Rule::window:
        return window();
      default:
        throw not_exported();
    }
  }

 private:
  NotExported not_exported(const std::string& why = "") const {
    return NotExported("rule " + std::string(name_of(proof_.rule)) + why);
  }

  // |f| w B
  Expr reach() const {
    return product(
        {call(theory::Function::abs, law_.gain), product({Expr::symbol(theory::kContentBound), law_.norm})});
  }
  Expr score() const {
    if (proof_.score == Score::b) return law_.bias;
    if (proof_.score == Score::above) return sum({law_.bias, reach()});
    if (proof_.score == Score::below) return sum({law_.bias, minus(reach())});
    throw NotExported("score " + std::string(name_of(*proof_.score)));
  }

  // eventually (fun n => 0 <= e), as it stands in the goal
  std::string claim(const Expr& e) const {
    return "(change (eventually (fun n => 0 <= " + coq_term(e) + ")); " +
           eventually_nonnegative(e, context_) + ")";
  }
  std::string apply(const std::string& theorem, const std::string& arguments,
                    const std::vector<std::string>& goals) const {
    std::string result = "(eapply (" + theorem + " " + arguments + "); [";
    for (std::size_t i = 0; i < goals.size(); ++i) result += (i == 0 ? "\n    " : "\n    | ") + goals[i];
    return result + "])";
  }

  bool is_normalization() const { return reading_.property == Property::convergent_normalization; }
  std::string start() const {
    const std::string dimension = reading_.name == "expected" ? " " + std::to_string(law_.head_dim) : "";
    return "_ _ _ _ width_nonnegative" + dimension + " ";
  }
  std::string scale() const { return std::to_string(*proof_.k) + " "; }
  Expr diverging() const { return sum({score(), *proof_.C, logs(*proof_.k + 1)}); }
  // (1 + eta) log^(k + 1)(n)
  Expr last_log() const { return product({sum({Expr(1), *proof_.eta}), iter(*proof_.k + 1)}); }

  std::string sum_converges() const {
    return apply(
        "sum_converges_" + underscores(reading_.name),
        start() + scale() + coq_argument(*proof_.eta) + " " + coq_argument(*proof_.C),
        {"above_0", claim(sum({*proof_.C, minus(logs(*proof_.k)), minus(last_log()), minus(score())}))});
  }
  std::string sum_diverges() const {
    const std::string name =
        is_normalization() || reading_.name == "limit" ? underscores(reading_.name) : "entropy_some_content";
    return apply("sum_diverges_" + name, start() + scale() + coq_argument(*proof_.C), {claim(diverging())});
  }
  std::string weighted_sum_converges() const {
    const Expr a = score();
    const Expr u = proof_.U.value_or(minus(a));
    const Expr falling =
        sum({*proof_.C, u, minus(call(theory::Function::log, u)), minus(logs(*proof_.k)), minus(last_log())});
    return apply("weighted_sum_converges_" + underscores(reading_.name),
                 start() + "(fun n => " + coq_term(u) + ") " + scale() + coq_argument(*proof_.eta) + " " +
                     coq_argument(*proof_.C),
                 {"above_0", claim(sum({u, minus(Expr(1))})),
                  proof_.U ? claim(sum({minus(a), minus(u)})) : "at_itself", claim(falling)});
  }
  std::string sum_diverges_bounded() const {
    return apply("sum_diverges_bounded_" + std::string(name_of(*proof_.score)),
                 start() + coq_argument(*proof_.M) + " " + scale() + coq_argument(*proof_.C),
                 {claim(diverging()), claim(sum({*proof_.M, minus(score())}))});
  }

  std::string bias_stays() const {
    const bool up = *proof_.e == 1;
    const std::string goal = std::string(up ? "left" : "right") + "; " +
                             claim(sum({up ? law_.bias : minus(law_.bias), minus(*proof_.c)}));
    if (reading_.name == "literal")
      return apply("bias_stays_literal", "_ _ _ " + coq_argument(*proof_.c), {"above_0", goal});
    return apply("bias_stays_likely",
                 "_ _ _ " + std::to_string(law_.head_dim) + " _ " + coq_argument(*proof_.c),
                 {"exact width_positive", "above_0", goal});
  }

  std::string bias() const {
    const Expr& b = law_.bias;
    if (proof_.rule == Rule::bias_stays_positive)
      return apply("bias_stays_signed", "_ _ _ " + coq_argument(*proof_.c),
                   {"above_0", claim(sum({b, minus(*proof_.c)}))});
    if (proof_.rule == Rule::bias_bounded_below)
      return apply("bias_bounded_below_weight", "_ _ _ " + coq_argument(*proof_.C),
                   {claim(sum({b, *proof_.C}))});
    const int i = *proof_.i;
    if (proof_.rule == Rule::bias_sinks)  // one more logarithm leaves room for constants
      return apply("bias_sinks_weight", "_ _ _ " + std::to_string(i + 1),
                   {claim(sum({minus(b), minus(iter(i + 1))}))});
    const std::string below = claim(sum({inverse(iter(i)), minus(b)}));
    if (proof_.rule == Rule::bias_not_positive)
      return apply("bias_not_positive_signed", "_ _ _ " + std::to_string(i), {below});
    return apply("bias_vanishes_literal", "_ _ _ " + std::to_string(i),
                 {below, claim(sum({inverse(iter(i)), b}))});
  }

  std::string content_stays() const {
    const Expr size = product({call(theory::Function::abs, in_index(law_.gain)), law_.norm});
    const Expr c = proof_.c ? *proof_.c : product({Expr(2), *proof_.eps});
    return apply("content_stays_" + std::string(reading_.name),
                 "_ _ _ " + std::to_string(law_.head_dim) + " _ " + coq_argument(c),
                 {"exact B_positive", "exact width_positive", "above_0", claim(sum({size, minus(c)}))});
  }

  // With the content bound inside, one more logarithm leaves room for it.
  std::string content_vanishes() const {
    const int next = *proof_.i + 1;
    const auto small = [&](const Expr& e) { return claim(sum({inverse(iter(next)), e})); };
    const std::string start = "_ _ _ " + std::to_string(law_.head_dim) + " _ " + std::to_string(next);
    const std::string content = small(minus(reach()));
    if (proof_.rule == Rule::content_vanishes)
      return apply("content_vanishes_content", start, {"exact width_positive", content});
    return apply("both_vanish_probability", start,
                 {"exact width_positive", content, small(minus(law_.bias)), small(law_.bias)});
  }

  // A gain that mentions L alone: L is called n.
  std::string lengths() const {
    if (!law_.bias.is_number(0) || law_.gain.mentions(theory::kIndex) || !law_.norm.is_number(1))
      throw not_exported(" with a gain that mentions n, or with a bias");
    const Expr gain = in_index(law_.gain);
    const Expr reach =
        product({call(theory::Function::abs, gain), product({Expr::symbol(theory::kContentBound), Expr(1)})});
    const Expr above = sum({Expr(0), reach}), below = sum({Expr(0), minus(reach)}), log = iter(1);
    const std::string start = "_ _ B_positive ";
    const auto room = [&] { return minus(call(theory::Function::log, sum({Expr(1), index()}))); };
    const bool is_below = proof_.score == Score::below;
    if (proof_.rule == Rule::length_diverges) {
      const std::string i = std::to_string(*proof_.i);
      const Expr iterated_log = minus(iter(*proof_.i));
      if (proof_.score == Score::above)
        return apply("length_diverges_" + underscores(reading_.name), start + i,
                     {"gain_nonneg", claim(sum({above, log, iterated_log}))});
      if (is_below)
        return apply(
            is_normalization() ? "length_diverges_some_content" : "length_diverges_entropy_some_content",
            start + i, {claim(sum({below, log, iterated_log}))});
      return apply("length_diverges_mean", start + std::to_string(law_.head_dim) + " " + i,
                   {claim(sum({Expr(0), log, iterated_log}))});
    }
    if (proof_.rule == Rule::length_spread)
      return apply("length_spread_uniform", start + std::to_string(*proof_.i),
                   {claim(sum({log, minus(iter(*proof_.i))}))});
    if (proof_.rule == Rule::length_converges && is_below)
      return apply("length_converges_some_content", start + coq_argument(*proof_.C),
                   {"gain_nonneg", claim(sum({*proof_.C, minus(below), room()}))});
    if (proof_.rule == Rule::length_levels && is_below)
      return apply("length_levels_some_content", start + coq_argument(*proof_.C),
                   {claim(sum({below, log, *proof_.C}))});
    if (proof_.rule == Rule::length_weighted_converges && is_below)
      return apply(
          "length_weighted_some_content", start + coq_argument(*proof_.C),
          {"gain_nonneg", claim(sum({*proof_.C, minus(below), room(),
                                     minus(call(theory::Function::log,
                                                sum({Expr(1), call(theory::Function::abs, below)})))}))});
    throw not_exported();
  }

  // A bias that is a network of log(c n + 1)/(log(c max(L, threshold) + 1) + 1/10^6), as FIRE has it: c0 +
  // the sum over k of v max(0, a x + b), less its value at n = 0. Fire.v has the law as it is printed, so
  // that another one is refused there.
  std::string network() const {
    const auto refuse = [&] { return not_exported(" with a bias that mentions L"); };
    const auto* terms = law_.bias.as<theory::node::Add>();
    if (terms == nullptr || terms->terms.size() != 3) throw refuse();
    const auto* units = terms->terms[1].as<theory::node::Sum>();
    const auto* unit = units == nullptr ? nullptr : units->body.as<theory::node::Mul>();
    const auto* ramp =
        unit == nullptr || unit->factors.size() != 2 ? nullptr : unit->factors[1].as<theory::node::Call>();
    const auto* line =
        ramp == nullptr || ramp->arguments.size() != 2 ? nullptr : ramp->arguments[1].as<theory::node::Add>();
    const auto* slope =
        line == nullptr || line->terms.size() != 2 ? nullptr : line->terms[0].as<theory::node::Mul>();
    if (slope == nullptr || !units->low.is_number(0) || law_.parameters.size() != 2) throw refuse();
    const std::string variable = coq_name(units->variable);
    const auto each = [&](const Expr& e) {
      return " (fun " + variable + " => " +
             coq_term(theory::substitute(e, units->variable, Expr::symbol("INR " + variable))) + ")";
    };
    std::string layers = " " + coq_argument(terms->terms[0]) + each(unit->factors[0]) +
                         each(slope->factors[0]) + each(line->terms[1]) + " " + coq_argument(units->high);
    for (const theory::ParameterValue& parameter : law_.parameters) layers += " " + coq_name(parameter.name);
    layers += " domain_1 domain_2";
    if (reading_.name == "literal" && proof_.rule == Rule::bias_stays)
      return "(apply (network_literal" + layers + "); network_differs)";
    if (reading_.name == "signed" && proof_.rule == Rule::bias_stays_positive)
      return "(apply (network_signed" + layers + "); network_differs)";
    if (reading_.name == "signed" && proof_.rule == Rule::length_bias_not_positive)
      return "(apply (network_not_signed" + layers + "); every_row)";
    const std::string size = " " + std::to_string(law_.head_dim) + " ";
    static constexpr std::array holding = {Rule::content_stays, Rule::content_stays_likely,
                                           Rule::bias_bounded_below};
    static constexpr std::array failing = {Rule::length_diverges, Rule::length_spread};
    if (reading_.property == Property::ldcp && std::ranges::find(holding, proof_.rule) != holding.end())
      return "(pose proof (network_content" + layers + size +
             (reading_.name == "weight" ? "1 Rlt_0_1" : "B B_positive") + ") as all; one_of all)";
    if (reading_.property != Property::ldcp && std::ranges::find(failing, proof_.rule) != failing.end())
      return "(pose proof (network_all_fail" + layers + size + "B B_positive) as all; one_of all)";
    throw refuse();
  }

  std::string window() const {
    if (reading_.property == Property::ldcp) return "window_not";
    const std::string name = std::string(short_name_of(reading_.property)) + "_" + underscores(reading_.name);
    if (reading_.name == "uniform") return "(apply window_eb_uniform; whole_window)";
    return "(apply window_" + name + (reading_.name == "some-content" ? "; exact width_nonnegative)" : ")");
  }

  bool rotates() const { return law_.transform == theory::Transform::rotation; }

  std::string constant() const {
    const std::string reading(reading_.name);
    require_still_size(law_.gain);
    if (!rotates()) return "(apply constant_identity_" + reading + "; steady_gain)";
    if (reading == "norm") return "(eapply (constant_rotation_norm " + half() + "); steady_gain)";
    require_still(law_.rotation.angle);
    return "(apply (constant_rotation_" + reading + " " + half() + "); [steady_gain | steady_angle])";
  }

  std::string turns_by_entropy() const {
    const bool gain_turns = coq_term(law_.gain).find("PI") != std::string::npos;
    if (!rotates() || reading_.name != "scalar" || law_.window || gain_turns) throw not_exported();
    require_plain_size(law_.gain);
    require_plain_fall(law_.bias);
    return apply("entropy_turns_scalar " + std::to_string(law_.head_dim / 2),
                 "_ _ _ _ " + coq_argument(*proof_.c) + " (fun n => " + coq_term(law_.bias) + ") " +
                     std::to_string(*proof_.block),
                 {"lia", "lia", "gain_nonzero", "entropy_angle", "ape_turns"});
  }

  std::string gradient_changes() const {
    const std::string reading(reading_.name);
    require_plain_size(law_.gain);
    const auto from = *proof_.from, to = *proof_.to;  // at all lengths that see them
    const std::string distances =
        std::to_string(std::max(from, to)) + " " + std::to_string(from) + " " + std::to_string(to);
    if (proof_.rule == Rule::turns && rotates())
      return apply(reading == "vector" ? "turns_vector" : "turns_no_scalar",
                   half() + " _ _ " + distances + " " + std::to_string(*proof_.block) + " (" +
                       theory::to_text(*proof_.q) + ")%Z",
                   {"seen", "lia", "gains_positive", "angle_between"});
    if (proof_.rule == Rule::size_changes)
      return apply(std::string("size_changes_") + (rotates() ? "" : "identity_") + reading,
                   (rotates() ? half() + " _ _ " : "_ _ ") + distances, {"seen", "gains_differ"});
    if (proof_.rule == Rule::factor_changes && !rotates() && reading == "scalar")
      return apply("factor_changes_identity_scalar", "_ _ " + distances, {"seen", "gains_differ"});
    throw not_exported();
  }
  // h = half() + 1 blocks
  std::string half() const { return std::to_string(law_.head_dim / 2 - 1); }

  const theory::Reading& reading_;
  const ProofTerm& proof_;
  const theory::ScoreFunction& law_;
  const theory::Context& context_;
};

}  // namespace

std::string coq_rule(const theory::Reading& reading, const ProofTerm& proof, const theory::ScoreFunction& law,
                     const theory::Context& context) {
  return Step(reading, proof, law, context).tactic();
}

}  // namespace gpe::checks
