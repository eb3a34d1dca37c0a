// Everything that a report says of one encoding at one head.
// Tests: tests/cli/report.cmake, tests/cli/content_laws.cmake
#include "checks/arb/precision.h"
#include "checks/content/as_softmax.h"
#include "checks/content/frozen_pair.h"
#include "checks/content/sphere.h"
#include "checks/halfline/definedness.h"
#include "checks/halfline/or_undecided.h"
#include "checks/report/report.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_eval.h"
#include "theory/expression/expr_print.h"
#include "theory/score/window.h"
#include "theory/source/printable.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Context;

namespace {

std::string rate_of(const theory::ScoreFunction& law, const Context& context) {
  return attempt_all([&] { return theory::to_text(theory::gradient_rate(law, context)); })
      .or_else([](const std::string& reason) { return "undecided: " + reason; });
}

EnclosedNumber hull(const EnclosedNumber& low, const EnclosedNumber& high) {
  if (low.finite == Finite::no && high.finite == Finite::no) return high;
  if (low.finite == Finite::yes && high.finite == Finite::no)
    return {Finite::unknown, Ball::unknown(),
            "finite at the lower end of the range, infinite at the upper one"};
  if (low.finite != Finite::yes || high.finite != Finite::yes)
    return {Finite::unknown, Ball::unknown(), (low.finite != Finite::yes ? low : high).reason};
  return EnclosedNumber{Finite::yes, Ball::hull(low.value, high.value, 256), low.reason + high.reason};
}

// Z over all contents with the bound, and the entropy band, as one range each.
Sums bound_sums(const theory::ScoreFunction& law, const theory::Rational& bound,
                const std::optional<theory::Rational>& length, int digits, const Context& context) {
  const ContentNumbers numbers = content_numbers(law, bound, length, {}, digits, context);
  Sums result;
  result.z = hull(numbers.z_least, numbers.z_most);
  result.entropy = hull(numbers.band.lower, numbers.band.upper);
  result.mean_distance.reason = "the range of the mean distance over contents is not computed";
  result.method = "range over contents";
  return result;
}

// E Z under a law of the content; over the laws with such tails, a range from that of content 0.
Sums law_sums(const theory::ScoreFunction& law, const std::optional<theory::Rational>& length, int digits,
              const Context& context) {
  const auto z_of = [&](const theory::ScoreFunction& one) -> EnclosedNumber {
    if (!length) return enclose_sums(one, digits, context).z;
    const PartialSum part = enclose_partial_sum(one, *length, digits, context);
    return {part.reason.empty() ? Finite::yes : Finite::unknown, part.z, part.reason};
  };
  Sums result;
  const std::string why = "not computed under a law of the content without a bound";
  result.entropy.reason = "the entropy is " + why;
  result.mean_distance.reason = "the mean distance is " + why;
  result.method = "expectation";
  const auto mean = theory::attempt<theory::Undecided>([&] { return z_of(theory::with_mean_content(law)); });
  if (!mean) {
    result.z.reason = mean.reason();
    return result;
  }
  const bool one = law.content_law->kind == theory::ContentLaw::Kind::gaussian;
  result.z = one ? *mean : hull(z_of(theory::without_content(law)), *mean);
  return result;
}

Sums sums_under(const theory::ScoreFunction& law, const ReportOptions& options, const Context& context,
                const std::optional<theory::Rational>& length = std::nullopt) {
  const theory::Rational& bound = options.content_bounds.front();
  switch (options.content.kind) {
    case ContentModel::Kind::zero:
      break;
    case ContentModel::Kind::bound:
      return bound_sums(law, bound, length, options.digits, context);
    case ContentModel::Kind::sphere:
      return sphere_sums(law, bound, length, options.digits, context);
    case ContentModel::Kind::frozen:
      return frozen_sums(law, options.content.seed, bound, length, options.digits, context);
    case ContentModel::Kind::law:
      return law_sums(law, length, options.digits, context);
  }
  return enclose_sums(law, options.digits, context);
}

PartialSum partial_sum_under(const theory::ScoreFunction& law, const theory::Rational& length,
                             const ReportOptions& options, const Context& context) {
  if (options.content.kind == ContentModel::Kind::zero)
    return enclose_partial_sum(law, length, options.digits, context);
  const Sums whole = sums_under(law, options, context, length);
  PartialSum result{length, whole.z.value, whole.entropy.value, whole.mean_distance.value, whole.method, ""};
  if (whole.z.finite != Finite::yes) result.reason = whole.z.reason;
  return result;
}

SphereAt sphere_at(const theory::ScoreFunction& law, const theory::Rational& n, const ReportOptions& options,
                   const Context& context) {
  const theory::Rational& scale = options.content_bounds.front();
  const long bits = working_bits(options.digits);
  const auto tried = [](const auto& compute) -> EnclosedNumber {
    const auto value = theory::attempt<theory::Undecided, theory::EvaluationError>(compute);
    if (value && value->is_finite()) return {Finite::yes, *value, ""};
    return {Finite::unknown, Ball::unknown(), value ? "not defined there" : value.reason()};
  };
  return {tried([&] { return deviation_at(law, scale, n, bits); }),
          tried([&] { return probability_at_least(law, scale, n, options.threshold, bits, context); })};
}

// Laws are known without content and for frozen pairs.
GrowthLaw growth_under(const theory::ScoreFunction& law, const ReportOptions& options,
                       const Context& context) {
  if (options.content.kind == ContentModel::Kind::frozen) {
    const auto frozen = frozen_growth_of(law, options.content.seed, options.content_bounds.front(),
                                         working_bits(options.digits), context);
    return frozen ? GrowthLaw(*frozen) : GrowthLaw();
  }
  if (law.content_law && law.content_law->kind == theory::ContentLaw::Kind::gaussian) {
    const auto mean = theory::attempt<theory::Undecided>([&] { return theory::with_mean_content(law); });
    return mean ? GrowthLaw(theory::GrowthLaws{theory::growth_laws(*mean, context).z, std::nullopt})
                : GrowthLaw();
  }
  if (options.content.kind != ContentModel::Kind::zero) return {};
  return GrowthLaw(theory::growth_laws(law, context));
}

// A law of the content goes into the score function; gates and queries are not decided with it.
void take_content_law(const ContentModel& content, EncodingReport& report) {
  if (content.kind != ContentModel::Kind::law) return;
  if (report.law.path || report.law.query)
    throw theory::SpecError(report.source + ": --content " + content.name() + " is not decided with [score." +
                            (report.law.path ? "path]" : "query]"));
  report.law.content_law = content.law;
}

// Of weights that are not a softmax: Z, H and the mean distance without content, where they are those of one.
void add_sums_without_softmax(EncodingReport& report, const ReportOptions& options, const Context& context) {
  const theory::ScoreFunction& law = report.closed_law;
  const std::string name = "normalizer = \"" + std::string(theory::name_of(law.normalizer)) + "\"";
  if (!options.formats.empty() || options.curve_points > 0 ||
      options.content.kind != ContentModel::Kind::zero)
    throw theory::SpecError(report.source +
                            ": --dtype, --curves and --content are about softmax, and not about " + name);
  const auto same = as_softmax(law, theory::Rational(0));
  report.lengths = options.lengths;
  if (!same) {
    for (EnclosedNumber* number : {&report.sums.z, &report.sums.entropy, &report.sums.mean_distance})
      number->reason = "not computed with " + name;
    for (const theory::Rational& length : report.lengths)
      report.partial_sums.push_back({length, {}, {}, {}, "", "not computed with " + name});
    return;
  }
  report.sums = enclose_sums(*same, options.digits, context);
  for (const theory::Rational& length : report.lengths)
    report.partial_sums.push_back(enclose_partial_sum(*same, length, options.digits, context));
  if (report.sums.z.finite != Finite::yes)
    report.growth = GrowthLaw(theory::growth_laws(*same, context.question()));
}

// Bands, windows and reach under each bound on the content, of the whole context and of each length.
void add_contents(EncodingReport& report, const ReportOptions& options, const Context& context) {
  if (!options.contents) return;
  const ContentQuestion all{options.epsilons, options.weights};
  const ContentQuestion partial = report.closed_law.depends_on_length() ? all : ContentQuestion();
  report.partial_contents.resize(report.lengths.size());
  for (const theory::Rational& bound : options.content_bounds) {
    const auto law = report.law.path ? theory::at_values(report.law) : as_softmax(report.closed_law, bound);
    if (!law) {
      if (const auto window = zero_window(report.closed_law, bound, context))
        report.zero_windows.push_back(*window);
      continue;
    }
    report.contents.push_back(content_numbers(*law, bound, std::nullopt, all, options.digits, context));
    for (std::size_t i = 0; i < report.lengths.size(); ++i)
      report.partial_contents[i].push_back(
          content_numbers(*law, bound, report.lengths[i], partial, options.digits, context));
  }
}

}  // namespace

