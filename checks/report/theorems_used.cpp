#include "checks/report/theorems_used.h"

#include <algorithm>

#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Property;
using theory::Quantifier;

namespace {

// As docs/mathematics.md has them; tests/ids.py holds both together.
struct Theorem {
  std::string_view id, page, coq;
};
constexpr Theorem kTheorems[] = {
    {"C1", "theorems.md", "Contents.v"},
    {"U1", "theorems.md", "LastTokens.v"},
    {"L1", "theorems.md", ""},
    {"X1", "theorems.md", "Laplace.v"},
    {"X2", "theorems.md", ""},
    {"M1", "theorems.md", "Oscillation.v"},
    {"G1", "theorems.md", "TurnsByEntropy.v"},
    {"G2", "theorems.md", ""},
    {"P1", "theorems.md", "Families.v"},
    {"P2", "theorems.md", ""},
    {"N1", "theorems.md", ""},
    {"N2", "theorems.md", ""},
    {"N3", "theorems.md", ""},
    {"N4", "theorems.md", ""},
    {"N5", "theorems.md", ""},
    {"Q1", "theorems.md", "Families.v"},
    {"T1", "certificates.md", "Sums.v"},
};

// The scores that theory/proofs/Definitions.v has.
bool in_coq(const theory::ScoreFunction& law) {
  using enum theory::Transform;
  const bool turns = law.transform == none || law.transform == identity || law.transform == rotation;
  return turns && !law.softcap && !law.two_sided;
}

std::string text_of(std::string_view id, const theory::ScoreFunction& law) {
  const Theorem& one = *std::ranges::find(kTheorems, id, &Theorem::id);
  const std::string text = std::string(id) + " in docs/" + std::string(one.page);
  return one.coq.empty() || !in_coq(law) ? text
                                         : text + " (in Coq: theory/proofs/" + std::string(one.coq) + ")";
}

std::string_view of_normalizer(theory::Normalizer normalizer) {
  switch (normalizer) {
    case theory::Normalizer::softmax:
      break;
    case theory::Normalizer::sigmoid:
      return "N1";
    case theory::Normalizer::relu:
      return "N2";
    case theory::Normalizer::top_k:
      return "N3";
    case theory::Normalizer::entmax:
      return "N4";
    case theory::Normalizer::stick_breaking:
      return "N5";
  }
  return "";
}

// Of cn and eb with a softmax; empty where a window makes Z a finite sum.
std::string_view of_sums(theory::ReadingOf which, const theory::ScoreFunction& law,
                         const theory::Context& context) {
  if (law.depends_on_length()) return "L1";
  if (which == theory::ReadingOf(theory::EntropyReading::uniform)) return "U1";
  if (law.window) return "";
  if (which != theory::ReadingOf(theory::NormalizationReading::expected)) return "C1";
  const auto bounded = theory::attempt<theory::Undecided, theory::SplitRequest>([&] {
    return limit(theory::amplitude(law, theory::Expr(1)), context).high.kind == theory::Limit::Kind::finite;
  });
  if (!bounded) return "";
  return *bounded ? "C1" : "X1";
}

// The theorem that says which score decides, or what decides in place of a score.
std::string_view decided_by(const theory::Finding& finding, const EncodingReport& report,
                            const theory::Context& context) {
  const theory::ScoreFunction& law = report.law;
  const theory::ReadingOf which = finding.reading->which;
  if (law.content_law && which == theory::ReadingOf(theory::NormalizationReading::expected)) return "X2";
  const Property property = finding.reading->property;
  if (law.query && (finding.quantifier != Quantifier::none || property == Property::gps)) return "Q1";
  if (law.path && finding.quantifier != Quantifier::none)
    return finding.quantifier == Quantifier::random && !law.window ? "P2" : "P1";
  if (property == Property::gps) return law.softcap && law.has_content ? "G2" : "";
  if (property == Property::ldcp) return "";
  return law.normalizer == theory::Normalizer::softmax ? of_sums(which, report.closed_law, context)
                                                       : of_normalizer(law.normalizer);
}

}  // namespace

std::string theorems_used(const theory::Finding& finding, const EncodingReport& report, bool on_a_scale,
                          const theory::Context& context) {
  if (finding.verdict == theory::Verdict::undecided) return "";
  std::vector<std::string> texts;
  if (const std::string_view id = decided_by(finding, report, context); !id.empty())
    texts.push_back(text_of(id, report.law));
  for (const std::string_view id : {"M1", "G1"})  // reasons name these
    if (finding.reason.find("(theorem " + std::string(id) + ")") != std::string::npos)
      texts.push_back(text_of(id, report.law));
  if (on_a_scale) texts.push_back(text_of("T1", report.law));
  return theory::joined(texts, "; ");
}

}  // namespace gpe::checks
