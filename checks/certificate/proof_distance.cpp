// Proofs for long-distance correlation: what stays away from zero, vanishes, or sinks.
#include "checks/certificate/proof_search.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;
using theory::Limit;
using theory::Rational;

std::optional<Json> ProofSearch::long_distance(std::string_view reading, bool holds) const {
  const Expr n = Expr::symbol(theory::kIndex);
  const auto diagonal = [&](const Expr& e) { return theory::substitute(e, theory::kLength, n); };
  const Expr b = diagonal(law_.bias);
  // the size of the content, but for a factor between positive numbers
  const Expr size =
      diagonal(theory::abs(law_.gain) *
               (law_.softcap ? theory::call(theory::Function::min, {law_.norm, *law_.softcap}) : law_.norm));
  const bool with_length = law_.depends_on_length();
  // a number c > 0 below |limsup e|, when the limit of e is one of its ends
  const auto below_limit = [&](const Expr& e) -> std::optional<Expr> {
    const auto classes = theory::class_limits(e, context_);
    if (classes.size() != 1) return std::nullopt;
    const Limit low = classes.front().low;
    if (theory::sign(low, context_) <= 0) return std::nullopt;
    return low.kind == Limit::Kind::finite ? theory::simplify(theory::to_expr(low.value) / Expr(2), context_)
                                           : Expr(1);
  };
  const auto stays = [&](const char* rule, const Expr& e, Json proof) -> Found {
    const auto c = below_limit(e);
    if (!c) return std::nullopt;
    proof["rule"] = rule;
    proof["c"] = theory::to_text(*c);
    return far(proof, {e - *c});
  };
  const auto oscillates = [&]() -> Found { return Json{{"rule", "bias-oscillates"}}; };
  if (reading == "literal" && holds) {
    if (Found found = stays("bias-stays", -b, {{"e", "-1"}})) return found;
    if (Found found = stays("bias-stays", b, {{"e", "1"}})) return found;
    return oscillates();
  }
  if (reading == "signed" && holds) {
    if (Found found = stays("bias-stays-positive", b, Json::object())) return found;
    return oscillates();
  }
  if (reading == "weight") {
    if (!holds) return with_rung({{"rule", "bias-sinks"}}, [&](const Expr& r) { return Exprs{-b - r}; });
    const Limit low = theory::limit(b, context_).low;
    if (low.kind == Limit::Kind::minus_infinity) return std::nullopt;
    const Expr c = low.kind == Limit::Kind::finite ? Expr(1) - theory::to_expr(low.value) : Expr(1);
    return far({{"rule", "bias-bounded-below"}, {"C", theory::to_text(c)}}, {b + c});
  }
  if (holds) {  // content, probability
    const bool plain =
        law_.transform == theory::Transform::identity || law_.transform == theory::Transform::rotation;
    if (reading == "probability" && plain && !law_.softcap) {
      if (const auto c = below_limit(size)) {
        const Expr eps = *c / Expr(2);
        const Expr chance = theory::pow(Expr(Rational(3, 4)), Expr(Rational(law_.head_dim, 2))) /
                            Expr(4 * (law_.head_dim - 1));
        const Json proof = {
            {"rule", "content-stays-likely"}, {"eps", theory::to_text(eps)}, {"p", theory::to_text(chance)}};
        if (Found found = far(proof, {size - Expr(2) * eps})) return found;
      }
    }
    if (Found found = stays("content-stays", size, Json::object())) return found;
    return reading == "probability" ? long_distance("literal", true) : std::nullopt;
  }
  const auto vanishes = [&](const Expr& e, const Expr& r) { return Expr(1) / r - e; };
  if (!law_.has_content && reading == "content") return Json{{"rule", "no-content"}};
  if (with_length) {
    if (reading == "signed" && law_.bias.mentions(theory::kLength)) {
      Json proof = {{"rule", "length-bias-not-positive"}, {"i", 1}};
      return with_far_threshold(std::move(proof));
    }
    if (law_.bias.mentions(theory::kLength)) return std::nullopt;
  }
  if (reading == "literal")
    return with_rung({{"rule", "bias-vanishes"}}, [&](const Expr& r) {
      return Exprs{vanishes(b, r), vanishes(-b, r)};
    });
  if (reading == "signed") {
    const theory::SupremumBounds most = theory::limsup(b, context_);
    if (theory::sign(most.high, context_) <= 0) {
      Json proof = {{"rule", "bias-not-positive"}, {"i", 1}};
      if (Found found = far(proof, Exprs{vanishes(b, rung(1))})) return found;
      return with_far_threshold(std::move(proof));
    }
    return with_rung({{"rule", "bias-not-positive"}}, [&](const Expr& r) { return Exprs{vanishes(b, r)}; });
  }
  if (with_length) return std::nullopt;
  if (reading == "content")
    return with_rung({{"rule", "content-vanishes"}}, [&](const Expr& r) { return Exprs{vanishes(size, r)}; });
  return with_rung({{"rule", "both-vanish"}}, [&](const Expr& r) {
    return Exprs{vanishes(size, r), vanishes(b, r), vanishes(-b, r)};
  });
}

}  // namespace gpe::checks
