#include "checks/coq/coq_export.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "checks/certificate/law_json.h"
#include "checks/certificate/proof_search.h"
#include "checks/cli/file_inside.h"
#include "checks/cli/write_file.h"
#include "checks/coq/coq_defined.h"
#include "checks/coq/coq_rule.h"
#include "checks/coq/coq_term.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/region.h"
#include "theory/expression/expr_parse.h"
#include "theory/source/spec_error.h"
#include "theory/source/table.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Expr;
using theory::Property;
using theory::Truth;

namespace {

std::string word(const std::string& name) {
  std::string text;
  for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
}

class Export {
 public:
  Export(const EncodingReport& report, const theory::Reading& reading, const theory::Context& context)
      : report_(report), law_(report.law), reading_(reading), context_(context) {
    symbols_ = theory::names_of(law_.parameters);
    free_ = symbols_;
    free_.emplace_back(theory::kContentBound);
    law_ = theory::at_values(report.law, free_);
  }

  std::string text(const std::string& name, const std::string& certificate) const {
    require_exported();
    const theory::CaseTree decided =
        explored([&](const theory::Context& c) { return theory::decide(reading_, law_, bound(), c); });
    const theory::CaseTree proved = explored([&](const theory::Context& c) {
      const theory::Decision decision = theory::decide(reading_, law_, bound(), c);
      if (decision.truth == Truth::undecided) return decision;
      const bool holds = decision.truth == Truth::holds;
      const auto proof = ProofSearch(law_, bound(), c, false).prove(reading_, holds);
      if (!proof) throw NotExported("no certificate");
      return theory::Decision{decision.truth, coq_rule(reading_, *proof, law_, c)};
    });
    const theory::Context context = theory::context_for(law_, free_, context_.question());
    std::vector<std::string> order = symbols_;
    order.emplace_back(theory::kContentBound);
    const std::string region =
        theory::to_text(theory::region_of(decided, Truth::holds, context, order), order);
    std::string result =
        "(* " + certificate + ": check-properties " + report_.name + " --coq wrote it, coqc checks it. *)\n" +
        "From Coq Require Import Reals Lra Lia List.\nFrom Gpe Require Import Definitions "
        "Growth Orders Asymptotics Steps Defined Certificates LengthRules Windows GradientRules "
        "Fire ApeTurns BothSides.\n"
        "Import ListNotations.\nOpen Scope R_scope.\n\n";
    std::string claim = property();
    const bool always = region == "always", never = region == "never";
    if (never) claim = "~ " + claim;
    if (!always && !never) claim = "(" + claim + " <->\n  " + region_text(region) + ")";
    result += defined_lemma(name);
    result += "Theorem " + name + " :" + quantifiers() + table_texts() + "\n  " + claim + ".\n";
    result += "Proof.\n" + introductions() + tree_text(proved, !always && !never, 1) + "Qed.\n";
    return result;
  }

 private:
  std::string defined_lemma(const std::string& name) const {
    const bool turns = reading_.property == Property::gps && law_.transform == theory::Transform::rotation;
    const std::string conditions = coq_defined(law_, law_.window ? window() : "", turns ? angle() : Expr(0));
    if (conditions.empty()) return "";
    return "Lemma " + name + "__defined :" + quantifiers() + table_texts() + "\n  " + conditions +
           ".\nProof. intros; has_values. Qed.\n\n";
  }

  static Expr bound() { return Expr::symbol(theory::kContentBound); }

  void require_exported() const {
    if (law_.normalizer != theory::Normalizer::softmax) throw NotExported("a normalizer that is not softmax");
    if (law_.path) throw NotExported("gates along the path");
    if (law_.content_law) throw NotExported("a law of the content without a bound");
    if (law_.query) throw NotExported("a bias linear in the query");
    if (law_.softcap) throw NotExported("a soft cap");
    if (law_.two_sided && law_.depends_on_length()) throw NotExported("a law that mentions L, on both sides");
    if (law_.window && (!law_.window_size || law_.depends_on_length()))
      throw NotExported("a window of a law that mentions L");
    if (law_.window) require_counted_keys();
    if (law_.first != 0) throw NotExported("distances that do not begin at 0");
    const bool plain =
        law_.transform == theory::Transform::identity || law_.transform == theory::Transform::rotation;
    if (!plain) throw NotExported("a transform that is not a rotation");
  }

  // W is a natural number in the statement: at least 1 in a window of W, and in no other formula.
  void require_counted_keys() const {
    if (law_.window_size->number() != nullptr) return;
    const std::string parameter = window_parameter();
    if (parameter.empty()) throw NotExported("a window that is an expression");
    const theory::Context context = theory::context_for(law_, free_, context_.question());
    const Expr keys = Expr::symbol(parameter);
    if (*law_.window_size == keys && context.known_sign(theory::to_form(keys, context)) != 1)
      throw NotExported("a window that may have no key");
    std::vector<Expr> formulas = {law_.gain, law_.bias, law_.norm};
    if (reading_.property == Property::gps) formulas.push_back(law_.rotation.angle);
    for (const Expr& formula : formulas)
      if (formula.mentions(parameter)) throw NotExported("the parameter of the window in another formula");
  }

