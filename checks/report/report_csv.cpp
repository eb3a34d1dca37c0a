#include "checks/report/report_csv.h"

#include "checks/report/plain_number.h"
#include "checks/report/report_cells.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

std::string row(const std::vector<std::string>& cells) { return theory::joined(cells, ",", quoted) + "\n"; }

// The encoding, its head and its layer: the first cells of every row.
std::vector<std::string> place(const EncodingReport& report) {
  const bool several = report.one_head_of_several;
  return {report.name, several ? std::to_string(report.setting.head) : "",
          several && report.setting.layers > 1 ? std::to_string(report.setting.layer) : ""};
}

std::string joined(std::vector<std::string> cells, const std::vector<std::string>& more) {
  cells.insert(cells.end(), more.begin(), more.end());
  return row(cells);
}

std::string decimal(const std::optional<Ball>& value) {
  return value ? plain_number({Finite::yes, *value, ""}, kCurveDigits, true) : "";
}

// The lower or the upper end of what is proved.
std::string end_of(const EnclosedNumber& number, bool upper, int digits) {
  if (number.finite == Finite::no) return "inf";
  if (number.finite == Finite::unknown || !number.value.is_finite()) return "";
  const DecimalEnds ends = decimal_ends(number.value, digits);
  return upper ? ends.upper : ends.lower;
}

// What holds for every content: the range of Z, the entropy band, windows and reach.
std::string contents_csv(const EncodingReport& report, const ReportOptions& options) {
  std::string text;
  for (const ContentNumbers& numbers : report.contents) {
    const auto add = [&](const std::string& quantity, const std::string& reading, const std::string& value) {
      text += joined(place(report), {quantity, reading, numbers.bound.str(), value, ""});
    };
    add("content_sums", "lower", end_of(numbers.z_least, false, options.digits));
    add("content_sums", "upper", end_of(numbers.z_most, true, options.digits));
    add("entropy_band", "lower", end_of(numbers.band.lower, false, options.digits));
    add("entropy_band", "upper", end_of(numbers.band.upper, true, options.digits));
    for (std::size_t i = 0; i < numbers.windows.size(); ++i)
      add("effective_window", options.epsilons[i].str(), plain_number(numbers.windows[i]));
    for (std::size_t i = 0; i < numbers.reach.size(); ++i) {
      add("reach", options.weights[i].str(), plain_number(numbers.reach[i].n));
      add("self_reach", options.weights[i].str(), plain_number(numbers.reach[i].self_reach));
    }
  }
  return text;
}

std::string points_csv(const std::vector<EncodingReport>& reports, const ReportOptions& options) {
  std::vector<std::string> titles = {"encoding", "head", "layer", "n", "A"};
  for (const theory::Rational& bound : options.content_bounds)
    for (const char* end : {"lower", "upper"}) titles.push_back(std::string(end) + " B=" + bound.str());
  for (const char* name : {"weight", "mass", "Z", "H", "Z_law", "H_law"}) titles.emplace_back(name);
  std::string text = row(titles);
  for (const EncodingReport& report : reports) {
    for (const CurvePoint& point : report.curves) {
      std::vector<std::string> cells = {point.n.str(), decimal(point.score)};
      for (std::size_t i = 0; i < point.low.size(); ++i) {
        cells.push_back(decimal(point.low[i]));
        cells.push_back(decimal(point.high[i]));
      }
      for (const auto& value :
           {point.weight, point.mass, point.z, point.entropy, point.z_law, point.entropy_law})
        cells.push_back(decimal(value));
      text += joined(place(report), cells);
    }
  }
  return text;
}

}  // namespace

std::string report_csv(const std::vector<EncodingReport>& reports, const ReportOptions& options) {
  if (options.curve_points > 0) return points_csv(reports, options);
  std::string text =
      row({"encoding", "head", "layer", "quantity", "reading", "content_bound", "value", "region"});
  for (const EncodingReport& report : reports) {
    for (const theory::Finding& finding : report.findings) {
      text += joined(place(report),
                     {std::string(theory::name_of(finding.reading->property)), row_of(report, finding).name(),
                      finding.content_bound ? finding.content_bound->str() : "",
                      std::string(theory::name_of(finding.verdict)), finding.region});
    }
    if (const std::string name = normalizer_of(report); !name.empty())
      text += joined(place(report), {"normalizer", "", "", name, ""});
    const std::string content = options.content.name();
    for (const auto& [name, number] : {std::pair{"Z", &report.sums.z}, std::pair{"H", &report.sums.entropy},
                                       std::pair{"mean_distance", &report.sums.mean_distance}})
      text += joined(place(report), {name, content, "", plain_number(*number, options.digits, true), ""});
    text += joined(place(report), {"local_range", "within", "", plain_number(report.range.within), ""});
    text += contents_csv(report, options);
  }
  return text;
}

}  // namespace gpe::checks
