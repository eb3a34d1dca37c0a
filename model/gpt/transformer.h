// A Tiny Story Maker: GPT-2 as nanoGPT writes it (pre-norm, tied head, no dropout), where position enters
// through the encoding; with the choices in which GPT-2, GPT-NeoX and Llama differ from it
// (TsmConfig::Model).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/gpt/attention_op.h"
#include "model/gpt/config.h"
#include "model/gpt/device_scores.h"
#include "model/gpt/torch.h"
#include "model/position/score_cache.h"

namespace gpe::model {

struct NamedTensor {
  std::string name;  ///< nanoGPT's, for example "transformer.h.0.attn.c_attn.weight"
  at::Tensor tensor;
};

/// Keys and values of the tokens read so far, by layer: [1, tokens, width].
struct KeyValueCache {
  std::int64_t most = 0;  ///< older ones are dropped; 0: none
  std::int64_t read = 0;  ///< tokens, those that were dropped included
  std::vector<at::Tensor> keys;
  std::vector<at::Tensor> values;
  /// max |q| and max |k| over the tokens read, dropped ones included; by [layer][head].
  std::vector<std::vector<double>> longest_query, longest_key;
};

/// Sees the queries, keys and values of a layer, [batch, tokens, 3·width], and how they are scored.
using LayerObserver = std::function<void(const at::Tensor& qkv, const AttentionLayer& layer)>;

class Transformer {
 public:
  /// initial: as nanoGPT begins, normal of deviation 0.02, 0.02/sqrt(2·layers) for projections back into the
  /// residual stream, normalizations 1, biases 0; a function of training.seed alone. unset: the caller writes
  /// every one of weights().
  enum class Weights { initial, unset };

  /// @param positions  must outlive the result, and have the layers and heads of `config`
  Transformer(const TsmConfig& config, const Positions& positions, Weights weights = Weights::initial);

  const TsmConfig& config() const { return config_; }
  /// From now on weights lie on this device and everything is computed there, in float32 or bfloat16; null:
  /// nothing changes. Tokens and losses of the functions below may lie on either side.
  /// @throws theory::SpecError  what the device does not compute
  void to(std::shared_ptr<const Accelerator> accelerator);
  /// Null: the CPU.
  const std::shared_ptr<const Accelerator>& accelerator() const { return accelerator_; }
  /// From now on position enters through these, which have the same learned parameters.
  void use(const Positions& positions);
  /// Every weight but the learned numbers of the encoding; a head of its own is lm_head.weight, the last.
  const std::vector<NamedTensor>& weights() const { return weights_; }
  /// [vocabulary_padded, width]: what turns hidden() into logits. The embedding, when the head is tied.
  const at::Tensor& head() const { return head_; }
  /// The learned numbers of the encoding, float64, and for alpha = "measured" the entropies by
  /// [layer][head][query].
  const at::Tensor& raw() const { return raw_; }
  std::span<double> raw_numbers() const;
  std::vector<double>& measured() { return measured_; }
  const std::vector<double>& measured() const { return measured_; }
  /// Of the weights and the learned numbers.
  std::int64_t parameters() const;

  /// scale·Σ loss over all tokens; after backward() every weight and raw() have gradients (added to those
  /// there).
  /// @param inputs, targets  [batch, tokens], int64; a target below 0 has no loss
  double add_gradients(const at::Tensor& inputs, const at::Tensor& targets, double scale);
  /// The same on a device, without waiting for it: a float64 scalar there. All targets are tokens. Every
  /// weight has a gradient already; what the learned numbers of the encoding get is collected until
  /// add_raw_gradients.
  at::Tensor add_gradients_on_device(const at::Tensor& inputs, const at::Tensor& targets, double scale);
  /// Forgets what was collected.
  void clear_raw_gradients();
  /// Adds what was collected to the gradient of raw(); waits for the device.
  void add_raw_gradients();
  /// Brings the scores of `length` positions to the device, with the numbers learned so far.
  void bring_scores(std::int64_t length);
  /// The loss of each token in nats, [batch, tokens], float64, on the CPU.
  /// @throws std::runtime_error  as hidden; or a loss that is not a number
  at::Tensor losses(const at::Tensor& inputs, const at::Tensor& targets);
  /// What the head is applied to, [batch, tokens, width], in the type of the weights' products.
  /// @param observer  called for each layer in turn
  /// @throws std::runtime_error  numbers so large that scores or normalizations of them are none
  at::Tensor hidden(const at::Tensor& inputs, const LayerObserver& observer = {});
  /// Logits of the token after the last one of `inputs` [1, tokens], which follow those in the cache.
  /// [vocabulary], float32. @throws std::runtime_error  as hidden; or a logit that is not a number
  at::Tensor next_logits(const at::Tensor& inputs, KeyValueCache& cache);

  /// How a layer scores the first `length` positions, with the numbers learned so far.
  std::shared_ptr<AttentionLayer> layer_scores(int layer, std::int64_t length);

  /// The entropies that the last add_gradients saw, the mean over its sequences, by [layer][head][query];
  /// empty unless alpha = "measured" or record_heads; then those of the last one that was recorded.
  const std::vector<double>& seen_entropies() const { return seen_; }
  /// The largest score A of all rows that the last add_gradients saw, by [layer][head]; with record_heads.
  const std::vector<double>& seen_largest_scores() const { return seen_scores_; }
  /// Whether add_gradients keeps what it sees of heads, from now on.
  void record_heads(bool record) { recording_ = record; }
  /// On a device the same numbers stay there: sums over add_gradients_on_device of means by
  /// [layer][head][query], float64, and the largest scores by [layer][head], float32, since clear_heads.
  struct DeviceHeads {
    at::Tensor entropy, largest_score;
  };
  const DeviceHeads& device_heads() const { return device_heads_; }
  void clear_heads();

 private:
  struct Block {
    at::Tensor norm1, norm1_bias, attention, attention_bias, attention_out, attention_out_bias;
    at::Tensor norm2, norm2_bias, gate, up, up_bias, down, down_bias;
  };
  at::Tensor add(const std::string& name, at::IntArrayRef shape, double deviation, double mean = 0);
  void add_block(const std::string& at);
  at::Tensor with_positions(const at::Tensor& embedded, std::int64_t first) const;
  void require_numbers(const at::Tensor& x) const;
  at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) const;
  at::Tensor norm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) const;
  at::Tensor through_blocks(at::Tensor x, const LayerObserver& observer = {});
  at::Tensor embedded(const at::Tensor& inputs) const;
  bool measuring() const;
  at::Tensor here(const at::Tensor& tokens) const;
  at::Tensor feed_forward(const at::Tensor& x, const Block& block) const;
  at::Tensor after_attention(const at::Tensor& x, const at::Tensor& attended, const Block& block) const;

  TsmConfig config_;
  const Positions* positions_;
  at::ScalarType compute_type_;
  bool initialize_;
  std::vector<NamedTensor> weights_;
  std::vector<Block> blocks_;
  at::Tensor tokens_, position_table_, final_norm_, final_norm_bias_, head_;
  at::Tensor raw_;
  std::vector<double> measured_;
  bool recording_ = false;
  std::vector<double> seen_;
  std::vector<double> seen_scores_;
  std::unique_ptr<ScoreCache<float>> scores_;
  std::unique_ptr<ScoreCache<double>> exact_scores_;
  std::shared_ptr<const Accelerator> accelerator_;
  std::unique_ptr<DeviceScores> device_scores_;
  DeviceHeads device_heads_;
};

}  // namespace gpe::model
