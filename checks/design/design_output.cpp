#include "checks/design/design_output.h"
// Tests: tests/cli/design.cmake
#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/arb/decimal.h"
#include "checks/design/design_certificate.h"
#include "checks/report/json_number.h"
#include "checks/report/plain_number.h"
#include "theory/expression/expr_print.h"
#include "theory/source/printable.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::quoted_toml;
using theory::Rational;

namespace {

constexpr int kFigures = 10;

constexpr const char* kNone = "none";  // a range or a reach that does not exist

std::string shown(const Measure& measure, const Rational& value, bool up) {
  if (measure.is_count() && value == Rational(kNoCount)) return kNone;
  if (measure.quantity != DesignQuantity::entropy) return plain_number(value);
  return up ? decimal_above(value, kFigures) : decimal_below(value, kFigures);
}

// What a measure is at the point found: a whole number, or digits that are proved; nothing where it is not
// known.
std::optional<std::string> value_at(const Measure& measure, const OrderedFamily& family,
                                    const Design& design) {
  ParameterBox alone;
  for (const Rational& value : *design.best) alone.emplace_back(value, value);
  DesignPoint& here = *design.at_best;
  const BoxCorners corners{family, alone, here, here};
  if (measure.quantity == DesignQuantity::convergence) {
    const Ball z = here.sums().z.value;
    return z.is_finite() ? proved_decimal(z, kFigures).text : "finite";
  }
  if (measure.quantity == DesignQuantity::entropy && !measure.at && here.sums().entropy.finite == Finite::no)
    return "infinite";
  const auto high = bound_of(measure, true, corners), low = bound_of(measure, false, corners);
  if (!high || !low) return std::nullopt;
  if (*low == *high) return shown(measure, *high, true);
  if (measure.is_count()) return shown(measure, *low, false) + " to " + shown(measure, *high, true);
  return proved_decimal(Ball::hull(Ball(*low, 128), Ball(*high, 128), 128), kFigures).text;
}

std::string assignments(const OrderedFamily& family, const ParameterPoint& point) {
  std::string result;
  for (std::size_t i = 0; i < point.size(); ++i)
    result += (i > 0 ? ", " : "") + family.free()[i].name + " = " + plain_number(point[i]);
  return result;
}

std::string outcome(const DesignProblem& problem, const Design& design) {
  if (design.infeasible()) return "infeasible";
  if (!design.best) return "undecided";
  return design.closed || !problem.objective ? "found" : "open";
}

std::string legend(const DesignProblem& problem) {
  std::string text;
  const auto asked = [&](DesignQuantity quantity) {
    return (problem.objective && problem.objective->measure.quantity == quantity) ||
           std::ranges::any_of(problem.requirements,
                               [&](const Requirement& r) { return r.measure.quantity == quantity; });
  };
  if (asked(DesignQuantity::entropy)) text += "entropy: in nats, without content\n";
  if (asked(DesignQuantity::range)) text += "range(C): largest N with |b(n)| <= C for all n <= N\n";
  if (asked(DesignQuantity::cache))
    text += "cache(e): keys to keep so that a weight of at most e lies beyond them, whatever the content\n";
  if (asked(DesignQuantity::reach))
    text += "reach(w): largest n that some content gives a weight of at least w\n";
  return text;
}

// That no point has a better objective than the bound; nothing where the bound says nothing.
std::string proved_line(const Objective& objective, const Rational& bound, const Rational& value) {
  const bool up = objective.maximize;
  const std::string what = to_text(objective.measure), most = shown(objective.measure, bound, up),
                    others = "proved: no others that meet the requirements have ";
  if (most != kNone) return others + what + (up ? " > " : " < ") + most + "\n";
  if (up) return others + "a " + what + "\n";
  return value == bound ? others + "less\n" : "";
}

std::string dependencies(const OrderedFamily& family) {
  std::string more, less, both, text;
  for (std::size_t i = 0; i < family.free().size(); ++i) {
    const bool twins = std::ranges::any_of(family.twins(), [&](const Twin& twin) { return twin.of == i; });
    if (family.direction(i) == 0) continue;  // only the content depends on it
    std::string& one_way = family.direction(i) > 0 ? more : less;
    std::string& list = twins ? both : one_way;
    list += (list.empty() ? "" : ", ") + family.free()[i].name;
  }
  for (const auto& [which, list] : {std::pair("larger ", &more), std::pair("smaller ", &less)}) {
    if (!list->empty()) text += (text.empty() ? "" : " and ") + std::string(which) + *list;
  }
  if (!both.empty())
    text += (text.empty() ? "" : "; ") + both + " acts both ways, and is bounded place by place";
  if (text.empty()) return "boxes: only the content depends on the parameters (rule D2)\n";
  return "boxes: the weights fall faster with " + text +
         "; so two corners of a box bound all of it (rule D2)\n";
}

}  // namespace

