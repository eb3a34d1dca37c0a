#include "probes/run/transformer_probe.h"

#include <algorithm>

#include "model/gpt/torch_threads.h"

namespace gpe::probes {

namespace {

using model::AttentionStatistics;
using model::LoadedModel;

class Observation {
 public:
  Observation(const LoadedModel& model, const std::vector<std::vector<theory::ScoreFunction>>& laws,
              const std::vector<std::int64_t>& lengths, const model::DistanceBuckets& buckets,
              const theory::ConstantOracle& oracle)
      : model_(model), setting_(model.positions->setting()), lengths_(lengths), buckets_(buckets) {
    for (const auto& layer : laws) {
      columns_.emplace_back();
      for (const theory::ScoreFunction& law : layer) columns_.back().emplace_back(law, oracle);
      result_.heads.emplace_back(layer.size());
    }
    for (auto& layer : result_.heads) {
      for (HeadMeasurement& head : layer) {
        for (const std::int64_t length : lengths) {
          LengthMeasurement& at = head.lengths.emplace_back();
          at.length = length;
          at.buckets.resize(buckets.size());
        }
      }
    }
  }

  // One window, one layer. @param qkv  [1, tokens, 3·width]
  void observe(const at::Tensor& qkv, const model::AttentionLayer& layer) {
    auto& heads = result_.heads[static_cast<std::size_t>(layer.layer)];
    std::int64_t begin = 0;
    std::vector<AttentionStatistics> segments;  // of the rows between one length and the next
    for (const std::int64_t end : lengths_) {
      segments.push_back(statistics(qkv, layer, begin, end, &buckets_));
      begin = end;
    }
    for (std::size_t h = 0; h < heads.size(); ++h) take(heads[h], h, segments);
    const at::Tensor here = qkv.to(at::kCPU);
    norms(heads, here);
    model::torch_threads()(static_cast<std::int64_t>(heads.size()), [&](std::int64_t h) {
      test(heads[static_cast<std::size_t>(h)], layer.layer, static_cast<int>(h), here);
    });
  }

  void end_window() { ++result_.windows; }
  Measurement result() { return std::move(result_); }

 private:
  void take(HeadMeasurement& head, std::size_t h, const std::vector<AttentionStatistics>& segments) const {
    std::vector<model::BucketStatistics> below(buckets_.size());
    std::vector<const model::RowStatistics*> rows;
    std::int64_t begin = 0;
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const auto count = static_cast<std::size_t>(lengths_[s] - begin);
      begin = lengths_[s];
      for (std::size_t i = 0; i < count; ++i) rows.push_back(&segments[s].rows[h * count + i]);
      LengthMeasurement& at = head.lengths[s];
      at.last_row.add(*rows.back());
      double entropy = 0;
      for (std::size_t i = rows.size() / 2; i < rows.size(); ++i) {
        at.second_half.add(*rows[i]);
        entropy += rows[i]->entropy;
      }
      at.window_entropy.push_back(entropy / static_cast<double>(rows.size() - rows.size() / 2));
      for (std::size_t b = 0; b < buckets_.size(); ++b) {
        below[b].merge(segments[s].buckets[h * buckets_.size() + b]);
        at.buckets[b].merge(below[b]);
      }
    }
  }

  void norms(std::vector<HeadMeasurement>& heads, const at::Tensor& qkv) const {
    const std::int64_t tokens = qkv.size(1);
    const at::Tensor squares =
        qkv.view({tokens, 3, setting_.heads, setting_.head_dim}).to(at::kDouble).square().sum(3).mean(0);
    const auto earlier = static_cast<double>(result_.windows);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const auto mean = [&](std::int64_t part, double& of) {
        of += (squares[part][static_cast<std::int64_t>(h)].item<double>() - of) / (earlier + 1);
      };
      mean(0, heads[h].square_query);
      mean(1, heads[h].square_key);
    }
  }

