#include "checks/programs/check_options.h"

#include <algorithm>

#include "checks/program/color.h"

namespace gpe::checks {

namespace {

constexpr std::size_t kMostNumbers = 20000;

void describe_encodings(CLI::App& app, CheckOptions& o) {
  app.add_option("encodings", o.encodings,
                 "built-in names, .toml files, Hugging Face config.json files, or - for\n"
                 "standard input")
      ->type_name("ENCODING");
  app.add_flag("--list", o.list, "the built-in encodings, one a line");
  app.add_flag("--all", o.all,
               "every built-in encoding in one report; with --table, --dtype, --curves or --content "
               "those whose weights are a softmax of functions of n");
  app.add_option("--set", o.set, "override a parameter, exactly; ENCODING.NAME=VALUE for one of several")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--symbolic", o.symbolic, "leave these parameters free; B is the content bound")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--beside", o.beside, "a second encoding in the next column")
      ->type_name("ENCODING")
      ->allow_extra_args(false);
  app.add_option("--bias", o.one_liner.bias, "b(n), without a file")->type_name("EXPR");
  app.add_option("--gain", o.one_liner.gain, "f(n), without a file (default 1)")->type_name("EXPR");
  app.add_option("--transform", o.one_liner.transform, "identity, rotation or none, without a file")
      ->type_name("NAME");
  app.add_option("--angle", o.one_liner.angle, "rotation angle of block j, without a file")
      ->type_name("EXPR");
  app.add_option("--first", o.one_liner.first, "smallest distance, without a file")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000000));
  app.add_flag("--show-encoding", o.show_encoding, "the encodings of a config.json as TOML files (or json)");
  app.add_flag("--stack", o.stack,
               "the layers of one config.json as a whole, and what a context asks of them");
  app.add_option("--context", o.context, "tokens of --stack (default: what the config states)")
      ->check(CLI::Range(2, 1 << 24))
      ->type_name("T");
  add_heading(app, "A model as a whole", {"--stack", "--context"});
  add_heading(app, "Encodings", {"--list", "--all", "--set", "--symbolic", "--beside", "--show-encoding"});
  add_heading(app, "A formula instead of a file", {"--bias", "--gain", "--transform", "--angle", "--first"});
}

void describe_setting(CLI::App& app, CheckOptions& o) {
  app.add_option("--heads", o.heads, "number of heads: one report a head")
      ->check(CLI::Range(1, 1024))
      ->type_name("H");
  app.add_option("--head", o.head, "only this head, from 1")->check(CLI::Range(1, 1024))->type_name("h");
  app.add_option("--layers", o.layers, "number of layers")->check(CLI::Range(1, 1024))->type_name("N");
  app.add_option("--layer", o.layer, "only this layer, from 1")->check(CLI::Range(1, 1024))->type_name("l");
  add_head_dim(app, o.head_dim);
  app.add_option("--content-bound", o.content_bound, "|c(n)| <= B (text default 1,5,10; JSON default 1)")
      ->type_name("B,...");
  app.add_option("--content", o.content,
                 "content of the printed sums: zero, bound, sphere, frozen:SEED, and of verdicts too "
                 "gaussian:S or sub-gaussian:S (default zero)")
      ->type_name("MODEL");
  add_heading(app, "Setting",
              {"--heads", "--head", "--layers", "--layer", "--head-dim", "--content-bound", "--content"});
}

void describe_numbers(CLI::App& app, CheckOptions& o) {
  add_threshold(app, o.threshold);
  app.add_option("--digits", o.digits, "certified digits of Z and H (text default 8, JSON default 30)")
      ->check(CLI::Range(1, 20000))
      ->type_name("P");
  app.add_option("--lengths", o.lengths, "partial sums at these L: 64..16384 (doubling), or a list")
      ->type_name("L");
  app.add_option("--epsilon", o.epsilon, "effective windows: the weight that may lie beyond (default 1/1000)")
      ->type_name("E,...");
  app.add_option("--weight", o.weight, "reach: the weight a far token must still get (default 1/2)")
      ->type_name("P,...");
  app.add_option("--dtype", o.dtype,
                 "first distance at which neighbouring biases or angles are equal: bf16, fp16, fp32")
      ->type_name("F,...");
  app.add_option("--table", o.table, "conformance values: slopes, buckets, frequencies or temperature")
      ->type_name("KIND");
  add_time_limit(app, o.time_limit, "each verdict and each number");
  app.add_option(
         "--total-limit", o.total_limit,
         "seconds of CPU time for the report on one encoding (default 30, or three times --time-limit if "
         "that is more)")
      ->check(number_between(0.001, 1e6))
      ->type_name("S");
  add_heading(app, "Numbers",
              {"--threshold", "--digits", "--lengths", "--epsilon", "--weight", "--dtype", "--table",
               "--time-limit", "--total-limit"});
}

void describe_output(CLI::App& app, CheckOptions& o) {
  app.add_option("--curves", o.curves,
                 "points for pictures in JSON and CSV: scores, weights and sums at N distances")
      ->check(CLI::Range(2, 10000))
      ->type_name("N");
  add_format(app, o.format, {"text", "json", "markdown", "csv"});
  add_output(app, o.output);
  add_color(app);
  app.add_flag("--quiet", o.quiet, "verdict table only");
  app.add_option("--explain", o.explain,
                 "the argument for cn, eb, ldcp or gps (or PROPERTY=READING) in words")
      ->type_name("PROPERTY");
  app.add_option("--require", o.require,
                 "exit with 3 unless these hold: cn, eb, ldcp, gps, or PROPERTY=READING")
      ->type_name("PROP,...");
  app.add_option("--certificates", o.certificates,
                 "write one certificate a verdict, for verify-certificate, into this folder")
      ->type_name("DIR");
  app.add_option("--coq", o.coq,
                 "write each verdict as a theorem of Coq, for all parameters and B, into this folder")
      ->type_name("DIR");
  app.add_option(
         "--sweep", o.sweep,
         "a row for every point of a grid, into --output as CSV; begun again where it was stopped, and "
         "shared by the processes that mpirun or srun begins")
      ->type_name("GRID.toml");
  add_heading(
      app, "Output",
      {"--format", "--output", "--color", "--quiet", "--curves", "--explain", "--require", "--sweep"});
  add_heading(app, "Proofs", {"--certificates", "--coq"});
}

}  // namespace

void describe(CLI::App& app, CheckOptions& o) {
  describe_encodings(app, o);
  describe_setting(app, o);
  describe_numbers(app, o);
  describe_output(app, o);
  app.footer(
      "Examples:\n"
      "  check-properties rope alibi ape                      the paper's three encodings side by side\n"
      "  check-properties alibi --set m=1/2 --lengths 64..16384 --digits 30\n"
      "  check-properties my.toml --require cn,eb --explain cn\n"
      "  check-properties --bias '-log(n+2) - 2*log(log(n+2))'\n"
      "  check-properties config.json --table frequencies     what an implementation is held against\n"
      "  mpirun -n 8 check-properties --sweep grid.toml --output grid.csv\n"
      "Exit: 0 done, 2 bad use or specification, 3 a required property does not hold, 1 anything else.");
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
  if (numbers > kMostNumbers)
    throw theory::SpecError("--content-bound, --lengths, --epsilon and --weight ask for " +
                            std::to_string(numbers) + " numbers; expected at most " +
                            std::to_string(kMostNumbers));
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
  const double total = o.total_limit != 0 ? o.total_limit : std::max(30.0, 3 * o.time_limit);
  return theory::Budget(seconds_option(o.time_limit), seconds_option(total));
}

}  // namespace gpe::checks
