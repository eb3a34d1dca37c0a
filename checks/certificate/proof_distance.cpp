// Proofs for long-distance correlation: what stays away from zero, vanishes, or sinks.
// Tests: tests/certificates/library.cmake, tests/cli/certificates.cmake
#include <algorithm>
#include <numeric>

#include "checks/certificate/proof_search.h"
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/mean_value.h"
#include "theory/exact/form_expr.h"

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

// One class of n is enough for what stays: the first whose lower limit is as wanted.
template <class Wanted>
std::optional<ProofSearch::InClass> ProofSearch::class_whose_low(const Expr& e, const Wanted& wanted) const {
  const auto classes = theory::class_limits(e, context_);
  const auto modulus = static_cast<std::int64_t>(classes.size());
  for (std::size_t r = 0; r < classes.size(); ++r) {
    if (!wanted(classes[r].low)) continue;
    if (modulus == 1) return InClass{e, classes[r].low};
    return InClass{
        theory::residue_classes(e, modulus)[r], classes[r].low, {modulus, static_cast<std::int64_t>(r)}};
  }
  return std::nullopt;
}

std::optional<ProofSearch::AwayFromZero> ProofSearch::away_from_zero(const Expr& e) const {
  const auto found = class_whose_low(e, [&](const Limit& low) { return theory::sign(low, context_) > 0; });
  if (!found) return std::nullopt;
  const Expr least = found->low.kind == Limit::Kind::finite
                         ? theory::simplify(theory::to_expr(found->low.value) / Expr(2), context_)
                         : Expr(1);
  return AwayFromZero{*found, least};
}

std::optional<ProofTerm> ProofSearch::stays(ProofTerm proof, const Expr& e) const {
  const auto found = away_from_zero(e);
  if (!found) return std::nullopt;
  proof.c = found->least;
  proof.classes = found->of.in_class;
  return far(std::move(proof), {found->of.e - found->least});
}

// Far below the lower limit, since the verifier knows less of floors.
std::optional<ProofTerm> ProofSearch::bounded_below(const Expr& b) const {
  const auto bounded = [](const Limit& low) { return low.kind != Limit::Kind::minus_infinity; };
  const Limit low = theory::limit(b, context_).low;
  const auto found = bounded(low) ? InClass{b, low} : class_whose_low(b, bounded);
  if (!found) return std::nullopt;
  const bool finite = found->low.kind == Limit::Kind::finite;
  const Expr size = finite ? theory::abs(theory::to_expr(found->low.value)) : Expr(0);
  const Expr c = theory::simplify(Expr(10) + Expr(10) * size, context_);
  return far({.rule = Rule::bias_bounded_below, .C = c, .classes = found->in_class}, {found->e + c});
}

// What vanishes, or sinks, does so in every class of n: `claim` of each function there, and of log^i(n).
template <class Claim>
std::optional<ProofTerm> ProofSearch::in_every_class(Rule rule, const Exprs& functions,
                                                     const Claim& claim) const {
  std::int64_t modulus = 1;
  for (const Expr& e : functions) modulus = std::lcm(modulus, theory::residue_modulus(e, context_));
  Exprs classes;
  for (const Expr& e : functions) {
    for (const Expr& one : theory::residue_classes(e, modulus)) classes.push_back(one);
  }
  ProofTerm proof = {.rule = rule};
  if (modulus > 1) proof.classes.modulus = modulus;
  return with_level(std::move(proof), [&](const Expr& r) {
    Exprs claims;
    for (const Expr& e : classes) claims.push_back(claim(e, r));
    return claims;
  });
}

