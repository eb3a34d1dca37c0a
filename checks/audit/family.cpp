#include "checks/audit/family.h"
// Tests: tests/checks/audit/audit_attack_test.cpp
#include <algorithm>
#include <functional>

#include "checks/audit/open_parameter.h"
#include "checks/configs/encoding_library.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;

namespace {

FamilyMember library_member(const std::string& name, const AuditScope& scope) {
  FamilyMember member;
  member.name = name;
  member.law = scope.open_law(name);
  member.encoding = std::make_shared<theory::Encoding>(scope.library_encoding(name));
  for (const theory::ParameterValue& parameter : member.law.parameters) {
    member.open.push_back({parameter.name, false, 0, std::nullopt});
    member.conditions.insert(member.conditions.end(), parameter.domain.begin(), parameter.domain.end());
  }
  return member;
}

// What the family says of its coefficients, of this one.
std::vector<theory::Condition> conditions_on(const std::string& coefficient, const ClaimFamily& family) {
  if (family.coefficients.empty()) return {};
  theory::NameScope names;
  names.names = {"c"};
  std::vector<theory::Condition> conditions = theory::parse_conditions(family.coefficients, names);
  for (theory::Condition& condition : conditions) {
    condition.left = substitute(condition.left, "c", Expr::symbol(coefficient));
    condition.right = substitute(condition.right, "c", Expr::symbol(coefficient));
  }
  return conditions;
}

FamilyMember sum_of(const ClaimFamily& family, const std::vector<std::size_t>& chosen, const Expr& gain) {
  FamilyMember member;
  const auto encoding = std::make_shared<theory::Encoding>();
  encoding->name = family.name;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::string name = "c" + std::to_string(i + 1);
    member.open.push_back({name, false, 0, std::nullopt});
    member.law.bias = member.law.bias + Expr::symbol(name) * family.terms[chosen[i]];
    const std::vector<theory::Condition> conditions = conditions_on(name, family);
    member.conditions.insert(member.conditions.end(), conditions.begin(), conditions.end());
    encoding->parameters.push_back(open_parameter(name, conditions));
  }
  member.law.gain = gain;
  encoding->bias = member.law.bias;
  encoding->gain = gain;
  encoding->formulas = {{"bias", theory::to_text(member.law.bias)}, {"gain", theory::to_text(gain)}};
  member.encoding = encoding;
  return member;
}

// All ways to choose `count` of `total`, in order.
void choose(std::size_t total, std::size_t count, std::vector<std::size_t>& chosen,
            const std::function<void(const std::vector<std::size_t>&)>& visit) {
  if (chosen.size() == count) {
    visit(chosen);
    return;
  }
  for (std::size_t i = chosen.empty() ? 0 : chosen.back() + 1; i < total; ++i) {
    chosen.push_back(i);
    choose(total, count, chosen, visit);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<FamilyMember> family_members(const std::string& name, const AuditScope& scope) {
  std::vector<FamilyMember> members;
  if (name == "library") {
    for (const std::string& one : softmax_library_names()) members.push_back(library_member(one, scope));
    return members;
  }
  const auto& families = scope.file().families;
  const ClaimFamily& family =
      *std::ranges::find_if(families, [&](const ClaimFamily& one) { return one.name == name; });
  for (const std::string& one : family.members) members.push_back(library_member(one, scope));
  if (family.terms.empty()) return members;
  for (std::size_t count = 0; count <= static_cast<std::size_t>(family.most); ++count) {
    for (const Expr& gain : family.gains) {
      std::vector<std::size_t> chosen;
      choose(family.terms.size(), count, chosen,
             [&](const std::vector<std::size_t>& which) { members.push_back(sum_of(family, which, gain)); });
    }
  }
  return members;
}

std::string describe_member(const FamilyMember& member, const theory::ScoreFunction& closed,
                            const std::vector<std::pair<std::string, theory::Rational>>& values) {
  if (!member.name.empty()) {
    std::string text = member.name;
    for (const OpenNumber& number : member.open) {
      for (const auto& [name, value] : values) {
        if (name == number.name) text += (text == member.name ? " with " : ", ") + name + " = " + value.str();
      }
    }
    return text;
  }
  const std::string bias = theory::to_text(closed.bias);
  if (closed.gain.is_number(1)) return "A(n) = " + bias;
  const std::string content = "A(n) = [" + theory::to_text(closed.gain) + "] q'k/sqrt(d)";
  return closed.bias.is_number(0) ? content : content + " + (" + bias + ")";
}

}  // namespace gpe::checks