ContentModel ContentModel::parse(const std::string& option, const std::string& text) {
  if (text == "zero") return {Kind::zero, 0};
  if (text == "bound") return {Kind::bound, 0};
  if (text == "sphere") return {Kind::sphere, 0};
  const std::string prefix = "frozen:";
  if (text.starts_with(prefix)) {
    const auto seed = theory::Rational::parse(text.substr(prefix.size()));
    const auto whole = seed ? seed->to_int64() : std::nullopt;
    if (whole && *whole >= 0) return {Kind::frozen, static_cast<std::uint64_t>(*whole)};
  }
  for (const auto& [name, law] :
       {std::pair<std::string, theory::ContentLaw::Kind>{"gaussian:", theory::ContentLaw::Kind::gaussian},
        {"sub-gaussian:", theory::ContentLaw::Kind::sub_gaussian}}) {
    if (!text.starts_with(name)) continue;
    const auto deviation = theory::Rational::parse(text.substr(name.size()));
    if (deviation && deviation->sign() > 0 && deviation->bits() <= 64)
      return {Kind::law, 0, {law, *deviation}};
  }
  throw theory::SpecError(
      option + ": '" + text +
      "' is not known; expected zero, bound, sphere, frozen:SEED, gaussian:S or sub-gaussian:S with S > 0");
}

