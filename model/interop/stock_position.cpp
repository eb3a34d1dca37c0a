#include "model/interop/stock_position.h"

#include <algorithm>
#include <cmath>

#include "model/interop/head_columns.h"

namespace gpe::model {

namespace {

constexpr double kMaxError = 1e-12;  // of a frequency; 16,384 tokens turn by 2e-8 radians too much

// What keeps a head from scores that are contents alone.
std::string other_than_content(const LoadedModel& model, int layer, int head, std::int64_t positions) {
  const ScoreProgram& program = model.positions->program(layer, head);
  if (program.content() == Content::none) return "has no content";
  if (program.content() == Content::hyperbolic) return "is hyperbolic";
  if (program.has_softcap()) return "has a soft cap";
  if (program.has_sink()) return "has a sink";
  if (program.first() != 0 || program.last() != ScoreProgram::kNoLast) return "has a window";
  for (const std::size_t output : {ScoreProgram::kBias, ScoreProgram::kGain}) {
    if (program.program().depends_on_length(output)) return "reads the index of the query";
  }
  const HeadColumns columns = head_columns(model, layer, head, positions);
  if (!columns.values[ScoreProgram::kBias].empty()) return "has a bias";
  if (!columns.values[ScoreProgram::kGain].empty()) return "has a gain";
  return "";
}

bool reproduces(const StockRotation& rotation, const std::vector<double>& frequencies) {
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    const bool turns = 2 * static_cast<std::int64_t>(j) < rotation.turned;
    const double expected =
        turns
            ? std::pow(rotation.base, -2.0 * static_cast<double>(j) / static_cast<double>(rotation.turned)) /
                  rotation.factor
            : 0;
    if (std::abs(frequencies[j] - expected) > kMaxError * std::abs(expected)) return false;
  }
  return true;
}

// Numbers that somebody wrote down are shorter than what is computed from frequencies.
double shortened(double value) {
  const double scale = std::pow(10.0, 11 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

std::optional<StockRotation> rotation_of(const std::vector<double>& frequencies, theory::Layout layout) {
  const auto still = std::ranges::find(frequencies, 0.0);
  const auto turning = still - frequencies.begin();
  if (turning == 0) return std::nullopt;
  StockRotation rotation;
  rotation.layout = layout;
  rotation.turned = 2 * turning;
  rotation.factor = 1 / frequencies.front();
  if (turning > 1) {
    rotation.base = std::pow(frequencies[0] / frequencies[1], static_cast<double>(turning));
  }
  StockRotation shorter = rotation;
  shorter.base = shortened(rotation.base);
  shorter.factor = shortened(rotation.factor);
  for (const StockRotation& candidate : {shorter, rotation}) {
    if (candidate.base >= 1 && reproduces(candidate, frequencies)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

StockPosition stock_position(const LoadedModel& model, std::int64_t positions) {
  const PositionSetting& setting = model.positions->setting();
  StockPosition result;
  const ScoreProgram* last = nullptr;
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      const std::string where =
          "layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1) + " ";
      if (const std::string other = other_than_content(model, layer, head, positions); !other.empty())
        return {where + other, std::nullopt};
      const ScoreProgram* program = &model.positions->program(layer, head);
      if (program == last) continue;
      last = program;
      std::optional<StockRotation> rotation;
      if (program->content() == Content::rotation) {
        const auto frequencies = program->frequencies(positions);
        if (frequencies) rotation = rotation_of(*frequencies, program->layout());
        if (!rotation) return {where + "turns in another way than by one base", std::nullopt};
      }
      if (layer + head > 0 && rotation != result.rotation)
        return {where + "turns in another way than the first", std::nullopt};
      result.rotation = rotation;
    }
  }
  return result;
}

}  // namespace gpe::model
