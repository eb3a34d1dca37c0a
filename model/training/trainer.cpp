#include "model/training/trainer.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "checks/cli/version.h"
#include "model/data/answer_key.h"
#include "model/training/learning_rate.h"
#include "model/training/resume.h"
#include "model/training/train_log.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kValidationSeed = 0x56414C;  // of its own: every run is judged by the same batches

std::span<const std::uint16_t> part(std::span<const std::uint16_t> tokens, double fraction) {
  return tokens.first(static_cast<std::size_t>(std::ceil(static_cast<double>(tokens.size()) * fraction)));
}

BatchSampler sampler(std::span<const std::uint16_t> tokens, const TsmConfig::Training& training,
                     std::uint64_t seed, const std::optional<TaskAnswers>& answers) {
  const auto context = static_cast<std::size_t>(training.context);
  return answers ? BatchSampler(tokens, context, seed, *answers) : BatchSampler(tokens, context, seed);
}

struct Batch {
  at::Tensor inputs, targets;

  Batch(const BatchSampler& sampler, std::int64_t rows, std::int64_t context, std::int64_t step,
        std::int64_t first_row)
      : inputs(at::empty({rows, context}, at::kLong)), targets(at::empty({rows, context}, at::kLong)) {
    const auto span = [](const at::Tensor& tensor) {
      return std::span(tensor.mutable_data_ptr<std::int64_t>(), static_cast<std::size_t>(tensor.numel()));
    };
    sampler.fill(static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(first_row), span(inputs),
                 span(targets));
  }
};

// By [layer][head] as an array of arrays.
nlohmann::json by_layer(const std::vector<double>& numbers, std::int64_t heads) {
  auto result = nlohmann::json::array();
  for (auto from = numbers.begin(); from != numbers.end(); from += heads)
    result.push_back(std::vector(from, from + heads));
  return result;
}

[[noreturn]] void refuse_numbers(std::int64_t done) {
  throw std::runtime_error("the loss or its gradient is not a number at iteration " +
                           std::to_string(done + 1) + "; a smaller training.learning_rate may help");
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The first line of the log.
nlohmann::json first_entry(const LoadedModel& model, const RunRecord& record, int ranks, bool on_device) {
  nlohmann::json entry = {{"iteration", 0},
                          {"program", "train-tsm " + std::string(kVersion)},
                          {"encoding", model.positions->name()},
                          {"parameters", model.transformer->parameters()},
                          {"train_sha256", record.train_sha256}};
  if (ranks > 1) entry["ranks"] = ranks;
  if (on_device) entry["device"] = model.transformer->accelerator()->name;
  return entry;
}

}  // namespace

TrainingData TrainingData::open(const std::filesystem::path& folder, std::int64_t vocabulary,
                                bool answers_only) {
  const std::filesystem::path train = folder / "train.bin";
  const std::filesystem::path validation = folder / "val.bin";
  TrainingData data{TokenFile(train), TokenFile(validation), {}, {}};
  data.train.check(vocabulary);
  data.validation.check(vocabulary);
  if (answers_only) {
    data.train_answers = read_task_answers(answer_key_file(train), data.train);
    data.validation_answers = read_task_answers(answer_key_file(validation), data.validation);
  }
  return data;
}

Trainer::Trainer(LoadedModel& model, const TrainingData& data, std::filesystem::path folder, Ranks& ranks,
                 std::function<void(const std::string&)> say)
    : model_(model),
      folder_(std::move(folder)),
      optimizer_(*model.transformer, model.config.training),
      train_(sampler(part(data.train.tokens(), model.config.training.data_fraction), model.config.training,
                     static_cast<std::uint64_t>(model.config.training.seed), data.train_answers)),
      validation_(
          sampler(data.validation.tokens(), model.config.training, kValidationSeed, data.validation_answers)),
      record_{data.train.bytes_sha256(), data.validation.bytes_sha256(), ranks.size()},
      ranks_(ranks),
      sum_gradients_(*model.transformer, ranks) {
  if (model.iteration > 0) load_moments(folder_, model, optimizer_, record_);
  if (model.transformer->accelerator() != nullptr) {
    if (model.config.training.answers_only)
      throw theory::SpecError("training.answers_only trains on the CPU; expected --device cpu");
    on_device_ = std::make_unique<DeviceStep>(model, optimizer_, train_,
                                              part(data.train.tokens(), model.config.training.data_fraction),
                                              ranks, std::move(say));
  }
}

