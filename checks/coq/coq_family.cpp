#include "checks/coq/coq_family.h"

#include "checks/coq/coq_term.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::CorrelationReading;
using theory::EntropyReading;
using theory::Expr;
using theory::Property;
using theory::Rational;
using theory::Reading;
using theory::ReadingOf;
using theory::ScoreFunction;

namespace {

// Of the negative of the largest bias.
constexpr const char* kNegative = "lower_literal_below";

std::string in_n(const Expr& e) { return " (fun n : nat => " + coq_term(e) + ")"; }

bool is_expected(const Reading& reading) {
  return reading.which == ReadingOf(theory::NormalizationReading::expected);
}
bool is_of_sums(const Reading& reading) {
  return reading.property == Property::convergent_normalization ||
         (reading.property == Property::entropy_boundedness &&
          reading.which != ReadingOf(EntropyReading::uniform));
}

// The hypothesis about the width that a theorem has, behind those about the bias.
std::string on_width(const Reading& reading) {
  return is_expected(reading) ? "exact width_nonnegative | " : "";
}

// At the first two distances and in the end: Coq shows that it is so throughout.
bool is_at_most_1(const Expr& width, const theory::Context& context) {
  const auto at = [&](int n) {
    return context.sign(
        theory::to_form(theory::substitute(width - Expr(1), theory::kIndex, Expr(n)), context));
  };
  return theory::attempt<theory::Undecided, theory::Undefined>(
             [&] { return at(0) <= 0 && at(1) <= 0 && theory::eventual_sign(width - Expr(1), context) <= 0; })
      .value_or(false);
}

}  // namespace

std::string name_in_coq(const Reading& reading) {
  return std::string(short_name_of(reading.property)) + "_" + word_of(std::string(reading.name));
}

std::optional<Detour> wider(const ScoreFunction& law, const Reading& reading, bool holds,
                            const theory::Context& context) {
  using theory::NormalizationReading;
  const bool of_some = reading.name == "some-content";
  const bool of_entropy = reading.property == Property::entropy_boundedness;
  if (reading.property != Property::convergent_normalization && !of_entropy) return std::nullopt;
  if (is_expected(reading) || (!holds && reading.name == "uniform")) return std::nullopt;
  if (!is_at_most_1(law.norm, context)) return std::nullopt;
  const Reading* other = &reading;
  if (holds && of_some)
    other = of_entropy ? &theory::reading(EntropyReading::limit)
                       : &theory::reading(NormalizationReading::every_content);
  if (!holds && !of_some) other = &theory::reading(NormalizationReading::some_content);
  ScoreFunction wide = law;
  wide.norm = Expr(1);
  const bool asks_for_some = holds == of_some;  // a content within the width has to be there
  const std::string before = std::string("(eapply (narrow_") + (holds ? "" : "not_") + name_in_coq(reading) +
                             in_n(law.gain) + in_n(law.bias) + in_n(law.norm) + in_n(wide.norm) + "); [" +
                             (asks_for_some ? "exact width_nonnegative | " : "") +
                             "narrow B | clear width_nonnegative; "
                             "assert (width_nonnegative : forall n : nat, 0 <= B * 1) by (intros; lra); ";
  return Detour{wide, other, holds, before, "])"};
}

void Family::require_members(const theory::Context& context) const {
  const std::string kind = has_gates() ? "gates along the path" : "a bias linear in the query";
  if (law_.window || law_.two_sided) throw NotExported(kind + ", in a window or on both sides");
  const auto is_positive = [&](const Expr& e) {
    return context.known_sign(theory::to_form(e, context)) == 1;
  };
  if (!has_gates() && !is_positive(law_.query->radius))
    throw NotExported("a radius that may not be positive");
  if (has_gates() && law_.path->low && !is_positive(law_.path->high - *law_.path->low))
    throw NotExported("an interval that may have no gate");
}

std::string Family::within() const {
  if (!has_gates()) return "Rabs query <= " + coq_term(law_.query->radius);
  const theory::Path& path = *law_.path;
  std::string text = "(forall t : nat, ";
  if (path.low) text += coq_term(*path.low) + (path.low_open ? " < " : " <= ");
  return text + "gates t" + (path.high_open ? " < " : " <= ") + coq_term(path.high) + ")";
}

