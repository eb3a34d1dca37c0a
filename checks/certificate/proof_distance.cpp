// Proofs for long-distance correlation: what stays away from zero, vanishes, or sinks.
#include "checks/certificate/proof_search.h"
#include "theory/asymptotics/germ.h"
#include "theory/asymptotics/mean_value.h"
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
  struct Far {
    Expr e, least;  // in a class, and a number > 0 below it there
    Json in_class;  // nothing where there is but one
  };
  // where e stays away from 0: in one class of n is enough
  const auto below_limit = [&](const Expr& e) -> std::optional<Far> {
    const auto classes = theory::class_limits(e, context_);
    const auto modulus = static_cast<std::int64_t>(classes.size());
    for (std::size_t r = 0; r < classes.size(); ++r) {
      const Limit low = classes[r].low;
      if (theory::sign(low, context_) <= 0) continue;
      const Expr least = low.kind == Limit::Kind::finite
                             ? theory::simplify(theory::to_expr(low.value) / Expr(2), context_)
                             : Expr(1);
      if (modulus == 1) return Far{e, least, Json::object()};
      return Far{theory::residue_classes(e, modulus)[r], least, {{"modulus", modulus}, {"residue", r}}};
    }
    return std::nullopt;
  };
  const auto stays = [&](const char* rule, const Expr& e, Json proof) -> Found {
    const auto found = below_limit(e);
    if (!found) return std::nullopt;
    proof["rule"] = rule;
    proof["c"] = theory::to_text(found->least);
    proof.update(found->in_class);
    return far(proof, {found->e - found->least});
  };
  const auto oscillates = [&](bool is_positive) -> Found {  // theorem M1
    const auto mean = theory::mean_value(b, context_);
    if (!mean) return std::nullopt;
    const int sign = context_.sign(mean->mean);
    const bool shown = sign == 0 ? mean->has_oscillation : sign > 0 || !is_positive;
    return shown ? Found(Json{{"rule", "bias-oscillates"}}) : std::nullopt;
  };
  if (reading == "literal" && holds) {
    if (Found found = stays("bias-stays", -b, {{"e", "-1"}})) return found;
    if (Found found = stays("bias-stays", b, {{"e", "1"}})) return found;
    return oscillates(false);
  }
  if (reading == "signed" && holds) {
    if (Found found = stays("bias-stays-positive", b, Json::object())) return found;
    return oscillates(true);
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
      if (const auto stays_away = below_limit(size)) {
        const Expr eps = stays_away->least / Expr(2);
        const Expr chance = theory::pow(Expr(Rational(3, 4)), Expr(Rational(law_.head_dim, 2))) /
                            Expr(4 * (law_.head_dim - 1));
        Json proof = {
            {"rule", "content-stays-likely"}, {"eps", theory::to_text(eps)}, {"p", theory::to_text(chance)}};
        proof.update(stays_away->in_class);
        if (Found found = far(proof, {stays_away->e - stays_away->least})) return found;
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
