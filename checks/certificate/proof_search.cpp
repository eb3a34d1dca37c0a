#include "checks/certificate/proof_search.h"

#include <algorithm>

#include "checks/halfline/tail_claims.h"
#include "theory/asymptotics/near_infinity.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/overloaded.h"

namespace gpe::checks {

using theory::Expr;
using theory::Limit;

namespace {

// The verifier encloses exponentials by powers, and special functions with fewer terms: both take hold later.
bool takes_hold_later(const Expr& e) {
  const auto* call = e.as<theory::node::Call>();
  const auto* power = e.as<theory::node::Pow>();
  const bool such =
      call != nullptr && (call->function == theory::Function::exp || is_special(call->function));
  if (such && theory::varies(e)) return true;
  if (power != nullptr && theory::varies(power->exponent)) return true;
  return std::ranges::any_of(theory::children(e), takes_hold_later);
}

}  // namespace

// What is true near infinity and has no small constants holds from n >= e^40 on, or with L, log log L >= 50.
// log n >= 88, 239, 1618: beyond it, numbers with n in the exponent are too large to enclose.
std::vector<Threshold> far_thresholds() {
  using theory::Rational;
  return {{3, {13, 10}, Rational(235385266837019986)}, {3, {3, 2}, {}}, {3, {17, 10}, {}}, {3, 2, {}}};
}

ProofTerm ProofSearch::with_far_threshold(ProofTerm proof) const {
  if (explicit_n_)
    proof.threshold = law_.depends_on_length() ? Threshold{2, 50, {}} : far_thresholds().front();
  return proof;
}

ProofSearch::ProofSearch(const theory::ScoreFunction& law, const Expr& bound, const theory::Context& context,
                         bool explicit_n)
    : law_(law),
      context_(context),
      explicit_n_(explicit_n),
      above_(theory::score_above(law, bound)),
      below_(theory::score_below(law, bound)),
      amplitude_(theory::amplitude(law, bound)) {
  if (!explicit_n || law.depends_on_length() || !theory::varies(law.norm)) return;
  for (Expr* e : {&above_, &below_, &amplitude_}) *e = theory::near_infinity(*e, context);  // settles maxima
}

std::optional<ProofTerm> ProofSearch::prove(const theory::Reading& reading, bool holds) const {
  const bool length = law_.depends_on_length();
  return std::visit(theory::Overloaded{[&](theory::NormalizationReading which) {
                                         if (length) return with_length(which, holds);
                                         return law_.window ? in_any_window() : normalization(which, holds);
                                       },
                                       [&](theory::EntropyReading which) {
                                         if (law_.window && which == theory::EntropyReading::uniform)
                                           return in_any_window();
                                         if (length) return with_length(which, holds);
                                         return law_.window ? in_any_window() : entropy(which, holds);
                                       },
                                       [&](theory::CorrelationReading which) {
                                         return law_.window ? in_any_window() : long_distance(which, holds);
                                       },
                                       [&](theory::GradientReading which) { return gradient(which, holds); }},
                    reading.which);
}

Expr ProofSearch::iterated_log(int i) {
  Expr result = Expr::symbol(theory::kIndex);
  for (int k = 0; k < i; ++k) result = theory::log(result);
  return result;
}

bool ProofSearch::eventually(const Expr& claim, bool strict) const {
  const auto settled = [&] {
    const Limit low = theory::limit(claim, context_).low;
    const int sign = theory::sign(low, context_);
    if (sign != 0) return sign > 0;
    const int eventual = theory::eventual_sign(claim, context_);
    return strict ? eventual > 0 : eventual >= 0;
  };
  return theory::attempt<theory::Undecided, theory::Undefined>(settled).value_or(false);
}

std::optional<ProofTerm> ProofSearch::far(ProofTerm proof, const Exprs& claims, const Exprs& weak) const {
  if (!std::ranges::all_of(claims, [&](const Expr& e) { return eventually(e, true); })) return std::nullopt;
  if (!std::ranges::all_of(weak, [&](const Expr& e) { return eventually(e, false); })) return std::nullopt;
  if (!explicit_n_) return proof;
  if (takes_hold_later(above_)) return with_far_threshold(std::move(proof));
  proof.threshold =
      prove_positive(claims, weak, law_.depends_on_length() ? Exprs{} : Exprs{above_}, context_);
  return proof.threshold ? proof : with_far_threshold(std::move(proof));
}

std::optional<Expr> ProofSearch::number_above(const Expr& e) const {
  const Limit high = theory::limit(e, context_).high;
  if (high.kind == Limit::Kind::plus_infinity) return std::nullopt;
  return high.kind == Limit::Kind::minus_infinity ? Expr(1) : theory::to_expr(high.value) + Expr(1);
}

}  // namespace gpe::checks