std::string Family::bound_member(bool every) const {
  return std::string(every ? "forall " : "exists ") + name() + (has_gates() ? " : nat -> R, " : " : R, ") +
         within() + (every ? " -> " : " /\\ ");
}

std::string Family::bias_with(const std::string& member) const {
  const std::string bias = " (fun n => " + coq_term(law_.bias) + " + ";
  if (has_gates()) return bias + "sum_below n " + member + ")";
  return bias + member + " * " + coq_argument(law_.query->shape) + ")";
}

std::string Family::law_with_member() const {
  const std::string gain = "plain (fun n => " + coq_term(law_.gain) + ")";
  const std::string width = " (fun n => " + coq_term(law_.norm) + ")";
  if (!has_gates()) return gain + bias_with("query") + width;
  return "gated gates (" + gain + " (fun n => " + coq_term(law_.bias) + ")" + width + ")";
}

ScoreFunction Family::with_constant(const Expr& member) const {
  return has_gates() ? theory::with_constant_gate(law_, member) : theory::with_query(law_, member);
}

ScoreFunction Family::end(bool largest) const {
  if (!has_gates()) return theory::with_extreme_query(law_, largest ? 1 : -1);
  return with_constant(largest ? law_.path->high : *law_.path->low);
}

// A tactic for "forall n, the bias with any member is at most that of the end", or at least.
std::string Family::within_end(bool largest) const {
  if (!has_gates()) return "within_query query " + coq_argument(law_.query->radius) + in_n(law_.query->shape);
  return largest ? "below_gates gates " + coq_argument(law_.path->high)
                 : "above_gates gates " + coq_argument(*law_.path->low);
}

// By a theorem about two biases, one nowhere larger than the other: "lower_cn_every_content".
Detour Family::bounded(const std::string& theorem, const Reading& reading, bool holds, bool largest) const {
  ScoreFunction law = end(largest);
  if (theorem == kNegative) law.bias = -law.bias;
  const std::string here = bias_with(name()), there = in_n(law.bias);
  const std::string applied = "eapply (" + theorem + in_n(law.gain) +
                              (largest ? here + there : there + here) + in_n(law.norm) + "); [" +
                              within_end(largest) + " | " + on_width(reading);
  if (holds) return {law, &reading, true, "(" + introduction() + "; " + applied, "])"};
  return {law, &reading, false,
          "(intros [" + name() +
              " [within holds]]; refuted holds; of_gates; eapply contrapositive; [intros holds; " + applied +
              "exact holds] | ",
          "])"};
}

// What every member has, or none.
std::vector<Detour> Family::for_all(const Reading& reading, bool holds) const {
  const std::string lower = "lower_" + name_in_coq(reading);
  if (is_of_sums(reading)) {
    if (!has_end(holds)) return {};
    return {bounded(lower, reading, holds, holds)};
  }
  if (reading.which == ReadingOf(CorrelationReading::weight) ||
      reading.which == ReadingOf(CorrelationReading::with_sign)) {
    if (!has_end(!holds)) return {};
    return {bounded(lower, reading, holds, !holds)};
  }
  if (!holds) return {};
  if (reading.which == ReadingOf(EntropyReading::uniform))
    return {bounded(lower, theory::reading(EntropyReading::limit), true, true)};
  if (reading.which == ReadingOf(CorrelationReading::probability)) {
    const ScoreFunction still = with_constant(Expr(0));
    return {{still, &theory::reading(CorrelationReading::content), true,
             "(" + introduction() + "; eapply (content_likely" + in_n(law_.gain) + in_n(still.bias) +
                 bias_with(name()) + in_n(law_.norm) + "); [exact width_positive | ",
             "])"}};
  }
  const Reading& with_sign = theory::reading(CorrelationReading::with_sign);
  std::vector<Detour> result = {bounded(kNegative, with_sign, true, true)};
  if (has_end(false)) result.push_back(bounded("lower_literal_above", with_sign, true, false));
  if (has_gates() && law_.path->high_open) {
    const ScoreFunction law = end(true);
    result.push_back({law, &with_sign, false,
                      "(" + introduction() + "; eapply (apart_literal_below" + in_n(law.gain) +
                          bias_with("gates") + in_n(law.bias) + in_n(law.norm) + " (" +
                          coq_term(law_.path->high) +
                          " - gates 0%nat)); [specialize (within 0%nat); lra | "
                          "apart_gates gates " +
                          coq_argument(law_.path->high) + " | ",
                      "])"});
  }
  return result;
}

