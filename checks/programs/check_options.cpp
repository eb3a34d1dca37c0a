#include "checks/programs/check_options.h"

#include <algorithm>

#include "theory/source/spec_error.h"

namespace gpe::checks {

namespace {

constexpr std::size_t kMaxNumbers = 20000;

std::vector<Option> encoding_options(CheckOptions& o) {
  return {{"encodings", &o.encodings, "ENCODING",
           "built-in names, .toml files, Hugging Face config.json files, or - for\n"
           "standard input"},
          {"--list", &o.list, "", "the built-in encodings, one per line", "Encodings"},
          {"--all", &o.all, "",
           "every built-in encoding in one report; with --table, --dtype, --curves or --content "
           "those whose weights are a softmax of functions of n",
           "Encodings"},
          {"--set", &o.set, "NAME=VALUE",
           "override a parameter, exactly; ENCODING.NAME=VALUE for one of several", "Encodings"},
          {"--symbolic", &o.symbolic, "NAME,...", "leave these parameters free; B is the content bound",
           "Encodings", CommaList{}},
          {"--beside", &o.beside, "ENCODING", "a second encoding in the next column", "Encodings"},
          {"--bias", &o.one_liner.bias, "EXPR", "b(n), without a file", "A formula instead of a file"},
          {"--gain", &o.one_liner.gain, "EXPR", "f(n), without a file (default 1)",
           "A formula instead of a file"},
          {"--transform", &o.one_liner.transform, "NAME", "identity, rotation or none, without a file",
           "A formula instead of a file"},
          {"--angle", &o.one_liner.angle, "EXPR", "rotation angle of block j, without a file",
           "A formula instead of a file"},
          {"--first", &o.one_liner.first, "N", "smallest distance, without a file",
           "A formula instead of a file", WholeNumbers{0, 1000000000}},
          {"--show-encoding", &o.show_encoding, "", "the encodings of a config.json as TOML files (or json)",
           "Encodings"},
          {"--as", &o.as, "TYPE",
           "read a config.json as this model_type, or with the keys of a .json file in place of its own",
           "Encodings"},
          {"--stack", &o.stack, "",
           "the layers of one config.json as a whole, and what a context asks of them", "A model as a whole"},
          {"--context", &o.context, "T",
           "context length of --stack, as 131072 or 128k (default: what the config states)",
           "A model as a whole"},
          {"--cache-dtype", &o.cache_dtype, "NAME",
           "type of the cache: bf16 (default), fp16, fp32, fp8, int8, int4", "A model as a whole"},
          {"--batch", &o.batch, "N", "sequences that have a cache (default 1)", "A model as a whole",
           WholeNumbers{1, 1 << 24}},
          {"--page", &o.page, "N", "keys that an engine gives out at once (default 1)", "A model as a whole",
           WholeNumbers{1, 1 << 24}}};
}

std::vector<Option> setting_options(CheckOptions& o) {
  return {
      {"--heads", &o.heads, "H", "number of heads: one report per head", "Setting", WholeNumbers{1, 1024}},
      {"--head", &o.head, "h", "only this head, from 1", "Setting", WholeNumbers{1, 1024}},
      {"--layers", &o.layers, "N", "number of layers", "Setting", WholeNumbers{1, 1024}},
      {"--layer", &o.layer, "l", "only this layer, from 1", "Setting", WholeNumbers{1, 1024}},
      head_dim_option(o.head_dim, "Setting"),
      {"--content-bound", &o.content_bound, "B,...", "|c(n)| <= B (text default 1,5,10; JSON default 1)",
       "Setting"},
      {"--content", &o.content, "MODEL",
       "content of the printed sums: zero, bound, sphere, frozen:SEED, and of verdicts too "
       "gaussian:S or sub-gaussian:S (default zero)",
       "Setting"}};
}

std::vector<Option> number_options(CheckOptions& o) {
  return {
      threshold_option(o.threshold, "Numbers"),
      {"--digits", &o.digits, "P", "certified digits of Z and H (text default 8, JSON default 30)", "Numbers",
       WholeNumbers{1, 20000}},
      {"--lengths", &o.lengths, "L", "partial sums at these L: 64..16384 (doubling), or a list", "Numbers"},
      {"--epsilon", &o.epsilon, "E,...", "effective windows: the weight that may lie beyond (default 1/1000)",
       "Numbers"},
      {"--weight", &o.weight, "P,...", "reach: the weight a far token must still get (default 1/2)",
       "Numbers"},
      {"--dtype", &o.dtype, "F,...",
       "first distance at which neighbouring biases or angles are equal: bf16, fp16, fp32", "Numbers"},
      {"--table", &o.table, "KIND", "conformance values: slopes, buckets, frequencies or temperature",
       "Numbers"},
      time_limit_option(o.time_limit, "each verdict and each number", "Numbers"),
      {"--total-limit", &o.total_limit, "S",
       "seconds of CPU time for the report on one encoding and its certificates (default 30, with "
       "certificates 120; three times --time-limit if that is more)",
       "Numbers", Numbers{0.001, 1e6}}};
}

std::vector<Option> output_options(CheckOptions& o) {
  return {{"--curves", &o.curves, "N",
           "points for pictures in JSON and CSV: scores, weights and sums at N distances", "Output",
           WholeNumbers{2, 10000}},
          format_option(o.format, "Output", {"text", "json", "markdown", "csv", "latex"}),
          output_option(o.output, "Output"),
          color_option("Output"),
          {"--quiet", &o.quiet, "", "verdict table only", "Output"},
          {"--explain", &o.explain, "PROPERTY",
           "the argument for cn, eb, ldcp or gps (or PROPERTY=READING) in words", "Output"},
          {"--require", &o.require, "PROP,...",
           "exit with 3 unless these hold: cn, eb, ldcp, gps, or PROPERTY=READING", "Output"},
          {"--certificates", &o.certificates, "DIR",
           "write one certificate per verdict, for verify-certificate, into this folder", "Proofs"},
          {"--coq", &o.coq, "DIR",
           "write each verdict as a theorem of Coq, for all parameters and B, into this folder", "Proofs"},
          {"--sweep", &o.sweep, "GRID.toml",
           "a CSV row for every point of a grid; with --output, resumes where it stopped", "Sweeps"},
          {"--points", &o.points, "FIRST..LAST", "these points of the grid alone, counted from 1", "Sweeps"},
          {"--dry-run", &o.dry_run, "", "the points alone, without verdicts and numbers", "Sweeps"}};
}

}  // namespace

std::vector<Option> options(CheckOptions& o) {
  std::vector<Option> result;
  for (const auto part : {encoding_options, setting_options, number_options, output_options})
    std::ranges::move(part(o), std::back_inserter(result));
  return result;
}

ReportOptions report_options(const CheckOptions& o) {
  ReportOptions result;
  const bool json = o.format == "json";
  const std::string usual_bounds = json ? "1" : "1,5,10";
  result.content_bounds =
      list_option("--content-bound", o.content_bound.empty() ? usual_bounds : o.content_bound, bound_option);
  result.symbolic = o.symbolic;
  result.threshold = positive_option("--threshold", o.threshold);
  if (!o.lengths.empty()) result.lengths = lengths_option("--lengths", o.lengths);
  result.epsilons = list_option("--epsilon", o.epsilon, share_option);
  result.weights = list_option("--weight", o.weight, share_option);
  const std::size_t numbers = result.content_bounds.size() * (result.lengths.size() + 1) *
                              (result.epsilons.size() + result.weights.size() + 3);
  if (numbers > kMaxNumbers)
    throw theory::SpecError("--content-bound, --lengths, --epsilon and --weight ask for " +
                            std::to_string(numbers) + " numbers; expected at most " +
                            std::to_string(kMaxNumbers));
  result.contents = !(o.quiet && !json) && o.table.empty();
  result.laws_only = !o.table.empty() && o.require.empty() && o.certificates.empty();
  result.content = ContentModel::parse("--content", o.content);
  if (!o.dtype.empty()) {
    for (const std::string& name : split_commas(o.dtype))
      result.formats.push_back(float_format("--dtype", name));
  }
  const int usual_digits = json ? 30 : 8;
  result.digits = o.digits != 0 ? o.digits : usual_digits;
  result.curve_points = o.curves;
  if (o.curves != 0 && !json && o.format != "csv")
    throw theory::SpecError("--curves: expected --format json or csv beside it");
  return result;
}

theory::Budget budget(const CheckOptions& o) {
  const double usual = o.certificates.empty() && o.coq.empty() ? 30 : 120;
  const double total = o.total_limit != 0 ? o.total_limit : std::max(usual, 3 * o.time_limit);
  return theory::Budget(seconds_option(o.time_limit), seconds_option(total));
}

}  // namespace gpe::checks
