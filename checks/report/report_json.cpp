#include "checks/report/report_json.h"

#include <nlohmann/json.hpp>

#include "checks/arb/precision.h"
#include "checks/cli/version.h"
#include "checks/report/json_number.h"
#include "checks/report/report_cells.h"
#include "checks/report/report_content.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

namespace {

Json enclosed(const EnclosedNumber& number, int digits, const char* kind = nullptr) {
  Json result = json_enclosed(number, digits);
  if (kind != nullptr && number.finite == Finite::yes) result["kind"] = kind;
  return result;
}

Json growth_error_json(const GrowthLaw& law, const PartialSum& sum, int digits) {
  const auto ends = [&](const std::optional<Ball>& value) {
    return value ? json_ends(*value, digits) : Json(nullptr);
  };
  if (!sum.reason.empty()) return Json{{"Z", nullptr}, {"H", nullptr}};
  const long bits = working_bits(digits);
  return Json{{"Z", ends(law.z_error(sum.z, sum.length, bits))},
              {"H", ends(law.entropy_error(sum.entropy, sum.length, bits))}};
}

const char* kind_of(const ContentModel& content) {
  switch (content.kind) {
    case ContentModel::Kind::bound:
      return "range";
    case ContentModel::Kind::sphere:
      return "expectation";
    case ContentModel::Kind::law:
      return content.law.kind == theory::ContentLaw::Kind::gaussian ? "expectation" : "range";
    default:
      return "enclosure";
  }
}

Json curves_json(const std::vector<CurvePoint>& curves) {
  const auto decimal = [](const std::optional<Ball>& value) {
    if (!value || !value->is_finite()) return Json(nullptr);
    if (value->surely_zero()) return Json("0");
    const Decimal shown = proved_decimal(*value, kCurveDigits);
    return shown.digits > 0 ? Json(shown.text) : Json(nullptr);
  };
  const auto decimals = [&](const std::vector<Ball>& values) {
    Json result = Json::array();
    for (const Ball& value : values) result.push_back(decimal(value));
    return result;
  };
  Json result = Json::array();
  for (const CurvePoint& point : curves) {
    result.push_back({{"n", json_integer(point.n)},
                      {"A", decimal(point.score)},
                      {"lower", decimals(point.low)},
                      {"upper", decimals(point.high)},
                      {"weight", decimal(point.weight)},
                      {"mass", decimal(point.mass)},
                      {"Z", decimal(point.z)},
                      {"H", decimal(point.entropy)},
                      {"Z_law", decimal(point.z_law)},
                      {"H_law", decimal(point.entropy_law)}});
  }
  return result;
}

Json partial_sums_json(const EncodingReport& report, const ReportOptions& options) {
  Json partial = Json::array();
  for (const PartialSum& sum : report.partial_sums) {
    Json one{{"L", json_integer(sum.length)}};
    if (sum.reason.empty()) {
      one["Z"] = json_ends(sum.z, options.digits);
      one["H"] = json_ends(sum.entropy, options.digits);
      one["mean_distance"] =
          sum.mean_distance.is_finite() ? json_ends(sum.mean_distance, options.digits) : Json(nullptr);
    } else {
      one["Z"] = nullptr;
      one["H"] = nullptr;
      one["mean_distance"] = nullptr;
      one["reason"] = sum.reason;
    }
    one["growth_error"] = growth_error_json(report.growth, sum, options.digits);
    if (!report.spheres.empty()) {
      const SphereAt& sphere = report.spheres[partial.size()];
      one["deviation"] = enclosed(sphere.deviation, options.digits);
      one["probability_at_least"] = enclosed(sphere.reaches, options.digits);
      one["probability_at_least"]["threshold"] = options.threshold.str();
    }
    one["entropy_band"] = Json::array();
    if (!report.partial_contents.empty()) {
      one["effective_windows"] = Json::array();
      one["reach"] = Json::array();
      for (const ContentNumbers& numbers : report.partial_contents[partial.size()]) {
        one["entropy_band"].push_back(band_json(numbers, options.digits));
        add_counts_json(one, numbers, options);
      }
    }
    partial.push_back(one);
  }
  return partial;
}

Json encoding_json(const EncodingReport& report, const ReportOptions& options) {
  Json json;
  json["name"] = report.name;
  json["title"] = json_text_or_null(report.title);
  json["spec_sha256"] = json_text_or_null(report.sha256);
  Json parameters = Json::object();
  for (const theory::ParameterValue& parameter : report.law.parameters) {
    parameters[parameter.name] = theory::to_text(parameter.value);
  }
  json["parameters"] = parameters;
  const auto place = [&](int index, int count) {
    return report.one_head_of_several && count > 1 ? Json(index) : Json(nullptr);
  };
  json["head"] = report.one_head_of_several ? Json(report.setting.head) : Json(nullptr);
  if (report.setting.layers > 1) json["layer"] = place(report.setting.layer, report.setting.layers);
  Json bounds = Json::array();
  for (const theory::Rational& bound : options.content_bounds) bounds.push_back(bound.str());
  json["content_bounds"] = bounds;
  json["head_dim"] = report.setting.head_dim;
  if (const auto& path = report.law.path) json["gates"] = gates_of(*path);
  if (const std::string name = normalizer_of(report); !name.empty()) json["normalizer"] = name;
  if (const auto& query = report.law.query) json["query"] = query_of(*query);
  if (!report.assumed.empty()) json["assumed"] = report.assumed;

  Json verdicts = Json::array();
  for (const theory::Finding& finding : report.findings) {
    verdicts.push_back(
        Json{{"property", theory::name_of(finding.reading->property)},
             {"reading", finding.reading->name},
             {"content_bound", finding.content_bound ? Json(finding.content_bound->str()) : Json(nullptr)},
             {"verdict", theory::name_of(finding.verdict)},
             {"region", finding.region},
             {"reason", finding.reason},
             {"certificate", verdicts.size() < report.certificates.size()
                                 ? json_text_or_null(report.certificates[verdicts.size()])
                                 : Json(nullptr)}});
    if (finding.quantifier != theory::Quantifier::none) {
      const std::string_view noun = theory::quantified(report.law);
      verdicts.back()[noun == "gate" ? "gates" : noun] = theory::name_of(finding.quantifier);
    }
  }
  json["verdicts"] = verdicts;
  json["sums"] = Json{{"content", options.content.name()},
                      {"Z", enclosed(report.sums.z, options.digits, kind_of(options.content))},
                      {"H", enclosed(report.sums.entropy, options.digits)},
                      {"mean_distance", enclosed(report.sums.mean_distance, options.digits)}};
  add_content_json(json, report, options);
  json["partial_sums"] = partial_sums_json(report, options);
  const auto law = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); };
  json["growth"] = Json{{"Z", law(report.growth.z_text(options.digits))},
                        {"H", law(report.growth.entropy_text(options.digits))}};
  json["local_range"] = Json{{"threshold", options.threshold.str()},
                             {"literal", json_count(report.range.literal)},
                             {"within", json_count(report.range.within)}};
  if (!report.dtype_limits.empty()) {
    json["dtype_limits"] = Json::array();
    for (const DtypeLimit& limit : report.dtype_limits) {
      json["dtype_limits"].push_back(
          {{"dtype", limit.format.name},
           {"bias", json_count(limit.bias)},
           {"angle", json_count(limit.angle)},
           {"angle_block",
            limit.angle.kind == BigCount::Kind::number ? Json(limit.angle_block) : Json(nullptr)}});
    }
  }
  json["gps_rate"] = report.gps_rate;
  if (options.curve_points > 0) json["curves"] = curves_json(report.curves);
  return json;
}

}  // namespace

std::string report_json(const std::vector<EncodingReport>& reports, const ReportOptions& options) {
  Json json;
  json["schema"] = 1;
  json["generator"] = Json{{"program", "check-properties"}, {"version", kVersion}};
  json["encodings"] = Json::array();
  for (const EncodingReport& report : reports) json["encodings"].push_back(encoding_json(report, options));
  return json_text(json);
}

}  // namespace gpe::checks
