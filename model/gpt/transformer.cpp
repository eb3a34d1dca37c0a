#include "model/gpt/transformer.h"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "model/gpt/device_head.h"
#include "model/gpt/head_loss.h"
#include "model/gpt/initial_weights.h"
#include "model/gpt/torch_threads.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

constexpr double kDeviation = 0.02;
constexpr std::uint64_t kWeightStreams = std::uint64_t{1}
                                         << 63;  // of random numbers; batches have those by step

at::ScalarType compute_type(const std::string& dtype) {
  if (dtype == "float64") return at::kDouble;
  return dtype == "bfloat16" ? at::kBFloat16 : at::kFloat;
}

at::Tensor activated(const std::string& name, const at::Tensor& x) {
  if (name == "relu") return at::relu(x);
  return name == "gelu_tanh" ? at::gelu(x, "tanh") : at::gelu(x);
}

// Each head's greatest norm of a query or key, when `vectors` [1, tokens, width] has a greater one.
void raise_to_norms(std::vector<double>& longest, const at::Tensor& vectors) {
  const auto heads = static_cast<std::int64_t>(longest.size());
  const at::Tensor norms =
      at::linalg_vector_norm(vectors.view({-1, heads, vectors.size(2) / heads}).to(at::kDouble), 2, {2})
          .amax(0);
  for (std::size_t head = 0; head < longest.size(); ++head)
    longest[head] = std::max(longest[head], norms.const_data_ptr<double>()[head]);
}

}  // namespace

Transformer::Transformer(const TsmConfig& config, const Positions& positions, Weights weights)
    : config_(config),
      positions_(&positions),
      compute_type_(compute_type(config.training.dtype)),
      initialize_(weights == Weights::initial) {
  use(positions);
  const TsmConfig::Model& m = config.model;
  tokens_ = add("transformer.wte.weight", {m.vocabulary_padded, m.width}, kDeviation);
  if (m.position_table > 0)
    position_table_ = add("transformer.wpe.weight", {m.position_table, m.width}, kDeviation);
  for (std::int64_t layer = 0; layer < m.layers; ++layer)
    add_block("transformer.h." + std::to_string(layer) + ".");
  final_norm_ = add("transformer.ln_f.weight", {m.width}, 0, 1);
  if (m.bias) final_norm_bias_ = add("transformer.ln_f.bias", {m.width}, 0);
  head_ = m.tied_head ? tokens_ : add("lm_head.weight", {m.vocabulary_padded, m.width}, kDeviation);
  const std::vector<double>& initial = positions.initial();
  raw_ = at::empty({static_cast<std::int64_t>(initial.size())}, at::kDouble);
  std::ranges::copy(initial, raw_numbers().begin());
  raw_.requires_grad_(!initial.empty());
  if (positions.measures_entropy())
    measured_ = bias_entropies(positions, raw_numbers(), config.training.context);
}

void Transformer::add_block(const std::string& at) {
  const TsmConfig::Model& m = config_.model;
  const std::int64_t inner = config_.feed_forward();
  const double into_residual = kDeviation / std::sqrt(2.0 * static_cast<double>(m.layers));
  const auto bias = [&](const std::string& name, std::int64_t size) {
    return m.bias ? add(name, {size}, 0) : at::Tensor();
  };
  Block block;
  block.norm1 = add(at + "ln_1.weight", {m.width}, 0, 1);
  block.norm1_bias = bias(at + "ln_1.bias", m.width);
  block.attention = add(at + "attn.c_attn.weight", {3 * m.width, m.width}, kDeviation);
  block.attention_bias = bias(at + "attn.c_attn.bias", 3 * m.width);
  block.attention_out = add(at + "attn.c_proj.weight", {m.width, m.width}, into_residual);
  block.attention_out_bias = bias(at + "attn.c_proj.bias", m.width);
  block.norm2 = add(at + "ln_2.weight", {m.width}, 0, 1);
  block.norm2_bias = bias(at + "ln_2.bias", m.width);
  if (config_.gated()) block.gate = add(at + "mlp.c_gate.weight", {inner, m.width}, kDeviation);
  block.up = add(at + "mlp.c_fc.weight", {inner, m.width}, kDeviation);
  block.up_bias = bias(at + "mlp.c_fc.bias", inner);
  block.down = add(at + "mlp.c_proj.weight", {m.width, inner}, into_residual);
  block.down_bias = bias(at + "mlp.c_proj.bias", m.width);
  blocks_.push_back(std::move(block));
}