std::string ContentModel::name() const {
  switch (kind) {
    case Kind::zero:
      return "zero";
    case Kind::bound:
      return "bound";
    case Kind::sphere:
      return "sphere";
    case Kind::frozen:
      return "frozen:" + std::to_string(seed);
    case Kind::law:
      return law.name();
  }
  return "";
}

std::vector<theory::Rational> default_lengths(const theory::ScoreFunction& law,
                                              std::int64_t training_length) {
  if (!law.depends_on_length() || law.bias.mentions(theory::kLength)) return {};
  theory::Rational train(training_length != 0 ? training_length : 4096);
  for (const theory::ParameterValue& parameter : law.parameters) {
    const theory::Rational* value = parameter.name == "train" ? parameter.value.number() : nullptr;
    if (value != nullptr && value->is_integer() && value->sign() > 0 && value->bits() <= 64) train = *value;
  }
  std::vector<theory::Rational> result;
  for (const int times : {1, 2, 8, 64}) result.push_back(theory::Rational(times) * train);
  return result;
}

EncodingReport analyse(const theory::Encoding& encoding, const theory::Setting& setting,
                       const std::vector<theory::Override>& overrides, const ReportOptions& options,
                       const Context& context) {
  EncodingReport report;
  report.name = encoding.name;
  report.title = theory::printable(encoding.title);
  report.reference = theory::printable(encoding.reference);
  report.source = encoding.source;
  report.sha256 = encoding.sha256;
  report.setting = setting;
  report.encoding = encoding;
  report.law = theory::instantiate(encoding, setting, overrides, context, theory::Families::taken);
  take_content_law(options.content, report);
  report.closed_law = theory::at_values(report.law);
  if (report.closed_law.path)
    report.closed_law = theory::with_constant_gate(report.closed_law, report.closed_law.path->high);
  report.closed_law.query.reset();
  for (const theory::Override& change : overrides) report.overridden.insert(change.name);
  report.assumed = require_defined(report.law, encoding.source, context);
  if (options.laws_only) return report;

  report.findings = theory::find_all(report.law, options.content_bounds, context, options.symbolic);
  const theory::ScoreFunction& law = report.closed_law;
  if (law.normalizer != theory::Normalizer::softmax) {
    add_sums_without_softmax(report, options, context);
    add_contents(report, options, context);
    report.range = local_range(law, options.threshold, context);
    report.gps_rate = rate_of(law, context.question());
    return report;
  }
  report.sums = sums_under(law, options, context);
  report.lengths = options.lengths;
  if (report.lengths.empty() && options.contents)
    report.lengths = default_lengths(report.law, options.training_length);
  for (const theory::Rational& length : report.lengths)
    report.partial_sums.push_back(partial_sum_under(law, length, options, context));
  if (options.content.kind == ContentModel::Kind::sphere) {
    for (const theory::Rational& length : report.lengths)
      report.spheres.push_back(sphere_at(law, length, options, context.question()));
  }
  for (const FloatFormat& format : options.formats)
    report.dtype_limits.push_back(dtype_limit(law, format, context));
  const bool bounded = !law.content_law;  // else no window, reach or band is about it
  if (bounded) add_contents(report, options, context);
  if (report.sums.z.finite != Finite::yes) report.growth = growth_under(law, options, context.question());
  report.range = local_range(law, options.threshold, context);
  report.gps_rate = rate_of(theory::at_values(report.law), context.question());
  if (options.curve_points > 0) {
    const theory::Rational length =
        options.lengths.empty() ? theory::Rational(16384) : options.lengths.back();
    const bool plain = options.content.kind == ContentModel::Kind::zero;  // as the sums of the points are
    report.curves = curves_of(
        law, plain ? report.growth : GrowthLaw(),
        {options.curve_points, length, bounded ? options.content_bounds : std::vector<theory::Rational>()},
        context);
  }
  return report;
}

}  // namespace gpe::checks