std::string design_text(const OrderedFamily& family, const DesignProblem& problem, const Design& design) {
  std::string text = family.encoding().name + ":";
  for (const FreeParameter& one : family.free())
    text += " " + one.name + " in [" + one.low.str() + ", " + one.high.str() + "]";
  text += "; contents with |c(n)| <= " + family.bound().str() + "\n";
  bool none = false;
  const auto row = [&](const std::string& left, const Measure& measure) {
    std::string result = "  " + left;
    if (design.best) {
      result += std::string(left.size() < 30 ? 30 - left.size() : 1, ' ');
      if (measure.quantity == DesignQuantity::convergence) result += "Z = ";
      const std::string value = value_at(measure, family, design).value_or("not known");
      none = none || value.starts_with(kNone);
      result += value;
    }
    text += result + "\n";
  };
  if (!problem.requirements.empty()) text += "required\n";
  for (const Requirement& r : problem.requirements) row(to_text(r), r.measure);
  const std::string what = problem.objective ? to_text(problem.objective->measure) : "";
  if (problem.objective) {
    text += problem.objective->maximize ? "largest\n" : "least\n";
    row(what, problem.objective->measure);
  }
  if (design.best) text += "found: " + assignments(family, *design.best) + "\n";
  if (design.infeasible()) text += "proved: no parameters in these intervals meet the requirements\n";
  if (design.best && problem.objective && design.bound && design.value)
    text += proved_line(*problem.objective, *design.bound, *design.value);
  if (!design.closed) text += "not settled: " + design.reason + "\n";
  const std::string words =
      legend(problem) + (none ? "none: it does not exist, and is below all that do\n" : "");
  if (!problem.objective && design.best) return text + "\n" + words;
  std::size_t leaves = 0;
  std::string by;
  for (std::size_t i = 0; i <= problem.requirements.size(); ++i) {
    const std::size_t count = design.leaves_excluded_by(static_cast<int>(i));
    leaves += count;
    if (count == 0) continue;
    by += (by.empty() ? "" : ", ") + std::to_string(count) + " by " +
          (i < problem.requirements.size() ? to_text(problem.requirements[i]) : "the " + what + " found");
  }
  text += "boxes ruled out: " + std::to_string(leaves) + (by.empty() ? "" : ": " + by) + "\n";
  return text + "\n" + words + dependencies(family);
}

namespace {

// What is asked, with nothing found.
Json asked_json(const std::string& family, const std::vector<FreeParameter>& free, const Rational& bound,
                const DesignProblem& problem) {
  Json box = Json::object(), requirements = Json::array(), objective = nullptr;
  for (const FreeParameter& one : free) box[one.name] = {one.low.str(), one.high.str()};
  for (const Requirement& r : problem.requirements) {
    requirements.push_back(requirement_json(r));
    requirements.back()["found"] = nullptr;
  }
  if (problem.objective) {
    objective = measure_json(problem.objective->measure);
    objective["goal"] = problem.objective->maximize ? "maximize" : "minimize";
    objective["found"] = nullptr;
    objective["bound"] = nullptr;
  }
  return {{"schema", 1},
          {"family", family},
          {"box", box},
          {"content_bound", bound.str()},
          {"outcome", "undecided"},
          {"reason", nullptr},
          {"parameters", nullptr},
          {"requirements", requirements},
          {"objective", objective},
          {"boxes", 0}};
}

}  // namespace

std::string undecided_json(const std::string& family, const std::vector<FreeParameter>& free,
                           const Rational& bound, const DesignProblem& problem, const std::string& reason) {
  Json json = asked_json(family, free, bound, problem);
  json["reason"] = reason;
  return json_text(json);
}

