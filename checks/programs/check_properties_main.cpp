// check-properties: exact verdicts and certified numbers for positional encodings.
// Tests: tests/cli/report.cmake, tests/cli/require.cmake, tests/cli/bad_use.cmake

#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/certificate/write_certificates.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/write_file.h"
#include "checks/configs/config_encoding.h"
#include "checks/configs/config_keys.h"
#include "checks/configs/config_type.h"
#include "checks/configs/encoding_library.h"
#include "checks/coq/coq_export.h"
#include "checks/programs/ask_verifier.h"
#include "checks/programs/check_options.h"
#include "checks/programs/missing_properties.h"
#include "checks/report/conformance_table.h"
#include "checks/report/explain.h"
#include "checks/report/report.h"
#include "checks/report/report_csv.h"
#include "checks/report/report_json.h"
#include "checks/report/report_markdown.h"
#include "checks/report/report_tables.h"
#include "checks/report/report_text.h"
#include "checks/stack/stack.h"
#include "checks/sweep/given_encoding.h"
#include "checks/sweep/sweep.h"
#include "theory/source/nearest_name.h"
#include "theory/source/printable.h"
#include "theory/source/text_list.h"

namespace gpe::checks::check_properties_program {
namespace {

constexpr const char* kExpression = "expression";  // the name of what --bias, --gain and --angle give

// The settings of an encoding that says nothing of heads and layers.
std::vector<theory::Setting> settings(const CheckOptions& o) {
  const int head_dim = o.head_dim != 0 ? o.head_dim : 64;
  require_one_of("head", o.head, o.heads);
  require_one_of("layer", o.layer, o.layers);
  require_even_head_dim(head_dim);
  std::vector<theory::Setting> result;
  for (int layer = o.layer != 0 ? o.layer : 1; layer <= (o.layer != 0 ? o.layer : o.layers); ++layer) {
    for (int head = o.head != 0 ? o.head : 1; head <= (o.head != 0 ? o.head : o.heads); ++head) {
      result.push_back({head_dim, head, o.heads, layer, o.layers});
    }
  }
  return result;
}

std::vector<std::string> wanted(const CheckOptions& o) {
  const bool is_of_softmax = !o.table.empty() || !o.dtype.empty() || o.curves != 0 || o.content != "zero";
  std::vector<std::string> result = o.encodings;
  if (o.all && !o.encodings.empty()) throw theory::SpecError("--all takes no further encodings");
  if (o.all) result = is_of_softmax ? softmax_library_names() : library_names();
  result.insert(result.end(), o.beside.begin(), o.beside.end());
  return result;
}

// A config.json has its own heads and layers.
std::vector<theory::Setting> settings(const CheckOptions& o, const ConfigEncoding& encoding) {
  const auto own = [&](const char* option, const std::string& what) {
    throw theory::SpecError(std::string(option) + ": a config.json has its own; " + encoding.name + " has " +
                            what);
  };
  if (o.heads != 1) own("--heads", std::to_string(encoding.heads) + " heads");
  if (o.head_dim != 0) own("--head-dim", "heads of dimension " + std::to_string(encoding.head_dim));
  if (o.layers != 1 || o.layer != 0) own("--layers", std::to_string(encoding.all_layers) + " layers");
  if (o.head > encoding.heads) own("--head", std::to_string(encoding.heads) + " heads");
  return encoding.settings(o.head);
}

// Read, and what it states in vain said on standard error.
JsonConfig told_config(const CheckOptions& o, const std::string& name) {
  JsonConfig config = read_config(name, o.as);
  for (const MistakenKey& key : mistaken_keys(config))
    say("check-properties", config.source() + ": " + sentence_of(key));
  return config;
}

// Every encoding of every config.json, for --show-encoding.
std::string shown_encodings(const CheckOptions& o, const std::vector<std::string>& names) {
  std::vector<ConfigEncoding> all;
  for (const std::string& name : names) {
    if (!is_config(name)) {
      find_encoding(name, {});  // says what is wrong with what is not an encoding either
      throw theory::SpecError("--show-encoding: " + name +
                              " is not a config.json; it is an encoding already");
    }
    std::ranges::move(encodings_of_config(told_config(o, name)), std::back_inserter(all));
  }
  return o.format == "json" ? config_encodings_json(all) : config_encodings_text(all);
}

bool has_one_liner(const CheckOptions& o) {
  return !o.one_liner.bias.empty() || !o.one_liner.gain.empty() || !o.one_liner.transform.empty() ||
         !o.one_liner.angle.empty();
}

// An encoding at every head that is asked for.
struct LoadedEncoding {
  GivenEncoding given;
  std::int64_t context;  ///< of a config.json; 0: unknown
  std::vector<std::pair<theory::Setting, theory::Encoding>> heads;
};

std::vector<LoadedEncoding> loaded(const CheckOptions& o, const std::vector<std::string>& names,
                                   const std::vector<Assignment>& assignments) {
  constexpr std::size_t kMaxReports = 16384;
  std::vector<LoadedEncoding> result;
  std::size_t reports = 0;
  const auto add = [&](const std::string& name, std::int64_t context,
                       const std::vector<theory::Setting>& settings, const auto& load) {
    reports += settings.size();
    if (reports > kMaxReports)
      throw theory::SpecError("more than " + std::to_string(kMaxReports) +
                              " reports, one for each head; --head and --layer choose one");
    std::vector<std::pair<theory::Setting, theory::Encoding>> heads;
    for (const theory::Setting& setting : settings) heads.emplace_back(setting, load(setting));
    const theory::Encoding& first = heads.front().second;
    result.push_back({GivenEncoding({name, first.name}, first), context, std::move(heads)});
  };
  for (const std::string& name : names) {
    if (is_config(name)) {
      const JsonConfig config = told_config(o, name);
      for (const ConfigEncoding& one : encodings_of_config(config))
        add(one.name, context_of_config(config), settings(o, one),
            [&](const theory::Setting&) { return one.parsed(); });
      continue;
    }
    add(name, 0, settings(o), [&](const theory::Setting& s) {
      return find_encoding(name, {s.head, s.heads, s.layer, s.layers});
    });
  }
  if (has_one_liner(o)) {
    theory::OneLiner formulas = o.one_liner;
    formulas.parameters = o.symbolic;
    for (const Assignment& one : assignments) {
      if (one.encoding.empty() || one.encoding == kExpression) formulas.parameters.push_back(one.name);
    }
    add(kExpression, 0, settings(o), [&](const theory::Setting&) { return theory::encoding_of(formulas); });
  }
  return result;
}

void check_symbolic(const CheckOptions& o, const std::vector<GivenEncoding>& encodings) {
  std::vector<std::string> names = {theory::kContentBound};
  for (const GivenEncoding& one : encodings)
    names.insert(names.end(), one.parameters.begin(), one.parameters.end());
  for (const std::string& name : o.symbolic) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw theory::SpecError("--symbolic: no encoding has a parameter '" + name + "'" +
                            theory::did_you_mean(name, names, "; there are " + theory::joined(names, ", ")));
  }
}

std::string rendered(const CheckOptions& o, const std::vector<EncodingReport>& reports,
                     const ReportOptions& options, const theory::Context& context) {
  const bool is_tabular = o.format == "csv" || o.format == "markdown" || o.format == "latex";
  if (is_tabular && !o.table.empty())
    throw theory::SpecError("--table: expected text or JSON, and not " + o.format);
  if (o.format != "text" && !o.explain.empty())
    throw theory::SpecError("--explain: expected text, and not " + o.format);
  if (!o.table.empty()) {
    for (const EncodingReport& report : reports) {
      if (report.law.path || report.law.query)
        throw theory::SpecError("--table: the scores of " + report.name + " depend on " +
                                (report.law.path ? "gates, [score.path]" : "the query, [score.query]"));
      if (report.law.normalizer != theory::Normalizer::softmax)
        throw theory::SpecError("--table: the weights of " + report.name +
                                " are not a softmax, normalizer = \"" +
                                std::string(theory::name_of(report.law.normalizer)) + "\"");
    }
    std::vector<std::vector<EncodingReport>> encodings;  // the heads of one encoding together
    for (const EncodingReport& report : reports) {
      if (encodings.empty() || encodings.back().front().name != report.name) encodings.emplace_back();
      encodings.back().push_back(report);
    }
    std::vector<theory::Rational> lengths = options.lengths;
    if (lengths.empty()) lengths = lengths_option("--lengths", "64..16384");
    return conformance_tables(table_kind(o.table), encodings, o.format == "json", lengths);
  }
  if (o.format == "json") return report_json(reports, options);
  if (o.format == "csv") return report_csv(reports, options);
  if (o.format == "markdown") return report_markdown(reports, options);
  if (o.format == "latex") return report_latex(reports, options);
  if (o.explain.empty()) return report_text(reports, options, {has_color(o.output), o.quiet});
  std::string text;
  for (const EncodingReport& report : reports) text += explain(report, o.explain, context);
  return text;
}

int sweep(const CheckOptions& o) {
  if (!o.output.empty()) {
    require_regular("--output", o.output);
    require_different({{"--sweep", o.sweep}, {"--output", o.output}});
  }
  if (!o.encodings.empty() || o.all || !o.beside.empty() || has_one_liner(o) || !o.set.empty() ||
      !o.symbolic.empty() || !o.require.empty() || !o.certificates.empty() || !o.coq.empty() ||
      !o.table.empty() || (o.format != "text" && o.format != "csv"))
    throw theory::SpecError(
        "--sweep: the grid says which encodings and values; expected --points, --dry-run, --output, "
        "--content-bound, --epsilon, --weight, --threshold, --digits, --head-dim or --time-limit beside it");
  CheckOptions one = o;
  if (one.content_bound.empty()) one.content_bound = "1";
  const ReportOptions options = report_options(one);
  const theory::Setting setting = settings(o).front();
  Sweep grid = read_sweep(o.sweep);
  if (!o.points.empty()) keep_points(grid, o.points);
  if (o.dry_run) {
    write_output(o.output, sweep_points(grid));
    return kDone;
  }
  const theory::Context context = ball_context(budget(o));
  const auto row = [&](std::size_t i) {
    try {
      return sweep_row(grid, i, setting, options, context);
    } catch (const theory::SpecError& error) {
      throw theory::SpecError(o.sweep + ": " + error.what());
    }
  };
  const RowMaker rows{sweep_titles(grid), grid.points.size(),
                      [&](std::size_t i) { return sweep_cells(grid, i); }, row};
  ProgressLine line("check-properties");
  const auto show = [&](std::size_t there) {
    line.show("rows", static_cast<double>(there) / static_cast<double>(rows.count));
  };
  if (!o.output.empty()) {
    write_rows(o.output, rows, sweep_question(grid, setting, options, context.budget()), show);
    return kDone;
  }
  std::string text = rows.titles + "\n";
  for (std::size_t i = 0; i < rows.count; ++i) {
    text += row(i) + "\n";
    show(i + 1);
  }
  write_output("", text);
  return kDone;
}

int stack(const CheckOptions& o) {
  if (o.encodings.size() != 1 || o.all || !o.beside.empty() || has_one_liner(o) ||
      !is_config(o.encodings.front()))
    throw theory::SpecError("--stack: expected one config.json, or the folder that holds it");
  if (o.format != "text" && o.format != "json")
    throw theory::SpecError("--stack: expected text or JSON, and not " + o.format);
  const JsonConfig config = told_config(o, o.encodings.front());
  const StackOptions options{
      o.context.empty() ? 0 : tokens_option("--context", o.context),
      list_option("--content-bound", o.content_bound.empty() ? "1" : o.content_bound, bound_option).front(),
      list_option("--epsilon", o.epsilon, share_option),
      cache_format("--cache-dtype", o.cache_dtype),
      o.batch,
      o.page};
  ProgressLine line("check-properties");
  const Stack whole = stack_of(config, options, ball_context(budget(o)),
                               [&](double part) { line.show("heads of the layers", part); });
  line.clear();
  write_output(o.output, o.format == "json" ? stack_json(whole, options) : stack_text(whole, options));
  return kDone;
}

// What belongs to a report, in its time: certificates and files for Coq.
struct Proofs {
  std::optional<CertificateFolder> certificates;
  std::optional<CoqFolder> coq;
};

// One report of each head, with its proofs; in text and Markdown, of heads that share their formulas.
std::vector<EncodingReport> analysed(const CheckOptions& o, const ReportOptions& options,
                                     const std::vector<LoadedEncoding>& all,
                                     const std::vector<Assignment>& assignments,
                                     const theory::Context& context, Proofs& proofs) {
  std::vector<EncodingReport> reports;
  ProgressLine line("check-properties");
  std::size_t started = 0, heads = 0;
  for (const LoadedEncoding& one : all) heads += one.heads.size();
  const std::string what = proofs.certificates || proofs.coq ? "reports and their proofs" : "reports";
  const bool by_head = o.format == "json" || o.format == "csv" || !o.table.empty() ||
                       !o.certificates.empty() || !o.coq.empty();
  for (const LoadedEncoding& one : all) {
    ReportOptions own = options;
    own.training_length = one.context;
    const std::vector<theory::Override> overrides = overrides_of(one.given, assignments);
    for (const auto& [setting, encoding] : one.heads) {
      line.show(what, static_cast<double>(started++) / static_cast<double>(heads));
      EncodingReport* last = by_head || reports.empty() ? nullptr : &reports.back();
      if (last != nullptr && last->setting.layer == setting.layer && setting.head > last->setting.head &&
          same_formulas(last->law, theory::instantiate(encoding, setting, overrides, context,
                                                       theory::Families::taken))) {
        last->last_head = setting.head;  // said once for all of them
        continue;
      }
      const theory::Context time_of_report = context.whole();
      reports.push_back(analyse(encoding, setting, overrides, own, time_of_report));
      reports.back().one_head_of_several = one.heads.size() > 1 || o.heads > 1 || o.layers > 1;
      if (proofs.certificates) proofs.certificates->write(reports.back(), own, time_of_report);
      if (proofs.coq) proofs.coq->write(reports.back(), time_of_report);
    }
  }
  return reports;
}

int check_properties(const CheckOptions& o) {
  if (!o.sweep.empty()) return sweep(o);
  if (!o.points.empty() || o.dry_run)
    throw theory::SpecError("--points and --dry-run: expected --sweep GRID.toml beside them");
  if (o.stack) return stack(o);
  if (!o.context.empty() || o.cache_dtype != "bf16" || o.batch != 1 || o.page != 1)
    throw theory::SpecError("--context, --cache-dtype, --batch and --page: expected --stack beside them");
  if (o.list) {
    std::string text;
    for (const std::string& name : library_names()) {
      const theory::Encoding encoding = find_encoding(name, {});
      text += name + std::string(name.size() < 24 ? 24 - name.size() : 1, ' ') +
              theory::printable(encoding.title) + "\n";
    }
    write_output(o.output, text);
    return kDone;
  }
  const ReportOptions options = report_options(o);
  const std::vector<std::string> names = wanted(o);
  if (o.one_liner.first != 0 && !has_one_liner(o))
    throw theory::SpecError(
        "--first: an encoding has its own; expected --bias, --gain or --transform beside it");
  if (names.empty() && !has_one_liner(o)) {
    throw theory::SpecError(
        "no encoding given; expected a built-in name (see --list), a .toml file, or --bias EXPR");
  }
  if (!o.as.empty() && std::ranges::none_of(names, is_config))
    throw theory::SpecError("--as: expected a config.json");
  if (!o.explain.empty()) select_property(o.explain, "--explain");
  if (!o.require.empty()) missing_properties(o.require, {});
  if (!o.table.empty()) table_kind(o.table);
  std::vector<Assignment> assignments;
  for (const std::string& text : o.set) assignments.push_back(assignment_option("--set", text));

  if (o.show_encoding) {
    write_output(o.output, shown_encodings(o, names));
    return kDone;
  }
  const std::vector<LoadedEncoding> all = loaded(o, names, assignments);
  std::vector<GivenEncoding> given;
  for (const LoadedEncoding& one : all) given.push_back(one.given);
  for (const Assignment& one : assignments) require_parameter("--set", one.encoding, one.name, given);
  check_symbolic(o, given);
  const theory::Context context = ball_context(budget(o));
  Proofs proofs;
  if (!o.certificates.empty()) proofs.certificates.emplace(o.certificates, ask_verifier);
  if (!o.coq.empty()) proofs.coq.emplace(o.coq, why_undefined);
  const std::vector<EncodingReport> reports = analysed(o, options, all, assignments, context, proofs);

  bool is_right = true;
  if (proofs.certificates) {
    const Written& written = proofs.certificates->written();
    for (const std::string& line : written.lines()) say("check-properties", line);
    if (!o.quiet)
      say("check-properties", "certificates: " + std::to_string(written.written) + " of " +
                                  std::to_string(written.asked) + " written");
    is_right = written.refused.empty();
  }
  if (proofs.coq) {
    for (const std::string& without : proofs.coq->missing()) say("check-properties", without);
  }
  write_output(o.output, rendered(o, reports, options, context));
  const std::vector<std::string> not_there = missing_properties(o.require, reports);
  for (const std::string& line : not_there) say("check-properties", "required: " + line);
  if (!is_right) return kFailed;
  return not_there.empty() ? kDone : kRequirementFailed;
}

}  // namespace

int run(int argc, char** argv) {
  return program_main(
      {"check-properties",
       "Exact verdicts and certified numbers for positional encodings A(n) = f(n) q'W(n)k/sqrt(d) + b(n).",
       "Examples:\n"
       "  check-properties rope alibi ape                      the paper's three encodings side by side\n"
       "  check-properties alibi --set m=1/2 --lengths 64..16384 --digits 30\n"
       "  check-properties my.toml --require cn,eb --explain cn\n"
       "  check-properties --bias '-log(n+2) - 2*log(log(n+2))'\n"
       "  check-properties config.json --table frequencies     values that an implementation must reproduce\n"
       "  check-properties --sweep grid.toml --output grid.csv\n"
       "Exit: 0 done, 2 bad use or specification, 3 a required property does not hold, 1 anything else."},
      argc, argv, options, check_properties);
}

}  // namespace gpe::checks::check_properties_program
