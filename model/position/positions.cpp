#include "model/position/positions.h"

#include <algorithm>
#include <cmath>

#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::model {

using theory::Expr;
using theory::ScoreFunction;
using theory::SpecError;

namespace {

// What the columns of a head are made of.
std::vector<Expr> parts(const ScoreFunction& settled) {
  return {settled.bias,
          settled.gain,
          settled.rotation.angle,
          settled.rotation.scale,
          settled.hyperbolic.rate,
          settled.hyperbolic.decay,
          settled.softcap.value_or(Expr(0)),
          settled.sink.value_or(Expr(0)),
          Expr(settled.last().value_or(-1)),
          Expr(settled.keys_selected.value_or(0))};
}

double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

Positions::Positions(const EncodingFiles& files, const PositionSetting& setting,
                     const theory::ConstantOracle& oracle)
    : files_(files), setting_(setting) {
  using Share = PositionSetting::Share;
  const auto learned = setting_.learned.size();
  initial_.resize((setting_.share == Share::layer_and_head ? static_cast<std::size_t>(setting_.layers) : 1) *
                  (setting_.share == Share::model ? 1 : static_cast<std::size_t>(setting_.heads)) * learned);
  bounds_.resize(initial_.size());
  std::vector<std::vector<Expr>> seen;
  std::vector<std::shared_ptr<const ScoreProgram>> programs;
  for (int layer = 0; layer < setting_.layers; ++layer) {
    for (int head = 0; head < setting_.heads; ++head) {
      const theory::Encoding encoding =
          parse_files(files_, {head + 1, setting_.heads, layer + 1, setting_.layers});
      name_ = encoding.name;
      has_alpha0_ = encoding.find("alpha0") != nullptr;
      const ScoreFunction law =
          instantiate(encoding, {setting_.head_dim, head + 1, setting_.heads, layer + 1, setting_.layers}, {},
                      oracle, theory::Families::of_models);
      const std::vector<Expr> here = parts(at_values(law, setting_.learned));
      const auto known = std::ranges::find(seen, here);
      if (known == seen.end()) {
        seen.push_back(here);
        programs.push_back(std::make_shared<ScoreProgram>(law, setting_.learned, oracle));
        programs_.push_back(programs.back());
      } else {
        programs_.push_back(programs[static_cast<std::size_t>(known - seen.begin())]);
      }
      begin(law, layer, head);
    }
  }
}

std::size_t Positions::raw_index(int layer, int head, std::size_t parameter) const {
  using Share = PositionSetting::Share;
  std::size_t row = 0;
  if (setting_.share == Share::layer_and_head) row = index(layer, head);
  if (setting_.share == Share::head) row = static_cast<std::size_t>(head);
  return row * setting_.learned.size() + parameter;
}

Positions::Bounds Positions::bounds_of(const theory::ParameterValue& parameter, const std::string& source) {
  Bounds bounds;
  for (const theory::Condition& condition : parameter.domain) {
    using theory::Relation;
    const Expr name = Expr::symbol(parameter.name);
    const bool on_left = condition.left == name;
    const Expr& bound = on_left ? condition.right : condition.left;
    if ((!on_left && !(condition.right == name)) || !free_symbols(bound).empty()) {
      throw SpecError(source + ": parameter '" + parameter.name +
                      "' cannot be learned: its domain is not an interval of numbers");
    }
    Relation relation = condition.relation;
    if (relation == Relation::equal || relation == Relation::not_equal) continue;
    bool above = relation == Relation::greater || relation == Relation::greater_equal;
    if (!on_left) above = !above;
    std::optional<double>& side = above ? bounds.low : bounds.high;
    const double number = number_of(bound, "a bound");
    const double known = side.value_or(number);
    side = above ? std::max(known, number) : std::min(known, number);
  }
  return bounds;
}

void Positions::begin(const ScoreFunction& law, int layer, int head) {
  for (std::size_t p = 0; p < setting_.learned.size(); ++p) {
    const std::string& name = setting_.learned[p];
    const auto parameter = std::ranges::find(law.parameters, name, &theory::ParameterValue::name);
    if (parameter == law.parameters.end())
      throw SpecError(files_.source + ": there is no parameter '" + name + "' to learn" +
                      theory::did_you_mean(name, theory::names_of(law.parameters)));
    const Bounds bounds = bounds_of(*parameter, files_.source);
    const double value = number_of(parameter->value, "a bound");
    if ((bounds.low && value <= *bounds.low) || (bounds.high && value >= *bounds.high)) {
      throw SpecError(files_.source + ": parameter '" + name + "' begins at its bound, " + decimal(value) +
                      ", where it would stay; set it to a value inside its domain");
    }
    const std::size_t at = raw_index(layer, head, p);
    const double raw = raw_of(bounds, value);
    const bool first_of_its_kind =
        (setting_.share == PositionSetting::Share::layer_and_head) ||
        (layer == 0 && (setting_.share == PositionSetting::Share::head || head == 0));
    if (!first_of_its_kind && raw != initial_[at]) {
      throw SpecError(files_.source + ": parameter '" + name +
                      "' is shared, but heads or layers begin with different values");
    }
    initial_[at] = raw;
    bounds_[at] = bounds;
  }
}

double Positions::value_of(const Bounds& bounds, double raw) {
  if (bounds.low && bounds.high) return *bounds.low + (*bounds.high - *bounds.low) * sigmoid(raw);
  if (bounds.low) return *bounds.low + softplus(raw);
  if (bounds.high) return *bounds.high - softplus(raw);
  return raw;
}

double Positions::slope_of(const Bounds& bounds, double raw) {
  const double s = sigmoid(raw);
  if (bounds.low && bounds.high) return (*bounds.high - *bounds.low) * s * (1 - s);
  if (bounds.low) return s;
  if (bounds.high) return -s;
  return 1;
}

double Positions::raw_of(const Bounds& bounds, double value) {
  const auto inverse_softplus = [](double y) { return y > 30 ? y : std::log(std::expm1(y)); };
  if (bounds.low && bounds.high) {
    const double share = (value - *bounds.low) / (*bounds.high - *bounds.low);
    return std::log(share / (1 - share));
  }
  if (bounds.low) return inverse_softplus(value - *bounds.low);
  if (bounds.high) return inverse_softplus(*bounds.high - value);
  return value;
}

std::vector<double> Positions::values(int layer, int head, std::span<const double> raw) const {
  std::vector<double> result;
  for (std::size_t p = 0; p < setting_.learned.size(); ++p) {
    const std::size_t at = raw_index(layer, head, p);
    result.push_back(value_of(bounds_[at], raw[at]));
  }
  return result;
}

void Positions::add_gradient(int layer, int head, std::span<const double> by_value,
                             std::span<const double> raw, std::span<double> raw_gradient) const {
  for (std::size_t p = 0; p < by_value.size(); ++p) {
    const std::size_t at = raw_index(layer, head, p);
    raw_gradient[at] += by_value[p] * slope_of(bounds_[at], raw[at]);
  }
}

EncodingFiles Positions::files(std::span<const double> raw, std::span<const double> measured) const {
  using Share = PositionSetting::Share;
  std::map<std::string, ParameterTexts> texts;
  for (std::size_t p = 0; p < setting_.learned.size(); ++p) {
    ParameterTexts& rows = texts[setting_.learned[p]];
    for (int layer = 0; layer < (setting_.share == Share::layer_and_head ? setting_.layers : 1); ++layer) {
      rows.emplace_back();
      for (int head = 0; head < (setting_.share == Share::model ? 1 : setting_.heads); ++head) {
        rows.back().push_back(decimal(values(layer, head, raw)[p]));
      }
    }
  }
  EncodingFiles result = files_;
  if (!texts.empty()) result.toml = with_parameters(files_, texts);
  if (!measured.empty()) {
    result = with_measured(result, has_alpha0_, measured,
                           static_cast<std::size_t>(setting_.layers * setting_.heads));
  }
  return result;
}

}  // namespace gpe::model