void Transformer::use(const Positions& positions) {
  positions_ = &positions;
  scores_ = std::make_unique<ScoreCache<float>>(positions, torch_threads());
  exact_scores_ = std::make_unique<ScoreCache<double>>(positions, torch_threads());
  if (accelerator_ != nullptr) {
    device_scores_ = std::make_unique<DeviceScores>(accelerator_, positions, compute_type_ == at::kBFloat16);
  }
}

void Transformer::to(std::shared_ptr<const Accelerator> accelerator) {
  if (accelerator == nullptr) return;
  if (compute_type_ == at::kDouble)
    throw theory::SpecError("--device: a device computes in float32 or bfloat16, not in float64");
  accelerator_ = std::move(accelerator);
  use(*positions_);
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& weight : weights_)
    weight.tensor.set_data(weight.tensor.to(accelerator_->device));  // every copy of the handle sees it
}

// Tokens where the model computes.
at::Tensor Transformer::here(const at::Tensor& tokens) const {
  return accelerator_ == nullptr ? tokens : tokens.to(accelerator_->device);
}

at::Tensor Transformer::add(const std::string& name, at::IntArrayRef shape, double deviation, double mean) {
  const at::Tensor tensor = at::empty(shape, compute_type_ == at::kDouble ? at::kDouble : at::kFloat);
  if (initialize_ && deviation > 0) {
    const std::uint64_t stream = kWeightStreams + weights_.size();
    fill_normal(tensor, mean, deviation, static_cast<std::uint64_t>(config_.training.seed), stream);
  } else if (initialize_) {
    tensor.fill_(mean);
  }
  tensor.requires_grad_(true);
  weights_.push_back({name, tensor});
  return tensor;
}

std::span<double> Transformer::raw_numbers() const {
  return {static_cast<double*>(raw_.data_ptr()), static_cast<std::size_t>(raw_.numel())};
}

std::int64_t Transformer::parameters() const {
  std::int64_t result = raw_.numel();
  for (const NamedTensor& weight : weights_) result += weight.tensor.numel();
  return result;
}

// A score beyond float32 is infinite: -inf looks like a key that is not seen. A square beyond it makes a
// normalization return its bias. Without gradients, where no loss is looked at, both end the program.
void Transformer::require_numbers(const at::Tensor& x) const {
  if (at::GradMode::is_enabled() || x.numel() == 0) return;
  constexpr double kMax = 0x1p53;  // kMax² times a width or a head's dimension is a float32
  const double largest = at::linalg_vector_norm(x, std::numeric_limits<double>::infinity()).item<double>();
  if (largest <= kMax) return;
  throw std::runtime_error("the model's scores are not numbers: it computes with " +
                           (std::isfinite(largest) ? decimal(largest) : std::string("NaN or infinities")));
}

at::Tensor Transformer::linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) const {
  return at::linear(x.to(compute_type_), weight.to(compute_type_),
                    bias.defined() ? std::optional(bias.to(compute_type_)) : std::nullopt);
}

at::Tensor Transformer::norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) const {
  if (config_.model.norm == "rms")
    return at::rms_norm(x, {config_.model.width}, weight, config_.model.norm_epsilon);
  return at::layer_norm(x, {config_.model.width}, weight, bias.defined() ? std::optional(bias) : std::nullopt,
                        config_.model.norm_epsilon);
}

at::Tensor Transformer::with_positions(const at::Tensor& embedded, std::int64_t first) const {
  if (!position_table_.defined()) return embedded;
  return embedded + position_table_.narrow(0, first, embedded.size(1));
}

std::shared_ptr<AttentionLayer> Transformer::layer_scores(int layer, std::int64_t length) {
  auto result = std::make_shared<AttentionLayer>();
  result->positions = positions_;
  result->layer = layer;
  if (accelerator_ != nullptr) {
    const bool differentiating = at::GradMode::is_enabled();
    result->device = {accelerator_,
                      device_scores_->at(raw_numbers(), measured_, length)[static_cast<std::size_t>(layer)],
                      differentiating,
                      {},
                      {}};
    if (measuring() && device_heads_.entropy.defined()) {
      result->device.entropy = device_heads_.entropy[layer];
      result->device.largest_score = device_heads_.largest_score[layer];
    }
    return result;
  }
  const auto raw = raw_numbers();
  result->raw.assign(raw.begin(), raw.end());
  if (compute_type_ == at::kDouble || positions_->normalizer() != theory::Normalizer::softmax) {
    result->exact = exact_scores_->at(raw, measured_, length)[static_cast<std::size_t>(layer)];
  } else {
    result->scores = scores_->at(raw, measured_, length)[static_cast<std::size_t>(layer)];
  }
  return result;
}

