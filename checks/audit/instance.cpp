#include "checks/audit/instance.h"
// Tests: tests/checks/audit/audit_claims_test.cpp
#include <algorithm>

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Expr;

void open_number(ClaimInstance& instance, const Binding& binding) {
  instance.scope.bind(binding.name, Expr::symbol(binding.name));
  const bool integer = binding.range == Binding::Range::integers;
  instance.region.open.push_back({binding.name, integer, binding.low, binding.high});
  for (theory::Condition condition : binding.conditions) {
    condition.left = instance.scope.with_numbers(condition.left);
    condition.right = instance.scope.with_numbers(condition.right);
    instance.region.conditions.push_back(condition);
    instance.scope.assume(condition);
  }
  if (integer)
    instance.region.conditions.push_back(
        {theory::Relation::greater_equal, Expr::symbol(binding.name), Expr(binding.low)});
  if (integer && binding.high)
    instance.region.conditions.push_back(
        {theory::Relation::less_equal, Expr::symbol(binding.name), Expr(*binding.high)});
}

void assume(const ClaimInstance& instance, theory::Context& context) {
  for (const theory::Condition& condition : instance.region.conditions) {
    const auto add = [&] {
      context.constraints().add({to_form(condition.left - condition.right, context), condition.relation});
    };
    // fewer assumptions are safe
    theory::attempt<theory::SplitRequest, theory::Undecided, theory::Undefined>(add);
  }
}

namespace {

void collect(const theory::CaseTree& tree, std::vector<theory::Constraint>& path,
             std::vector<ClaimCase>& out) {
  if (tree.is_leaf()) {
    out.push_back({tree.decision, path});
    return;
  }
  for (const theory::CaseTree::Branch& branch : tree.branches) {
    path.push_back({tree.splitter, theory::relation_of(branch.sign)});
    collect(branch.tree.front(), path, out);
    path.pop_back();
  }
}

}  // namespace

std::vector<ClaimCase> cases_of(const theory::CaseTree& tree) {
  std::vector<theory::Constraint> path;
  std::vector<ClaimCase> result;
  collect(tree, path, result);
  return result;
}

ClaimWitness witness_at(const ClaimInstance& closed, const ClaimPoint& point,
                        const theory::Context& context) {
  ClaimWitness witness;
  const auto in_encoding = [&](const std::string& name) {
    return std::ranges::any_of(closed.encodings, [&](const auto& one) {
      return std::ranges::any_of(one.second.open,
                                 [&](const OpenNumber& number) { return number.name == name; });
    });
  };
  for (const auto& [variable, member] : closed.encodings) {
    const theory::ScoreFunction law = closed.scope.law_of({variable, {}, variable});
    theory::ScoreFunction shown = law;
    // where that is not settled, it is shown as it stands
    shown.bias = theory::attempt<std::runtime_error, theory::SplitRequest>([&] {
                   return simplify(law.bias, context);
                 }).value_or(law.bias);
    witness.point.emplace_back(variable, describe_member(member, shown, point));
  }
  witness.point.insert(witness.point.end(), closed.labels.begin(), closed.labels.end());
  for (const auto& [name, value] : point) {
    if (!in_encoding(name)) witness.point.emplace_back(name, value.str());
  }
  witness.values = closed.scope.evidence->values;
  return witness;
}

}  // namespace gpe::checks
