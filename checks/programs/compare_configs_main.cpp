// compare-configs: what two config.json files ask for that differs, and what that does to scores and weights.
// Tests: tests/cli/compare_configs.cmake

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/arb/decimal.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/version.h"
#include "checks/compare/config_difference.h"
#include "checks/configs/config_encoding.h"
#include "checks/configs/config_keys.h"
#include "checks/configs/config_type.h"
#include "checks/report/json_number.h"
#include "checks/report/text_table.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks::compare_configs_program {
namespace {

constexpr int kDigits = 6;
constexpr const char* kSame =
    "the same positions, windows, scales and norms of queries and keys in every layer";
constexpr std::int64_t kFarthest = std::int64_t{1} << 17;

struct Options {
  std::string first;
  std::string second;
  std::string lengths = "64,512,4096";
  std::string content_bound = "1";
  std::string epsilon = "1/100";
  std::string format = "text";
  std::string output;
  std::string as;
};

struct Both {
  ConfigDifference difference;
  IdleKeys first;
  IdleKeys second;
};

std::vector<std::int64_t> lengths_of(const Options& o) {
  std::vector<std::int64_t> result;
  for (const theory::Rational& length : lengths_option("--lengths", o.lengths)) {
    const auto value = length.to_int64();
    if (!value || *value > kFarthest || (!result.empty() && *value <= result.back()))
      throw theory::SpecError("--lengths " + o.lengths + ": expected increasing whole numbers up to " +
                              std::to_string(kFarthest));
    result.push_back(*value);
  }
  return result;
}

std::string shown(const Ball& value) {
  const Decimal decimal = proved_decimal(value, kDigits);
  return decimal.digits > 0 ? decimal.text : "at most " + decimal_ends(value, kDigits).upper;
}

std::string shown(const ScoreDifference& score, const LayerDifference& layers) {
  if (!layers.at_most || !score.at_least.surely_positive()) return shown(score.largest);
  return "at least " + decimal_ends(score.at_least, kDigits).lower + ", " + shown(score.largest);
}

std::string layers_of(const LayerDifference& one) {
  return (one.layers.size() == 1 ? "layer " : "layers ") + ranges_of(one.layers, one.layers.size());
}

// Beside each other what is short, under each other what is not.
std::string parts_text(const std::vector<PartDifference>& parts) {
  constexpr std::size_t most = 40;
  TextTable table;
  std::string text;
  for (const PartDifference& part : parts) {
    if (part.first.size() <= most && part.second.size() <= most) {
      table.add_row({{part.what}, {part.first}, {part.second}});
    } else {
      text += "  " + part.what + "\n    " + part.first + "\n    " + part.second + "\n";
    }
  }
  return table.text(false) + text;
}

std::string prompt_of(const LayerDifference& one) {
  return one.tokens == 0 ? "no prompt of these lengths is proved to show it"
                         : "shown by a prompt of " + theory::counted(one.tokens, "token");
}

// What both files say in vain.
std::vector<std::string> mistaken_lines(const Options& o, const Both& both) {
  std::vector<std::string> lines;
  for (const auto& [file, idle] : {std::pair{o.first, &both.first}, std::pair{o.second, &both.second}})
    for (const MistakenKey& key : idle->mistaken) lines.push_back(file + ": " + sentence_of(key));
  return lines;
}

std::string legend(const Options& o) {
  return "largest difference of scores over all q and k with |q||k|/sqrt(d) <= " + o.content_bound +
         ", at keys that both models see; a prompt shows scores that differ by " + o.epsilon +
         ", or a key that one model alone sees";
}

// What both files could leave out, and what is not used.
std::vector<std::string> idle_lines(const Options& o, const Both& both) {
  std::vector<std::string> lines;
  for (const auto& [file, idle] : {std::pair{o.first, &both.first}, std::pair{o.second, &both.second}}) {
    if (!idle->change_nothing.empty())
      lines.push_back(file + ": keys that could be left out: " + theory::joined(idle->change_nothing, ", "));
    if (!idle->unread.empty()) lines.push_back(file + ": unused keys: " + theory::joined(idle->unread, ", "));
  }
  return lines;
}

std::string as_text(const Options& o, const Both& both) {
  const auto name = [](const std::string& encoding) { return encoding.empty() ? "no attention" : encoding; };
  std::string text = o.first + "\n" + o.second + "\n";
  for (const std::string& line : mistaken_lines(o, both)) text += "\n" + line + "\n";
  if (both.difference.layers.empty()) text += "\n" + std::string(kSame) + "\n";
  for (const LayerDifference& one : both.difference.layers) {
    text += "\n" + layers_of(one) + ": " + name(one.first) + " and " + name(one.second) + "\n";
    text += parts_text(one.parts);
    if (!one.reason.empty()) text += "  " + one.reason + "\n";
    if (!one.caveat.empty()) text += "  " + one.caveat + "\n";
    if (one.scores.empty()) continue;
    TextTable scores;
    scores.add_row({{"at L ="},
                    {one.at_most ? "scores differ by at most" : "scores differ by"},
                    {"weights by at most"}});
    for (const ScoreDifference& score : one.scores)
      scores.add_row({{std::to_string(score.length)}, {shown(score, one)}, {shown(score.weights)}});
    text += scores.text(false);
    text += "  " + prompt_of(one) + "\n";
  }
  if (!both.difference.layers.empty()) text += "\n" + legend(o) + "\n";
  for (const std::string& line : idle_lines(o, both)) text += "\n" + line + "\n";
  return text;
}

// What differs, and by how much, as tables of Markdown and LaTeX.
struct Tables {
  std::vector<TextTable> tables;
  std::vector<std::string> notes;
};

Tables tables_of(const Options& o, const Both& both) {
  TextTable parts, scores;
  std::vector<std::string> notes = mistaken_lines(o, both);
  bool scored = false;
  parts.add_row({{""}, {o.first}, {o.second}});
  scores.add_row({{"at L ="}, {"scores differ by"}, {"weights by at most"}});
  for (const LayerDifference& one : both.difference.layers) {
    const std::string layers = layers_of(one);
    parts.add_heading(layers);
    for (const PartDifference& part : one.parts) parts.add_row({{part.what}, {part.first}, {part.second}});
    if (!one.reason.empty()) notes.push_back(layers + ": " + one.reason);
    if (!one.caveat.empty()) notes.push_back(layers + ": " + one.caveat);
    if (one.scores.empty()) continue;
    scored = true;
    scores.add_heading(layers + (one.at_most ? ", scores at most" : ""));
    for (const ScoreDifference& score : one.scores)
      scores.add_row({{std::to_string(score.length)}, {shown(score, one)}, {shown(score.weights)}});
    notes.push_back(layers + ": " + prompt_of(one));
  }
  notes.push_back(both.difference.layers.empty() ? kSame : legend(o));
  std::ranges::move(idle_lines(o, both), std::back_inserter(notes));
  return {scored ? std::vector{parts, scores} : std::vector{parts}, notes};
}

std::string as_markdown(const Options& o, const Both& both) {
  const auto [tables, notes] = tables_of(o, both);
  const std::string text = theory::joined(tables, "\n", &TextTable::markdown);
  return notes.empty() ? text : text + "\n- " + theory::joined(notes, "\n- ", escaped_markdown) + "\n";
}

std::string as_latex(const Options& o, const Both& both) {
  const auto [tables, notes] = tables_of(o, both);
  return latex_page(notes, tables);
}

std::string as_json(const Options& o, const Both& both) {
  Json layers = Json::array();
  for (const LayerDifference& one : both.difference.layers) {
    Json parts = Json::array();
    for (const PartDifference& part : one.parts)
      parts.push_back(Json{{"what", part.what}, {"first", part.first}, {"second", part.second}});
    Json scores = Json::array();
    for (const ScoreDifference& score : one.scores) {
      scores.push_back(Json{{"L", score.length},
                            {"difference", json_ends(score.largest, kDigits)},
                            {"at_least", json_ends(score.at_least, kDigits)},
                            {"weights", json_ends(score.weights, kDigits)}});
    }
    layers.push_back(Json{{"layers", one.layers},
                          {"first", json_text_or_null(one.first)},
                          {"second", json_text_or_null(one.second)},
                          {"parts", parts},
                          {"scores", scores},
                          {"at_most", one.at_most},
                          {"reason", json_text_or_null(one.reason)},
                          {"caveat", json_text_or_null(one.caveat)},
                          {"tokens", one.tokens == 0 ? Json() : Json(one.tokens)}});
  }
  const auto keys = [](const IdleKeys& idle) {
    Json mistaken = Json::array();
    for (const MistakenKey& key : idle.mistaken)
      mistaken.push_back(Json{{"key", key.key}, {"sentence", sentence_of(key)}});
    return Json{{"mistaken", mistaken}, {"change_nothing", idle.change_nothing}, {"unread", idle.unread}};
  };
  return json_text(Json{{"schema", 1},
                        {"generator", {{"program", "compare-configs"}, {"version", kVersion}}},
                        {"configs", {o.first, o.second}},
                        {"same", both.difference.layers.empty()},
                        {"content_bound", bound_option("--content-bound", o.content_bound).str()},
                        {"epsilon", positive_option("--epsilon", o.epsilon).str()},
                        {"layers", layers},
                        {"keys", {keys(both.first), keys(both.second)}}});
}

int compare_configs(const Options& o) {
  const JsonConfig first = read_config(o.first, o.as);
  const JsonConfig second = read_config(o.second, o.as);
  ProgressLine line("compare-configs");
  const Both both{config_difference(encodings_of_config(first), encodings_of_config(second), lengths_of(o),
                                    bound_option("--content-bound", o.content_bound),
                                    positive_option("--epsilon", o.epsilon),
                                    [&](double part) { line.show("layers", part); }),
                  idle_keys(first), idle_keys(second)};
  line.clear();
  std::string text;
  if (o.format == "json")
    text = as_json(o, both);
  else if (o.format == "markdown")
    text = as_markdown(o, both);
  else if (o.format == "latex")
    text = as_latex(o, both);
  else
    text = as_text(o, both);
  write_output(o.output, text);
  return both.difference.layers.empty() ? kDone : kRequirementFailed;
}

std::vector<Option> options(Options& o) {
  return {{"first", &o.first, "FILE", "a config.json, params.json or .gguf, or the folder of a config.json",
           "", Required{}},
          {"second", &o.second, "FILE", "the one to compare it with", "", Required{}},
          {"--as", &o.as, "TYPE",
           "read them as this model_type, or with the keys of a .json file in place of their own"},
          {"--lengths", &o.lengths, "L,...", "the largest difference up to these L (default 64,512,4096)"},
          {"--content-bound", &o.content_bound, "B", "|c(n)| <= B (default 1)"},
          {"--epsilon", &o.epsilon, "E", "a difference of scores that counts as shown (default 1/100)"},
          format_option(o.format, "", {"text", "json", "markdown", "latex"}),
          output_option(o.output)};
}

}  // namespace

int run(int argc, char** argv) {
  return program_main(
      {"compare-configs",
       "Differences between the config.json files of two Hugging Face models, layer by layer: "
       "formulas, the largest difference of scores, and the shortest prompt that shows it. Exit code "
       "3 when they differ.",
       "Example:\n  compare-configs original/config.json port/config.json --lengths 64..65536"},
      argc, argv, options, compare_configs);
}

}  // namespace gpe::checks::compare_configs_program
