// Proofs for the gradient's sensitivity: two distances at which it differs, or an identity.
#include "checks/proof_search.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;
using theory::Transform;

namespace {

bool rotates(const theory::Law& law) {
  return law.transform == Transform::rotation || law.transform == Transform::scaled_rotation;
}

Expr replace_entropy(const Expr& e, const Expr& value) {
  return theory::rewrite(
      e, [&](const Expr& part) { return part.as<theory::node::CutEntropy>() == nullptr ? part : value; });
}

// Singular value of f(n) W(n) on a block; for hyperbolic blocks, on one of two branches.
Expr length_of(const theory::Law& law, int block, int branch) {
  const Expr n = Expr::symbol(theory::kIndex);
  const auto at_block = [&](const Expr& e) { return theory::substitute(e, "j", Expr(block)); };
  if (law.transform == Transform::scaled_rotation)
    return theory::abs(law.gain) * theory::abs(at_block(law.rotation.scale));
  if (law.transform == Transform::hyperbolic)
    return theory::abs(law.gain) *
           theory::exp(n * (Expr(branch) * at_block(law.hyperbolic.rate) - at_block(law.hyperbolic.decay)));
  return theory::abs(law.gain);
}

}  // namespace

// Distances other than the first to look at.
std::vector<std::int64_t> ProofSearch::distances() const {
  std::vector<std::int64_t> result;
  for (std::int64_t k = 1; k <= std::int64_t{1} << 20; k = k < 8 ? k + 1 : 2 * k) {
    const bool open = law_.window_size.has_value();  // then the case at hand must let it in
    const auto room =
        open ? context_.known_sign(theory::to_form(*law_.window_size - Expr(k + 1), context_)) : std::nullopt;
    const bool seen = open ? room && *room >= 0 : !law_.last() || law_.first + k <= *law_.last();
    if (seen) result.push_back(law_.first + k);
  }
  return result;
}

std::optional<Json> ProofSearch::size_changes() const {
  const bool hyperbolic = law_.transform == Transform::hyperbolic;
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    for (const int branch : {1, -1}) {
      if (branch < 0 && !hyperbolic) break;
      const Expr size = length_of(law_, block, branch);
      const theory::Form first =
          theory::to_form(theory::substitute(size, theory::kIndex, Expr(law_.first)), context_);
      for (const std::int64_t to : distances()) {
        const theory::Form change =
            theory::to_form(theory::substitute(size, theory::kIndex, Expr(to)), context_) - first;
        if (change.is_zero()) continue;
        const int sign = context_.sign(change);
        if (sign == 0) continue;
        Json proof = {{"rule", "size-changes"},
                      {"from", law_.first},
                      {"to", to},
                      {"block", block},
                      {"e", std::to_string(sign)}};
        if (hyperbolic) proof["branch"] = std::to_string(branch);
        return proof;
      }
    }
    if (law_.transform == Transform::identity || law_.transform == Transform::rotation) break;
  }
  return std::nullopt;
}

std::optional<Json> ProofSearch::factor_changes() const {
  if (law_.transform == Transform::hyperbolic) return std::nullopt;
  const Expr factor =
      law_.transform == Transform::scaled_rotation ? law_.gain * law_.rotation.scale : law_.gain;
  if (factor.mentions("j")) return std::nullopt;
  const theory::Form first =
      theory::to_form(theory::substitute(factor, theory::kIndex, Expr(law_.first)), context_);
  for (const std::int64_t to : distances()) {
    const theory::Form change =
        theory::to_form(theory::substitute(factor, theory::kIndex, Expr(to)), context_) - first;
    const int sign = change.is_zero() ? 0 : context_.sign(change);
    if (sign == 0) continue;
    return Json{{"rule", "factor-changes"}, {"from", law_.first}, {"to", to}, {"e", std::to_string(sign)}};
  }
  return std::nullopt;
}

// An angle that changes by something between two whole (for `scalar`: half) turns.
std::optional<Json> ProofSearch::turns(bool scalar) const {
  if (!rotates(law_)) return std::nullopt;
  if (Found found = turns_by_entropy()) return found;
  const Expr turn = Expr(scalar ? 1 : 2) * Expr::pi();
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    const Expr angle =
        replace_entropy(theory::substitute(law_.rotation.angle, "j", Expr(block)), Expr::symbol("H"));
    if (angle.mentions("H") || angle.mentions(theory::kLength)) continue;
    Expr factor = law_.gain;
    if (law_.transform == Transform::scaled_rotation)
      factor = factor * theory::substitute(law_.rotation.scale, "j", Expr(block));
    for (const std::int64_t to : distances()) {
      const auto at = [&](const Expr& e, std::int64_t n) {
        return theory::to_form(theory::substitute(e, theory::kIndex, Expr(n)), context_);
      };
      const theory::Form step = at(angle, to) - at(angle, law_.first);
      const theory::Form one_turn = theory::to_form(turn, context_);
      std::optional<Rational> whole;
      if (const auto range = context_.enclose(theory::to_form(theory::to_expr(step) / turn, context_), 64)) {
        const Rational low = range->low.floor();
        if (range->high < low + Rational(1) && low < range->low) whole = low;
      }
      if (!whole && context_.known_sign(step) == 1 && context_.known_sign(one_turn - step) == 1) whole = 0;
      if (!whole) continue;
      const auto sign_at = [&](std::int64_t n) {
        return theory::varies(factor) && factor.mentions(theory::kLength) ? 1 : context_.sign(at(factor, n));
      };
      const int e = sign_at(law_.first);
      const int g = sign_at(to);
      if (e == 0 || g == 0 || (!scalar && e != g)) continue;
      Json proof = {{"rule", "turns"}, {"from", law_.first}, {"to", to},
                    {"block", block},  {"q", whole->str()},  {"e", std::to_string(e)}};
      if (scalar) proof["g"] = std::to_string(g);
      return proof;
    }
    if (!law_.rotation.angle.mentions("j")) break;
  }
  return std::nullopt;
}

