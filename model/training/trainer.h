// Training: batches, steps, validation, log, checkpoints. Everything but the clock is a function of
// configuration and data.
// Tests: tests/model/pytorch_reference_test.py, tests/model/train_resume_test.py, tests/model/ranks_test.py
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>

#include "model/data/batch_sampler.h"
#include "model/data/token_file.h"
#include "model/training/checkpoint.h"
#include "model/training/device_step.h"
#include "model/training/gradient_sum.h"

namespace gpe::model {

struct TrainingData {
  TokenFile train;
  TokenFile validation;
  /// Of training.answers_only.
  std::optional<TaskAnswers> train_answers, validation_answers;
  /// DIR/train.bin and DIR/val.bin, with their answers where they are asked for.
  /// @throws theory::SpecError  also when a token is beyond the vocabulary, or there are no answers
  static TrainingData open(const std::filesystem::path& folder, std::int64_t vocabulary,
                           bool answers_only = false);
};

/// What is shown while it runs.
struct Progress {
  std::int64_t iteration = 0;
  std::int64_t iterations = 0;
  double loss = 0;  ///< nats per token, of the last step
  std::optional<double> validation_loss;
  double tokens_per_second = 0;
  double seconds_left = 0;
};

class Trainer {
 public:
  /// @param model   with the moments' state of its iteration in `folder` when it is above 0
  /// @param folder  the run's; it exists
  /// @param ranks   each takes training.batch rows of every part of a step: a run of two ranks is one of one
  /// rank with twice the batch. The first one writes.
  /// @param say     told what a user should know of steps on a device
  /// @throws theory::SpecError  training.answers_only on a device
  Trainer(
      LoadedModel& model, const TrainingData& data, std::filesystem::path folder, Ranks& ranks,
      std::function<void(const std::string&)> say = [](const std::string&) {});

  /// Trains to the last iteration, or until `stop` is set in any rank: then finishes the step and saves.
  /// @return  whether the last iteration was reached
  /// @throws std::runtime_error  the loss is not a number any more, or the weights of ranks differ; the
  /// checkpoint before it stays
  bool run(const std::atomic<bool>& stop, const std::function<void(const Progress&)>& show);

  /// Mean loss of the validation batches, the same ones whenever it is called.
  double validation_loss();

 private:
  struct Step {
    double loss = 0;
    double gradient_norm = 0;
    /// With output.entropy_every, by [layer][head]: the mean over all rows of the step, and the largest.
    std::vector<double> entropy, largest_score;
  };
  Step step(std::int64_t done);
  /// The same on a device; what is not read there is left out.
  std::optional<Step> device_step(std::int64_t done, bool read);
  bool recording(std::int64_t done) const;
  void measure();
  void record(Step& step) const;
  std::vector<double> mean_of_ranks(std::vector<double> numbers);

  LoadedModel& model_;
  std::filesystem::path folder_;
  AdamW optimizer_;
  BatchSampler train_;
  BatchSampler validation_;
  RunRecord record_;
  Ranks& ranks_;
  GradientSum sum_gradients_;
  std::unique_ptr<DeviceStep> on_device_;
};

}  // namespace gpe::model
