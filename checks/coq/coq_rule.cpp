#include "checks/coq/coq_rule.h"

#include <algorithm>
#include <array>

#include "checks/coq/coq_growth.h"
#include "checks/coq/coq_term.h"
#include "theory/expression/expr_parse.h"

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
  Step(const theory::Reading& reading, const Json& proof, const theory::ScoreFunction& law,
       const theory::Context& context)
      : reading_(reading), proof_(proof), law_(law), context_(context), rule_(text("rule")) {}
  // A claim in residue classes ("modulus") is shown for all n at once, by leading terms, or not at all.

  std::string tactic() const {
    if (law_.bias.mentions(theory::kLength) && reading_.property != Property::gps) return network();
    if (law_.window && reading_.property != Property::gps) return in_window();
    if (reading_.property == Property::ldcp) return distance();
    if (reading_.property == Property::gps) return gradient();
    return law_.depends_on_length() ? lengths() : sums();
  }

 private:
  std::string text(const char* key) const { return proof_.at(key).get<std::string>(); }
  int number(const char* key) const { return proof_.at(key).get<int>(); }
  Expr formula(const char* key) const {
    theory::NameScope scope;
    scope.names = {"n", "L", theory::kContentBound};
    for (const theory::ParameterValue& parameter : law_.parameters) scope.names.push_back(parameter.name);
    return theory::parse_expression(text(key), scope);
  }

  Expr score(const std::string& name) const {
    if (name == "b") return law_.bias;
    const Expr reach = product(
        {call(theory::Function::abs, law_.gain), product({Expr::symbol(theory::kContentBound), law_.norm})});
    if (name == "above") return sum({law_.bias, reach});
    if (name == "below") return sum({law_.bias, minus(reach)});
    throw NotExported("score " + name);
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

  std::string sums() const {
    const bool cn = reading_.property == Property::convergent_normalization;
    const std::string reading = underscores(reading_.name);
    const std::string dimension = reading_.name == "expected" ? " " + std::to_string(law_.head_dim) : "";
    const std::string start = "_ _ _ _ width_nonnegative" + dimension + " ";
    const std::string k = proof_.contains("k") ? std::to_string(number("k")) : "";
    if (rule_ == "sum-converges")
      return apply("sum_converges_" + reading, start + k + " " + argument("eta") + " " + argument("C"),
                   {"above_0", claim(converging(score(text("score"))))});
    if (rule_ == "sum-diverges") {
      const std::string name = cn ? reading : reading == "limit" ? "limit" : "entropy_some_content";
      return apply("sum_diverges_" + name, start + k + " " + argument("C"),
                   {claim(diverging(score(text("score"))))});
    }
    if (rule_ == "weighted-sum-converges") {
      const Expr a = score(text("score"));
      const Expr u = proof_.contains("U") ? formula("U") : minus(a);
      const Expr falling =
          sum({formula("C"), u, minus(call(theory::Function::log, u)), minus(logs(number("k"))),
               minus(product({sum({Expr(1), formula("eta")}), iter(number("k") + 1)}))});
      return apply(
          "weighted_sum_converges_" + reading,
          start + "(fun n => " + coq_term(u) + ") " + k + " " + argument("eta") + " " + argument("C"),
          {"above_0", claim(sum({u, minus(Expr(1))})),
           proof_.contains("U") ? claim(sum({minus(a), minus(u)})) : "at_itself", claim(falling)});
    }
    if (rule_ == "sum-diverges-bounded")
      return apply(
          "sum_diverges_bounded_" + text("score"), start + argument("M") + " " + k + " " + argument("C"),
          {claim(diverging(score(text("score")))), claim(sum({formula("M"), minus(score(text("score")))}))});
    throw NotExported("rule " + rule_);
  }

  std::string argument(const char* key) const { return coq_argument(formula(key)); }
  Expr converging(const Expr& s) const {
    return sum({formula("C"), minus(logs(number("k"))),
                minus(product({sum({Expr(1), formula("eta")}), iter(number("k") + 1)})), minus(s)});
  }
  Expr diverging(const Expr& s) const { return sum({s, formula("C"), logs(number("k") + 1)}); }

  std::string distance() const {
    const Expr& b = law_.bias;
    if (b.mentions(theory::kLength)) throw NotExported("rule " + rule_ + " with a bias that mentions L");
    const bool plain = !law_.depends_on_length();
    const Expr gain = in_index(law_.gain);
    const Expr size = product({call(theory::Function::abs, gain), law_.norm});
    const std::string d = std::to_string(law_.head_dim);
    const std::string i = proof_.contains("i") ? std::to_string(number("i")) : "";
    if (rule_ == "bias-stays") {
      const bool up = text("e") == "1";
      const std::string goal =
          std::string(up ? "left" : "right") + "; " + claim(sum({up ? b : minus(b), minus(formula("c"))}));
      if (reading_.name == "literal")
        return apply("bias_stays_literal", "_ _ _ " + argument("c"), {"above_0", goal});
      return apply("bias_stays_likely", "_ _ _ " + d + " _ " + argument("c"),
                   {"exact width_positive", "above_0", goal});
    }
    if (rule_ == "bias-stays-positive")
      return apply("bias_stays_signed", "_ _ _ " + argument("c"),
                   {"above_0", claim(sum({b, minus(formula("c"))}))});
    const auto iterated_log = [&](int more) { return inverse(iter(number("i") + more)); };
    if (rule_ == "bias-vanishes")
      return apply("bias_vanishes_literal", "_ _ _ " + i,
                   {claim(sum({iterated_log(0), minus(b)})), claim(sum({iterated_log(0), b}))});
    if (rule_ == "bias-not-positive")
      return apply("bias_not_positive_signed", "_ _ _ " + i, {claim(sum({iterated_log(0), minus(b)}))});
    if (rule_ == "bias-bounded-below")
      return apply("bias_bounded_below_weight", "_ _ _ " + argument("C"), {claim(sum({b, formula("C")}))});
    if (rule_ == "bias-sinks") {  // one more logarithm leaves room for constants
      const int next = number("i") + 1;
      return apply("bias_sinks_weight", "_ _ _ " + std::to_string(next),
                   {claim(sum({minus(b), minus(iter(next))}))});
    }
    if (rule_ == "content-stays" || rule_ == "content-stays-likely") {
      const Expr c = rule_ == "content-stays" ? formula("c") : product({Expr(2), formula("eps")});
      return apply("content_stays_" + std::string(reading_.name), "_ _ _ " + d + " _ " + coq_argument(c),
                   {"exact B_positive", "exact width_positive", "above_0", claim(sum({size, minus(c)}))});
    }
    // with the content bound inside, one more logarithm leaves room for it
    const std::string next = std::to_string(proof_.contains("i") ? number("i") + 1 : 1);
    const Expr reach = product(
        {call(theory::Function::abs, law_.gain), product({Expr::symbol(theory::kContentBound), law_.norm})});
    if (rule_ == "content-vanishes" && plain)
      return apply("content_vanishes_content", "_ _ _ " + d + " _ " + next,
                   {"exact width_positive", claim(sum({iterated_log(1), minus(reach)}))});
    if (rule_ == "both-vanish" && plain)
      return apply("both_vanish_probability", "_ _ _ " + d + " _ " + next,
                   {"exact width_positive", claim(sum({iterated_log(1), minus(reach)})),
                    claim(sum({iterated_log(1), minus(b)})), claim(sum({iterated_log(1), b}))});
    throw NotExported("rule " + rule_);
  }

  // A gain that mentions L alone: L is called n.
  std::string lengths() const {
    if (!law_.bias.is_number(0) || law_.gain.mentions(theory::kIndex) || !law_.norm.is_number(1))
      throw NotExported("rule " + rule_ + " with a gain that mentions n, or with a bias");
    const Expr gain = in_index(law_.gain);
    const Expr reach =
        product({call(theory::Function::abs, gain), product({Expr::symbol(theory::kContentBound), Expr(1)})});
    const Expr above = sum({Expr(0), reach}), below = sum({Expr(0), minus(reach)}), log = iter(1);
    const std::string start = "_ _ B_positive ";
    const bool cn = reading_.property == Property::convergent_normalization;
    const auto room = [&] { return minus(call(theory::Function::log, sum({Expr(1), index()}))); };
    if (rule_ == "length-diverges") {
      const std::string i = std::to_string(number("i"));
      const Expr iterated_log = minus(iter(number("i")));
      if (text("score") == "above")
        return apply("length_diverges_" + underscores(reading_.name), start + i,
                     {"gain_nonneg", claim(sum({above, log, iterated_log}))});
      if (text("score") == "below")
        return apply(cn ? "length_diverges_some_content" : "length_diverges_entropy_some_content", start + i,
                     {claim(sum({below, log, iterated_log}))});
      return apply("length_diverges_mean", start + std::to_string(law_.head_dim) + " " + i,
                   {claim(sum({Expr(0), log, iterated_log}))});
    }
    if (rule_ == "length-spread")
      return apply("length_spread_uniform", start + std::to_string(number("i")),
                   {claim(sum({log, minus(iter(number("i")))}))});
    if (rule_ == "length-converges" && text("score") == "below")
      return apply("length_converges_some_content", start + argument("C"),
                   {"gain_nonneg", claim(sum({formula("C"), minus(below), room()}))});
    if (rule_ == "length-levels" && text("score") == "below")
      return apply("length_levels_some_content", start + argument("C"),
                   {claim(sum({below, log, formula("C")}))});
    if (rule_ == "length-weighted-converges" && text("score") == "below")
      return apply(
          "length_weighted_some_content", start + argument("C"),
          {"gain_nonneg", claim(sum({formula("C"), minus(below), room(),
                                     minus(call(theory::Function::log,
                                                sum({Expr(1), call(theory::Function::abs, below)})))}))});
    throw NotExported("rule " + rule_);
  }

  // A bias that is a network of log(c n + 1)/(log(c max(L, threshold) + 1) + 1/10^6), as FIRE has it: c0 +
  // the sum over k of v max(0, a x + b), less its value at n = 0. Fire.v has the law as it is printed, so
  // that another one is refused there.
  std::string network() const {
    const auto refuse = [&] { return NotExported("rule " + rule_ + " with a bias that mentions L"); };
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
    if (reading_.name == "literal" && rule_ == "bias-stays")
      return "(apply (network_literal" + layers + "); network_differs)";
    if (reading_.name == "signed" && rule_ == "bias-stays-positive")
      return "(apply (network_signed" + layers + "); network_differs)";
    if (reading_.name == "signed" && rule_ == "length-bias-not-positive")
      return "(apply (network_not_signed" + layers + "); every_row)";
    const std::string size = " " + std::to_string(law_.head_dim) + " ";
    static constexpr std::array<std::string_view, 3> holding = {"content-stays", "content-stays-likely",
                                                                "bias-bounded-below"};
    static constexpr std::array<std::string_view, 2> failing = {"length-diverges", "length-spread"};
    if (reading_.property == Property::ldcp && std::ranges::find(holding, rule_) != holding.end())
      return "(pose proof (network_content" + layers + size +
             (reading_.name == "weight" ? "1 Rlt_0_1" : "B B_positive") + ") as all; one_of all)";
    if (reading_.property != Property::ldcp && std::ranges::find(failing, rule_) != failing.end())
      return "(pose proof (network_all_fail" + layers + size + "B B_positive) as all; one_of all)";
    throw refuse();
  }

  std::string in_window() const {
    if (rule_ != "window") throw NotExported("rule " + rule_);
    if (reading_.property == Property::ldcp) return "window_not";
    const std::string name = std::string(short_name_of(reading_.property)) + "_" + underscores(reading_.name);
    if (reading_.name == "uniform") return "(apply window_eb_uniform; whole_window)";
    return "(apply window_" + name + (reading_.name == "some-content" ? "; exact width_nonnegative)" : ")");
  }

  std::string gradient() const {
    const bool rotation = law_.transform == theory::Transform::rotation;
    const std::string reading(reading_.name);
    if (rule_ == "one-key") return "(only_key " + coq_argument(*law_.window_size) + "%nat)";
    if (rule_ == "constant") {
      if (!rotation) return "(apply constant_identity_" + reading + "; steady_gain)";
      if (reading == "norm") return "(eapply (constant_rotation_norm " + half() + "); steady_gain)";
      return "(apply (constant_rotation_" + reading + " " + half() + "); [steady_gain | steady_angle])";
    }
    if (rule_.starts_with("turns-by-entropy") && rotation && reading == "scalar" && !law_.window)
      return apply("entropy_turns_scalar " + std::to_string(law_.head_dim / 2),
                   "_ _ _ _ " + argument("c") + " (fun n => " + coq_term(law_.bias) + ") " +
                       std::to_string(number("block")),
                   {"lia", "lia", "gain_nonzero", "entropy_angle", "ape_turns"});
    const auto at = [&](const char* key) { return std::to_string(number(key)); };
    const auto distances = [&] {  // at all lengths that see them
      return std::to_string(std::max(number("from"), number("to"))) + " " + at("from") + " " + at("to");
    };
    if (rule_ == "turns" && rotation)
      return apply(reading == "vector" ? "turns_vector" : "turns_no_scalar",
                   half() + " _ _ " + distances() + " " + at("block") + " (" + text("q") + ")%Z",
                   {"seen", "lia", "gains_positive", "angle_between"});
    if (rule_ == "size-changes")
      return apply(std::string("size_changes_") + (rotation ? "" : "identity_") + reading,
                   (rotation ? half() + " _ _ " : "_ _ ") + distances(), {"seen", "gains_differ"});
    if (rule_ == "factor-changes" && !rotation && reading == "scalar")
      return apply("factor_changes_identity_scalar", "_ _ " + distances(), {"seen", "gains_differ"});
    throw NotExported("rule " + rule_);
  }
  // h = half() + 1 blocks
  std::string half() const { return std::to_string(law_.head_dim / 2 - 1); }

  const theory::Reading& reading_;
  const Json& proof_;
  const theory::ScoreFunction& law_;
  const theory::Context& context_;
  std::string rule_;
};

}  // namespace

std::string coq_rule(const theory::Reading& reading, const Json& proof, const theory::ScoreFunction& law,
                     const theory::Context& context) {
  return Step(reading, proof, law, context).tactic();
}

}  // namespace gpe::checks
