#include "checks/coq/coq_export.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "checks/certificate/law_json.h"
#include "checks/certificate/proof_search.h"
#include "checks/cli/file_inside.h"
#include "checks/cli/write_file.h"
#include "checks/coq/coq_family.h"
#include "checks/coq/coq_rule.h"
#include "checks/coq/coq_statement.h"
#include "checks/coq/coq_term.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/region.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Expr;
using theory::Quantifier;
using theory::Truth;

namespace {

// The law with what the reading speaks of: the weights do not matter to the gradient, nor, but for `weight`,
// to the score far away; its expectation is the bias, under a soft cap, too.
theory::ScoreFunction law_of_reading(theory::ScoreFunction law, const theory::Reading& reading) {
  using enum theory::CorrelationReading;
  const bool weighs = reading.which == theory::ReadingOf(weight);
  const bool of_scores =
      reading.property == theory::Property::gps || reading.property == theory::Property::ldcp;
  if (of_scores && !weighs) law.normalizer = theory::Normalizer::softmax;
  if (weighs || reading.which == theory::ReadingOf(literal) || reading.which == theory::ReadingOf(with_sign))
    law.softcap.reset();
  return law;
}

class Export {
 public:
  Export(const EncodingReport& report, const theory::Reading& reading, const theory::Context& context)
      : report_(report),
        reading_(reading),
        context_(context),
        law_(law_of_reading(report.law, reading)),
        statement_(law_, reading, context) {
    law_ = theory::at_values(law_, statement_.free());
    if (statement_.is_of_every_content()) law_.softcap.reset();  // all of them within another bound
    if (law_.path || law_.query) family_.emplace(law_);
  }

  std::string text(const std::string& name, const std::string& certificate,
                   const std::function<bool()>& has_values) const {
    statement_.require_exported();
    if (family_) family_->require_members(theory::context_for(law_, statement_.free(), context_.question()));
    std::string claim, proof;
    const std::vector<Quantifier> quantifiers = theory::quantifiers(reading_, law_);
    for (const Quantifier quantifier : quantifiers) {
      if (quantifier == Quantifier::random) throw NotExported("gates at random");
      const auto [says, shows] = part(quantifier);
      if (quantifiers.size() == 1) {
        claim = says;
        proof = shows;
      } else {
        claim += claim.empty() ? "(" + says : " /\\\n  " + says + ")";
        proof += (proof.empty() ? "  split.\n" : "") + braces(shows);
      }
    }
    return "(* " + certificate + ": check-properties " + report_.name +
           " --coq wrote it, coqc checks it. *)\n" +
           "From Coq Require Import Reals Lra Lia List.\nFrom Gpe Require Import Definitions "
           "Growth Orders Asymptotics Steps Defined Certificates LengthRules Windows GradientRules "
           "Fire ApeTurns BothSides Families Widths SoftCap.\n"
           "Import ListNotations.\nOpen Scope R_scope.\n\n" +
           defined_lemma(name, has_values) + "Theorem " + name + " :" + statement_.quantifiers() + "\n  " +
           claim + ".\nProof.\n" + statement_.introductions() + proof + "Qed.\n";
  }

 private:
  static Expr bound() { return Expr::symbol(theory::kContentBound); }

  std::string defined_lemma(const std::string& name, const std::function<bool()>& has_values) const {
    const theory::Context context = theory::context_for(law_, statement_.free(), context_.question());
    const std::string conditions = statement_.defined(context, !has_values());
    if (conditions.empty()) return "";
    return "Lemma " + name + "__defined :" + statement_.quantifiers() + "\n  " + conditions +
           ".\nProof. intros; has_values. Qed.\n\n";
  }

  // What is said of no member, of every one, or of some, and its proof.
  std::pair<std::string, std::string> part(Quantifier quantifier) const {
    const theory::CaseTree decided = explored(
        [&](const theory::Context& c) { return theory::decide(reading_, quantifier, law_, bound(), c); });
    const theory::CaseTree proved = explored([&](const theory::Context& c) {
      const theory::Decision decision = theory::decide(reading_, quantifier, law_, bound(), c);
      if (decision.truth == Truth::undecided) return decision;
      return theory::Decision{decision.truth, steps(quantifier, decision.truth == Truth::holds, c)};
    });
    const theory::Context context = theory::context_for(law_, statement_.free(), context_.question());
    const std::string region = theory::to_text(
        theory::region_of(decided, Truth::holds, context, statement_.free()), statement_.free());
    const bool depends = region != "always" && region != "never";
    std::string claim = statement_.property();
    if (quantifier != Quantifier::none)
      claim = "(" + family_->bound_member(quantifier == Quantifier::every) + claim + ")";
    if (region == "never") claim = "~ " + claim;
    if (depends) claim = "(" + claim + " <->\n  " + statement_.region_text(region) + ")";
    return {claim, tree_text(proved, depends, 1)};
  }

  // A tactic for the verdict in one case of the parameters.
  std::string steps(Quantifier quantifier, bool holds, const theory::Context& context) const {
    std::string why = "no certificate";
    for (const Detour& detour : detours(quantifier, holds, context)) {
      try {
        const bool is_other = !detour.before.empty();
        if (is_other && !is_decided(detour, context)) continue;
        if (const auto step = plain_step(detour, context)) return detour.before + *step + detour.after;
      } catch (const NotExported& reason) {
        why = reason.what();
      }
    }
    throw NotExported(why);
  }

