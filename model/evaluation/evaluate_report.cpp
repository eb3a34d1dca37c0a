#include "model/evaluation/evaluate_report.h"
// Tests: tests/model/evaluate_sample_test.py
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gpe::model {

using nlohmann::json;

namespace {

json interval_json(const std::optional<ConfidenceInterval>& interval, bool exponential) {
  if (!interval) return nullptr;
  return exponential ? json{std::exp(interval->lower), std::exp(interval->upper)}
                     : json{interval->lower, interval->upper};
}

json loss_json(const MeanLoss& loss) {
  return {{"loss", loss.loss},
          {"loss_interval", interval_json(loss.interval, false)},
          {"perplexity", std::exp(loss.loss)},
          {"perplexity_interval", interval_json(loss.interval, true)}};
}

std::string number(double value, const char* format = "%.4g") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) out += part;
  return out;
}

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// A line of cells at the right end of columns of these widths.
std::string line(const std::vector<std::size_t>& widths, const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].size() < widths[i]) out.append(widths[i] - cells[i].size(), ' ');
    out += cells[i];
  }
  out += '\n';
  return out;
}

std::string interval(const json& bounds) {
  if (bounds.is_null()) return "";
  return joined({number(bounds[0]), " to ", number(bounds[1])});
}

// A row of numbers for each layer.
std::string keys_text(const json& keys) {
  std::string out = "keys that heads see";
  if (!keys["epsilon"].is_null()) {
    const std::string bound = keys["content_bound"];
    out += joined({": all but ", text_of(keys["epsilon"]), " of their weight, content bound ",
                   bound == "weights" ? "from weights" : joined({bound, " (assumed)"})});
  }
  for (const json& layer : keys["keys"]) {
    out += "\n ";
    for (const json& count : layer) out += joined({" ", text_of(count)});
  }
  return out + "\n";
}

std::string series_text(const json& all) {
  const std::vector<std::size_t> widths = {10, 12, 20, 14, 20};
  std::string out;
  for (const json& series : all) {
    out += joined({"  ", text_of(series["windows"]), " windows, over ", text_of(series["over"]), "\n"});
    out += line(widths, {"tokens", "perplexity", "95 %", "second half", "95 %"});
    for (const json& at : series["lengths"]) {
      out += line(widths, {text_of(at["length"]), number(at["whole"]["perplexity"]),
                           interval(at["whole"]["perplexity_interval"]), number(at["far"]["perplexity"]),
                           interval(at["far"]["perplexity_interval"])});
    }
  }
  return out;
}

std::string recall_text(const json& file) {
  const std::vector<std::size_t> widths = {10, 8, 10, 20, 10, 20};
  const auto names = file["names"].get<std::size_t>();
  std::string out = "  names asked for";
  if (names > 0) {
    out += joined({"; who guesses among ", std::to_string(names), " names is right ",
                   number(1.0 / static_cast<double>(names), "%.3f"), " of the time"});
  }
  out += '\n';
  out += line(widths, {"distance", "asked", "right", "95 %", "loss", "95 %"});
  for (const json& at : file["recall"]) {
    out += line(widths, {text_of(at["distance"]), text_of(at["asked"]),
                         at["accuracy"].is_null() ? std::string() : number(at["accuracy"], "%.3f"),
                         interval(at["accuracy_interval"]), number(at["answer"]["loss"]),
                         interval(at["answer"]["loss_interval"])});
  }
  return out;
}

std::string tasks_text(const json& file) {
  const std::vector<std::size_t> widths = {15, 10, 11, 9, 8, 20, 10, 10, 20};
  std::string out =
      line(widths, {"task", "tokens", "documents", "answers", "right", "95 %", "constant", "loss", "95 %"});
  for (const json& at : file["tasks"]) {
    out += line(widths, {text_of(at["task"]), text_of(at["length"]), text_of(at["documents"]),
                         text_of(at["answers"]), number(at["accuracy"], "%.3f"),
                         interval(at["accuracy_interval"]), number(at["constant"], "%.3f"),
                         number(at["loss"]["loss"]), interval(at["loss"]["loss_interval"])});
  }
  return out;
}

}  // namespace

json series_json(const Series& series) {
  json lengths = json::array();
  for (const LengthResult& at : series.lengths) {
    lengths.push_back({{"length", at.length}, {"whole", loss_json(at.whole)}, {"far", loss_json(at.far)}});
    if (!at.by_window.empty()) lengths.back()["by_window"] = at.by_window;
  }
  return {{"over", series.over}, {"windows", series.windows}, {"lengths", std::move(lengths)}};
}

json recall_json(const std::vector<RecallResult>& results) {
  json list = json::array();
  for (const RecallResult& r : results) {
    list.push_back({{"distance", r.distance},
                    {"asked", r.asked},
                    {"accuracy", r.accuracy ? json(*r.accuracy) : json(nullptr)},
                    {"accuracy_interval", interval_json(r.accuracy_interval, false)},
                    {"answer", loss_json(r.answer)}});
  }
  return list;
}

json tasks_json(const std::vector<TaskResult>& results) {
  json list = json::array();
  for (const TaskResult& r : results) {
    list.push_back({{"task", r.task},
                    {"length", r.length},
                    {"documents", r.documents},
                    {"answers", r.answers},
                    {"accuracy", r.accuracy},
                    {"accuracy_interval", interval_json(r.accuracy_interval, false)},
                    {"constant", r.constant},
                    {"loss", loss_json(r.loss)}});
  }
  return list;
}

std::string evaluation_text(const json& report) {
  std::string out = joined({text_of(report["encoding"]), " trained at ", text_of(report["context"]),
                            " tokens, iteration ", text_of(report["iteration"]), "\n"});
  if (!report["keys"].is_null()) out += keys_text(report["keys"]);
  for (const json& file : report["files"]) {
    out += joined({"\n", text_of(file["file"]), "\n"});
    if (file.contains("series"))
      out += series_text(file["series"]);
    else
      out += file.contains("tasks") ? tasks_text(file) : recall_text(file);
  }
  return out;
}

}  // namespace gpe::model
