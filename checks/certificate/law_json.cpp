#include "checks/certificate/law_json.h"

#include <nlohmann/json.hpp>

#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/score/window.h"
#include "theory/source/table.h"

namespace gpe::checks {

namespace {

const char* name_of(theory::Transform transform) {
  switch (transform) {
    case theory::Transform::identity:
      return "identity";
    case theory::Transform::rotation:
      return "rotation";
    case theory::Transform::scaled_rotation:
      return "scaled-rotation";
    case theory::Transform::hyperbolic:
      return "hyperbolic";
    case theory::Transform::none:
      return "none";
  }
  return "";
}

}  // namespace

Json law_json(const EncodingReport& report) {
  const theory::Encoding& encoding = report.encoding;
  const auto formula = [&](const char* key, const Json& otherwise) {
    const auto at = encoding.formulas.find(key);
    return at == encoding.formulas.end() ? otherwise : Json(at->second);
  };
  Json json = {{"name", report.name},           {"head_dim", report.setting.head_dim},
               {"head", report.setting.head},   {"heads", report.setting.heads},
               {"layer", report.setting.layer}, {"layers", report.setting.layers},
               {"first", encoding.first},       {"transform", name_of(encoding.transform)},
               {"gain", formula("gain", "1")},  {"bias", formula("bias", "0")}};
  if (encoding.bias.mentions(theory::kLength) &&
      !report.law.bias.mentions(theory::kLength))  // terms in L alone are taken off
    json["bias"] = theory::to_text(report.law.bias);
  for (const char* key : {"window", "softcap", "angle", "alpha", "scale", "rate", "decay"})
    json[key] = formula(key, nullptr);
  if (encoding.window && encoding.window->mentions(theory::kNoWindow))  // that of this head
    json["window"] = report.law.window_size ? Json(theory::to_text(*report.law.window_size)) : Json(nullptr);
  json["parameters"] = Json::array();
  for (const theory::ParameterValue& value : report.law.parameters) {
    const theory::Parameter& parameter = *encoding.find(value.name);
    const theory::ChosenPlace place = theory::chosen_place(parameter, report.setting);
    const bool overridden = report.overridden.contains(value.name);
    json["parameters"].push_back(
        {{"name", value.name},
         {"value",
          overridden ? theory::to_text(value.value) : parameter.value_texts[place.row][place.column]},
         {"domain", parameter.domain_text.empty() ? Json(nullptr) : Json(parameter.domain_text)}});
  }
  json["tables"] = Json::object();
  for (const auto& [name, table] : encoding.tables) {
    Json values = Json::array();
    for (const theory::Rational& value : table->values) values.push_back(value.str());
    json["tables"][name] = {{"first", table->first_index},
                            {"beyond", table->beyond == theory::Beyond::constant ? "constant" : "error"},
                            {"values", values}};
  }
  return json;
}

}  // namespace gpe::checks
