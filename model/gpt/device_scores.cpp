#include "model/gpt/device_scores.h"
// Tests: tests/cuda/device_model_test.cpp
#include <algorithm>
#include <cmath>

#include "model/cuda/turn_series.h"
#include "model/gpt/torch_threads.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

constexpr double kSeriesTolerance = 0x1p-10;  // of an angle; a content in bfloat16 errs by 2^-9 of itself

// A copy, or the same numbers into the place that is there.
void bring_to(at::Tensor& to, const at::Tensor& numbers, at::Device device) {
  if (to.defined() && to.sizes() == numbers.sizes()) {
    to.copy_(numbers);
  } else {
    to = at::empty(numbers.sizes(), numbers.options().device(device));
    to.copy_(numbers);
  }
}

template <class T>
at::Tensor tensor_of(const std::vector<T>& numbers, at::IntArrayRef shape, at::ScalarType type) {
  return at::from_blob(const_cast<T*>(numbers.data()), shape, at::TensorOptions(type));
}

template <class T>
const T* pointer(const at::Tensor& tensor) {
  return tensor.defined() ? static_cast<const T*>(tensor.const_data_ptr()) : nullptr;
}

// By how much each block turns from one token to the next.
std::vector<double> angles_of(const HeadScores<double>& head) {
  std::vector<double> result;
  for (std::int64_t j = 0; j < head.program().blocks(); ++j)
    result.push_back(head.length() > 1 ? std::atan2(head.position_sine(1)[j], head.position_cosine(1)[j])
                                       : 0.0);
  return result;
}

}  // namespace

gpe_score_tables DeviceLayer::tables(std::int64_t head_dim) const {
  return {.gain = pointer<float>(gain),
          .bias = pointer<float>(bias),
          .cosine = pointer<float>(cosine),
          .sine = pointer<float>(sine),
          .first = pointer<std::int32_t>(first),
          .last = pointer<std::int32_t>(last),
          .softcap = pointer<float>(softcap),
          .sink = pointer<float>(sink),
          .length = static_cast<std::int32_t>(length),
          .table_heads = static_cast<std::int32_t>(heads.size()),
          .scale = no_content ? 0.0F : static_cast<float>(1 / std::sqrt(static_cast<double>(head_dim))),
          .interleaved = interleaved ? 1 : 0,
          .series_terms = pointer<std::int32_t>(series_terms),
          .series = pointer<float>(series),
          .series_tiles = static_cast<std::int32_t>(series_tiles),
          .swap_sign = hyperbolic ? 1.0F : -1.0F};
}

void DeviceLayer::clear_gradients() {
  for (at::Tensor* sum : {&by_gain, &by_bias, &by_transform})
    if (sum->defined()) sum->zero_();
}

DeviceScores::DeviceScores(std::shared_ptr<const Accelerator> accelerator, const Positions& positions,
                           bool series)
    : accelerator_(std::move(accelerator)),
      positions_(&positions),
      series_(series),
      scores_(positions, torch_threads()) {
  const PositionSetting& setting = positions.setting();
  if (setting.head_dim % 8 != 0 || setting.head_dim > 128) {
    throw theory::SpecError("--device: heads of dimension " + std::to_string(setting.head_dim) +
                            "; the device has kernels for multiples of 8 up to 128");
  }
  if (setting.learned.empty()) return;
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      if (const char* what = not_learned_on_device(positions.program(layer, head))) {
        throw theory::SpecError("score: a learned parameter moves the " + std::string(what) +
                                ", which has no gradient on the GPU. Use the CPU");
      }
    }
  }
}

const std::vector<std::shared_ptr<DeviceLayer>>& DeviceScores::at(std::span<const double> raw,
                                                                  std::span<const double> measured,
                                                                  std::int64_t length) {
  const auto& scores = scores_.at(raw, measured, length);
  const bool learns = !positions_->setting().learned.empty();
  layers_.resize(scores.size());
  for (std::size_t at = 0; at < scores.size(); ++at) {
    std::shared_ptr<DeviceLayer>& layer = layers_[at];
    if (layer != nullptr && layer->heads == scores[at]) continue;
    if (layer == nullptr || layer->length != length) layer = std::make_shared<DeviceLayer>();
    bring(*layer, scores[at], learns);
  }
  return layers_;
}

