#include "checks/design/ordered_family.h"
// Tests: tests/checks/design/design_test.cpp
#include <algorithm>
#include <cctype>

#include "checks/halfline/or_undecided.h"
#include "theory/exact/attempt.h"
#include "theory/exact/decision.h"
#include "theory/expression/expr_print.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;
using theory::Undecided;

namespace {

// Where a name stands in a formula.
std::vector<std::size_t> places_of(const std::string& name, const std::string& text) {
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  std::vector<std::size_t> result;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if ((at == 0 || !is_word(at - 1)) && !is_word(at + name.size())) result.push_back(at);
  }
  return result;
}

}  // namespace

OrderedFamily::OrderedFamily(theory::Encoding encoding, const theory::Setting& setting,
                             std::vector<theory::Override> fixed, std::vector<FreeParameter> free,
                             const Rational& bound, const theory::Context& context)
    : encoding_(std::move(encoding)),
      wide_(encoding_),
      setting_(setting),
      fixed_(std::move(fixed)),
      free_(std::move(free)),
      bound_(bound),
      context_(context) {
  for (;;) {
    try {
      or_undecided([&] {
        read_order();
        return 0;
      });
      return;
    } catch (const BothWays& both) {
      if (give_twins(both.name)) continue;
      if (!written_out_.empty()) throw;
      write_out();
    }
  }
}

void OrderedFamily::read_order() {
  std::vector<FreeParameter> places = free_;
  for (const Twin& twin : twins_) {
    places.push_back(free_[twin.of]);
    places.back().name = twin.name;
  }
  ParameterPoint low;
  std::vector<std::string> open_names;
  for (const FreeParameter& one : places) {
    low.push_back(one.low);
    open_names.push_back(one.name);
  }
  const theory::ScoreFunction open = theory::at_values(law(low), open_names);
  if (open.depends_on_length() || open.two_sided)
    throw Undecided("laws that depend on L, and two-sided ones, have no certified order");
  const theory::Context context = theory::context_for(open, open_names, context_);
  const FamilyOrder order = order_of_bias(open.bias, places, open.first, context);
  falls_ = order.falls;
  bias_ = open.bias;
  for (const Twin& twin : twins_)
    bias_ = theory::substitute(bias_, twin.name, Expr::symbol(free_[twin.of].name));
  amplitude_ = theory::amplitude(open, Expr(bound_));
  if (theory::varies(amplitude_) || !free_symbols(amplitude_).empty()) {
    const auto found =
        theory::attempt([&] { return order_of_amplitude(amplitude_, places, open.first, context); });
    if (!found)
      throw Undecided("the bound of the content is not seen to fall with n: " + theory::to_text(amplitude_));
    amplitude_direction_ = found->direction;
    amplitude_ = found->amplitude;
  }
  direction_.assign(places.size(), 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto known = order.direction.find(places[i].name);
    if (known != order.direction.end()) direction_[i] = known->second;
    if (i >= free_.size()) continue;
    free_[i].whole = open.window_size && open.window_size->mentions(free_[i].name);
    if (free_[i].whole) {
      if (open.window_size->as<theory::node::Symbol>() == nullptr || direction_[i] != 0)
        throw Undecided("the window is not a parameter alone: " + theory::to_text(*open.window_size));
      direction_[i] = -1;
    }
    if (direction_[i] == 0 && !amplitude_direction_.contains(free_[i].name))
      throw Undecided("the bias does not depend on " + free_[i].name);
  }
}

// The bias as a sum of terms, in which a parameter may stand in more places: -a*n + 4*a for -a*(n - 4).
void OrderedFamily::write_out() {
  wide_ = encoding_;
  twins_.clear();
  written_out_ = theory::to_text(simplify(wide_.bias, context_));
  wide_.formulas["bias"] = written_out_;
}

// A name of its own for each place of the parameter but the first; false where there is no other place.
bool OrderedFamily::give_twins(const std::string& name) {
  const auto at = std::ranges::find(free_, name, &FreeParameter::name);
  const auto of = static_cast<std::size_t>(at - free_.begin());
  const bool known = std::ranges::any_of(twins_, [&](const Twin& twin) { return twin.of == of; });
  std::string text = wide_.formulas["bias"];
  const std::vector<std::size_t> places = places_of(name, text);
  if (at == free_.end() || known || places.size() < 2 || !places_of("sum", text).empty()) return false;
  for (std::size_t k = places.size(); k-- > 1;) {
    std::string twin = name + "_" + std::to_string(k + 1);
    while (wide_.find(twin) != nullptr || wide_.tables.contains(twin)) twin += "_";
    text.replace(places[k], name.size(), twin);
    theory::Parameter parameter = *wide_.find(name);
    parameter.name = twin;
    parameter.domain.clear();
    parameter.domain_text.clear();
    wide_.parameters.push_back(std::move(parameter));
    twins_.push_back({twin, of});
  }
  theory::NameScope scope;
  scope.names = {"n", "L", "d", "h", "heads", "layer", "layers"};
  for (const theory::Parameter& one : wide_.parameters) scope.names.push_back(one.name);
  scope.tables = wide_.tables;
  wide_.formulas["bias"] = text;
  wide_.bias = theory::parse_expression(text, scope);
  return true;
}

std::vector<std::string> OrderedFamily::names() const { return theory::names_of(free_); }

theory::ScoreFunction OrderedFamily::law(const ParameterPoint& point) const {
  std::vector<theory::Override> overrides = fixed_;
  for (std::size_t i = 0; i < point.size(); ++i)
    overrides.push_back({i < free_.size() ? free_[i].name : twins_[i - free_.size()].name, Expr(point[i])});
  return theory::instantiate(point.size() > free_.size() ? wide_ : encoding_, setting_, overrides, context_);
}

Expr OrderedFamily::amplitude(const ParameterBox& box, bool largest) const {
  Expr result = amplitude_;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const auto known = amplitude_direction_.find(free_[i].name);
    if (known == amplitude_direction_.end()) continue;
    const bool high = (known->second > 0) == largest;
    result = theory::substitute(result, free_[i].name, Expr(high ? box[i].second : box[i].first));
  }
  return result;
}

ParameterPoint OrderedFamily::corner(const ParameterBox& box, bool flat) const {
  ParameterPoint result;
  for (std::size_t i = 0; i < direction_.size(); ++i) {
    const auto& [low, high] = box[i < free_.size() ? i : twins_[i - free_.size()].of];
    result.push_back(direction_[i] == 0 || (direction_[i] > 0) == flat ? low : high);
  }
  return result;
}

}  // namespace gpe::checks
