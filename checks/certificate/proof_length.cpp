// Proofs for laws that mention L: claims about all n <= L, for all large L.
#include "checks/certificate/proof_search.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;
using theory::Limit;

std::optional<Json> ProofSearch::with_length(const theory::Reading& reading, bool holds) const {
  const Expr length = Expr::symbol(theory::kLength);
  const auto rung_of_length = [&](int i) { return theory::substitute(rung(i), theory::kIndex, length); };
  const auto lowest = [&](const Expr& claim) {
    try {
      return theory::length_bounds(claim, law_, context_).low;
    } catch (const theory::Undecided&) {
      return Limit{Limit::Kind::minus_infinity, {}};
    }
  };
  const auto at_first = [&](const Expr& e) {
    return theory::substitute(e, theory::kIndex, Expr(law_.first));
  };
  const bool cn = reading.property == theory::Property::convergent_normalization;
  const auto grows = [&](const char* rule, const char* score, const Expr& base) -> Found {
    for (int i = 1; i <= 3; ++i) {
      if (lowest(base - rung_of_length(i)).kind == Limit::Kind::minus_infinity) continue;
      if (theory::sign(lowest(base - rung_of_length(i)), context_) <= 0) continue;
      Json proof = {{"rule", rule}, {"i", i}};
      if (score != nullptr) proof["score"] = score;
      return with_far_threshold(proof);
    }
    return std::nullopt;
  };
  const auto constant_for = [&](const Expr& claim) -> std::optional<Expr> {  // C + claim > 0
    const Limit low = lowest(claim);
    if (low.kind == Limit::Kind::minus_infinity) return std::nullopt;
    return low.kind == Limit::Kind::plus_infinity ? Expr(1) : Expr(1) - theory::to_expr(low.value);
  };
  if (reading.name == "uniform") {
    if (holds) return std::nullopt;
    for (const auto& [score, a] :
         {std::pair("b", law_.bias), std::pair("above", above_), std::pair("below", below_)}) {
      const auto bounds = theory::length_bounds(a, law_, context_);
      for (int i = 2; i <= 3; ++i) {
        if (bounds.high.kind != Limit::Kind::finite && bounds.low.kind != Limit::Kind::finite &&
            lowest(rung_of_length(1) - rung_of_length(i) + a).kind == Limit::Kind::minus_infinity)
          continue;
        return with_far_threshold({{"rule", "length-spread"}, {"score", score}, {"i", i}});
      }
    }
    return std::nullopt;
  }
  const bool every = reading.name == "every-content" || reading.name == "limit";
  const char* score = reading.name == "expected" && !holds  ? "b"
                      : every || reading.name == "expected" ? "above"
                                                            : "below";
  const Expr& a = *score == 'b' && score[1] == '\0' ? law_.bias : *score == 'a' ? above_ : below_;
  if (!holds) {
    if (Found found = grows("length-diverges", score, a + rung_of_length(1))) return found;
    if (every) {
      if (Found found = grows("first-diverges", score, at_first(a))) return found;
    }
    if (cn) return std::nullopt;
    const auto constant = constant_for(a + rung_of_length(1));
    if (!constant) return std::nullopt;
    return with_far_threshold(
        {{"rule", "length-levels"}, {"score", score}, {"C", theory::to_text(*constant)}});
  }
  const Expr room = -a - theory::log(Expr(1) + length);
  const auto constant =
      constant_for(cn ? room : room - theory::log(Expr(1) + theory::call(theory::Function::abs, {a})));
  if (!constant) return std::nullopt;
  const char* rule = cn ? "length-converges" : "length-weighted-converges";
  return with_far_threshold({{"rule", rule}, {"score", score}, {"C", theory::to_text(*constant)}});
}

// A window of a score that mentions L: each of its scores stays bounded, or one does not.
std::optional<Json> ProofSearch::in_window(const theory::Reading& reading, bool holds) const {
  const bool every = reading.name == "every-content" || reading.name == "limit";
  const bool expected = reading.name == "expected";
  const std::string score = expected && !holds ? "b" : every || expected ? "above" : "below";
  const Expr& a = score == "b" ? law_.bias : score == "above" ? above_ : below_;
  if (holds) {
    const Limit high = theory::length_bounds(a, law_, context_).high;
    if (high.kind == Limit::Kind::plus_infinity) return std::nullopt;
    const Expr most = high.kind == Limit::Kind::finite ? theory::to_expr(high.value) + Expr(1) : Expr(1);
    return with_far_threshold({{"rule", "window-converges"}, {"score", score}, {"C", theory::to_text(most)}});
  }
  std::vector<std::int64_t> to = distances();
  to.insert(to.begin(), law_.first);
  for (const std::int64_t n : to) {
    const Expr at = theory::substitute(theory::substitute(a, theory::kIndex, Expr(n)), theory::kLength,
                                       Expr::symbol(theory::kIndex));
    for (int i = 1; i <= 3; ++i) {
      if (theory::sign(theory::limit(at - rung(i), context_).low, context_) <= 0) continue;
      return with_far_threshold({{"rule", "window-diverges"}, {"score", score}, {"i", i}, {"to", n}});
    }
  }
  return std::nullopt;
}

}  // namespace gpe::checks
