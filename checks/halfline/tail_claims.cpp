#include "checks/halfline/tail_claims.h"

#include "theory/exact/attempt.h"

#include <algorithm>

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

struct Place {
  int depth;
  Rational ell;
};

// Thresholds from small to large: L_1 = 6/5 … 500, then the same for L_2, and so on; deeper ones start where
// the previous depth has become large.
const std::vector<Place>& places() {
  static const std::vector<Place> all = [] {
    std::vector<Place> result;
    const std::vector<Rational> small = {{6, 5}, {3, 2}, 2, {5, 2}, 3, 4, 6, 10, 20, 50, 100, 200, 500};
    for (int depth = 1; depth <= 5; ++depth) {
      for (const Rational& ell : small) result.push_back({depth, ell});
    }
    return result;
  }();
  return all;
}

Expr chain(int depth) {
  Expr result = Expr::symbol(theory::kIndex);
  for (int k = 0; k < depth; ++k) result = theory::log(result);
  return result;
}

std::optional<Threshold> first_place(const Context& context,
                                     const std::function<bool(const TailDomain&)>& claim) {
  for (const Place& place : places()) {
    std::optional<Threshold> found;
    const auto looked = theory::attempt<NotProved>([&] {
      with_generators(context, place.depth, place.ell, [&](const TailDomain& domain) {
        if (claim(domain)) found = Threshold{place.depth, place.ell, domain.first_integer()};
      });
    });
    if (looked && found) return found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rational> certified_integer(const Threshold& threshold) {
  static const Rational large = Rational(10).pow(18);
  const auto& least = threshold.first_integer;
  if (!least || *least <= large) return least;
  return (*least * (Rational(1) + Rational(2).pow(-60))).ceil();
}

std::string to_text(const Threshold& threshold) {
  if (threshold.first_integer) return "n >= " + threshold.first_integer->str();
  std::string name = "n";
  for (int k = 0; k < threshold.depth; ++k) name = "log(" + name + ")";
  return name + " >= " + threshold.ell.str();
}

std::optional<ScaleClaim> prove_on_scale(const Expr& score, const theory::SumDecision& decision,
                                         const Context& context) {
  static const std::vector<Rational> etas = {1, {1, 2}, {1, 10}, {1, 100}, {1, 1000}, {1, 1000000}};
  const Rational constant(10);
  Expr sum_of_logs(0);
  for (int k = 1; k <= decision.level; ++k) sum_of_logs = sum_of_logs + chain(k);
  const Expr next = chain(decision.level + 1);
  if (!decision.converges) {
    const auto threshold = first_place(context, [&](const TailDomain& domain) {
      return tail_form(score + sum_of_logs + next + Expr(constant), domain).surely_positive();
    });
    if (!threshold) return std::nullopt;
    return ScaleClaim{false, decision.level, 0, constant, *threshold};
  }
  for (const Rational& eta : etas) {
    const auto threshold = first_place(context, [&](const TailDomain& domain) {
      return tail_form(Expr(constant) - sum_of_logs - Expr(Rational(1) + eta) * next - score, domain)
          .surely_positive();
    });
    if (threshold) return ScaleClaim{true, decision.level, eta, constant, *threshold};
  }
  return std::nullopt;
}

std::optional<Threshold> prove_positive(const std::vector<Expr>& claims, const std::vector<Expr>& weak,
                                        const std::vector<Expr>& defined, const Context& context) {
  return first_place(context, [&](const TailDomain& domain) {
    for (const Expr& e : defined) static_cast<void>(tail_form(e, domain));
    return std::ranges::all_of(claims,
                               [&](const Expr& e) { return tail_form(e, domain).surely_positive(); }) &&
           std::ranges::all_of(weak,
                               [&](const Expr& e) { return tail_form(e, domain).surely_nonnegative(); });
  });
}

std::optional<Threshold> prove_leading_term(const Expr& expression, const Context& context) {
  return first_place(context, [&](const TailDomain& domain) {
    const TailForm form = tail_form(expression, domain);
    if (form.terms().empty()) return false;
    const auto& [monomial, coefficient] = form.terms().front();
    const TailForm rest = form - TailForm::monomial(domain, monomial, coefficient);
    return rest.bound(monomial).surely_less(abs(domain.ball(coefficient)));
  });
}

}  // namespace gpe::checks