at::Tensor Transformer::feed_forward(const at::Tensor& x, const Block& block) const {
  const at::Tensor normed = norm(x, block.norm2, block.norm2_bias);
  const at::Tensor inner = linear(normed, block.up, block.up_bias);
  const std::string& name = config_.model.activation;
  const at::Tensor active =
      name == "swiglu" ? at::silu(linear(normed, block.gate, {})) * inner : activated(name, inner);
  return linear(active, block.down, block.down_bias);
}

// The rest of a block, from the values that its heads have gathered.
at::Tensor Transformer::after_attention(const at::Tensor& x, const at::Tensor& attended,
                                        const Block& block) const {
  const at::Tensor sum = x + linear(attended, block.attention_out, block.attention_out_bias);
  return sum + feed_forward(config_.model.parallel_residual ? x : sum, block);
}

// Whether a forward pass leaves what it sees of heads.
bool Transformer::measuring() const {
  return (recording_ || positions_->measures_entropy()) && at::GradMode::is_enabled();
}

void Transformer::clear_heads() {
  const auto options = at::TensorOptions().device(accelerator_->device);
  const TsmConfig::Model& m = config_.model;
  if (!device_heads_.entropy.defined()) {
    device_heads_.entropy =
        at::empty({m.layers, m.heads, config_.training.context}, options.dtype(at::kDouble));
    device_heads_.largest_score = at::empty({m.layers, m.heads}, options.dtype(at::kFloat));
  }
  device_heads_.entropy.zero_();
  device_heads_.largest_score.fill_(-std::numeric_limits<float>::infinity());
}

void Transformer::clear_raw_gradients() { device_scores_->clear_gradients(); }

void Transformer::add_raw_gradients() {
  if (raw_.numel() == 0) return;
  if (!raw_.grad().defined()) raw_.mutable_grad() = at::zeros_like(raw_);
  const std::span<double> gradient(raw_.mutable_grad().mutable_data_ptr<double>(),
                                   static_cast<std::size_t>(raw_.numel()));
  device_scores_->add_gradient(raw_numbers(), gradient);
}

void Transformer::bring_scores(std::int64_t length) { device_scores_->at(raw_numbers(), measured_, length); }

at::Tensor Transformer::through_blocks(at::Tensor x, const LayerObserver& observer) {
  const std::int64_t length = x.size(1);
  const bool on_device = accelerator_ != nullptr;
  const bool recording = recording_ && at::GradMode::is_enabled() && !on_device;
  const bool measuring = this->measuring() && !on_device;
  const auto heads = static_cast<std::size_t>(config_.model.heads);
  const std::size_t columns = heads * static_cast<std::size_t>(length);
  if (measuring) seen_.assign(columns * static_cast<std::size_t>(config_.model.layers), 0.0);
  if (recording) seen_scores_.assign(heads * static_cast<std::size_t>(config_.model.layers), 0.0);
  for (std::size_t at = 0; at < blocks_.size(); ++at) {
    const Block& block = blocks_[at];
    const auto layer = layer_scores(static_cast<int>(at), length);
    if (measuring) layer->entropy = std::span(seen_).subspan(at * columns, columns);
    if (recording) layer->largest_score = std::span(seen_scores_).subspan(at * heads, heads);
    require_numbers(x);
    const at::Tensor qkv =
        linear(norm(x, block.norm1, block.norm1_bias), block.attention, block.attention_bias);
    require_numbers(qkv);
    if (observer) observer(qkv, *layer);
    x = after_attention(x, attend(qkv, raw_, layer), block);
  }
  require_numbers(x);
  return norm(x, final_norm_, final_norm_bias_);
}

at::Tensor Transformer::add_gradients_on_device(const at::Tensor& inputs, const at::Tensor& targets,
                                                double scale) {
  const at::Tensor embedded = this->embedded(inputs);
  const at::Tensor x = through_blocks(with_positions(embedded, 0)).to(compute_type_);
  const at::Tensor flat = x.detach().flatten(0, 1);
  at::Tensor x_gradient = at::empty_like(flat);
  at::Tensor head_gradient = head_.grad();
  const at::Tensor loss =
      add_head_gradients(*accelerator_, flat, head_, targets.flatten(), scale, x_gradient, head_gradient);
  x.backward(x_gradient.view(x.sizes()));
  const at::NoGradGuard no_gradients;
  // index_add_, which without its check of indices waits for nothing: the file's tokens were checked
  at::_index_put_impl_(tokens_.mutable_grad(), {inputs.flatten()}, embedded.grad().flatten(0, 1),
                       /*accumulate=*/true, /*unsafe=*/true);
  return loss;
}