std::string design_json(const OrderedFamily& family, const DesignProblem& problem, const Design& design) {
  Json json = asked_json(family.encoding().name, family.free(), family.bound(), problem);
  json["outcome"] = outcome(problem, design);
  json["reason"] = json_text_or_null(design.reason);
  json["boxes"] = design.nodes.size();
  if (!design.best) return json_text(json);
  const auto found = [&](const Measure& measure) {
    const auto value = value_at(measure, family, design);
    return value ? Json(*value) : Json(nullptr);
  };
  for (std::size_t i = 0; i < problem.requirements.size(); ++i)
    json["requirements"][i]["found"] = found(problem.requirements[i].measure);
  if (problem.objective) {
    const Measure& measure = problem.objective->measure;
    const auto end = [&](const std::optional<Rational>& value) {
      if (!value) return Json(nullptr);
      return Json(measure.is_count() ? shown(measure, *value, true) : plain_number(*value));
    };
    const bool at_least_none = measure.is_count() && design.value == Rational(kNoCount);
    json["objective"]["found"] = at_least_none ? found(measure) : end(design.value);
    json["objective"]["bound"] = end(design.bound);
  }
  for (std::size_t i = 0; i < design.best->size(); ++i)
    json["parameters"][family.free()[i].name] = plain_number((*design.best)[i]);
  return json_text(json);
}

std::string design_toml(const OrderedFamily& family, const DesignProblem& problem,
                        const ParameterPoint& point) {
  const theory::Encoding& e = family.encoding();
  if (!e.tables.empty())
    throw theory::SpecError(e.name +
                            " has tables; its encoding file is not written, give the parameters by --set");
  std::string purpose =
      theory::joined(problem.requirements, ", ", [](const Requirement& r) { return to_text(r); });
  if (problem.objective)
    purpose += (purpose.empty() ? "" : "; ") +
               std::string(problem.objective->maximize ? "largest " : "least ") +
               to_text(problem.objective->measure);
  std::string text = "schema = 1\nname = " + quoted_toml(e.name) +
                     "\ntitle = " + quoted_toml(e.name + " for " + purpose) + "\n";
  if (!e.reference.empty()) text += "reference = " + quoted_toml(e.reference) + "\n";
  const theory::ScoreFunction law = family.law(point);
  if (!e.parameters.empty()) text += "\n[parameters]\n";
  for (const theory::Parameter& one : e.parameters) {
    const auto value = std::ranges::find(law.parameters, one.name, &theory::ParameterValue::name);
    text += one.name + " = { default = " +
            quoted_toml(value->value.number() != nullptr ? plain_number(*value->value.number())
                                                         : theory::to_text(value->value));
    if (!one.domain_text.empty()) text += ", domain = " + quoted_toml(one.domain_text);
    if (!one.doc.empty()) text += ", doc = " + quoted_toml(one.doc);
    text += " }\n";
  }
  text += "\n[score]\n";
  const auto formulas = [&](std::initializer_list<const char*> keys) {
    std::string lines;
    for (const char* key : keys) {
      if (const auto at = e.formulas.find(key); at != e.formulas.end())
        lines += std::string(key) + " = " + quoted_toml(at->second) + "\n";
    }
    return lines;
  };
  if (e.first != 0) text += "first = " + std::to_string(e.first) + "\n";
  text += formulas({"gain", "bias", "window", "sink", "softcap"});
  switch (e.transform) {
    case theory::Transform::identity:
      break;
    case theory::Transform::none:
      text += "transform = \"none\"\n";
      break;
    case theory::Transform::rotation:
    case theory::Transform::scaled_rotation:
      text += std::string("transform = ") +
              (e.transform == theory::Transform::rotation ? "\"rotation\"" : "\"scaled-rotation\"") +
              "\n\n[score.rotation]\n" + formulas({"angle", "alpha", "scale"});
      if (e.rotation.layout == theory::Layout::interleaved) text += "layout = \"interleaved\"\n";
      break;
    case theory::Transform::hyperbolic:
      text += "transform = \"hyperbolic\"\n\n[score.hyperbolic]\n" + formulas({"rate", "decay"});
  }
  return text;
}

}  // namespace gpe::checks