// Theorem G1 (docs/theorems.md).
std::optional<Json> ProofSearch::turns_by_entropy() const {
  if (law_.window || law_.bias.mentions(theory::kLength) || law_.transform != Transform::rotation)
    return std::nullopt;
  const Expr n = Expr::symbol(theory::kIndex);
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    const Expr angle = theory::substitute(law_.rotation.angle, "j", Expr(block));
    const Expr open = replace_entropy(angle, Expr::symbol("H"));
    if (!open.mentions("H")) return std::nullopt;
    const theory::Form c = theory::to_form(theory::substitute(open, "H", Expr(0)) / n, context_);
    if (theory::varies(c) || context_.sign(c) <= 0) continue;
    const int sign = context_.sign(
        theory::to_form(theory::substitute(law_.gain, theory::kIndex, Expr(law_.first)), context_));
    Json proof = {{"c", theory::to_text(c)}, {"e", std::to_string(sign)}, {"block", block}};
    const Expr b = law_.bias;
    proof["rule"] = "turns-by-entropy-fast";
    if (Found found = far(proof, {-b - Expr(2) * rung(1) - Expr(2) * rung(2)})) return found;
    proof["rule"] = "turns-by-entropy-slow";
    const Expr room = b + Expr(2) * rung(1);
    if (const auto most = number_above(-room)) {
      proof["C"] = theory::to_text(*most);
      if (Found found = far(proof, {-b - rung(1) - Expr(3) * rung(2), room + *most})) return found;
    }
    proof["rule"] = "turns-by-entropy-divergent";
    proof["score"] = "b";
    return ladder(proof, b, false, {}, {b - theory::substitute(b, theory::kIndex, n + Expr(1))});
  }
  return std::nullopt;
}

// Two singular values whose ratio changes.
std::optional<Json> ProofSearch::stretches() const {
  const bool hyperbolic = law_.transform == Transform::hyperbolic;
  const Expr size = length_of(law_, 0, 1);
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    for (const int branch : {-1, 1}) {
      if (!hyperbolic && branch < 0) continue;
      const Expr other = length_of(law_, block, branch);
      for (const std::int64_t to : distances()) {
        const auto at = [&](const Expr& e, std::int64_t n) {
          return theory::substitute(e, theory::kIndex, Expr(n));
        };
        const theory::Form change = theory::to_form(
            at(size, to) * at(other, law_.first) - at(other, to) * at(size, law_.first), context_);
        const int sign = change.is_zero() ? 0 : context_.sign(change);
        if (sign == 0) continue;
        Json proof = {{"rule", "stretches"}, {"from", law_.first}, {"to", to},
                      {"block", 0},          {"other", block},     {"e", std::to_string(sign)}};
        if (hyperbolic) proof["branch"] = "1", proof["turned"] = std::to_string(branch);
        return proof;
      }
    }
  }
  return std::nullopt;
}

std::optional<Json> ProofSearch::gradient(std::string_view reading, bool holds) const {
  if (!holds && !law_.has_content) return Json{{"rule", "no-content"}};
  if (!holds && law_.last() && *law_.last() == law_.first) return Json{{"rule", "one-key"}};
  if (!holds && law_.window_size && context_.sign(theory::to_form(*law_.window_size - Expr(2), context_)) < 0)
    return Json{{"rule", "one-key"}};
  if (reading == "norm") return holds ? size_changes() : Json{{"rule", "constant"}};
  if (reading == "vector") {
    if (!holds) return Json{{"rule", "constant"}};
    if (Found found = size_changes()) return found;
    if (Found found = turns(false)) return found;
    return factor_changes();
  }
  if (holds) return factor_changes();
  if (Found found = turns(true)) return found;
  const bool by_block = law_.transform == Transform::hyperbolic ||
                        (law_.transform == Transform::scaled_rotation && law_.rotation.scale.mentions("j"));
  if (by_block) {
    if (Found found = stretches()) return found;
  }
  return Json{{"rule", "constant"}};
}

}  // namespace gpe::checks
