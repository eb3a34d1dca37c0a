// Proofs for laws that mention L: claims about all n <= L, for all large L.
#include "checks/proof_search.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"

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

}  // namespace gpe::checks
