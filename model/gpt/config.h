// How a Tiny Story Maker is built and trained: a TOML file, every key with a default, the defaults being the
// paper's runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpe::model {

/// Keys and meanings: docs/training.md. A field belongs to the TOML table of its prefix.
struct TsmConfig {
  struct Model {
    std::int64_t layers = 6;
    std::int64_t heads = 6;
    std::int64_t width = 384;
    std::int64_t vocabulary = 0;         ///< 0: that of the data
    std::int64_t vocabulary_padded = 0;  ///< 0: rounded up to a multiple of 64
    std::int64_t position_table = 0;     ///< rows of a learned table of positions, 0: none
    std::int64_t feed_forward = 0;       ///< width inside the feed-forward layers; 0: four times the width
    bool bias = false;                   ///< of linear layers and normalizations
    /// "gelu", "gelu_tanh" (its approximation by tanh), "relu"; "swiglu": SiLU of one map times another.
    std::string activation = "gelu";
    std::string norm = "layer";      ///< "layer"; "rms": divides by the root of the mean square
    double norm_epsilon = 1e-5;      ///< added to the variance, or mean square, by normalizations
    bool parallel_residual = false;  ///< attention and feed-forward layer of a block read the same input
    bool tied_head = true;           ///< the last linear map is the embedding
  } model;
  struct Position {
    std::string encoding = "ape";
    std::vector<std::string> set;      ///< "NAME=VALUE"
    std::vector<std::string> learned;  ///< names of parameters
    std::string share = "layer-and-head";
    double measured_momentum = 0.01;
  } position;
  struct Training {
    std::int64_t context = 64;
    std::int64_t batch = 12;
    std::int64_t accumulation = 1;
    std::int64_t iterations = 25000;
    double learning_rate = 6e-4;
    double minimum_learning_rate = 6e-5;
    std::int64_t warmup = 2000;
    std::int64_t decay_iterations = 600000;
    double weight_decay = 0.1;
    double beta1 = 0.9;
    double beta2 = 0.95;
    double clip = 1;
    std::int64_t seed = 1337;
    double data_fraction = 1;
    bool answers_only = false;  ///< targets are the answers of make-tasks
    std::string dtype = "float32";
  } training;
  struct Output {
    std::int64_t log_every = 10;
    std::int64_t entropy_every = 0;  ///< entropies and largest scores of heads; 0: never
    std::int64_t evaluate_every = 1000;
    std::int64_t evaluate_batches = 50;
    std::int64_t checkpoint_every = 1000;
    bool keep_best = false;  ///< also the model of the least validation loss
  } output;

  std::int64_t head_dim() const { return model.width / model.heads; }
  std::int64_t feed_forward() const { return model.feed_forward > 0 ? model.feed_forward : 4 * model.width; }
  bool gated() const { return model.activation == "swiglu"; }
};

/// @throws theory::SpecError  file, line and column, what is wrong, and the nearest key
TsmConfig parse_config(std::string_view toml, const std::string& source);
TsmConfig load_config(const std::filesystem::path& file);
/// "training.batch=4", "position.learned=[\"m\"]", "position.encoding=alibi": the value as in TOML, or plain
/// text for a string. @throws theory::SpecError
void override_config(TsmConfig& config, const std::string& assignment);
/// The whole configuration; parse_config gives the same one back.
std::string to_toml(const TsmConfig& config);
/// Fills in what was left to the data. @param vocabulary  of the token file; GPT-2's when it is not known
void settle_vocabulary(TsmConfig& config, std::optional<std::int64_t> vocabulary);
/// What fits together: sizes that divide, ranges. @throws theory::SpecError
void check_config(const TsmConfig& config);
/// Of matrices and tables, a little less than the model has. @pre  the vocabulary is settled
double weight_count(const TsmConfig& config);

}  // namespace gpe::model