  template <class Decide>
  theory::CaseTree explored(const Decide& decide) const {
    const theory::CaseTree tree =
        theory::explore(theory::context_for(law_, free_, context_.question()), decide);
    require_decided(tree);
    return tree;
  }

  static void require_decided(const theory::CaseTree& tree) {
    if (tree.is_leaf() && tree.decision.truth == Truth::undecided)
      throw NotExported("undecided: " + tree.decision.reason);
    for (const auto& branch : tree.branches) require_decided(branch.tree.front());
  }

  std::string law_text() const { return law_.two_sided ? "both_sides (" + one_side() + ")" : one_side(); }

  std::string one_side() const {
    if (law_.window) return "windowed " + window() + " (" + law_text(false) + ")";
    return law_text(law_.depends_on_length());
  }

  std::string law_text(bool mentions_length) const {
    const std::string width = coq_term(law_.norm);
    if (!mentions_length)
      return "plain (fun n => " + coq_term(law_.gain) + ") (fun n => " + coq_term(law_.bias) +
             ") (fun n => " + width + ")";
    return "{| gain := fun L n => " + coq_term(law_.gain) + "; bias := fun L n => " + coq_term(law_.bias) +
           "; width := fun n => " + width + "; last := fun L => L |}";
  }

  // The tables that the law reads, each once.
  std::vector<std::shared_ptr<const theory::Table>> tables() const {
    std::vector<std::shared_ptr<const theory::Table>> found;
    const auto look = [&](const Expr& part) {
      if (const auto* entry = part.as<theory::node::TableAt>())
        if (std::ranges::find(found, entry->table->name, [](const auto& t) { return t->name; }) ==
            found.end())
          found.push_back(entry->table);
      return part;
    };
    for (const Expr& formula : {law_.gain, law_.bias, law_.norm}) theory::rewrite(formula, look);
    if (reading_.property == Property::gps) theory::rewrite(law_.rotation.angle, look);
    return found;
  }

  std::string table_texts() const {
    std::string text;
    for (const auto& one : tables()) {
      if (one->first_index != 0) throw NotExported("a table whose first row is not 0");
      if (one->beyond != theory::Beyond::error)
        throw NotExported("a table that is extended beyond its last entry");
      if (std::ranges::find(free_, one->name) != free_.end())
        throw NotExported("a table with the name of a parameter");
      text += "\n  let " + coq_name(one->name) + " := table [" + theory::joined(one->values, "; ", coq_term) +
              "] in";
    }
    return text;
  }

  std::string window() const { return coq_argument(*law_.window_size); }
  // The parameter W where the window has W keys, or a number more: W + 1.
  std::string window_parameter() const {
    std::vector<Expr> terms = {*law_.window_size};
    if (const auto* sum = law_.window_size->as<theory::node::Add>()) terms = sum->terms;
    std::string found;
    for (const Expr& term : terms) {
      const theory::Rational* more = term.number();
      if (const auto* symbol = term.as<theory::node::Symbol>(); symbol != nullptr && found.empty())
        found = symbol->name;
      else if (more == nullptr || !more->is_integer() || more->sign() < 0)
        return "";
    }
    return found;
  }
  bool is_window(const std::string& parameter) const {
    return law_.window && window_parameter() == parameter;
  }
  // A parameter that counts the keys of the window is a natural number.
  std::string text_of(const theory::Condition& condition) const {
    return coq_condition({condition.relation, counted(condition.left), counted(condition.right)});
  }
  Expr counted(const Expr& e) const {
    Expr result = e;
    for (const std::string& symbol : symbols_)
      if (is_window(symbol))
        result = theory::substitute(result, symbol, Expr::symbol("INR " + coq_name(symbol)));
    return result;
  }

  std::string matrices() const {
    return law_.two_sided ? "(both_ways " + matrices_of_one_side() + ")" : matrices_of_one_side();
  }

  std::string matrices_of_one_side() const {
    if (law_.transform == theory::Transform::identity) return "identity";
    return "(rotation " + std::to_string(law_.head_dim / 2) + " (fun L n j => " + coq_term(angle()) + "))";
  }

  // With H(n) as a term of Coq.
  Expr angle() const {
    return theory::rewrite(law_.rotation.angle, [&](const Expr& part) {
      const auto* entropy = part.as<theory::node::CutEntropy>();
      if (entropy == nullptr) return part;
      if (entropy->at != Expr::symbol(theory::kIndex) || law_.bias.mentions(theory::kLength))
        throw NotExported("H(n)");
      return Expr::symbol("H (fun n => " + coq_term(law_.bias) + ") n");
    });
  }

