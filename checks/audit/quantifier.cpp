// Quantified statements of the claim language. Tests: tests/checks/audit/audit_claims_test.cpp
#include "checks/audit/evaluate.h"

#include <algorithm>

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::CaseTree;
using theory::Context;
using theory::Decision;
using theory::Expr;
using theory::Truth;

namespace {

constexpr int kMaxCandidates = 200000;
constexpr std::int64_t kMaxInstances = 200000;

// A split on something bound further out, on its way through explore().
struct OuterSplit {
  theory::Form form;
};

class Search {
 public:
  Search(const Formula& formula, const AuditScope& scope, const Context& context)
      : formula_(formula),
        scope_(scope),
        context_(context),
        deciding_(formula.kind == Formula::Kind::for_some ? Truth::holds : Truth::fails),
        other_(deciding_ == Truth::holds ? Truth::fails : Truth::holds),
        time_(context.budget().until(3, 4)) {}

  Quantified run() {
    const ClaimInstance start{scope_, {}, {}, {}};
    if (expand(start, 0)) return result_;
    if (result_.truth == Truth::undecided && !open_reason_.empty()) {
      result_.reason = open_reason_;
      if (result_.points > 0)
        result_.reason += "; no " + std::string(deciding_ == Truth::fails ? "counterexample" : "example") +
                          " among " + std::to_string(result_.points) + " points";
      return result_;
    }
    result_.truth = other_;
    result_.reason = summary();
    scope_.evidence->dependencies.add(dependencies_);
    return result_;
  }

  Quantified region() {
    ClaimInstance instance{scope_, {}, {}, {}};
    for (const Binding& binding : formula_.bindings) {
      if (binding.range != Binding::Range::reals)
        throw theory::SpecError("'for which' takes real numbers only: " + formula_.text);
      open_number(instance, binding);
    }
    Context assumed = context_;
    assume(instance, assumed);
    const CaseTree tree = cases(instance, assumed);
    const std::vector<std::string> symbols = theory::names_of(instance.region.open);
    const theory::Region holds = region_of(tree, Truth::holds, assumed, symbols);
    const theory::Region undecided = region_of(tree, Truth::undecided, assumed, symbols);
    result_.region = to_text(holds, symbols);
    result_.reason = theory::holds_text(result_.region);
    const std::vector<ClaimCase> leaves = cases_of(tree);
    result_.cases = static_cast<std::int64_t>(leaves.size());
    if (!undecided.never()) {
      for (const ClaimCase& leaf : leaves) {
        if (leaf.decision.truth == Truth::undecided) result_.reason = leaf.decision.reason;
      }
      return result_;
    }
    result_.always = std::ranges::all_of(
        leaves, [](const ClaimCase& leaf) { return leaf.decision.truth == Truth::holds; });
    result_.never = std::ranges::all_of(
        leaves, [](const ClaimCase& leaf) { return leaf.decision.truth == Truth::fails; });
    result_.truth = result_.never ? Truth::fails : Truth::holds;
    return result_;
  }

 private:
  // Every instance of the finite variables; true when one decides.
  bool expand(const ClaimInstance& instance, std::size_t at) {
    if (at == formula_.bindings.size()) return examine(instance);
    const Binding& binding = formula_.bindings[at];
    if (binding.range == Binding::Range::encodings) {
      for (const FamilyMember& member : family_members(binding.family, instance.scope)) {
        ClaimInstance next = instance;
        next.scope.bind(binding.name, member.law, member.encoding);
        for (const OpenNumber& number : member.open) {
          if (std::ranges::any_of(next.region.open,
                                  [&](const OpenNumber& one) { return one.name == number.name; }))
            throw theory::SpecError("'" + number.name + "' is also a parameter of " + member.name + ": " +
                                    formula_.text);
          next.region.open.push_back(number);
        }
        next.region.conditions.insert(next.region.conditions.end(), member.conditions.begin(),
                                      member.conditions.end());
        next.encodings.emplace_back(binding.name, member);
        if (expand(next, at + 1)) return true;
      }
      return false;
    }
    const auto with_value = [&](const Expr& value) {
      ClaimInstance next = instance;
      next.scope.bind(binding.name, value);
      next.labels.emplace_back(binding.name, theory::to_text(value));
      return expand(next, at + 1);
    };
    if (binding.range == Binding::Range::list) {
      return std::ranges::any_of(
          binding.list, [&](const Expr& value) { return with_value(instance.scope.with_numbers(value)); });
    }
    if (binding.range == Binding::Range::integers && binding.high &&
        *binding.high - binding.low < kMaxInstances) {
      for (std::int64_t k = binding.low; k <= *binding.high; ++k) {
        if (with_value(Expr(k))) return true;
      }
      return false;
    }
    ClaimInstance next = instance;
    open_number(next, binding);
    return expand(next, at + 1);
  }

  CaseTree cases(const ClaimInstance& instance, const Context& assumed) const {
    const auto is_inner = [&](const theory::Form& form) {
      return std::ranges::any_of(instance.region.open,
                                 [&](const OpenNumber& one) { return form.mentions(one.name); });
    };
    return explore(assumed, [&](const Context& context) -> Decision {
      try {
        return evaluate_formula(formula_.parts[0], instance.scope, context);
      } catch (const theory::SplitRequest& request) {
        if (is_inner(request.form)) throw;
        throw OuterSplit{request.form};
      }
    });
  }

