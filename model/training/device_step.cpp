#include "model/training/device_step.h"

#include <cmath>

#include "model/training/learning_rate.h"

namespace gpe::model {

namespace {

constexpr int kBefore = 3;  // times that work is done before it is recorded: libraries set themselves up

at::Tensor norm_of(const at::Tensor& numbers) {
  return at::linalg_vector_norm(numbers, 2, {}, false, at::kDouble);
}

}  // namespace

DeviceStep::DeviceStep(LoadedModel& model, AdamW& optimizer, const BatchSampler& sampler,
                       std::span<const std::uint16_t> tokens, Ranks& ranks,
                       std::function<void(const std::string&)> say)
    : model_(model),
      optimizer_(optimizer),
      sampler_(sampler),
      ranks_(ranks),
      say_(std::move(say)),
      accelerator_(model.transformer->accelerator()),
      measures_(model.positions->measures_entropy()),
      learns_(model.transformer->raw().numel() > 0) {
  const at::NoGradGuard no_gradients;
  const TsmConfig::Training& t = model.config.training;
  const auto here = at::TensorOptions().device(accelerator_->device);
  tokens_ = at::from_blob(const_cast<std::uint16_t*>(tokens.data()),
                          {static_cast<std::int64_t>(tokens.size())}, at::TensorOptions(at::kShort))
                .to(accelerator_->device);
  offsets_ = at::zeros({t.accumulation, t.batch}, here.dtype(at::kLong));
  learning_rate_ = at::zeros({}, here.dtype(at::kFloat));
  factor_ = at::ones({}, here.dtype(at::kFloat));
  loss_ = at::zeros({}, here.dtype(at::kDouble));
  norm_ = at::zeros({}, here.dtype(at::kDouble));
  not_finite_ = at::zeros({}, here.dtype(at::kBool));
  std::int64_t count = 0;
  for (const NamedTensor& weight : model.transformer->weights()) count += weight.tensor.numel();
  gradients_ = at::zeros({count}, here.dtype(at::kFloat));
  count = 0;
  for (const NamedTensor& weight : model.transformer->weights()) {
    const at::Tensor& tensor = weight.tensor;
    tensor.mutable_grad() = gradients_.narrow(0, count, tensor.numel()).view(tensor.sizes());
    count += tensor.numel();
  }
  optimizer_.count_steps(model.iteration);
  model.transformer->bring_scores(t.context);
  records_ = accelerator_->runtime != nullptr && !measures_;
  if (measures_ && accelerator_->runtime != nullptr)
    say_("steps are not recorded as a graph: alpha = \"measured\" moves the scores within a step");
  if (ranks.size() > 1 && accelerator_->runtime != nullptr) {
    try {
      sum_ = accelerator_->runtime->sum(ranks.rank(), ranks.size(), [&](std::span<char> bytes) {
        std::vector<double> numbers(bytes.size());
        for (std::size_t i = 0; ranks.leads() && i < bytes.size(); ++i) numbers[i] = bytes[i];
        ranks.sum(numbers);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(numbers[i]);
      });
    } catch (const std::runtime_error& error) {
      say_(std::string("gradients are summed by MPI: ") + error.what());
    }
    if (ranks.any(sum_ == nullptr)) sum_ = nullptr;  // all do the same
  }
}

void DeviceStep::gather(const at::Tensor& tokens, const at::Tensor& begins, std::int64_t context,
                        at::Tensor& inputs, at::Tensor& targets) {
  const at::Tensor columns = at::arange(context + 1, begins.options());
  const at::Tensor places = begins.unsqueeze(1) + columns;
  const at::Tensor pieces = tokens.index_select(0, places.flatten())
                                .to(at::kLong)
                                .bitwise_and(0xFFFF)
                                .view({begins.size(0), context + 1});
  inputs = pieces.narrow(1, 0, context).contiguous();
  targets = pieces.narrow(1, 1, context).contiguous();
}

void DeviceStep::bring_offsets(std::int64_t done) {
  const TsmConfig::Training& t = model_.config.training;
  const at::Tensor here = at::empty({t.accumulation, t.batch}, at::kLong);
  std::int64_t* to = here.mutable_data_ptr<std::int64_t>();
  for (std::int64_t part = 0; part < t.accumulation; ++part) {
    const std::int64_t first = (part * ranks_.size() + ranks_.rank()) * t.batch;
    for (std::int64_t row = 0; row < t.batch; ++row)
      *to++ = static_cast<std::int64_t>(
          sampler_.offset(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(first + row)));
  }
  offsets_.copy_(here, true);
}

void DeviceStep::run(Work& work, const std::function<void()>& what) {
  if (work.graph == nullptr) {
    if (!records_ || work.done < kBefore) {
      ++work.done;
      what();
      return;
    }
    try {
      work.graph = accelerator_->runtime->record(what);
    } catch (const std::exception& error) {
      records_ = false;
      say_(std::string("steps are not recorded as a graph: ") + error.what());
      what();
      return;
    }
  }
  work.graph->replay();
}

void DeviceStep::begin_gradients(bool recording) {
  gradients_.zero_();
  loss_.zero_();
  model_.transformer->clear_raw_gradients();
  if (recording || measures_) model_.transformer->clear_heads();
}

void DeviceStep::add_gradients(std::int64_t part, bool recording) {
  const TsmConfig::Training& t = model_.config.training;
  model_.transformer->record_heads(recording);
  at::Tensor inputs, targets;
  gather(tokens_, offsets_[part], t.context, inputs, targets);
  const double scale = 1.0 / static_cast<double>(t.batch * t.context * t.accumulation * ranks_.size());
  const at::Tensor loss = model_.transformer->add_gradients_on_device(inputs, targets, scale);
  const at::NoGradGuard no_gradients;
  loss_.add_(loss);
}

// As Trainer::measure, of what was just added.
void DeviceStep::measure() {
  std::vector<double>& mean = model_.transformer->measured();
  const at::Tensor here = model_.transformer->device_heads().entropy.to(at::kCPU);
  std::vector<double> seen(here.const_data_ptr<double>(), here.const_data_ptr<double>() + here.numel());
  ranks_.sum(seen);
  const double momentum = model_.config.position.measured_momentum;
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += momentum * (seen[i] / ranks_.size() - mean[i]);
}

void DeviceStep::sum_over_ranks() {
  if (ranks_.size() == 1) return;
  if (sum_ != nullptr) {
    (*sum_)(gradients_);
    return;
  }
  const at::Tensor here = gradients_.to(at::kCPU, false, true);
  ranks_.sum(std::span(here.mutable_data_ptr<float>(), static_cast<std::size_t>(here.numel())));
  gradients_.copy_(here);
}

// The norm of all gradients, and by what they are multiplied.
void DeviceStep::find_norm() {
  const double most = model_.config.training.clip;
  norm_.copy_(norm_of(gradients_));
  not_finite_.logical_or_(at::logical_not(at::isfinite(norm_ + loss_)));
  if (!learns_ && most > 0) factor_.copy_((most / (norm_ + 1e-6)).clamp_max(1.0));
}

void DeviceStep::update() {
  if (model_.config.training.clip > 0) gradients_.mul_(factor_);
  optimizer_.step_on_device(learning_rate_);
}

void DeviceStep::operator()(std::int64_t done, bool recording) {
  const at::NoGradGuard no_gradients;
  const TsmConfig::Training& t = model_.config.training;
  Transformer& transformer = *model_.transformer;
  const auto with_gradients = [&](std::int64_t part) {
    const at::AutoGradMode gradients(true);
    add_gradients(part, recording);
  };
  bring_offsets(done);
  const double rate = learning_rate(t, done);
  learning_rate_.fill_(rate);
  if (measures_) {
    at::Tensor entropies;  // of the parts before, which a recorded step is about, too
    begin_gradients(true);
    for (std::int64_t part = 0; part < t.accumulation; ++part) {
      transformer.device_heads().entropy.zero_();
      with_gradients(part);
      measure();
      const at::Tensor& here = transformer.device_heads().entropy;
      entropies = entropies.defined() ? entropies + here : here.clone();
      transformer.add_raw_gradients();  // with the scores of this part
      transformer.clear_raw_gradients();
      transformer.bring_scores(t.context);
    }
    transformer.device_heads().entropy.copy_(entropies);
  } else {
    run(gradients_work_[recording ? 1 : 0], [&] {
      begin_gradients(recording);
      for (std::int64_t part = 0; part < t.accumulation; ++part) with_gradients(part);
    });
    transformer.add_raw_gradients();
  }
  sum_over_ranks();
  if (learns_) {
    at::Tensor& raw_gradient = const_cast<at::Tensor&>(transformer.raw()).mutable_grad();
    const std::span<double> numbers(raw_gradient.mutable_data_ptr<double>(),
                                    static_cast<std::size_t>(raw_gradient.numel()));
    ranks_.sum(numbers);
    find_norm();
    raw_norm_ = at::linalg_vector_norm(raw_gradient).item<double>();
    const double norm = std::hypot(norm_.item<double>(), raw_norm_);
    const double factor = t.clip > 0 ? std::min(1.0, t.clip / (norm + 1e-6)) : 1.0;
    factor_.fill_(factor);
    raw_gradient.mul_(factor);
    norm_.fill_(norm);
    if (!std::isfinite(norm)) not_finite_.fill_(true);
  }
  run(update_work_, [&] {
    if (!learns_) find_norm();
    update();
  });
  if (learns_) {
    optimizer_.step_raw(rate, done + 1);
    transformer.bring_scores(t.context);
  }
}

DeviceStep::Numbers DeviceStep::numbers() {
  const at::Tensor all = at::stack({loss_, norm_, not_finite_.to(at::kDouble)}).to(at::kCPU);
  const double* numbers = all.const_data_ptr<double>();
  Numbers result{numbers[0], numbers[1], numbers[2] == 0};
  ranks_.sum(std::span(&result.loss, 1));
  result.finite = !ranks_.any(!result.finite) && std::isfinite(result.loss);
  return result;
}

DeviceStep::Heads DeviceStep::heads() const {
  const TsmConfig::Training& t = model_.config.training;
  const Transformer::DeviceHeads& seen = model_.transformer->device_heads();
  const at::Tensor entropy =
      (seen.entropy.mean(2) / static_cast<double>(t.accumulation)).to(at::kCPU).contiguous();
  const at::Tensor largest = seen.largest_score.to(at::kDouble).to(at::kCPU).contiguous();
  const auto numbers = [](const at::Tensor& tensor) {
    const double* from = tensor.const_data_ptr<double>();
    return std::vector<double>(from, from + tensor.numel());
  };
  return {numbers(entropy), numbers(largest)};
}

}  // namespace gpe::model
