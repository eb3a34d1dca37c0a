#include "checks/report/report_cells.h"

#include <algorithm>
#include <set>

#include "checks/arb/decimal.h"
#include "checks/arb/precision.h"
#include "theory/expression/expr_print.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Finding;
using theory::Property;
using theory::Reading;
using theory::Verdict;

namespace {

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return Tone::good;
    case Verdict::fails:
      return Tone::bad;
    case Verdict::depends:
      return Tone::mixed;
    case Verdict::undecided:
      return Tone::unsure;
  }
  return Tone::plain;
}

// Whether the scores of an encoding differ by what these names stand for.
bool mentions_any(const theory::Encoding& e, const std::vector<std::string>& names) {
  std::vector<theory::Expr> parts = {
      e.gain, e.bias, e.rotation.angle, e.rotation.scale, e.hyperbolic.rate, e.hyperbolic.decay};
  for (const auto* part : {&e.window, &e.sink, &e.softcap}) {
    if (*part) parts.push_back(**part);
  }
  for (const theory::Parameter& parameter : e.parameters) {
    for (const auto& row : parameter.values) parts.insert(parts.end(), row.begin(), row.end());
  }
  return std::ranges::any_of(parts, [&](const theory::Expr& part) {
    return std::ranges::any_of(names, [&](const std::string& name) { return part.mentions(name); });
  });
}

}  // namespace

std::string title_of(Property property) {
  switch (property) {
    case Property::convergent_normalization:
      return "convergent normalization";
    case Property::entropy_boundedness:
      return "entropy boundedness";
    case Property::ldcp:
      return "long-distance correlation";
    case Property::gps:
      return "gradient positional sensitivity";
  }
  return "";
}

Cell verdict_cell(const std::vector<const Finding*>& findings) {
  if (findings.empty()) return {"-", Tone::unsure};
  const Verdict first = findings.front()->verdict;
  if (std::ranges::all_of(findings, [&](const Finding* f) { return f->verdict == first; })) {
    return {std::string(theory::name_of(first)), tone_of(first)};
  }
  return {theory::joined(findings, ", ",
                         [](const Finding* f) {
                           return std::string(theory::name_of(f->verdict)) +
                                  " at B = " + (f->content_bound ? f->content_bound->str() : "?");
                         }),
          Tone::mixed};
}

std::string gates_of(const theory::Path& path) {
  const auto relation = [](bool open) { return open ? " < " : " <= "; };
  std::string text = (path.low ? theory::to_text(*path.low) + relation(path.low_open) : "") + "g" +
                     relation(path.high_open) + theory::to_text(path.high);
  if (!path.random) return text;
  const auto& [mean, mean_infinite, mean_exp] = *path.random;
  if (mean || mean_infinite) text += ", E g = " + (mean ? theory::to_text(*mean) : "-inf");
  return mean_exp ? text + ", E e^g = " + theory::to_text(*mean_exp) : text;
}

std::string normalizer_of(const EncodingReport& report) {
  const theory::ScoreFunction& law = report.closed_law;
  if (law.normalizer == theory::Normalizer::softmax) return "";
  const std::string name(theory::name_of(law.normalizer));
  const std::string key = law.normalizer == theory::Normalizer::top_k ? "k" : "alpha";
  return law.normalizer_parameter ? name + ", " + key + " = " + theory::to_text(*law.normalizer_parameter)
                                  : name;
}

std::string meaning_of(theory::Normalizer normalizer) {
  switch (normalizer) {
    case theory::Normalizer::softmax:
      break;
    case theory::Normalizer::sigmoid:
      return "Z is the sum of sigmoid(A), and H the entropy of sigmoid(A)/Z";
    case theory::Normalizer::relu:
      return "Z is the sum of max(A, 0), and H the entropy of max(A, 0)/Z, or 0; ldcp weight is limsup b > 0";
    case theory::Normalizer::top_k:
      return "Z is the sum of the k largest e^A, and H the entropy of their shares";
    case theory::Normalizer::entmax:
      return "weights are max(t - tau, 0)^(1/(alpha - 1)), t = (alpha - 1) A; cn asks whether tau stays "
             "finite, and H is the entropy of the weights";
    case theory::Normalizer::stick_breaking:
      return "weights are s(A(n)) times all 1 - s(A(m)) of nearer keys m, s the sigmoid, and H is their "
             "entropy with what is left as one more; cn asks whether their sum is finite";
  }
  return "";
}

