#include "checks/audit/scope.h"
// Tests: tests/checks/audit/audit_formula_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/audit/open_parameter.h"
#include "checks/configs/encoding_library.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Expr;
using theory::ScoreFunction;
using theory::SpecError;

namespace {

// The first n from which e^score has a value, as far as the small ones tell.
std::int64_t first_defined(const Expr& score) {
  constexpr std::int64_t kLast = 16;
  const std::vector<std::string> names = free_symbols(score);
  for (std::int64_t n = kLast; n >= 0; --n) {
    std::map<std::string, Ball> values;
    for (const std::string& name : names) values.emplace(name, Ball(theory::Rational(1), 64));
    values.insert_or_assign(std::string(theory::kIndex), Ball(theory::Rational(n), 64));
    try {
      if (!evaluate(score, values, 64).is_finite()) return n + 1;
    } catch (const theory::EvaluationError&) {
      return n + 1;
    }
  }
  return 0;
}

}  // namespace

void Evidence::note(const std::string& what, const std::string& value) {
  if (std::ranges::none_of(values, [&](const auto& known) { return known.first == what; }))
    values.emplace_back(what, value);
}

void Evidence::rewrite(const std::string& what, const std::string& value) {
  for (auto& [known, text] : values) {
    if (known == what) text = value;
  }
}

ScoreFunction replaced(const ScoreFunction& law, const std::vector<std::pair<std::string, Expr>>& values) {
  ScoreFunction first = law;  // through fresh names, so that a value may mention another name
  ScoreFunction second;
  first.parameters.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string fresh = "_v" + std::to_string(i);
    first.parameters.push_back({values[i].first, Expr::symbol(fresh), {}});
    second.parameters.push_back({fresh, values[i].second, {}});
  }
  ScoreFunction result = at_values(first);
  result.parameters = second.parameters;
  return at_values(result);
}

void AuditScope::close(const std::string& symbol, const Expr& value) {
  numbers_.insert_or_assign(symbol, value);
  for (auto& [name, one] : bound_) {
    one.law = replaced(one.law, {{symbol, value}});
    if (one.encoding->find(symbol) != nullptr) one.values.push_back({symbol, value});
  }
}

Expr AuditScope::with_numbers(const Expr& expression) const {
  Expr result = expression;
  for (const auto& [name, value] : numbers_) {
    const auto* symbol = value.as<theory::node::Symbol>();
    if (symbol == nullptr || symbol->name != name) result = substitute(result, name, value);
  }
  return result;
}

const theory::Encoding& AuditScope::encoding(const std::string& name, const theory::Setting& setting) const {
  const auto& own = file_->encodings;
  const auto found = std::ranges::find_if(own, [&](const theory::Encoding& one) { return one.name == name; });
  if (found != own.end()) return *found;
  const std::string key = name + " " + std::to_string(setting.head) + "/" + std::to_string(setting.heads) +
                          " " + std::to_string(setting.layer) + "/" + std::to_string(setting.layers);
  if (const auto known = cache_->find(key); known != cache_->end()) return known->second;
  return cache_
      ->emplace(key, theory::with_one_gate_in_bias(
                         find_encoding(name, {setting.head, setting.heads, setting.layer, setting.layers})))
      .first->second;
}

ScoreFunction AuditScope::open_law(const std::string& name) const {
  const ScoreFunction law = instantiate(encoding(name, {}), {}, {}, *context_);
  ScoreFunction open = at_values(law, theory::names_of(law.parameters));
  open.name = name;
  return open;
}

ScoreFunction AuditScope::law_of(const EncodingName& name) const {
  if (const auto bound = bound_.find(name.name); bound != bound_.end()) return bound->second.law;
  const Instance found = instance(name);
  return replaced(found.law, found.values);
}

