#include "theory/score/score_function.h"

#include <algorithm>

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/polynomial.h"
#include "theory/score/gate_conditions.h"
#include "theory/score/window.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

namespace {

Expr with_values(Expr expression, const std::vector<ParameterValue>& values) {
  for (const ParameterValue& parameter : values)
    expression = substitute(expression, parameter.name, parameter.value);
  return expression;
}

// What a value must fulfil. @param fault  what is said where it does not; @param question  what is open where
// that is not settled
void require(const Attempt<bool>& holds, const std::string& fault, const std::string& question) {
  if (!holds) {
    const bool undefined = holds.why().end == NotKnown::End::undefined;
    throw SpecError(question + (undefined ? " has no answer: " : " is not settled: ") + holds.reason());
  }
  if (!*holds) throw SpecError(fault);
}

// A domain may speak of the other parameters too ("high >= low").
void check_domain(const ParameterValue& parameter, const std::vector<ParameterValue>& all,
                  const std::string& domain_text, const Context& context, const std::string& source) {
  const std::string what = source + ": parameter '" + parameter.name + "' = " + to_text(parameter.value);
  for (const Condition& condition : parameter.domain) {
    const auto holds = attempt<std::runtime_error>([&] {
      const Form left = to_form(with_values(condition.left, all), context);
      const Form right = to_form(with_values(condition.right, all), context);
      return satisfies(condition.relation, context.compare(left, right));
    });
    require(holds, what + " is outside its domain; expected " + domain_text,
            what + ": whether it lies in its domain, " + domain_text + ",");
  }
}

// ‖W(n)‖₂: the largest factor over the blocks.
Expr norm_of(const Encoding& encoding, const ScoreFunction& law) {
  if (encoding.transform == Transform::none) return Expr(0);
  if (encoding.transform == Transform::identity || encoding.transform == Transform::rotation) return Expr(1);
  std::vector<Expr> blocks;
  const bool scaled = encoding.transform == Transform::scaled_rotation;
  const Expr n = Expr::symbol(kIndex);
  const auto of_block = [&](const Expr& j) {
    if (scaled) return abs(substitute(law.rotation.scale, "j", j));
    // eigenvalues e^{-n·decay}·e^{±n·rate}
    return exp(n * (abs(substitute(law.hyperbolic.rate, "j", j)) - substitute(law.hyperbolic.decay, "j", j)));
  };
  const bool by_block = scaled ? law.rotation.scale.mentions("j")
                               : law.hyperbolic.rate.mentions("j") || law.hyperbolic.decay.mentions("j");
  const int count = by_block ? law.head_dim / 2 : 1;
  for (int j = 0; j < count; ++j) blocks.push_back(of_block(Expr(j)));
  return blocks.size() == 1 ? blocks.front() : call(Function::max, std::move(blocks));
}

void require_parameters(const Encoding& encoding, const std::vector<Override>& overrides) {
  for (const Override& change : overrides) {
    if (encoding.find(change.name) != nullptr) continue;
    const std::vector<std::string> names = names_of(encoding.parameters);
    const std::string known = names.empty() ? "; it has none" : "; it has: " + joined(names, ", ");
    throw SpecError(encoding.name + " has no parameter '" + change.name + "'" +
                    did_you_mean(change.name, names, known));
  }
}

// The value that `set` gives, or else that of the file.
ParameterValue parameter_value(const Parameter& parameter, const Expr* set, const Setting& setting,
                               const Context& context, const std::string& source) {
  const ChosenPlace place = chosen_place(parameter, setting);
  const Expr& given = set != nullptr ? *set : parameter.values[place.row][place.column];
  auto settled =
      attempt<Undecided, Undefined>([&] { return simplify(with_setting(given, setting), context); });
  if (!settled) {
    const bool undefined = settled.why().end == NotKnown::End::undefined;
    throw SpecError(source + ": the value of parameter '" + parameter.name + "' is " +
                    (undefined ? "undefined: " : "not settled: ") + settled.reason());
  }
  ParameterValue value{parameter.name, *settled, {}};
  for (Condition condition : parameter.domain) {
    condition.left = with_setting(condition.left, setting);
    condition.right = with_setting(condition.right, setting);
    value.domain.push_back(condition);
  }
  return value;
}

void require_positive(const std::string& key, const Expr& formula, const ScoreFunction& law,
                      const Context& context, const std::string& source) {
  const Expr value = with_values(formula, law.parameters);
  const std::string what = source + ": " + key + " = " + to_text(value);
  require(attempt<std::runtime_error>([&] { return context.sign(to_form(value, context)) > 0; }),
          what + " is not positive", what + ": whether it is positive");
}

// A number of keys.
std::int64_t whole_number(const std::string& key, const Expr& open, const ScoreFunction& law,
                          const Context& context, const std::string& source) {
  const Expr closed = with_values(open, law.parameters);
  const std::string what = source + ": " + key + " = " + to_text(closed);
  const std::string expected = "a whole number from 1 to 2^63 - 1";
  std::int64_t number = 0;
  const auto holds = attempt<std::runtime_error>([&] {
    const Form value = to_form(closed, context);
    if (context.sign(value - Form(1)) < 0 || context.sign(value - Form(Rational(2).pow(63))) >= 0)
      return false;
    const Form whole = to_form(call(Function::floor, {closed}), context);
    if (context.sign(value - whole) != 0) return false;
    if (whole.rational() == nullptr) throw Undecided("it is " + to_text(whole));
    number = whole.rational()->to_int64().value();
    return true;
  });
  require(holds, what + " is not " + expected, what + ": whether it is " + expected + ",");
  return number;
}

// Which normalizer, with its parameter.
void take_normalizer(const Encoding& encoding, const Setting& setting, const Context& context,
                     ScoreFunction& law) {
  law.normalizer = encoding.normalizer;
  if (!encoding.normalizer_parameter) return;
  law.normalizer_parameter = with_setting(*encoding.normalizer_parameter, setting);
  if (law.normalizer == Normalizer::top_k) {
    law.keys_selected = whole_number("k", *law.normalizer_parameter, law, context, encoding.source);
    return;
  }
  const Expr alpha = with_values(*law.normalizer_parameter, law.parameters);
  const std::string what = encoding.source + ": alpha = " + to_text(alpha);
  require(attempt<std::runtime_error>([&] { return context.sign(to_form(alpha - Expr(1), context)) > 0; }),
          what + " is not a number above 1", what + ": whether it is above 1");
}

void require_gates(const ScoreFunction& law, const Context& context, const std::string& source) {
  for (const GateCondition& condition : gate_conditions(*law.path)) {
    const auto& [left, relation, right] = condition;
    const Expr low = with_values(left.value, law.parameters), high = with_values(right.value, law.parameters);
    const auto holds = attempt<std::runtime_error>([&] {
      return satisfies(condition.relation, context.compare(to_form(low, context), to_form(high, context)));
    });
    const std::string place = source + ": [score.path]", sign = relation == Relation::less ? " < " : " <= ";
    if (left.name == "low" && right.name == "high") {
      const std::string gate = " gate between low = " + to_text(low) + " and high = " + to_text(high);
      require(holds, place + " has no" + gate, place + ": whether there is a" + gate + ",");
    } else {
      const std::string expected = left.name + sign + right.name, given = to_text(low) + sign + to_text(high);
      require(holds, place + ": expected " + expected + ", and " + given + " is false",
              place + ": whether " + expected + ", that is " + given + ",");
    }
  }
}

}  // namespace

