#include "checks/audit/dependencies.h"
// Tests: tests/certificates/audit.cmake
#include <algorithm>

#include "theory/expression/expr_print.h"

namespace gpe::checks {

std::string ClaimSubject::key() const {
  std::string text = encoding->name;
  for (const int part : {setting.head_dim, setting.head, setting.heads, setting.layer, setting.layers})
    text += " " + std::to_string(part);
  for (const auto& [name, formula] : encoding->formulas) text += "; " + name + ": " + formula;
  for (const theory::Override& value : values) text += "; " + value.name + " = " + to_text(value.value);
  for (const std::string& name : open) text += "; " + name;
  return text;
}

std::string UsedVerdict::key() const {
  std::string question =
      std::string(theory::short_name_of(reading->property)) + "=" + std::string(reading->name);
  if (reading->uses_content_bound) question += " " + (bound.number() != nullptr ? to_text(bound) : "B");
  return question + " of " + subject.key();
}

std::string UsedNumber::key() const {
  std::string result = quantity;
  for (const theory::Rational& argument : arguments) result += " " + argument.str();
  return result + " of " + subject.key();
}

void ClaimDependencies::add(UsedVerdict verdict) {
  if (known_.insert(verdict.key()).second) verdicts_.push_back(std::move(verdict));
}

void ClaimDependencies::add(UsedNumber number) {
  if (known_.insert(number.key()).second) {
    numbers_.push_back(std::move(number));
    return;
  }
  for (UsedNumber& one : numbers_) {
    if (one.key() == number.key()) one.digits = std::max(one.digits, number.digits);
  }
}

void ClaimDependencies::add(const std::string& text) {
  if (known_.insert("text " + text).second) others_.push_back(text);
}

void ClaimDependencies::add(const ClaimDependencies& other) {
  for (const UsedVerdict& one : other.verdicts_) add(one);
  for (const UsedNumber& one : other.numbers_) add(one);
  for (const std::string& one : other.others_) add(one);
}

}  // namespace gpe::checks
