#include "probes/python/open_encoding.h"
// Tests: tests/python/test_attention.py
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "checks/cli/command_line.h"
#include "model/position/encoding_files.h"
#include "theory/expression/expr_print.h"
#include "theory/score/spec_parse.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::probes {

using Json = nlohmann::ordered_json;
using model::number_of;
using model::ScoreProgram;
using theory::Expr;
using theory::ScoreFunction;
using theory::SpecError;

namespace {

// What calls give besides learned parameters; no names that a file can give.
constexpr const char* kGivenSoftcap = "given softcap";
constexpr const char* kGivenSink = "given sink";

Json formula(const Expr& expression) {
  return {{"text", to_text(expression)}, {"latex", to_latex(expression)}, {"sympy", to_sympy(expression)}};
}

Json formulas(const ScoreFunction& law) {
  using theory::Transform;
  Json result = {{"gain", formula(law.gain)}, {"bias", formula(law.bias)}};
  if (law.turns()) {
    result["angle"] = formula(law.rotation.angle);
  }
  if (law.transform == Transform::scaled_rotation) result["scale"] = formula(law.rotation.scale);
  if (law.transform == Transform::hyperbolic) {
    result["rate"] = formula(law.hyperbolic.rate);
    result["decay"] = formula(law.hyperbolic.decay);
  }
  if (law.softcap) result["softcap"] = formula(*law.softcap);
  if (law.sink) result["sink"] = formula(*law.sink);
  return result;
}

std::string content_name(model::Content content) {
  switch (content) {
    case model::Content::none:
      return "none";
    case model::Content::dot_product:
      return "dot-product";
    case model::Content::rotation:
      return "rotation";
    case model::Content::hyperbolic:
      return "hyperbolic";
  }
  return {};
}

Json head_json(const ScoreProgram& program) {
  Json by_length = Json::array();
  const char* names[] = {"bias", "gain", "transform", "transform", "softcap", "sink"};
  for (std::size_t output = 0; output < ScoreProgram::kOutputs; ++output) {
    if (output != ScoreProgram::kSine && program.program().depends_on_length(output))
      by_length.push_back(names[output]);
  }
  return {{"content", content_name(program.content())},
          {"layout", program.layout() == theory::Layout::half ? "half" : "interleaved"},
          {"blocks", program.blocks()},
          {"first", program.first()},
          {"last", program.last() == ScoreProgram::kNoLast ? Json(nullptr) : Json(program.last())},
          {"softcap", program.has_softcap()},
          {"sink", program.has_sink()},
          {"depends_on_length", by_length}};
}

void check_learned(const ScoreFunction& law, const std::vector<std::string>& learned,
                   const std::string& source) {
  const std::vector<std::string> names = theory::names_of(law.parameters);
  for (const std::string& name : learned) {
    if (std::ranges::find(names, name) == names.end())
      throw SpecError(source + ": there is no parameter '" + name + "'" + theory::did_you_mean(name, names));
  }
}

}  // namespace