  bool examine(const ClaimInstance& instance) {
    if (time_.is_over()) {
      if (open_reason_.empty()) open_reason_ = "the time limit was reached";
      return false;
    }
    ++result_.members;
    if (instance.region.open.empty()) return examine_closed(instance);
    Context assumed = context_;
    assume(instance, assumed);
    assumed = assumed.question();
    ClaimInstance symbolic = instance;
    symbolic.scope.evidence = std::make_shared<Evidence>();
    std::vector<ClaimCase> leaves;
    try {
      leaves = cases_of(cases(symbolic, assumed));
    } catch (const OuterSplit& split) {
      throw theory::SplitRequest{split.form};
    }
    merge_flags(*symbolic.scope.evidence);
    dependencies_.add(symbolic.scope.evidence->dependencies);
    bool resists = false;
    for (const ClaimCase& leaf : leaves) {
      if (leaf.decision.truth == other_) ++result_.cases;
      if (leaf.decision.truth == other_ && first_reason_.empty()) first_reason_ = leaf.decision.reason;
      if (leaf.decision.truth == Truth::undecided && !resists) {
        resists = true;
        if (open_reason_.empty()) open_reason_ = leaf.decision.reason;
      }
    }
    for (const ClaimCase& leaf : leaves) {
      if (leaf.decision.truth == deciding_ && decides_in(instance, leaf.signs)) return true;
    }
    for (const ClaimCase& leaf : leaves) {  // a region that may be empty, and gave no point
      if (leaf.decision.truth == deciding_ && open_reason_.empty())
        open_reason_ = "no point was found where it " +
                       std::string(deciding_ == Truth::fails ? "fails" : "holds") + ": " +
                       leaf.decision.reason;
    }
    return resists && tries(instance);
  }

  bool examine_closed(const ClaimInstance& instance) {
    ClaimInstance closed = instance;
    closed.scope.evidence = std::make_shared<Evidence>();
    const Decision decision = or_undecided_truth(formula_.parts[0], closed.scope, context_);
    merge_flags(*closed.scope.evidence);
    if (decision.truth == Truth::undecided && open_reason_.empty())
      open_reason_ = decision.reason + at_text(instance.labels);
    if (decision.truth == other_) ++result_.cases;
    if (decision.truth == other_) dependencies_.add(closed.scope.evidence->dependencies);
    if (decision.truth != deciding_) return false;
    finish(closed, {}, decision);
    return true;
  }

  // The simplest point of a case that decides, evaluated again with its values.
  bool decides_in(const ClaimInstance& instance, const std::vector<theory::Constraint>& path) {
    ClaimRegion region = instance.region;
    region.signs = path;
    int left = 20;
    return visit_points(
               region, context_, kMaxCandidates,
               [&](const ClaimPoint& point) { return decides_at(instance, point) || --left == 0; }) &&
           result_.truth == deciding_;
  }

  bool tries(const ClaimInstance& instance) {
    std::int64_t left = scope_.options().most_points;
    visit_points(instance.region, context_, kMaxCandidates, [&](const ClaimPoint& point) {
      ++result_.points;
      return decides_at(instance, point) || --left == 0 || time_.is_over();
    });
    return result_.truth == deciding_;
  }

  bool decides_at(const ClaimInstance& instance, const ClaimPoint& point) {
    ClaimInstance closed = instance;
    closed.scope.evidence = std::make_shared<Evidence>();
    for (const auto& [name, value] : point) closed.scope.close(name, Expr(value));
    const Context here = context_.question();
    const auto decides = [&] {
      const Decision decision = evaluate_formula(formula_.parts[0], closed.scope, here);
      merge_flags(*closed.scope.evidence);
      if (decision.truth != deciding_) return false;
      finish(closed, point, decision);
      return true;
    };
    return theory::attempt<theory::Undecided, theory::Undefined>(decides).value_or(false);
  }

  void finish(const ClaimInstance& closed, const ClaimPoint& point, const Decision& decision) {
    if (!closed.scope.evidence->ill_posed.empty())
      scope_.evidence->ill_posed = closed.scope.evidence->ill_posed;
    scope_.evidence->dependencies.add(closed.scope.evidence->dependencies);
    result_.witness = witness_at(closed, point, context_);
    result_.truth = deciding_;
    result_.reason = decision.reason;
  }

  static std::string at_text(const std::vector<std::pair<std::string, std::string>>& labels) {
    std::string text;
    for (const auto& [name, value] : labels) text += (text.empty() ? " at " : ", ") + name + " = " + value;
    return text;
  }

  void merge_flags(const Evidence& from) {
    Evidence& to = *scope_.evidence;
    to.has_hypothesis |= from.has_hypothesis;
    to.hypothesis_held |= from.hypothesis_held;
    to.absent_compared |= from.absent_compared;
    to.present_compared |= from.present_compared;
  }

  std::string summary() const {
    std::string text = deciding_ == Truth::fails ? "proved" : "refuted";
    const auto counted = [](std::int64_t count, const std::string& what) {
      return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    if (result_.members > 1) text += " for " + counted(result_.members, "instance");
    if (result_.cases > result_.members)
      text += (result_.members > 1 ? ", in " : " in ") + counted(result_.cases, "case");
    if (result_.members <= 1 && result_.cases <= result_.members) {
      text += " for all parameter values";
      if (!first_reason_.empty()) text += ": " + first_reason_;
    }
    return text;
  }

  const Formula& formula_;
  const AuditScope& scope_;
  const Context& context_;
  Truth deciding_;
  Truth other_;
  theory::Budget time_;  // of all points
  Quantified result_;
  ClaimDependencies dependencies_;  // of what is proved
  std::string open_reason_;         // of the first case that resists
  std::string first_reason_;        // of the first case that is proved
};

}  // namespace

Quantified quantify(const Formula& formula, const AuditScope& scope, const Context& context) {
  return Search(formula, scope, context).run();
}

Quantified region_of_claim(const Formula& formula, const AuditScope& scope) {
  return Search(formula, scope, scope.context()).region();
}

}  // namespace gpe::checks
