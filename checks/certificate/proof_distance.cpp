// Proofs for long-distance correlation: what stays away from zero, vanishes, or sinks.
#include "checks/certificate/proof_search.h"
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/mean_value.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;
using theory::Limit;
using theory::Rational;

// At n = L, where the score mentions L.
Expr ProofSearch::diagonal(const Expr& e) const {
  return theory::substitute(e, theory::kLength, Expr::symbol(theory::kIndex));
}

// The size of the content, but for a factor between positive numbers.
Expr ProofSearch::content_size() const {
  return diagonal(
      theory::abs(law_.gain) *
      (law_.softcap ? theory::call(theory::Function::min, {law_.norm, *law_.softcap}) : law_.norm));
}

// Where e stays away from 0: in one class of n is enough.
std::optional<ProofSearch::AwayFromZero> ProofSearch::away_from_zero(const Expr& e) const {
  const auto classes = theory::class_limits(e, context_);
  const auto modulus = static_cast<std::int64_t>(classes.size());
  for (std::size_t r = 0; r < classes.size(); ++r) {
    const Limit low = classes[r].low;
    if (theory::sign(low, context_) <= 0) continue;
    const Expr least = low.kind == Limit::Kind::finite
                           ? theory::simplify(theory::to_expr(low.value) / Expr(2), context_)
                           : Expr(1);
    if (modulus == 1) return AwayFromZero{e, least, Json::object()};
    return AwayFromZero{
        theory::residue_classes(e, modulus)[r], least, {{"modulus", modulus}, {"residue", r}}};
  }
  return std::nullopt;
}

std::optional<Json> ProofSearch::stays(const char* rule, const Expr& e, Json proof) const {
  const auto found = away_from_zero(e);
  if (!found) return std::nullopt;
  proof["rule"] = rule;
  proof["c"] = theory::to_text(found->least);
  proof.update(found->in_class);
  return far(proof, {found->e - found->least});
}

// Theorem M1: a bias that oscillates about its mean.
std::optional<Json> ProofSearch::oscillates(bool is_positive) const {
  const auto mean = theory::mean_value(diagonal(law_.bias), context_);
  if (!mean) return std::nullopt;
  const int sign = context_.sign(mean->mean);
  const bool shown = sign == 0 ? mean->has_oscillation : sign > 0 || !is_positive;
  return shown ? Found(Json{{"rule", "bias-oscillates"}}) : std::nullopt;
}

std::optional<Json> ProofSearch::stays_likely() const {
  const bool plain =
      law_.transform == theory::Transform::identity || law_.transform == theory::Transform::rotation;
  if (!plain || law_.softcap) return std::nullopt;
  const auto stays_away = away_from_zero(content_size());
  if (!stays_away) return std::nullopt;
  const Expr eps = stays_away->least / Expr(2);
  const Expr chance =
      theory::pow(Expr(Rational(3, 4)), Expr(Rational(law_.head_dim, 2))) / Expr(4 * (law_.head_dim - 1));
  Json proof = {
      {"rule", "content-stays-likely"}, {"eps", theory::to_text(eps)}, {"p", theory::to_text(chance)}};
  proof.update(stays_away->in_class);
  return far(proof, {stays_away->e - stays_away->least});
}

std::optional<Json> ProofSearch::long_distance(theory::CorrelationReading reading, bool holds) const {
  return holds ? reaches_far(reading) : fades(reading);
}

std::optional<Json> ProofSearch::reaches_far(theory::CorrelationReading reading) const {
  const Expr b = diagonal(law_.bias);
  switch (reading) {
    case theory::CorrelationReading::literal:
      if (Found found = stays("bias-stays", -b, {{"e", "-1"}})) return found;
      if (Found found = stays("bias-stays", b, {{"e", "1"}})) return found;
      return oscillates(false);
    case theory::CorrelationReading::with_sign:
      if (Found found = stays("bias-stays-positive", b, Json::object())) return found;
      return oscillates(true);
    case theory::CorrelationReading::weight: {
      const Limit low = theory::limit(b, context_).low;
      if (low.kind == Limit::Kind::minus_infinity) return std::nullopt;
      const Expr c = low.kind == Limit::Kind::finite ? Expr(1) - theory::to_expr(low.value) : Expr(1);
      return far({{"rule", "bias-bounded-below"}, {"C", theory::to_text(c)}}, {b + c});
    }
    case theory::CorrelationReading::content:
      return stays("content-stays", content_size(), Json::object());
    case theory::CorrelationReading::probability:
      if (Found found = stays_likely()) return found;
      if (Found found = stays("content-stays", content_size(), Json::object())) return found;
      return reaches_far(theory::CorrelationReading::literal);
  }
  return std::nullopt;
}

std::optional<Json> ProofSearch::fades(theory::CorrelationReading reading) const {
  const Expr b = diagonal(law_.bias);
  const bool with_length = law_.depends_on_length();
  const bool bias_of_length = law_.bias.mentions(theory::kLength);
  const auto vanishes = [&](const Expr& e, const Expr& r) { return Expr(1) / r - e; };
  switch (reading) {
    case theory::CorrelationReading::literal:
      if (bias_of_length) return std::nullopt;
      return with_level({{"rule", "bias-vanishes"}}, [&](const Expr& r) {
        return Exprs{vanishes(b, r), vanishes(-b, r)};
      });
    case theory::CorrelationReading::with_sign: {
      if (bias_of_length) return with_far_threshold({{"rule", "length-bias-not-positive"}, {"i", 1}});
      if (theory::sign(theory::limsup(b, context_).high, context_) > 0)
        return with_level({{"rule", "bias-not-positive"}},
                          [&](const Expr& r) { return Exprs{vanishes(b, r)}; });
      Json proof = {{"rule", "bias-not-positive"}, {"i", 1}};
      if (Found found = far(proof, Exprs{vanishes(b, iterated_log(1))})) return found;
      return with_far_threshold(std::move(proof));
    }
    case theory::CorrelationReading::weight:
      return with_level({{"rule", "bias-sinks"}}, [&](const Expr& r) { return Exprs{-b - r}; });
    case theory::CorrelationReading::content: {
      if (!law_.has_content) return Json{{"rule", "no-content"}};
      if (with_length) return std::nullopt;
      const Expr size = content_size();
      return with_level({{"rule", "content-vanishes"}},
                        [&](const Expr& r) { return Exprs{vanishes(size, r)}; });
    }
    case theory::CorrelationReading::probability: {
      if (with_length) return std::nullopt;
      const Expr size = content_size();
      return with_level({{"rule", "both-vanish"}}, [&](const Expr& r) {
        return Exprs{vanishes(size, r), vanishes(b, r), vanishes(-b, r)};
      });
    }
  }
  return std::nullopt;
}

}  // namespace gpe::checks