void DeviceScores::bring(DeviceLayer& layer, const LayerScores<double>& heads, bool learns) {
  const at::NoGradGuard no_gradients;
  std::vector<const HeadScores<double>*> pointers;
  for (const auto& head : heads) pointers.push_back(head.get());
  const HeadTables tables = head_tables(pointers);
  const auto count = static_cast<std::int64_t>(heads.size());
  const std::int64_t blocks = heads.front()->program().blocks();
  const auto put = [&](at::Tensor& to, const auto& numbers, at::IntArrayRef shape, at::ScalarType type) {
    if (!numbers.empty()) bring_to(to, tensor_of(numbers, shape, type), accelerator_->device);
  };
  layer.heads = heads;
  layer.length = tables.length;
  layer.interleaved = tables.interleaved;
  layer.hyperbolic = tables.hyperbolic;
  layer.no_content = tables.no_content;
  put(layer.gain, tables.gain, {count, tables.length}, at::kFloat);
  put(layer.bias, tables.bias, {count, tables.length}, at::kFloat);
  put(layer.cosine, tables.cosine, {count, blocks, tables.length}, at::kFloat);
  put(layer.sine, tables.sine, {count, blocks, tables.length}, at::kFloat);
  put(layer.first, tables.first, {count}, at::kInt);
  put(layer.last, tables.last, {count}, at::kInt);
  put(layer.softcap, tables.softcap, {count}, at::kFloat);
  put(layer.sink, tables.sink, {count}, at::kFloat);
  if (heads.front()->turns_separately()) {
    std::vector<double> angles;
    layer.same_angles = true;
    for (const HeadScores<double>* head : pointers) {
      const std::vector<double> of_head = angles_of(*head);
      angles.insert(angles.end(), of_head.begin(), of_head.end());
      layer.same_angles &= std::equal(of_head.begin(), of_head.end(), angles.begin());
    }
    put(layer.angles, angles, {count, blocks}, at::kDouble);
  }
  if (series_ && tables.turns_pairs && tables.length > TurnSeries::kTile)
    bring_series(layer, tables, pointers);
  if (learns && !layer.by_gain.defined()) {
    const auto zeros = [&](at::IntArrayRef shape) {
      return at::zeros(shape, at::TensorOptions(at::kDouble).device(accelerator_->device));
    };
    layer.by_gain = zeros({count, tables.length});
    layer.by_bias = zeros({count, tables.length});
    const bool learns_transform = std::ranges::any_of(pointers, [](const HeadScores<double>* head) {
      const ExpressionTape& program = head->program().program();
      return program.depends_on_parameters(ScoreProgram::kCosine) ||
             program.depends_on_parameters(ScoreProgram::kSine);
    });
    if (learns_transform && layer.cosine.defined())
      layer.by_transform = zeros({count, 2, blocks, tables.length});
  }
}

void DeviceScores::bring_series(DeviceLayer& layer, const HeadTables& tables,
                                std::span<const HeadScores<double>* const> heads) {
  const auto count = static_cast<std::int64_t>(heads.size());
  const std::int64_t blocks = std::ssize(tables.cosine) / (count * tables.length);
  const auto size = static_cast<std::size_t>(blocks * tables.length);
  std::vector<std::size_t> first(heads.size());  // heads with the same scores have the same series
  for (std::size_t h = 0; h < heads.size(); ++h)
    first[h] = static_cast<std::size_t>(std::ranges::find(heads, heads[h]) - heads.begin());
  std::vector<TurnSeries> found(heads.size());
  torch_threads()(count, [&](std::int64_t at) {
    const auto h = static_cast<std::size_t>(at);
    if (first[h] != h) return;
    const auto of_head = [&](const std::vector<float>& all) {
      return std::span(all).subspan(h * size, size);
    };
    found[h] = turn_series(of_head(tables.cosine), of_head(tables.sine), blocks, tables.length,
                           kSeriesTolerance, static_cast<int>(blocks / 4));
  });
  std::vector<std::int32_t> terms;
  std::vector<float> coefficients;
  for (const std::size_t h : first) {
    terms.insert(terms.end(), found[h].terms.begin(), found[h].terms.end());
    coefficients.insert(coefficients.end(), found[h].coefficients.begin(), found[h].coefficients.end());
  }
  layer.series_tiles = found.front().tiles;
  const auto put = [&](at::Tensor& to, const auto& numbers, at::ScalarType type) {
    bring_to(to, tensor_of(numbers, {std::ssize(numbers)}, type), accelerator_->device);
  };
  put(layer.series_terms, terms, at::kInt);
  put(layer.series, coefficients, at::kFloat);
}

void DeviceScores::clear_gradients() {
  for (const auto& layer : layers_) layer->clear_gradients();
}

void DeviceScores::add_gradient(std::span<const double> raw, std::span<double> gradient) const {
  struct Sums {
    at::Tensor gain, bias, transform;
  };
  std::vector<Sums> sums;  // of each layer, where the CPU computes
  for (const auto& layer : layers_) {
    if (!layer->by_gain.defined()) return;  // nothing is learned
    sums.push_back({layer->by_gain.cpu(), layer->by_bias.cpu(),
                    layer->by_transform.defined() ? layer->by_transform.cpu() : at::Tensor()});
  }
  const auto row = [](const at::Tensor& tensor) {
    return std::span(tensor.const_data_ptr<double>(), static_cast<std::size_t>(tensor.numel()));
  };
  const auto heads = static_cast<std::int64_t>(positions_->setting().heads);
  const auto count = std::ssize(layers_) * heads;
  std::vector<std::vector<double>> by_value(static_cast<std::size_t>(count));
  torch_threads()(count, [&](std::int64_t at) {
    const Sums& of = sums[static_cast<std::size_t>(at / heads)];
    const auto h = at % heads;
    TableGradientSpans spans{row(of.gain[h]), row(of.bias[h]), {}, {}};
    if (of.transform.defined()) {
      spans.cosine = row(of.transform[h][0]);
      spans.sine = row(of.transform[h][1]);
    }
    std::vector<double>& values = by_value[static_cast<std::size_t>(at)];
    values.resize(positions_->setting().learned.size());
    const DeviceLayer& layer = *layers_[static_cast<std::size_t>(at / heads)];
    add_table_gradients(*layer.heads[static_cast<std::size_t>(h)], spans, values);
  });
  for (std::int64_t at = 0; at < count; ++at) {
    positions_->add_gradient(static_cast<int>(at / heads), static_cast<int>(at % heads),
                             by_value[static_cast<std::size_t>(at)], raw, gradient);
  }
}

}  // namespace gpe::model