ChosenPlace chosen_place(const Parameter& parameter, const Setting& setting) {
  const auto heads = parameter.values.front().size();
  const auto layers = parameter.values.size();
  if (heads == 1 && layers == 1) return {0, 0};
  const auto require_values = [&](std::size_t values, int asked, const std::string& what) {
    if (values == 1 || values == static_cast<std::size_t>(asked)) return;
    throw SpecError("parameter '" + parameter.name + "' has values for " + std::to_string(values) + " " +
                    what + ", not for " + std::to_string(asked) + "; check-properties takes --" + what + " " +
                    std::to_string(values));
  };
  require_values(heads, setting.heads, "heads");
  require_values(layers, setting.layers, "layers");
  return {layers == 1 ? 0 : static_cast<std::size_t>(setting.layer - 1),
          heads == 1 ? 0 : static_cast<std::size_t>(setting.head - 1)};
}

bool ScoreFunction::depends_on_length() const {
  return bias.mentions(kLength) || gain.mentions(kLength) || norm.mentions(kLength);
}

namespace {

bool same_queries(const std::optional<QueryBias>& a, const std::optional<QueryBias>& b) {
  return a && b ? a->radius == b->radius && a->shape == b->shape : !a && !b;
}

}  // namespace

bool same_formulas(const ScoreFunction& a, const ScoreFunction& b) {
  const auto same_value = [](const ParameterValue& one, const ParameterValue& other) {
    return one.name == other.name && one.value == other.value;
  };
  return a.bias == b.bias && a.gain == b.gain && a.norm == b.norm && a.has_content == b.has_content &&
         a.transform == b.transform && a.rotation.angle == b.rotation.angle &&
         a.rotation.scale == b.rotation.scale && a.rotation.layout == b.rotation.layout &&
         a.rotation.alpha == b.rotation.alpha && a.hyperbolic.rate == b.hyperbolic.rate &&
         a.hyperbolic.decay == b.hyperbolic.decay && a.softcap == b.softcap && a.sink == b.sink &&
         a.window == b.window && a.first == b.first && a.two_sided == b.two_sided &&
         a.head_dim == b.head_dim && a.path == b.path && same_queries(a.query, b.query) &&
         a.normalizer == b.normalizer && a.normalizer_parameter == b.normalizer_parameter &&
         std::ranges::equal(a.parameters, b.parameters, same_value);
}

