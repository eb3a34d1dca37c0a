// Training steps on a device: tokens lie there, and one step after the other is started without waiting for
// it. What is computed is what Trainer computes on the CPU, in the device's own order.
// Tests: tests/cuda/device_model_test.cpp
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/data/batch_sampler.h"
#include "model/training/checkpoint.h"
#include "model/training/ranks.h"

namespace gpe::model {

class DeviceStep {
 public:
  /// @param model    whose transformer computes on a device; its gradients lie side by side from now on
  /// @param sampler  of `tokens`, which must outlive the result
  /// @param say      told once when steps are not recorded as a graph, and why
  DeviceStep(LoadedModel& model, AdamW& optimizer, const BatchSampler& sampler,
             std::span<const std::uint16_t> tokens, Ranks& ranks,
             std::function<void(const std::string&)> say);

  /// Begins the step that follows `done` steps.
  /// @param recording  whether heads() is about this step
  void operator()(std::int64_t done, bool recording);

  struct Numbers {
    double loss = 0;           ///< of the last step, over all ranks
    double gradient_norm = 0;  ///< before clipping
    bool finite = true;        ///< of every step so far
  };
  /// Waits for the device. All ranks call it together.
  Numbers numbers();
  /// Means of this rank over the rows of a recorded step, and the largest, by [layer][head]. Waits.
  struct Heads {
    std::vector<double> entropy, largest_score;
  };
  Heads heads() const;
  /// The tokens of a batch and those after them, [rows, context].
  static void gather(const at::Tensor& tokens, const at::Tensor& begins, std::int64_t context,
                     at::Tensor& inputs, at::Tensor& targets);

 private:
  /// Work that is recorded when it was done a few times.
  struct Work {
    int done = 0;
    std::unique_ptr<DeviceGraph> graph;
  };
  void run(Work& work, const std::function<void()>& what);
  void bring_offsets(std::int64_t done);
  void begin_gradients(bool recording);
  void add_gradients(std::int64_t part, bool recording);
  void measure();
  void sum_over_ranks();
  void find_norm();
  void update();

  LoadedModel& model_;
  AdamW& optimizer_;
  const BatchSampler& sampler_;
  Ranks& ranks_;
  std::function<void(const std::string&)> say_;
  std::shared_ptr<const Accelerator> accelerator_;
  bool measures_, learns_, records_ = true;
  at::Tensor tokens_;                    // int16, with the bits of uint16
  at::Tensor offsets_;                   // [accumulation, batch]
  at::Tensor learning_rate_, factor_;    // scalars
  at::Tensor gradients_;                 // of all weights, side by side
  at::Tensor loss_, norm_, not_finite_;  // scalars
  double raw_norm_ = 0;
  Work gradients_work_[2], update_work_;  // without and with recording
  std::unique_ptr<DeviceSum> sum_;
};

}  // namespace gpe::model