std::string query_of(const theory::QueryBias& query) {
  const std::string shape = theory::to_text(query.shape);
  const bool plain = shape.find_first_of("+- ") == std::string::npos;
  return "r*" + (plain ? shape : "(" + shape + ")") + ", |r| <= " + theory::to_text(query.radius);
}

std::string formula_of(const EncodingReport& report) {
  const theory::Encoding& e = report.encoding;
  std::string content;
  switch (e.transform) {
    case theory::Transform::none:
      break;
    case theory::Transform::identity:
      content = "q'k/sqrt(d)";
      break;
    default:
      content = "q'W(n)k/sqrt(d)";
      break;
  }
  if (e.softcap && !content.empty()) content = "softcap(" + content + ")";
  const std::string gain = theory::to_text(e.gain);
  const std::string bias = theory::to_text(e.bias);
  std::string text = "A(n) = ";
  if (!content.empty()) text += gain == "1" ? content : "[" + gain + "] " + content;
  if (content.empty())
    text += bias;
  else if (bias != "0")
    text += bias.starts_with("-") ? " - " + bias.substr(1) : " + " + bias;
  if (bias.starts_with("-") && !content.empty()) {  // a sum keeps its own signs after the first
    text = "A(n) = " + (gain == "1" ? content : "[" + gain + "] " + content) + " + (" + bias + ")";
  }
  // p and S_n are what the reasons of verdicts call them
  if (e.query)
    return text + " + r*p(n), p(n) = " + theory::to_text(e.query->shape) +
           ", |r| <= " + theory::to_text(e.query->radius);
  return e.path ? text + " + S_n, S_n = g_1 + ... + g_n, " + gates_of(*e.path) : text;
}

std::string transform_of(const EncodingReport& report) {
  const theory::Encoding& e = report.encoding;
  switch (e.transform) {
    case theory::Transform::rotation:
      return "W(n) rotates block j by " + theory::to_text(e.rotation.angle);
    case theory::Transform::scaled_rotation:
      return "W(n) rotates block j by " + theory::to_text(e.rotation.angle) + " and scales it by " +
             theory::to_text(e.rotation.scale);
    case theory::Transform::hyperbolic:
      return "W(n) turns block j hyperbolically at rate " + theory::to_text(e.hyperbolic.rate) +
             " with decay " + theory::to_text(e.hyperbolic.decay);
    default:
      return "";
  }
}

std::string parameters_of(const EncodingReport& report) {
  return theory::joined(report.law.parameters, ", ", [](const theory::ParameterValue& parameter) {
    return parameter.name + " = " + theory::to_text(parameter.value);
  });
}

std::string name_with_head(const EncodingReport& report) {
  std::string name = report.name;
  if (report.one_head_of_several) {
    if (report.setting.layers > 1) name += " layer " + std::to_string(report.setting.layer);
    const std::string last =
        report.last_head > report.setting.head ? " to " + std::to_string(report.last_head) : "";
    name += (last.empty() ? " head " : " heads ") + std::to_string(report.setting.head) + last + "/" +
            std::to_string(report.setting.heads);
  }
  return name;
}

std::string bounds_text(const ReportOptions& options) {
  if (options.content.kind == ContentModel::Kind::law) {
    const std::string s = options.content.law.deviation.str();
    return (options.content.law.kind == theory::ContentLaw::Kind::gaussian
                ? "c(n) normal given q, mean 0, deviation " + s
                : "c(n) centred given q, E e^(t c) <= e^(t^2 s^2/2), s = " + s) +
           "; it has no bound, so no windows, reach or bands";
  }
  if (std::ranges::find(options.symbolic, theory::kContentBound) != options.symbolic.end())
    return "|c(n)| <= B w(n), B free";
  return "|c(n)| <= B w(n), B = " + theory::joined(options.content_bounds, ", ", &theory::Rational::str);
}