bool Trainer::recording(std::int64_t done) const {
  const std::int64_t every = model_.config.output.entropy_every;
  return every > 0 && (done + 1) % every == 0;
}

std::optional<Trainer::Step> Trainer::device_step(std::int64_t done, bool read) {
  const bool recording = this->recording(done);
  (*on_device_)(done, recording);
  if (!read && !recording) return std::nullopt;
  const DeviceStep::Numbers numbers = on_device_->numbers();
  if (!numbers.finite) refuse_numbers(done);
  Step result;
  result.loss = numbers.loss;
  result.gradient_norm = numbers.gradient_norm;
  if (recording) {
    DeviceStep::Heads heads = on_device_->heads();
    result.entropy = mean_of_ranks(std::move(heads.entropy));
    result.largest_score = std::move(heads.largest_score);
    ranks_.largest(result.largest_score);
  }
  return result;
}

Trainer::Step Trainer::step(std::int64_t done) {
  const TsmConfig::Training& t = model_.config.training;
  Step result;
  const bool recording = this->recording(done);
  model_.transformer->record_heads(recording);
  const auto rows = static_cast<std::uint64_t>(t.batch * t.accumulation * ranks_.size());
  const double scale =
      1.0 / static_cast<double>(train_.targets_asked(static_cast<std::uint64_t>(done), rows));
  for (std::int64_t micro = 0; micro < t.accumulation; ++micro) {
    const Batch batch(train_, t.batch, t.context, done, (micro * ranks_.size() + ranks_.rank()) * t.batch);
    result.loss += model_.transformer->add_gradients(batch.inputs, batch.targets, scale);
    measure();
    if (recording) record(result);
  }
  for (double& entropy : result.entropy) entropy /= static_cast<double>(t.accumulation * t.context);
  result.entropy = mean_of_ranks(std::move(result.entropy));
  ranks_.largest(result.largest_score);
  sum_gradients_(std::span(&result.loss, 1));
  result.gradient_norm = optimizer_.clip(t.clip);
  if (!std::isfinite(result.loss) || !std::isfinite(result.gradient_norm)) refuse_numbers(done);
  optimizer_.step(learning_rate(t, done), done + 1);
  return result;
}

// Moves the entropies that alpha = "measured" reads towards those just seen.
void Trainer::measure() {
  std::vector<double>& mean = model_.transformer->measured();
  if (mean.empty()) return;
  const std::vector<double> seen = mean_of_ranks(model_.transformer->seen_entropies());
  const double momentum = model_.config.position.measured_momentum;
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += momentum * (seen[i] - mean[i]);
}

// Adds the entropies of the part of a step that was just seen.
void Trainer::record(Step& step) const {
  const std::vector<double>& entropies = model_.transformer->seen_entropies();
  const std::vector<double>& scores = model_.transformer->seen_largest_scores();
  const auto context = static_cast<std::size_t>(model_.config.training.context);
  step.entropy.resize(scores.size());
  step.largest_score.resize(scores.size(), -std::numeric_limits<double>::infinity());
  for (std::size_t head = 0; head < scores.size(); ++head) {
    const auto rows = std::span(entropies).subspan(head * context, context);
    step.entropy[head] += std::accumulate(rows.begin(), rows.end(), 0.0);
    step.largest_score[head] = std::max(step.largest_score[head], scores[head]);
  }
}

std::vector<double> Trainer::mean_of_ranks(std::vector<double> numbers) {
  ranks_.sum(numbers);
  for (double& number : numbers) number /= ranks_.size();
  return numbers;
}

double Trainer::validation_loss() {
  const TsmConfig::Training& t = model_.config.training;
  std::vector<double> losses(static_cast<std::size_t>(model_.config.output.evaluate_batches));
  for (std::int64_t i = ranks_.rank(); i < std::ssize(losses); i += ranks_.size()) {
    const Batch batch(validation_, t.batch, t.context, i, 0);
    losses[static_cast<std::size_t>(i)] = model_.transformer->losses(batch.inputs, batch.targets.clamp_min(0))
                                              .masked_select(batch.targets.ge(0))
                                              .mean()
                                              .item<double>();
  }
  ranks_.sum(losses);  // all but one are 0
  const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
  if (!std::isfinite(mean)) {
    throw std::runtime_error("the validation loss is not a number after iteration " +
                             std::to_string(model_.iteration));
  }
  return mean;
}