namespace {

// What a bias adds to the scores of all keys changes no weight. Terms in L alone are taken off where they
// have a value at every L; where L is left after that, b(first; L). The sink moves along.
void take_off_the_length(ScoreFunction& law) {
  std::vector<Expr> taken;
  std::vector<Expr> kept;
  const auto* sum = law.bias.as<node::Add>();
  for (const Expr& term : sum != nullptr ? sum->terms : std::vector<Expr>{law.bias})
    (term.mentions(kLength) && !term.mentions(kIndex) && is_polynomial(term) ? taken : kept).push_back(term);
  law.bias = add(kept);
  if (law.bias.mentions(kLength)) {
    taken.push_back(substitute(law.bias, kIndex, Expr(law.first)));
    law.bias = law.bias - taken.back();
  }
  if (law.sink) law.sink = *law.sink - add(taken);
}

// What a program does not take. A path of one gate is a bias.
void refuse_families(const Encoding& encoding, Families families) {
  if (families == Families::taken) return;
  if ((encoding.path && with_one_gate_in_bias(encoding).path) || encoding.query)
    throw SpecError(encoding.source + ": [score." + (encoding.path ? "path" : "query") +
                    "] is not for this program, whose scores are functions of n" +
                    (encoding.path ? "; it takes one gate, low and high the same formula" : "") +
                    "; check-properties decides what holds for every " + (encoding.path ? "gate" : "query") +
                    " and for some");
  const bool of_models =
      encoding.normalizer != Normalizer::entmax && encoding.normalizer != Normalizer::stick_breaking;
  if (encoding.normalizer != Normalizer::softmax && (families == Families::refused || !of_models))
    throw SpecError(
        encoding.source + ": normalizer = \"" + std::string(name_of(encoding.normalizer)) +
        "\" in [score] is not for this program, whose weights are " +
        (families == Families::refused ? "a softmax" : "those of softmax, sigmoid, relu or top-k") +
        "; check-properties decides what holds with it");
}

}  // namespace

ScoreFunction instantiate(const Encoding& encoding, const Setting& setting,
                          const std::vector<Override>& overrides, const Context& asked, Families families) {
  refuse_families(encoding, families);
  if (encoding.path && families != Families::taken)
    return instantiate(with_one_gate_in_bias(encoding), setting, overrides, asked, families);
  const Context context = asked.within(Budget());  // values are settled, however little time is left
  ScoreFunction law;
  law.name = encoding.name;
  law.head_dim = setting.head_dim;
  law.first = encoding.first;
  law.two_sided = encoding.two_sided;
  law.transform = encoding.transform;
  law.has_content = encoding.transform != Transform::none;
  require_parameters(encoding, overrides);
  std::vector<std::string> sources;
  for (const Parameter& parameter : encoding.parameters) {
    const auto change =
        std::ranges::find(overrides.rbegin(), overrides.rend(), parameter.name, &Override::name);
    const bool is_set = change != overrides.rend();
    sources.push_back(is_set ? encoding.name : encoding.source);
    law.parameters.push_back(
        parameter_value(parameter, is_set ? &change->value : nullptr, setting, context, sources.back()));
  }
  for (std::size_t i = 0; i < law.parameters.size(); ++i) {
    check_domain(law.parameters[i], law.parameters, encoding.parameters[i].domain_text, context, sources[i]);
  }
  law.gain = with_setting(encoding.gain, setting);
  law.bias = with_setting(encoding.bias, setting);
  law.rotation = encoding.rotation;
  law.rotation.angle = with_setting(encoding.rotation.angle, setting);
  law.rotation.scale = with_setting(encoding.rotation.scale, setting);
  law.hyperbolic.rate = with_setting(encoding.hyperbolic.rate, setting);
  law.hyperbolic.decay = with_setting(encoding.hyperbolic.decay, setting);
  if (encoding.softcap) law.softcap = with_setting(*encoding.softcap, setting);
  if (encoding.sink) law.sink = with_setting(*encoding.sink, setting);
  if (encoding.path) {
    law.path = encoding.path;
    for (Expr* formula : formulas_of(*law.path)) *formula = with_setting(*formula, setting);
    require_gates(law, context, encoding.source);
  }
  take_normalizer(encoding, setting, context, law);
  if (encoding.query) {
    law.query = QueryBias{with_setting(encoding.query->radius, setting),
                          with_setting(encoding.query->shape, setting)};
    require_positive("[score.query] radius", law.query->radius, law, context, encoding.source);
  }
  law.norm = norm_of(encoding, law);
  if (law.bias.mentions(kLength)) take_off_the_length(law);
  if (law.softcap) require_positive("softcap", *law.softcap, law, context, encoding.source);
  if (const auto window = with_window_of(encoding, setting, context).window) {
    law.window_size = with_setting(*window, setting);
    law.window = whole_number("window", *law.window_size, law, context, encoding.source);
  }
  return law;
}