// Theorem M1: a bias that oscillates about its mean. Verifiers write large powers out, and meet each
// frequency once.
std::optional<ProofTerm> ProofSearch::oscillates(bool is_positive) const {
  using enum theory::Kernel::Kind;
  std::vector<theory::Form> angles;
  for (const theory::Term& term : to_form(diagonal(law_.bias), context_).terms()) {
    for (const auto& [kernel, exponent] : term.powers) {
      if ((kernel->kind == sum || kernel->kind == exp) && kernel->argument.has_symbols()) return std::nullopt;
      if (kernel->kind != sin && kernel->kind != cos) continue;
      if (std::ranges::find(angles, kernel->argument) != angles.end()) return std::nullopt;
      angles.push_back(kernel->argument);
    }
  }
  const auto mean = theory::mean_value(diagonal(law_.bias), context_);
  if (!mean) return std::nullopt;
  const int sign = context_.sign(mean->mean);
  const bool shown = sign == 0 ? mean->has_oscillation : sign > 0 || !is_positive;
  if (!shown) return std::nullopt;
  return ProofTerm{.rule = Rule::bias_oscillates};
}

std::optional<ProofTerm> ProofSearch::stays_likely() const {
  const bool plain =
      law_.transform == theory::Transform::identity || law_.transform == theory::Transform::rotation;
  if (!plain || law_.softcap) return std::nullopt;
  const auto stays_away = away_from_zero(content_size());
  if (!stays_away) return std::nullopt;
  const Expr eps = stays_away->least / Expr(2);
  const Expr chance =
      theory::pow(Expr(Rational(3, 4)), Expr(Rational(law_.head_dim, 2))) / Expr(4 * (law_.head_dim - 1));
  return far(
      {.rule = Rule::content_stays_likely, .eps = eps, .p = chance, .classes = stays_away->of.in_class},
      {stays_away->of.e - stays_away->least});
}

std::optional<ProofTerm> ProofSearch::long_distance(theory::CorrelationReading reading, bool holds) const {
  return holds ? reaches_far(reading) : fades(reading);
}

std::optional<ProofTerm> ProofSearch::reaches_far(theory::CorrelationReading reading) const {
  const Expr b = diagonal(law_.bias);
  switch (reading) {
    case theory::CorrelationReading::literal:
      if (Found found = stays({.rule = Rule::bias_stays, .e = -1}, -b)) return found;
      if (Found found = stays({.rule = Rule::bias_stays, .e = 1}, b)) return found;
      return oscillates(false);
    case theory::CorrelationReading::with_sign:
      if (Found found = stays({.rule = Rule::bias_stays_positive}, b)) return found;
      return oscillates(true);
    case theory::CorrelationReading::weight:
      return bounded_below(b);
    case theory::CorrelationReading::content:
      return stays({.rule = Rule::content_stays}, content_size());
    case theory::CorrelationReading::probability:
      if (Found found = stays_likely()) return found;
      if (Found found = stays({.rule = Rule::content_stays}, content_size())) return found;
      return reaches_far(theory::CorrelationReading::literal);
  }
  return std::nullopt;
}

std::optional<ProofTerm> ProofSearch::fades(theory::CorrelationReading reading) const {
  const Expr b = diagonal(law_.bias);
  const bool with_length = law_.depends_on_length();
  const bool bias_of_length = law_.bias.mentions(theory::kLength);
  const auto vanishes = [](const Expr& e, const Expr& r) { return Expr(1) / r - e; };
  switch (reading) {
    case theory::CorrelationReading::literal:
      if (bias_of_length) return std::nullopt;
      return in_every_class(Rule::bias_vanishes, {b, -b}, vanishes);
    case theory::CorrelationReading::with_sign:
      if (bias_of_length) return with_far_threshold({.rule = Rule::length_bias_not_positive, .i = 1});
      if (Found found = in_every_class(Rule::bias_not_positive, {b}, vanishes)) return found;
      return with_far_threshold({.rule = Rule::bias_not_positive, .i = 1});
    case theory::CorrelationReading::weight:
      return in_every_class(Rule::bias_sinks, {b}, [](const Expr& e, const Expr& r) { return -e - r; });
    case theory::CorrelationReading::content: {
      if (!law_.has_content) return ProofTerm{.rule = Rule::no_content};
      if (with_length) return std::nullopt;
      return in_every_class(Rule::content_vanishes, {content_size()}, vanishes);
    }
    case theory::CorrelationReading::probability: {
      if (with_length) return std::nullopt;
      return in_every_class(Rule::both_vanish, {content_size(), b, -b}, vanishes);
    }
  }
  return std::nullopt;
}

}  // namespace gpe::checks