Cell number_cell(const EnclosedNumber& number, int digits) {
  switch (number.finite) {
    case Finite::no:
      return {"infinite", Tone::bad};
    case Finite::unknown:
      return {"-", Tone::unsure};
    case Finite::yes:
      break;
  }
  if (!number.value.is_finite()) return {"finite, not enclosed", Tone::mixed};
  const Decimal text = proved_decimal(number.value, digits);
  if (text.digits == 0) {
    const DecimalEnds ends = decimal_ends(number.value, 3);
    return {"in [" + ends.lower + ", " + ends.upper + "]", Tone::mixed};
  }
  return {text.text, Tone::plain};
}

Cell count_cell(const BigCount& count) {
  switch (count.kind) {
    case BigCount::Kind::none:
      return {"none"};
    case BigCount::Kind::number:
      return {count.number.str()};
    case BigCount::Kind::log10:
      return {"10^" + count.log10};
    case BigCount::Kind::unbounded:
      return {"unbounded"};
    case BigCount::Kind::unknown:
      return {"undecided", Tone::unsure};
  }
  return {};
}

std::string extras_of(const EncodingReport& report) {
  const theory::ScoreFunction& law = report.closed_law;
  std::string extra;
  if (law.window) extra += "window of " + theory::counted(*law.window, "key") + "; ";
  if (law.first != 0) extra += "distances from " + std::to_string(law.first) + "; ";
  if (law.sink) extra += "sink logit " + theory::to_text(*law.sink) + " (outside Z and H); ";
  if (law.softcap) extra += "soft cap " + theory::to_text(*law.softcap) + "; ";
  if (law.two_sided) extra += "two-sided; ";
  if (const std::string weights = normalizer_of(report); !weights.empty())
    extra += "normalizer " + weights + "; ";
  if (report.law.path)
    extra += "numbers are those of the constant gate " +
             theory::to_text(theory::at_values(report.law).path->high) + " unless they say otherwise; ";
  if (report.law.query) extra += "numbers are those of r = 0; ";
  const auto one_of = [&](const std::string& what, int count, bool differs) {
    if (count == 1 && differs) extra += what + " 1 of 1 (of N with --" + what + "s N); ";
  };
  one_of("head", report.setting.heads, mentions_any(report.encoding, {"h", "heads"}));
  one_of("layer", report.setting.layers, mentions_any(report.encoding, {"layer", "layers"}));
  return extra.empty() ? extra : extra.substr(0, extra.size() - 2);
}

std::vector<std::pair<std::string, std::string>> reasons_of(const EncodingReport& report) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Finding& finding : report.findings) {
    const std::string label =
        std::string(theory::short_name_of(finding.reading->property)) + " " + row_of(report, finding).name();
    const auto found =
        std::ranges::find_if(lines, [&](const auto& line) { return line.second == finding.reason; });
    if (found == lines.end()) {
      lines.emplace_back(label, finding.reason);
    } else if (found->first.find(label) == std::string::npos) {
      found->first += ", " + label;
    }
  }
  return lines;
}