ScoreFunction at_values(const ScoreFunction& law, const std::vector<std::string>& keep) {
  ScoreFunction result = law;
  const auto put = [](Expr& expression, const ParameterValue& parameter) {
    expression = substitute(expression, parameter.name, parameter.value);
  };
  result.parameters.clear();
  for (const ParameterValue& parameter : law.parameters) {
    if (std::ranges::find(keep, parameter.name) != keep.end()) {
      result.parameters.push_back(parameter);
      continue;
    }
    for (Expr* expression : {&result.bias, &result.gain, &result.norm, &result.rotation.angle,
                             &result.rotation.scale, &result.hyperbolic.rate, &result.hyperbolic.decay}) {
      put(*expression, parameter);
    }
    if (result.path)
      for (Expr* formula : formulas_of(*result.path)) put(*formula, parameter);
    if (result.normalizer_parameter) put(*result.normalizer_parameter, parameter);
    if (result.query) put(result.query->radius, parameter);
    if (result.query) put(result.query->shape, parameter);
    if (result.softcap) put(*result.softcap, parameter);
    if (result.window_size) put(*result.window_size, parameter);
    if (result.sink) put(*result.sink, parameter);
  }
  return result;
}

Expr amplitude(const ScoreFunction& law, const Expr& bound) {
  if (!law.has_content) return Expr(0);
  const Expr content = bound * law.norm;
  if (!law.softcap) return abs(law.gain) * content;
  // cap·tanh(x/cap) = cap·(1 - 2/(e^{2x/cap} + 1)), increasing in x
  const Expr tanh = Expr(1) - Expr(2) / (exp(Expr(2) * content / *law.softcap) + Expr(1));
  return abs(law.gain) * *law.softcap * tanh;
}

Expr score_above(const ScoreFunction& law, const Expr& bound) { return law.bias + amplitude(law, bound); }
Expr score_below(const ScoreFunction& law, const Expr& bound) { return law.bias - amplitude(law, bound); }

Context context_for(const ScoreFunction& law, const std::vector<std::string>& free, const Context& base) {
  Context context = base.without_assumptions().within(Budget());  // time is for what is asked under them
  for (const ParameterValue& parameter : law.parameters) {
    if (std::ranges::find(free, parameter.name) == free.end()) continue;
    for (const Condition& condition : parameter.domain) {
      Expr difference = condition.left - condition.right;
      for (const ParameterValue& other : law.parameters) {
        const bool open = std::ranges::find(free, other.name) != free.end();
        if (!open) difference = substitute(difference, other.name, other.value);
      }
      const auto form =
          attempt<std::runtime_error, SplitRequest>([&] { return to_form(difference, context); });
      if (!form)
        throw SpecError("parameter '" + parameter.name +
                        "': its domain is not settled for all values: " + form.reason());
      context.constraints().add({*form, condition.relation});
    }
  }
  const auto assume = [&](Expr difference, Relation relation) {
    for (const ParameterValue& parameter : law.parameters) {
      if (std::ranges::find(free, parameter.name) == free.end())
        difference = substitute(difference, parameter.name, parameter.value);
    }
    attempt<Undecided, SplitRequest>([&] {  // else nothing is assumed
      const Form size = to_form(difference, context);
      if (size.has_symbols()) context.constraints().add({size, relation});
    });
  };
  if (law.softcap) assume(*law.softcap, Relation::greater);  // a cap that is not positive is none
  for (const auto& [left, relation, right] :
       law.path ? gate_conditions(*law.path) : std::vector<GateCondition>())
    assume(left.value - right.value, relation);  // an interval without gates is none
  if (law.query) assume(law.query->radius, Relation::greater);
  if (law.normalizer == Normalizer::entmax) assume(*law.normalizer_parameter - Expr(1), Relation::greater);
  if (std::ranges::find(free, kContentBound) != free.end()) {
    context.constraints().add({Form::symbol(kContentBound), Relation::greater});
  }
  return context.within(base.budget());
}

}  // namespace gpe::theory