OpenEncoding::OpenEncoding(const std::string& request) {
  const Json asked = Json::parse(request);
  const auto text = asked.at("text").get<std::string>();
  const auto source = asked.at("source").get<std::string>();
  const auto folder = asked.at("folder").get<std::string>();
  const auto learned = asked.at("learned").get<std::vector<std::string>>();
  const int heads = asked.at("heads").get<int>();
  const int layers = asked.at("layers").get<int>();
  const int layer = asked.at("layer").get<int>() + 1;
  const int head_dim = asked.at("head_dim").get<int>();
  std::vector<theory::Override> overrides;
  for (const auto& [name, value] : asked.at("set").items()) {
    overrides.push_back(
        {name, checks::assignment_option("parameters", name + "=" + value.get<std::string>()).value});
  }
  std::vector<std::string> given = learned;
  if (asked.at("softcap").get<bool>()) given.emplace_back(kGivenSoftcap);
  if (asked.at("sink").get<bool>()) given.emplace_back(kGivenSink);
  given_ = static_cast<std::int64_t>(given.size());

  Json described = {{"name", nullptr},
                    {"given", given},
                    {"two_sided", false},
                    {"heads", nullptr},
                    {"parameters", Json::array()},
                    {"formulas", nullptr}};
  Json of_heads = Json::array();
  std::vector<std::string> seen;
  std::vector<std::shared_ptr<const ScoreProgram>> distinct;
  for (int head = 1; head <= heads; ++head) {
    const theory::Encoding encoding =
        theory::parse_encoding(text, source, folder, {head, heads, layer, layers});
    ScoreFunction law = instantiate(encoding, {head_dim, head, heads, layer, layers}, overrides, oracle_);
    check_learned(law, learned, source);
    if (law.rotation.alpha == theory::Alpha::measured) {
      throw SpecError(source + ": alpha = \"measured\" is known after training only: write it as a table");
    }
    if (head == 1) {
      described["name"] = encoding.name;
      described["two_sided"] = encoding.two_sided;
      described["formulas"] = formulas(law);
      for (const auto& parameter : law.parameters) {
        const theory::Parameter* declared = encoding.find(parameter.name);
        described["parameters"].push_back({{"name", parameter.name},
                                           {"domain", declared == nullptr ? "" : declared->domain_text},
                                           {"doc", declared == nullptr ? "" : declared->doc},
                                           {"exact", Json::array()},
                                           {"values", Json::array()}});
      }
    }
    for (std::size_t p = 0; p < law.parameters.size(); ++p) {
      described["parameters"][p]["exact"].push_back(to_text(law.parameters[p].value));
      described["parameters"][p]["values"].push_back(number_of(law.parameters[p].value, "a parameter"));
    }
    if (!asked.at("window").is_null()) {
      const auto window = asked.at("window").get<std::int64_t>();
      law.window = law.window ? std::min(*law.window, window) : window;
    }
    if (asked.at("softcap").get<bool>()) law.softcap = Expr::symbol(kGivenSoftcap);
    if (asked.at("sink").get<bool>()) {  // as high above the scores as given, where b(first; L) is taken off
      theory::Encoding with_sink = encoding;
      with_sink.sink = Expr::symbol(kGivenSink);
      law.sink = instantiate(with_sink, {head_dim, head, heads, layer, layers}, overrides, oracle_).sink;
    }
    // Heads that read the same formulas share one program, and with the same numbers one set of columns.
    const ScoreFunction settled = at_values(law, given);
    const std::string key = formulas(settled).dump() + std::to_string(settled.last().value_or(-1));
    const auto known = std::ranges::find(seen, key);
    if (known == seen.end()) {
      seen.push_back(key);
      distinct.push_back(std::make_shared<ScoreProgram>(law, given, oracle_));
      programs_.push_back(distinct.back());
    } else {
      programs_.push_back(distinct[static_cast<std::size_t>(known - seen.begin())]);
    }
    of_heads.push_back(head_json(*programs_.back()));
  }
  described["heads"] = std::move(of_heads);
  description_ = described.dump();
}

template <>
OpenEncoding::Kept<float>& OpenEncoding::kept<float>() const {
  return floats_;
}
template <>
OpenEncoding::Kept<double>& OpenEncoding::kept<double>() const {
  return doubles_;
}

template <class Real>
model::LayerScores<Real> OpenEncoding::scores(std::span<const double> parameters, std::int64_t length) const {
  const std::scoped_lock guard(lock_);
  Kept<Real>& here = kept<Real>();
  if (here.length == length && std::ranges::equal(here.parameters, parameters)) return here.scores;
  here.length = -1;
  here.scores.clear();
  const auto count = static_cast<std::size_t>(given_);
  for (std::size_t head = 0; head < programs_.size(); ++head) {
    const auto values = parameters.subspan(head * count, count);
    const auto same = [&](std::size_t other) {
      return programs_[other] == programs_[head] &&
             std::ranges::equal(parameters.subspan(other * count, count), values);
    };
    std::size_t other = 0;
    while (other < head && !same(other)) ++other;
    here.scores.push_back(other < head
                              ? here.scores[other]
                              : std::make_shared<model::HeadScores<Real>>(*programs_[head], values, length));
  }
  here.parameters.assign(parameters.begin(), parameters.end());
  here.length = length;
  return here.scores;
}

template model::LayerScores<float> OpenEncoding::scores<float>(std::span<const double>, std::int64_t) const;
template model::LayerScores<double> OpenEncoding::scores<double>(std::span<const double>, std::int64_t) const;

}  // namespace gpe::probes

void* gpe_encoding_open(const char* request, char** message) {
  try {
    return new gpe::probes::OpenEncoding(request);
  } catch (const std::exception& error) {
    *message = strdup(error.what());
    return nullptr;
  }
}

const char* gpe_encoding_description(const void* encoding) {
  return static_cast<const gpe::probes::OpenEncoding*>(encoding)->description().c_str();
}

void gpe_encoding_close(void* encoding) { delete static_cast<gpe::probes::OpenEncoding*>(encoding); }

void gpe_encoding_release_text(char* text) { std::free(text); }