ClaimSubject AuditScope::subject_of(const EncodingName& name) const {
  ClaimSubject subject;
  if (const auto bound = bound_.find(name.name); bound != bound_.end()) {
    subject.encoding = bound->second.encoding;
    subject.values = bound->second.values;
    for (const theory::Parameter& parameter : subject.encoding->parameters) {
      if (std::ranges::find(subject.values, parameter.name, &theory::Override::name) == subject.values.end())
        subject.open.push_back(parameter.name);
    }
    return subject;
  }
  const Instance found = instance(name);
  subject.encoding = std::make_shared<theory::Encoding>(*found.encoding);
  subject.setting = found.setting;
  subject.values = found.closed;
  for (const auto& [parameter, value] : found.values) {
    if (!free_symbols(value).empty()) subject.open.push_back(parameter);
  }
  return subject;
}

ClaimSubject AuditScope::subject_of_sum(const Expr& score) const {
  const auto encoding = std::make_shared<theory::Encoding>();
  encoding->name = "sum";
  encoding->bias = score;
  encoding->transform = theory::Transform::none;
  encoding->formulas = {{"bias", to_text(score)}};
  encoding->first = first_defined(score);
  ClaimSubject subject{encoding, {}, {}, {}};
  for (const std::string& name : free_symbols(score)) {
    if (name == theory::kIndex) continue;
    subject.open.push_back(name);
    encoding->parameters.push_back(open_parameter(name, conditions_));
  }
  return subject;
}

Expr AuditScope::parameter_of(const EncodingName& name, const std::string& parameter) const {
  for (const auto& [key, value] : instance(name).values) {
    if (key == parameter) return value;
  }
  throw SpecError(name.text + ": no parameter '" + parameter + "'");
}

AuditScope::Instance AuditScope::instance(const EncodingName& name) const {
  theory::Setting setting;
  const std::vector<std::pair<std::string, int*>> fields = {{"d", &setting.head_dim},
                                                            {"h", &setting.head},
                                                            {"heads", &setting.heads},
                                                            {"layer", &setting.layer},
                                                            {"layers", &setting.layers}};
  std::vector<std::pair<std::string, Expr>> values;
  for (const auto& [key, expression] : name.settings) {
    const Expr value = with_numbers(expression);
    const auto field = std::ranges::find(fields, key, &std::pair<std::string, int*>::first);
    if (field == fields.end()) {
      values.emplace_back(key, value);
      continue;
    }
    const auto whole = value.number() == nullptr ? std::nullopt : value.number()->to_int64();
    if (!whole || *whole < 1 || *whole > 100000)
      throw theory::Undecided(name.text + ": " + key + " is not a positive whole number here");
    *field->second = static_cast<int>(*whole);
  }
  const theory::Encoding& found = encoding(name.name, setting);
  std::vector<theory::Override> closed;
  for (const theory::Parameter& parameter : found.parameters) {
    const bool given =
        std::ranges::any_of(values, [&](const auto& one) { return one.first == parameter.name; });
    if (const auto bound = numbers_.find(parameter.name); !given && bound != numbers_.end())
      values.emplace_back(parameter.name, bound->second);
  }
  for (const auto& [key, value] : values) {
    if (found.find(key) == nullptr)
      throw SpecError(name.text + ": '" + name.name + "' has no parameter '" + key + "'");
    if (free_symbols(value).empty()) closed.push_back({key, value});
  }
  ScoreFunction law =
      instantiate(found, setting, closed, *context_);  // looks at the domains of what is closed
  Values all;
  for (const theory::ParameterValue& parameter : law.parameters) {
    const auto given =
        std::ranges::find_if(values, [&](const auto& one) { return one.first == parameter.name; });
    all.emplace_back(parameter.name, given == values.end() ? parameter.value : given->second);
  }
  for (const auto& [key, value] : values) {
    if (law.window_size && law.window_size->mentions(key) && !free_symbols(value).empty())
      throw theory::Undecided(name.text + ": a window that is left open");
  }
  return {&found, setting, law, all, closed};
}

}  // namespace gpe::checks