  std::string property() const {
    const std::string name =
        std::string(short_name_of(reading_.property)) + "_" + word(std::string(reading_.name));
    const std::string law = "(" + law_text() + ")";
    const std::string d = std::to_string(law_.head_dim);
    switch (reading_.property) {
      case Property::convergent_normalization:
        if (reading_.name == "expected")
          return name + " " + law + " (sphere_moments " + d + " B " + law + ")";
        return name + " " + law + " B";
      case Property::entropy_boundedness:
        return name + " " + law + " B";
      case Property::ldcp:
        if (uses_bound()) return name + " " + law + " (sphere_tails " + d + " B " + law + ")";
        return name + " " + law;
      case Property::gps:
        break;
    }
    return name + " " + d + " " + law + " " + matrices();
  }

  bool uses_bound() const {
    if (reading_.property == Property::ldcp)
      return reading_.name == "content" || reading_.name == "probability";
    return reading_.property != Property::gps;
  }

  std::string quantifiers() const {
    std::string text, conditions;
    std::string names;
    for (const theory::ParameterValue& parameter : law_.parameters) {
      if (is_window(parameter.name))
        text += " forall " + coq_name(parameter.name) + " : nat,";
      else
        names += " " + coq_name(parameter.name);
      for (const theory::Condition& condition : parameter.domain) conditions += text_of(condition) + " -> ";
    }
    if (uses_bound()) {
      names += " B";
      conditions += "0 < B -> ";
    }
    if (!names.empty()) text += " forall" + names + " : R,";
    return text + " " + conditions;
  }

  std::string introductions() const {
    std::string text = "  intros";
    int k = 0;
    for (const bool counts : {true, false})
      for (const theory::ParameterValue& parameter : law_.parameters)
        if (is_window(parameter.name) == counts) text += " " + coq_name(parameter.name);
    if (uses_bound()) text += " B";
    for (const theory::ParameterValue& parameter : law_.parameters)
      for (std::size_t i = 0; i < parameter.domain.size(); ++i) text += " domain_" + std::to_string(++k);
    if (uses_bound()) text += " B_positive";
    for (const auto& one : tables()) text += " " + coq_name(one->name);
    text = text == "  intros" ? "" : text + ".\n";
    if (uses_bound())
      text +=
          "  assert (width_nonnegative : forall n : nat, 0 <= B * 1) by (intros; lra).\n"
          "  assert (width_positive : forall n : nat, 0 < B * 1) by (intros; lra).\n";
    if (law_.two_sided) text += "  of_one_side.\n";
    return text;
  }

  std::string region_text(const std::string& region) const {
    theory::NameScope scope;
    scope.names = free_;
    std::string text;
    for (std::size_t at = 0; at <= region.size();) {
      const std::size_t end = std::min(region.find(", or ", at), region.size());
      const std::string one = region.substr(at, end - at);
      text += text.empty() ? "" : " \\/ ";
      std::string conjunct;
      for (std::size_t from = 0; from <= one.size();) {
        const std::size_t to = std::min(one.find(" and ", from), one.size());
        for (const theory::Condition& condition :
             theory::parse_conditions(one.substr(from, to - from), scope))
          conjunct += (conjunct.empty() ? "" : " /\\ ") + text_of(condition);
        from = to + 5;
      }
      text += conjunct;
      at = end + 5;
    }
    return text;
  }

  std::string tree_text(const theory::CaseTree& tree, bool depends, int depth) const {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    if (tree.is_leaf()) {
      const bool holds = tree.decision.truth == Truth::holds;
      if (!depends) return indent + tree.decision.reason + ".\n";
      return indent + (holds ? "apply iff_holds; [in_region | " : "apply iff_fails; [outside | ") +
             tree.decision.reason + "].\n";
    }
    const std::string split = "split_" + std::to_string(depth);
    std::string text = indent + "destruct (Rtotal_order (" +
                       coq_term(counted(theory::to_expr(tree.splitter))) + ") 0) as [" + split + " | [" +
                       split + " | " + split + "]].\n";
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
  theory::ScoreFunction law_;
  const theory::Reading& reading_;
  const theory::Context& context_;
  std::vector<std::string> symbols_, free_;
};

// The theorem (and file), and the certificate.
std::pair<std::string, std::string> names(const EncodingReport& report, const theory::Reading& reading) {
  std::string place = report.name, name = word(report.name);
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
  return {name + "__" + property + "__" + word(read), place + "." + property + "." + read};
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
  const std::string undefined = why_undefined_(law_json(report), {free.begin(), free.end()});
  for (const theory::Reading& reading : theory::readings()) {
    const auto [name, certificate] = names(report, reading);
    try {
      const std::string text = Export(report, reading, context).text(name, certificate);
      if (!undefined.empty())
        throw NotExported("the score has no value, or is not seen to have one: " + undefined);
      write_file(file_inside(folder_, name + ".v"), text);
    } catch (const NotExported& why) {
      remove_older(file_inside(folder_, name + ".v"));  // of another law
      missing_.push_back(certificate + ": not exported: " + why.what());
    }
  }
}

}  // namespace gpe::checks