// Members that may have what some has, the most likely first.
std::vector<Expr> Family::constants() const {
  if (!has_gates()) {
    const Expr& radius = law_.query->radius;
    return {Expr(0), radius, -radius, radius / Expr(2), -radius / Expr(2)};
  }
  const theory::Path& path = *law_.path;
  if (!path.low) {
    std::vector<Expr> result = {path.high - Expr(1), path.high - Expr(Rational(1, 10)), path.high - Expr(10)};
    if (!path.high_open) result.insert(result.begin(), path.high);
    return result;
  }
  std::vector<Expr> result;
  if (!path.high_open) result.push_back(path.high);
  if (!path.low_open) result.push_back(*path.low);
  result.push_back((path.high + *path.low) / Expr(2));
  const Rational *low = path.low->number(), *high = path.high.number();
  if (low != nullptr && high != nullptr && low->sign() < 0 && high->sign() > 0) result.push_back(Expr(0));
  return result;
}

Detour Family::constant(const Expr& member, const Reading& reading, bool holds) const {
  const ScoreFunction law = with_constant(member);
  const std::string value = coq_argument(member), gates = "(fun _ => " + coq_term(member) + ")";
  const std::string given = has_gates() ? gates : value;
  const std::string same =
      "try rewrite (" +
      (has_gates() ? "constant_gates" + in_n(law.gain) + in_n(law_.bias) + in_n(law.bias) + in_n(law.norm) +
                         " " + value
                   : "same_bias" + in_n(law.gain) + bias_with(value) + in_n(law.bias) + in_n(law.norm)) +
      " ltac:(same_value))";
  if (holds) return {law, &reading, true, "(exists " + given + "; split; [in_family | " + same + "; ", "])"};
  return {law, &reading, false,
          "(intros every; specialize (every " + given + " ltac:(in_family)); refuted every; " + same + "; ",
          ")"};
}

// Gates that tend to an end, which may not belong to the interval.
Detour Family::tending(bool largest, const Reading& reading, bool holds) const {
  const theory::Path& path = *law_.path;
  const ScoreFunction law = end(largest);
  const Expr room = path.low ? path.high - *path.low : Expr(1);
  const std::string ends =
      coq_argument(largest ? path.high : *path.low) + " " + coq_argument(largest ? -room : room);
  const std::string gates = "(tending " + ends + ")", here = bias_with(gates), there = in_n(law.bias);
  const std::string applied = "eapply (near_" + name_in_coq(reading) + in_n(law.gain) +
                              (holds ? there + here : here + there) + in_n(law.norm) + "); [near_end" +
                              in_n(law_.bias) + there + " " + ends + " | " + on_width(reading);
  if (holds)
    return {law, &reading, true, "(exists " + gates + "; split; [in_family | of_gates; " + applied, "]])"};
  return {law, &reading, false,
          "(intros every; specialize (every " + gates +
              " ltac:(in_family)); refuted every; of_gates; eapply contrapositive; [intros every; " +
              applied + "exact every] | ",
          "])"};
}

// What some member has, or lacks.
std::vector<Detour> Family::for_one(const Reading& reading, bool holds) const {
  std::vector<Detour> result;
  for (const Expr& member : constants()) result.push_back(constant(member, reading, holds));
  const bool survives =
      reading.property != Property::ldcp || reading.which == ReadingOf(CorrelationReading::weight);
  if (!has_gates() || !survives) return result;
  for (const bool largest : {true, false})
    if (has_end(largest)) result.push_back(tending(largest, reading, holds));
  return result;
}

std::vector<Detour> Family::detours(const Reading& reading, bool every, bool holds) const {
  return every == holds ? for_all(reading, holds) : for_one(reading, holds);
}

}  // namespace gpe::checks
