#include "model/evaluation/bounded_reader.h"
// Tests: tests/model/evaluation/sample_test.cpp
#include <algorithm>

#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

constexpr double kMargin = 1.5;

bool reads_length(const Positions& positions) {
  const PositionSetting& setting = positions.setting();
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      const ExpressionTape& program = positions.program(layer, head).program();
      for (std::size_t output = 0; output < ScoreProgram::kOutputs; ++output) {
        if (program.depends_on_length(output)) return true;
      }
    }
  }
  return false;
}

}  // namespace

BoundedReader::BoundedReader(const LoadedModel& whole, LoadedModel twin, theory::Rational epsilon,
                             std::optional<std::vector<std::vector<double>>> bounds,
                             const theory::ConstantOracle& oracle)
    : whole_(whole),
      twin_(std::move(twin)),
      epsilon_(std::move(epsilon)),
      oracle_(oracle),
      of_text_(!bounds.has_value()) {
  if (reads_length(*whole.positions)) {
    throw theory::SpecError(
        "--epsilon: this encoding reads L, the index of the query, which a cache without its oldest keys "
        "does "
        "not know");
  }
  const auto layers = static_cast<std::size_t>(whole.config.model.layers);
  const auto heads = static_cast<std::size_t>(whole.config.model.heads);
  bounds_ = bounds.value_or(std::vector(layers, std::vector<double>(heads, 0.0)));
  narrow();
}

void BoundedReader::narrow() {
  keys_ = certified_keys(whole_, epsilon_, bounds_, oracle_);
  restrict_keys(twin_, whole_.encoding, keys_, oracle_);
  cache_ = KeyValueCache{};
  for (const auto& of_layer : keys_) cache_.most = std::max(cache_.most, std::ranges::max(of_layer));
}

bool BoundedReader::raise_bounds() {
  const auto seen = content_bounds(twin_, cache_);
  bool raised = false;
  for (std::size_t layer = 0; layer < seen.size(); ++layer) {
    for (std::size_t head = 0; head < seen[layer].size(); ++head) {
      double& bound = bounds_[layer][head];
      if (seen[layer][head] > bound) {
        bound = kMargin * seen[layer][head];
        raised = true;
      }
    }
  }
  return raised;
}

at::Tensor BoundedReader::next_logits(const at::Tensor& inputs) {
  at::Tensor logits = twin_.transformer->next_logits(inputs, cache_);
  if (!of_text_) return logits;
  text_.push_back(inputs);
  while (raise_bounds()) {  // ends: the bounds of all inputs are finite
    narrow();
    if (text_.size() > 1) {
      ++times_read_again_;
      text_ = {at::cat(text_, 1)};
    }
    logits = twin_.transformer->next_logits(text_.front(), cache_);
  }
  return logits;
}

}  // namespace gpe::model