bool Trainer::run(const std::atomic<bool>& stop, const std::function<void(const Progress&)>& show) {
  using nlohmann::json;
  const TsmConfig& config = model_.config;
  const std::int64_t last = config.training.iterations;
  const std::int64_t tokens_a_step =
      config.training.batch * config.training.context * config.training.accumulation * ranks_.size();
  std::optional<TrainLog> file;
  if (ranks_.leads()) file.emplace(folder_ / "log.jsonl", model_.iteration == 0 ? -1 : model_.iteration);
  const auto log = [&](const json& entry) {
    if (file) file->add(entry.dump());
  };
  Progress progress;
  progress.iterations = last;
  const auto validate = [&] {
    if (config.output.evaluate_batches == 0) return;
    if (!sum_gradients_.same_weights()) {
      throw std::runtime_error("the ranks have different weights after iteration " +
                               std::to_string(model_.iteration) + ": do all run on the same kind of CPU?");
    }
    progress.validation_loss = validation_loss();
    log({{"iteration", model_.iteration}, {"validation_loss", *progress.validation_loss}});
    if (config.output.keep_best && ranks_.leads()) keep_best(folder_, model_, *progress.validation_loss);
  };
  if (model_.iteration > 0 && ranks_.leads()) complete_checkpoint(folder_, model_);
  if (model_.iteration == 0) {
    log(first_entry(model_, record_, ranks_.size(), on_device_ != nullptr));
    validate();
  }
  const Clock::time_point start = Clock::now();
  const std::int64_t first = model_.iteration;
  std::int64_t saved = model_.iteration == 0 ? -1 : model_.iteration;
  const auto save = [&] {
    if (saved != model_.iteration && ranks_.leads()) save_checkpoint(folder_, model_, optimizer_, record_);
    saved = model_.iteration;
  };
  const auto is_multiple = [](std::int64_t iteration, std::int64_t of) { return iteration % of == 0; };
  Clock::time_point step_start = Clock::now();
  std::int64_t steps = 0;  // since then
  while (model_.iteration < last && !ranks_.any(stop)) {
    if (steps == 0) step_start = Clock::now();
    const double rate = learning_rate(config.training, model_.iteration);
    const std::int64_t next = model_.iteration + 1;
    const bool read = is_multiple(next, config.output.log_every) ||
                      is_multiple(next, config.output.evaluate_every) ||
                      is_multiple(next, config.output.checkpoint_every) || next == last;
    const std::optional<Step> known =
        on_device_ != nullptr ? device_step(model_.iteration, read) : step(model_.iteration);
    ++model_.iteration;
    ++steps;
    if (!known) continue;
    const Step& done = *known;
    const double seconds = seconds_since(step_start) / static_cast<double>(steps);
    steps = 0;
    progress.iteration = model_.iteration;
    progress.loss = done.loss;
    progress.tokens_per_second = static_cast<double>(tokens_a_step) / seconds;
    progress.seconds_left = seconds_since(start) / static_cast<double>(model_.iteration - first) *
                            static_cast<double>(last - model_.iteration);
    if (model_.iteration % config.output.log_every == 0) {
      log({{"iteration", model_.iteration},
           {"loss", done.loss},
           {"learning_rate", rate},
           {"gradient_norm", done.gradient_norm},
           {"tokens_per_second", std::round(progress.tokens_per_second)}});
    }
    if (!done.entropy.empty()) {
      log({{"iteration", model_.iteration},
           {"entropy", by_layer(done.entropy, config.model.heads)},
           {"largest_score", by_layer(done.largest_score, config.model.heads)}});
    }
    if (model_.iteration % config.output.evaluate_every == 0 || model_.iteration == last) validate();
    if (model_.iteration % config.output.checkpoint_every == 0) save();
    show(progress);
  }
  if (on_device_ != nullptr && steps > 0 && !on_device_->numbers().finite)
    refuse_numbers(model_.iteration - 1);
  save();
  return model_.iteration >= last;
}

}  // namespace gpe::model