  // Row T - 1 at each length T, key by key.
  void test(HeadMeasurement& head, int layer, int h, const at::Tensor& qkv) const {
    const std::int64_t width = qkv.size(2) / 3;
    const auto coordinates = [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
      const at::Tensor numbers = qkv[0]
                                     .narrow(0, begin, end - begin)
                                     .narrow(1, part * width + h * setting_.head_dim, setting_.head_dim)
                                     .to(at::kDouble)
                                     .contiguous();
      const double* from = numbers.const_data_ptr<double>();
      return std::vector<double>(from, from + numbers.numel());
    };
    model::ReferenceHead of{
        .program = &model_.positions->program(layer, h),
        .parameters = model_.positions->values(layer, h, model_.transformer->raw_numbers()),
        .measured = entropies(layer, h),
        .queries = 1,
        .keys = 0,
        .head_dim = setting_.head_dim,
        .q = {},
        .k = coordinates(1, 0, lengths_.back()),
        .v = {}};
    of.v.assign(of.k.size(), 0.0);
    const HeadColumns& columns = columns_[static_cast<std::size_t>(layer)][static_cast<std::size_t>(h)];
    for (LengthMeasurement& at : head.lengths) {
      of.keys = at.length;
      of.q = coordinates(0, at.length - 1, at.length);
      const ScoreColumns at_query = columns.at(at.length - 1);
      at.tested.add(row_profile(of), at_query, buckets_);
    }
  }

  // What alpha = "measured" reads, by query; the last one holds beyond.
  std::vector<double> entropies(int layer, int h) const {
    const std::vector<double>& measured = model_.transformer->measured();
    if (!model_.positions->measures_entropy()) return {};
    const auto heads = static_cast<std::size_t>(setting_.layers * setting_.heads);
    const std::size_t rows = measured.size() / heads;
    const auto from = measured.begin() + static_cast<std::ptrdiff_t>(
                                             static_cast<std::size_t>(layer * setting_.heads + h) * rows);
    std::vector<double> result(from, from + static_cast<std::ptrdiff_t>(rows));
    result.resize(std::max(rows, static_cast<std::size_t>(lengths_.back())), result.back());
    return result;
  }

  const LoadedModel& model_;
  const model::PositionSetting& setting_;
  const std::vector<std::int64_t>& lengths_;
  const model::DistanceBuckets& buckets_;
  std::vector<std::vector<HeadColumns>> columns_;
  Measurement result_;
};

}  // namespace

at::Tensor window_tokens(const model::TokenFile& file, const model::Window& window) {
  at::Tensor tokens = at::empty({1, static_cast<std::int64_t>(window.length)}, at::kLong);
  std::copy_n(file.tokens().begin() + static_cast<std::ptrdiff_t>(window.begin), window.length,
              tokens.mutable_data_ptr<std::int64_t>());
  return tokens;
}

Measurement measure(const LoadedModel& model, const std::vector<std::vector<theory::ScoreFunction>>& laws,
                    const model::TokenFile& file, const std::vector<model::Window>& windows,
                    const std::vector<std::int64_t>& lengths, const model::DistanceBuckets& buckets,
                    const theory::ConstantOracle& oracle, const std::function<void(double)>& progress) {
  file.check(model.config.model.vocabulary);
  Observation observation(model, laws, lengths, buckets, oracle);
  const auto layers = static_cast<double>(model.config.model.layers);
  for (const model::Window& window : windows) {
    const double begun = static_cast<double>(&window - windows.data());
    model.transformer->hidden(window_tokens(file, window), [&](const at::Tensor& qkv,
                                                               const model::AttentionLayer& layer) {
      observation.observe(qkv, layer);
      progress((begun + static_cast<double>(layer.layer + 1) / layers) / static_cast<double>(windows.size()));
    });
    observation.end_window();
  }
  return observation.result();
}

}  // namespace gpe::probes
