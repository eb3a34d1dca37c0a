#include "checks/definedness.h"
#include "checks/report.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"

namespace gpe::checks {

namespace {

std::string rate_of(const theory::Law& law, const theory::Context& context) {
  try {
    return theory::to_text(theory::gradient_rate(law, context));
  } catch (const theory::Undecided& undecided) {
    return std::string("undecided: ") + undecided.what();
  } catch (const theory::SplitRequest&) {
    return "undecided";
  }
}

}  // namespace

EncodingReport analyse(const theory::Encoding& encoding, const theory::Setting& setting,
                       const std::vector<theory::Override>& overrides, const ReportOptions& options,
                       const theory::ConstantOracle& oracle) {
  EncodingReport report;
  report.name = encoding.name;
  report.title = encoding.title;
  report.reference = encoding.reference;
  report.source = encoding.source;
  report.sha256 = encoding.sha256;
  report.setting = setting;
  report.encoding = encoding;
  report.law = theory::instantiate(encoding, setting, overrides, oracle);
  report.closed_law = theory::at_values(report.law);
  require_defined(report.law, encoding.source, oracle);

  theory::DecisionOptions decisions{options.symbolic, options.time_limit};
  report.findings = theory::find_all(report.law, options.content_bounds, decisions, oracle);

  const SumOptions sums{options.digits, options.time_limit};
  report.sums = enclose_sums(report.closed_law, sums, oracle);
  for (const theory::Rational& length : options.lengths) {
    report.partial_sums.push_back(enclose_partial_sum(report.closed_law, length, sums, oracle));
  }
  if (options.contents) {
    const ContentOptions all{options.epsilons, options.weights, sums};
    for (const theory::Rational& bound : options.content_bounds) {
      report.contents.push_back(content_numbers(report.closed_law, bound, std::nullopt, all, oracle));
    }
    for (const theory::Rational& length : options.lengths) {
      report.partial_contents.emplace_back();
      for (const theory::Rational& bound : options.content_bounds) {
        report.partial_contents.back().push_back(
            content_numbers(report.closed_law, bound, length, {{}, {}, sums}, oracle));
      }
    }
  }
  theory::Context context(oracle);
  context.set_deadline(theory::Context::Clock::now() + options.time_limit);
  if (report.sums.z.finite != Finite::yes && !report.closed_law.depends_on_length()) {
    report.growth = theory::growth_laws(report.closed_law.bias, context);
  }
  report.range = local_range(report.closed_law, options.threshold, oracle, options.time_limit);
  report.gps_rate = rate_of(report.closed_law, context);
  return report;
}

}  // namespace gpe::checks