// The embedding's gradient is added by rows at the end: as a dense table it would be as large as the head's.
at::Tensor Transformer::embedded(const at::Tensor& inputs) const {
  at::Tensor result;
  {
    const at::NoGradGuard no_gradients;
    result = at::embedding(tokens_, inputs);
  }
  result.requires_grad_(true);
  return result;
}

double Transformer::add_gradients(const at::Tensor& inputs, const at::Tensor& targets, double scale) {
  const at::Tensor embedded = this->embedded(inputs);
  at::Tensor x = through_blocks(with_positions(embedded, 0)).to(compute_type_).flatten(0, 1);
  at::Tensor asked = targets.flatten();
  const at::Tensor places = asked.ge(0).nonzero().flatten();
  if (places.numel() < asked.numel()) {
    x = x.index_select(0, places);
    asked = asked.index_select(0, places);
  }
  const at::Tensor loss = head_loss(x, head_, asked, scale);
  loss.backward();
  const at::NoGradGuard no_gradients;
  if (!tokens_.grad().defined()) tokens_.mutable_grad() = at::zeros_like(tokens_);  // the head is another one
  tokens_.mutable_grad().index_add_(0, inputs.flatten(), embedded.grad().flatten(0, 1));
  return loss.item<double>();
}

at::Tensor Transformer::hidden(const at::Tensor& inputs, const LayerObserver& observer) {
  const at::NoGradGuard no_gradients;
  return through_blocks(with_positions(at::embedding(tokens_, here(inputs)), 0), observer).to(compute_type_);
}

at::Tensor Transformer::losses(const at::Tensor& inputs, const at::Tensor& targets) {
  const at::Tensor x = hidden(inputs).flatten(0, 1);
  const at::Tensor result =
      accelerator_ == nullptr
          ? token_losses(x, head_, targets.flatten())
          : device_token_losses(*accelerator_, x, head_, here(targets).flatten()).to(at::kCPU);
  if (!at::isfinite(result).all().item<bool>()) throw std::runtime_error("a loss is not a number");
  return result.view(targets.sizes());
}

at::Tensor Transformer::next_logits(const at::Tensor& inputs, KeyValueCache& cache) {
  const at::NoGradGuard no_gradients;
  const std::int64_t width = config_.model.width;
  const auto heads = static_cast<std::size_t>(config_.model.heads);
  if (cache.keys.empty()) {
    const at::Tensor nothing = at::empty({1, 0, width}, compute_type_);
    cache.keys.assign(blocks_.size(), nothing);
    cache.values.assign(blocks_.size(), nothing);
    cache.longest_query.assign(blocks_.size(), std::vector<double>(heads, 0.0));
    cache.longest_key = cache.longest_query;
  }
  at::Tensor x = with_positions(at::embedding(tokens_, inputs), cache.read);
  cache.read += inputs.size(1);
  for (std::size_t at = 0; at < blocks_.size(); ++at) {
    const Block& block = blocks_[at];
    require_numbers(x);
    const at::Tensor all =
        linear(norm(x, block.norm1, block.norm1_bias), block.attention, block.attention_bias);
    require_numbers(all);
    const auto qkv = all.split(width, 2);
    at::Tensor& keys = cache.keys[at];
    at::Tensor& values = cache.values[at];
    keys = at::cat({keys, qkv[1]}, 1);
    values = at::cat({values, qkv[2]}, 1);
    raise_to_norms(cache.longest_query[at], qkv[0]);
    raise_to_norms(cache.longest_key[at], qkv[1]);
    // Tables for twice as many keys serve until there are that many.
    const auto enough = std::bit_ceil(static_cast<std::uint64_t>(keys.size(1)));
    const auto layer = layer_scores(static_cast<int>(at), static_cast<std::int64_t>(enough));
    x = after_attention(x, attend_to_cache(qkv[0], keys, values, *layer), block);
    const std::int64_t excess = cache.most > 0 ? keys.size(1) - cache.most : 0;
    if (excess > 0) {
      keys = keys.narrow(1, excess, cache.most);
      values = values.narrow(1, excess, cache.most);
    }
  }
  require_numbers(x);
  const at::Tensor last = norm(x, final_norm_, final_norm_bias_).select(1, x.size(1) - 1).to(compute_type_);
  const at::Tensor logits = at::mv(head_.to(compute_type_), last.flatten()).to(at::kFloat);
  if (!at::isfinite(logits).all().item<bool>()) throw std::runtime_error("a logit is not a number");
  return logits;
}

}  // namespace gpe::model