std::vector<std::string> notes_of(const std::vector<EncodingReport>& reports) {
  std::vector<std::string> notes;
  for (const EncodingReport& report : reports) {
    for (const EnclosedNumber* number : {&report.sums.z, &report.sums.entropy, &report.sums.mean_distance}) {
      if (number->finite == Finite::no || number->reason.empty()) continue;
      const std::string note = report.name + ": " + number->reason;
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
  }
  return notes;
}

std::string content_label(const ReportOptions& options) {
  const std::string bound = options.content_bounds.front().str();
  switch (options.content.kind) {
    case ContentModel::Kind::zero:
      return "number (without content)";
    case ContentModel::Kind::bound:
      return "number (any content, B = " + bound + ")";
    case ContentModel::Kind::sphere:
      return "number (expected on spheres, B = " + bound + ")";
    case ContentModel::Kind::frozen:
      return "number (pair " + std::to_string(options.content.seed) + ", B = " + bound + ")";
    case ContentModel::Kind::law:
      return "number (expected, " + options.content.name() + ")";
  }
  return "";
}

std::vector<theory::Rational> lengths_of(const std::vector<EncodingReport>& reports) {
  std::set<theory::Rational> all;
  for (const EncodingReport& report : reports) all.insert(report.lengths.begin(), report.lengths.end());
  return {all.begin(), all.end()};
}

std::optional<std::size_t> place_of(const theory::Rational& length, const EncodingReport& report) {
  const auto found = std::ranges::find(report.lengths, length);
  if (found == report.lengths.end()) return std::nullopt;
  return static_cast<std::size_t>(found - report.lengths.begin());
}

std::vector<std::vector<Cell>> number_rows(const std::vector<EncodingReport>& reports,
                                           const ReportOptions& options,
                                           const std::vector<theory::Rational>& lengths) {
  std::vector<std::vector<Cell>> rows;
  const auto row = [&](const std::string& label, const auto& cell_of) {
    std::vector<Cell> cells = {{label}};
    for (const EncodingReport& report : reports) cells.push_back(cell_of(report));
    rows.push_back(std::move(cells));
  };
  row("Z", [&](const EncodingReport& r) { return number_cell(r.sums.z, options.digits); });
  row("entropy H (nats)",
      [&](const EncodingReport& r) { return number_cell(r.sums.entropy, options.digits); });
  row("mean distance",
      [&](const EncodingReport& r) { return number_cell(r.sums.mean_distance, options.digits); });
  const auto any = [&](const auto& has) { return std::ranges::any_of(reports, has); };
  const bool grows = any([](const EncodingReport& r) { return r.growth.z_text(4).has_value(); });
  if (grows) {
    row("Z_L grows like", [](const EncodingReport& r) { return Cell{r.growth.z_text(4).value_or("")}; });
    row("H_L grows like",
        [](const EncodingReport& r) { return Cell{r.growth.entropy_text(4).value_or("")}; });
  }
  for (const theory::Rational& length : lengths) {
    const auto partial = [&](const std::string& label, const auto& cell_of) {
      row(label + " = " + length.str(), [&](const EncodingReport& r) {
        const auto place = place_of(length, r);
        if (!place) return Cell{""};
        const PartialSum& sum = r.partial_sums[*place];
        return sum.reason.empty() ? cell_of(r, sum) : Cell{"-", Tone::unsure};
      });
    };
    const auto number = [&](const Ball& value) {
      return number_cell({Finite::yes, value, ""}, options.digits);
    };
    partial("Z to L", [&](const EncodingReport&, const PartialSum& sum) { return number(sum.z); });
    partial("H to L", [&](const EncodingReport&, const PartialSum& sum) { return number(sum.entropy); });
    if (options.lengths.empty())
      partial("mean distance to L",
              [&](const EncodingReport&, const PartialSum& sum) { return number(sum.mean_distance); });
    if (options.content.kind == ContentModel::Kind::sphere) {
      const auto sphere = [&](const std::string& label, EnclosedNumber SphereAt::*which) {
        row(label + " at n = " + length.str(), [&](const EncodingReport& r) {
          const auto place = place_of(length, r);
          return place ? number_cell(r.spheres[*place].*which, 4) : Cell{""};
        });
      };
      sphere("P(A >= " + options.threshold.str() + ")", &SphereAt::reaches);
      sphere("deviation of A", &SphereAt::deviation);
    }
    if (!grows) continue;
    const long bits = working_bits(options.digits);
    const auto error = [&](const std::optional<Ball>& value) {
      return value ? number_cell({Finite::yes, *value, ""}, 3) : Cell{""};
    };
    partial("Z/law - 1 at L", [&](const EncodingReport& r, const PartialSum& sum) {
      return error(r.growth.z_error(sum.z, sum.length, bits));
    });
    partial("H - law at L", [&](const EncodingReport& r, const PartialSum& sum) {
      return error(r.growth.entropy_error(sum.entropy, sum.length, bits));
    });
  }
  const std::string c1 = options.threshold.str();
  row("local range |b| <= " + c1, [](const EncodingReport& r) { return count_cell(r.range.within); });
  row("local range |b| >= " + c1, [](const EncodingReport& r) { return count_cell(r.range.literal); });
  for (std::size_t i = 0; i < options.formats.size(); ++i) {
    const std::string& name = options.formats[i].name;
    row("equal biases in " + name + " from n =",
        [i](const EncodingReport& r) { return count_cell(r.dtype_limits[i].bias); });
    row("equal angles in " + name + " from n =",
        [i](const EncodingReport& r) { return count_cell(r.dtype_limits[i].angle); });
  }
  row("gradient of order", [](const EncodingReport& r) { return Cell{r.gps_rate}; });
  return rows;
}

}  // namespace gpe::checks
