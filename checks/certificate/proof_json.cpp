#include "checks/certificate/proof_json.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>
#include <sstream>

#include "theory/expression/expr_print.h"

namespace gpe::checks {

namespace {

// In the order of the enumeration: names, and keys as they follow each other. A threshold is the last key.
struct Row {
  Rule rule;
  std::string_view name;
  const char* keys;
};
constexpr std::array kRows = {
    Row{Rule::sum_converges, "sum-converges", "rule score k modulus C eta"},
    Row{Rule::sum_diverges, "sum-diverges", "rule score k modulus residue C"},
    Row{Rule::weighted_sum_converges, "weighted-sum-converges", "rule score U k modulus C eta"},
    Row{Rule::weighted_sum_diverges, "weighted-sum-diverges", "rule score k modulus residue C"},
    Row{Rule::sum_diverges_bounded, "sum-diverges-bounded", "rule score M k modulus C"},
    Row{Rule::levels_out, "levels-out", "rule score i"},
    Row{Rule::last_tokens, "last-tokens", "rule S c M"},
    Row{Rule::length_diverges, "length-diverges", "rule i score"},
    Row{Rule::first_diverges, "first-diverges", "rule i score"},
    Row{Rule::length_converges, "length-converges", "rule score C"},
    Row{Rule::length_levels, "length-levels", "rule score C"},
    Row{Rule::length_weighted_converges, "length-weighted-converges", "rule score C"},
    Row{Rule::length_spread, "length-spread", "rule score i"},
    Row{Rule::window_converges, "window-converges", "rule score C"},
    Row{Rule::window_diverges, "window-diverges", "rule score i to"},
    Row{Rule::bias_stays, "bias-stays", "e rule c modulus residue"},
    Row{Rule::bias_stays_positive, "bias-stays-positive", "rule c modulus residue"},
    Row{Rule::bias_oscillates, "bias-oscillates", "rule"},
    Row{Rule::bias_vanishes, "bias-vanishes", "rule modulus i"},
    Row{Rule::bias_not_positive, "bias-not-positive", "rule modulus i"},
    Row{Rule::length_bias_not_positive, "length-bias-not-positive", "rule i"},
    Row{Rule::content_stays, "content-stays", "rule c modulus residue"},
    Row{Rule::content_stays_likely, "content-stays-likely", "rule eps p modulus residue"},
    Row{Rule::content_vanishes, "content-vanishes", "rule modulus i"},
    Row{Rule::both_vanish, "both-vanish", "rule modulus i"},
    Row{Rule::bias_bounded_below, "bias-bounded-below", "rule C modulus residue"},
    Row{Rule::bias_sinks, "bias-sinks", "rule modulus i"},
    Row{Rule::size_changes, "size-changes", "rule from to block e branch"},
    Row{Rule::factor_changes, "factor-changes", "rule from to e"},
    Row{Rule::turns, "turns", "rule from to block q e g"},
    Row{Rule::flips, "flips", "rule from to block other q"},
    Row{Rule::stretches, "stretches", "rule from to block other e branch turned"},
    Row{Rule::cap_changes, "cap-changes", "rule from to block e branch g"},
    Row{Rule::turns_by_entropy_fast, "turns-by-entropy-fast", "c e block rule"},
    Row{Rule::turns_by_entropy_slow, "turns-by-entropy-slow", "c e block rule C"},
    Row{Rule::turns_by_entropy_divergent, "turns-by-entropy-divergent", "c e block rule C score k modulus"},
    Row{Rule::constant, "constant", "rule"},
    Row{Rule::one_key, "one-key", "rule"},
    Row{Rule::no_content, "no-content", "rule"},
    Row{Rule::window, "window", "rule"},
};
static_assert(kRows.size() == static_cast<std::size_t>(Rule::window) + 1);
static_assert([] {
  std::size_t at = 0;
  return std::ranges::all_of(kRows, [&](const Row& row) { return row.rule == static_cast<Rule>(at++); });
}());

const Row& row_of(Rule rule) { return kRows.at(static_cast<std::size_t>(rule)); }

template <class Value, class Text>
Json if_there(const std::optional<Value>& value, const Text& text) {
  return value ? Json(text(*value)) : Json(nullptr);
}

// The witnesses under these keys, in their order. @pre there are no others
Json with_keys(const ProofTerm& proof, const char* list) {
  const auto formula = [](const auto& e) {
    return if_there(e, [](const theory::Expr& one) { return theory::to_text(one); });
  };
  const auto number = [](const auto& n) { return if_there(n, std::identity()); };
  const auto sign = [](const auto& n) {
    return if_there(n, [](int value) { return std::to_string(value); });
  };
  const auto score = if_there(proof.score, [](Score one) { return name_of(one); });
  const Json all = {{"rule", name_of(proof.rule)},
                    {"score", score},
                    {"C", formula(proof.C)},
                    {"M", formula(proof.M)},
                    {"S", formula(proof.S)},
                    {"U", formula(proof.U)},
                    {"c", formula(proof.c)},
                    {"eta", formula(proof.eta)},
                    {"eps", formula(proof.eps)},
                    {"p", formula(proof.p)},
                    {"q", formula(proof.q)},
                    {"i", number(proof.i)},
                    {"k", number(proof.k)},
                    {"modulus", number(proof.classes.modulus)},
                    {"residue", number(proof.classes.residue)},
                    {"from", number(proof.from)},
                    {"to", number(proof.to)},
                    {"block", number(proof.block)},
                    {"other", number(proof.other)},
                    {"branch", sign(proof.branch)},
                    {"turned", sign(proof.turned)},
                    {"e", sign(proof.e)},
                    {"g", sign(proof.g)}};
  Json json = Json::object();
  std::istringstream keys(list);
  for (std::string key; keys >> key;) {
    if (!all.at(key).is_null()) json[key] = all.at(key);
  }
  assert(std::ranges::count_if(all, [](const Json& value) { return !value.is_null(); }) ==
         static_cast<std::ptrdiff_t>(json.size()));
  if (proof.threshold) json["threshold"] = threshold_json(*proof.threshold);
  return json;
}

}  // namespace

std::string_view name_of(Rule rule) { return row_of(rule).name; }

std::string_view name_of(Score score) {
  switch (score) {
    case Score::above:
      return "above";
    case Score::below:
      return "below";
    case Score::b:
      return "b";
    case Score::mean:
      return "mean";
  }
  return "";
}

Json proof_json(const ProofTerm& proof) { return with_keys(proof, row_of(proof.rule).keys); }

Json proof_json(const SumProof& proof) {
  const auto number = [](const auto& n) { return if_there(n, std::identity()); };
  const auto tail = if_there(proof.tail, [](const ProofTerm& one) {  // whose eta stands before C
    return one.rule == Rule::sum_converges ? with_keys(one, "rule score k eta C") : proof_json(one);
  });
  return {{"direct", number(proof.direct)},
          {"order", number(proof.order)},
          {"levels", number(proof.levels)},
          {"tail", tail}};
}

Json threshold_json(const Threshold& threshold) {
  const auto from = certified_integer(threshold);
  return {{"depth", threshold.depth},
          {"ell", threshold.ell.str()},
          {"from", if_there(from, [](const theory::Rational& n) { return n.str(); })}};
}

}  // namespace gpe::checks