  std::vector<Detour> detours(Quantifier quantifier, bool holds, const theory::Context& context) const {
    if (quantifier != Quantifier::none)
      return family_->detours(reading_, quantifier == Quantifier::every, holds);
    if (law_.softcap) return statement_.without_cap(holds);
    theory::ScoreFunction plain = law_;  // whatever the gates or the query
    plain.path.reset();
    plain.query.reset();
    std::vector<Detour> result = {{plain, &reading_, holds, "", ""}};
    if (!plain.norm.is_number(1))
      if (const auto other = wider(plain, reading_, holds, context)) result.push_back(*other);
    return result;
  }

  static bool is_decided(const Detour& detour, const theory::Context& context) {
    const auto truth = theory::attempt<theory::Undecided>(
        [&] { return theory::decide(*detour.reading, detour.law, bound(), context).truth; });
    return truth && *truth == (detour.holds ? Truth::holds : Truth::fails);
  }

  static std::optional<std::string> plain_step(const Detour& detour, const theory::Context& context) {
    const auto proof = ProofSearch(detour.law, bound(), context, false).prove(*detour.reading, detour.holds);
    if (!proof) return std::nullopt;
    return coq_rule(*detour.reading, *proof, detour.law, context);
  }

  template <class Decide>
  theory::CaseTree explored(const Decide& decide) const {
    const theory::CaseTree tree =
        theory::explore(theory::context_for(law_, statement_.free(), context_.question()), decide);
    require_decided(tree);
    return tree;
  }

  static void require_decided(const theory::CaseTree& tree) {
    if (tree.is_leaf() && tree.decision.truth == Truth::undecided)
      throw NotExported("undecided: " + tree.decision.reason);
    for (const auto& branch : tree.branches) require_decided(branch.tree.front());
  }

  static std::string braces(const std::string& steps) {
    return "  {" + steps.substr(1, steps.size() - 2) + " }\n";
  }

  std::string tree_text(const theory::CaseTree& tree, bool depends, int depth) const {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    if (tree.is_leaf()) {
      const bool holds = tree.decision.truth == Truth::holds;
      if (!depends) return indent + tree.decision.reason + ".\n";
      return indent + (holds ? "apply iff_holds; [in_region | " : "apply iff_fails; [outside | ") +
             tree.decision.reason + "].\n";
    }
    if (law_.softcap && theory::varies(law_.bias) &&
        tree.splitter.mentions(std::string(theory::kContentBound)))
      throw NotExported("cases of B, which a soft cap turns into another bound");
    const std::string split = "split_" + std::to_string(depth);
    std::string text = indent + "destruct (Rtotal_order (" +
                       coq_term(statement_.counted(theory::to_expr(tree.splitter))) + ") 0) as [" + split +
                       " | [" + split + " | " + split + "]].\n";
    for (const int sign : {-1, 0, 1}) {
      const auto branch = std::ranges::find(tree.branches, sign, &theory::CaseTree::Branch::sign);
      std::string part = branch == tree.branches.end() ? indent + "  exfalso; impossible.\n"
                                                       : tree_text(branch->tree.front(), depends, depth + 1);
      text += indent + "{" + part.substr(indent.size() + 1);
      text.insert(text.size() - 1, " }");
    }
    return text;
  }

  const EncodingReport& report_;
  const theory::Reading& reading_;
  const theory::Context& context_;
  theory::ScoreFunction law_;
  CoqStatement statement_;
  std::optional<Family> family_;
};

// The theorem (and file), and the certificate.
std::pair<std::string, std::string> names(const EncodingReport& report, const theory::Reading& reading) {
  std::string place = report.name, name = word_of(report.name);
  if (std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    name.insert(0, 1, '_');  // begins no name of Coq
  if (report.one_head_of_several) {
    std::vector<std::string> parts;
    if (report.setting.layers > 1) parts.push_back("l" + std::to_string(report.setting.layer));
    parts.push_back("h" + std::to_string(report.setting.head));
    for (const std::string& part : parts) {
      place += "." + part;
      name += "__" + part;
    }
  }
  const std::string property(short_name_of(reading.property)), read(reading.name);
  return {name + "__" + property + "__" + word_of(read), place + "." + property + "." + read};
}

}  // namespace

CoqFolder::CoqFolder(std::string folder, Definedness why_undefined)
    : folder_(std::move(folder)), why_undefined_(std::move(why_undefined)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw theory::SpecError("--coq " + folder_ + ": " + error.message());
}

void CoqFolder::write(const EncodingReport& report, const theory::Context& context) {
  for (const theory::Reading& reading : theory::readings()) {  // every name before its first file
    const auto [name, certificate] = names(report, reading);
    const auto [at, is_new] = taken_.emplace(name, certificate);
    if (!is_new)
      throw theory::SpecError("--coq: " + at->second + " and " + certificate + " would both be " + name +
                              ".v; expected encodings whose names differ in letters and digits");
  }
  const std::vector<std::string> free = theory::names_of(report.law.parameters);
  std::optional<bool> shown;  // asked once, and not before there is a file
  const auto has_values = [&] {
    if (!shown) shown = why_undefined_(law_json(report), {free.begin(), free.end()}).empty();
    return *shown;
  };
  for (const theory::Reading& reading : theory::readings()) {
    const auto [name, certificate] = names(report, reading);
    try {
      const std::string text = Export(report, reading, context).text(name, certificate, has_values);
      write_file(file_inside(folder_, name + ".v"), text);
    } catch (const NotExported& why) {
      remove_older(file_inside(folder_, name + ".v"));  // of another law
      missing_.push_back(certificate + ": not exported: " + why.what());
    }
  }
}

}  // namespace gpe::checks
