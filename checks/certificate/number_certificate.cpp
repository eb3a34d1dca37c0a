#include "checks/certificate/number_certificate.h"
#include "checks/arb/precision.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/certificate/law_json.h"
#include "checks/certificate/proof_json.h"
#include "checks/certificate/proof_search.h"
#include "checks/halfline/tail_claims.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Limit;

namespace {

constexpr int kDigits = 30;        // what the summation below is good for
constexpr int kDirect = 96;        // terms one by one, and by half as many at each doubling
constexpr int kOrder = 12;         // of the Euler-Maclaurin formula
constexpr double kMaxTerms = 1e5;  // of a partial sum

int sign_of(const Expr& closed, const Context& context) {
  return context.sign(theory::to_form(closed, context));
}

// b <= C - (1 + η) log n for all large n, as the rule sum-converges says it; and after how many terms and
// doublings nothing is left to see. Without doublings, more terms.
struct Tail {
  ProofTerm proof;
  int direct;
  int levels;
};
std::optional<Tail> tail_of(const Expr& bias, int digits, int direct, bool doublings,
                            const Context& context) {
  const Expr n = Expr::symbol(theory::kIndex);
  std::vector<theory::Rational> etas;
  const Limit ratio = theory::limit(bias / theory::log(n), context).high;
  if (ratio.kind == Limit::Kind::minus_infinity) {
    etas = doublings ? std::vector<theory::Rational>{20, 5, 1} : std::vector<theory::Rational>{60, 20, 5, 1};
  } else if (ratio.kind == Limit::Kind::finite) {
    const Expr most =
        theory::simplify((Expr(-1) - theory::to_expr(ratio.value)) * Expr(theory::Rational(15, 16)), context);
    if (most.number() == nullptr || most.number()->sign() <= 0) return std::nullopt;
    etas = {*most.number()};
  }
  for (const theory::Rational& eta : etas) {
    const Expr sum = bias + (Expr(1) + Expr(eta)) * theory::log(n);
    double most = 0;
    for (int k = 1; k < 400; ++k) {
      const Ball x = exp(Ball(theory::Rational(k, 8), 64), 64);
      most = std::max(most, evaluate(sum, {{std::string(theory::kIndex), x}}, 64).approximate());
    }
    if (!(most < 1e6)) continue;
    const Expr constant(static_cast<std::int64_t>(most) + 2);
    const auto threshold = prove_positive({constant - sum}, {}, {bias}, context);
    if (!threshold || !threshold->first_integer) continue;
    const double e = evaluate(Expr(eta), {}, 64).approximate(), c = most + 3,
                 from = evaluate(Expr(*threshold->first_integer), {}, 64).approximate();
    int terms = direct;
    for (int levels = 0; levels <= 4000 && terms <= kMaxTerms;
         doublings ? ++levels : terms += terms / 8 * 2) {
      const double log_end = std::log(terms) + levels * std::log(2.0), psi = (1 + e) * log_end - c;
      const bool small = c - e * log_end + std::log(2 * psi + (psi + 1) / e + (1 + e) / (e * e)) <
                         -nats_of_digits(digits + 8);
      if (psi < 3 || log_end < std::log(from) || !small) continue;
      return Tail{{.rule = Rule::sum_converges,
                   .score = Score::above,
                   .C = constant,
                   .eta = eta,
                   .k = 0,
                   .threshold = threshold},
                  terms,
                  levels};
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> small(const BigCount& count) {
  if (count.kind != BigCount::Kind::number) return std::nullopt;
  const auto value = count.number.to_int64();
  return value && *value >= 0 && static_cast<double>(*value) < kMaxTerms ? value : std::nullopt;
}

Json range_json(const BigCount& count, bool falls, bool constant) {
  if (count.kind == BigCount::Kind::none) return "none";
  if (count.kind == BigCount::Kind::unbounded) return constant ? Json("unbounded") : Json(nullptr);
  const auto n = small(count);
  return n && (falls || *n < 10000) ? Json(*n) : Json(nullptr);
}

}  // namespace

bool is_bernstein(const Expr& e, const Expr& side, const Context& context, bool inner, Expr& number) {
  if (!theory::varies(e)) {
    number = number + side * e;
    return true;
  }
  if (const auto* sum = e.as<theory::node::Add>())
    return std::ranges::all_of(sum->terms,
                               [&](const Expr& t) { return is_bernstein(t, side, context, inner, number); });
  if (const auto* product = e.as<theory::node::Mul>()) {
    Expr closed = side;
    std::vector<Expr> open;
    for (const Expr& factor : product->factors) {
      if (theory::varies(factor))
        open.push_back(factor);
      else
        closed = closed * factor;
    }
    return open.size() == 1 && is_bernstein(open[0], closed, context, inner, number);
  }
  if (sign_of(side, context) < 0) return false;
  const auto at_least = [&](const Expr& of, int least) {
    Expr constant(0);
    return is_bernstein(of, Expr(1), context, true, constant) &&
           sign_of(constant - Expr(least), context) >= 0;
  };
  if (const auto* power = e.as<theory::node::Pow>())
    return !theory::varies(power->exponent) && sign_of(power->exponent, context) > 0 &&
           sign_of(Expr(1) - power->exponent, context) >= 0 && at_least(power->base, 0);
  if (const auto* call = e.as<theory::node::Call>())
    return call->function == theory::Function::log && at_least(call->arguments[0], inner ? 1 : 0);
  return e.as<theory::node::Symbol>() != nullptr;
}

std::optional<SumProof> summation_proof(const theory::ScoreFunction& law, int digits, int direct, int order,
                                        const Context& whole) {
  const Context context = theory::context_for(law, {}, whole.question());
  Expr number(0);
  // doublings are for weights that are convex from `direct` on: e^-phi, phi = -b a Bernstein function of at
  // least 0 there
  const bool doublings = is_bernstein(law.bias, Expr(-1), context, false, number) &&
                         sign_of(-theory::substitute(law.bias, theory::kIndex, Expr(direct)), context) >= 0;
  const auto tail = tail_of(law.bias, digits, direct, doublings, context);
  if (!tail) return std::nullopt;
  return SumProof{tail->direct, order, tail->levels, tail->proof};
}

std::optional<SumProof> design_sum_proof(const theory::ScoreFunction& law, const Context& context) {
  constexpr int kDesignDigits = 18, kDesignDirect = 48, kDesignOrder = 10;
  return summation_proof(law, kDesignDigits, kDesignDirect, kDesignOrder, context);
}

std::optional<SumProof> divergence_proof(const theory::ScoreFunction& law, const Context& whole) {
  const theory::Reading& every_content = theory::reading(theory::NormalizationReading::every_content);
  const Context context = theory::context_for(law, {}, whole.question());
  const auto found = ProofSearch(law, Expr(0), context, true).prove(every_content, false);
  if (!found || found->rule != Rule::sum_diverges) return std::nullopt;
  return SumProof{.tail = found};
}

Json number_certificate(const EncodingReport& report, const ReportOptions& options, const Context& whole) {
  const theory::ScoreFunction& law = report.closed_law;
  if (report.law.path || report.law.query || law.normalizer != theory::Normalizer::softmax ||
      !options.symbolic.empty() || report.law.depends_on_length() || law.two_sided)
    return nullptr;
  const Context context = theory::context_for(law, {}, whole.question());
  Json claim = {{"Z", nullptr},
                {"H", nullptr},
                {"windows", Json::array()},
                {"reach", Json::array()},
                {"self_reach", Json::array()},
                {"local_range", nullptr}};
  SumProof proof;
  const auto found_numbers = theory::attempt<theory::Undecided, theory::Undefined>([&] {
    Expr number(0);
    const bool falls = is_bernstein(law.bias, Expr(-1), context, false, number);
    if (!has_wave(law.bias))
      claim["local_range"] = {{"threshold", options.threshold.str()},
                              {"literal", range_json(report.range.literal, false, !theory::varies(law.bias))},
                              {"within", range_json(report.range.within, falls, !theory::varies(law.bias))}};
    const EnclosedNumber& z = report.sums.z;
    const bool plain = options.content.kind == ContentModel::Kind::zero;
    const int digits = std::min(options.digits, kDigits);
    const auto ends = [&](const EnclosedNumber& value) { return json_ends(value.value, digits); };
    if (plain && law.window && falls && static_cast<double>(*law.window) < kMaxTerms) {
      claim["Z"] = ends(z);
      claim["H"] = ends(report.sums.entropy);
    } else if (plain && !law.window && z.finite == Finite::yes && !ends(z).is_null() && falls &&
               law.first < kDirect) {
      if (const auto found = summation_proof(law, digits, kDirect, kOrder, whole)) {
        proof = *found;
        claim["Z"] = ends(z);
        claim["H"] = ends(report.sums.entropy);
      }
    } else if (plain && z.finite == Finite::no) {
      if (const auto found = divergence_proof(law, whole)) {
        proof = *found;
        claim["Z"] = "infinite";
        claim["H"] = "infinite";
      }
    }
    const bool infinite = claim["Z"] == "infinite", known = !claim["Z"].is_null();
    for (const ContentNumbers& content : report.contents) {
      if (theory::varies(theory::amplitude(law, Expr(content.bound))) || (!infinite && !falls)) continue;
      for (std::size_t i = 0; i < content.windows.size() && known; ++i) {
        const auto w = small(content.windows[i]);
        if (infinite ? content.windows[i].kind == BigCount::Kind::none : w.has_value())
          claim["windows"].push_back({{"epsilon", options.epsilons[i].str()},
                                      {"content_bound", content.bound.str()},
                                      {"W", infinite ? Json(nullptr) : Json(*w)}});
      }
      for (std::size_t i = 0; i < content.reach.size() && !law.sink; ++i) {
        const auto add = [&](const char* kind, const BigCount& n) {
          const auto value = small(n);
          if (n.kind == BigCount::Kind::none || value)
            claim[kind].push_back({{"weight", options.weights[i].str()},
                                   {"content_bound", content.bound.str()},
                                   {"n", value ? Json(*value) : Json(nullptr)}});
        };
        if (known && (!infinite || content.reach[i].n.kind == BigCount::Kind::none))
          add("reach", content.reach[i].n);
        if (falls) add("self_reach", content.reach[i].self_reach);
      }
    }
  });
  if (!found_numbers) return nullptr;
  const Json& range = claim["local_range"];
  if (range.is_object() && range["literal"].is_null() && range["within"].is_null())
    claim["local_range"] = nullptr;
  if (std::ranges::all_of(claim, [](const Json& part) { return part.empty(); }))
    return nullptr;  // nothing to say
  return {
      {"schema", 1},           {"kind", "numbers"},          {"claim", claim},   {"law", law_json(report)},
      {"free", Json::array()}, {"proof", proof_json(proof)}, {"cases", nullptr}, {"witnesses", nullptr}};
}

}  // namespace gpe::checks
