#include "model/gpt/device_statistics.h"
// Tests: tests/cuda/device_statistics_test.cpp
#include <array>

#include "model/gpt/device_tokens.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

constexpr std::int64_t kTile = 64;
constexpr std::int64_t kWarps = 4;
constexpr std::int64_t kMaxBuckets = 32;

// What a query sees of the keys before it and at its own place.
std::int64_t seen(const ScoreProgram& program, std::int64_t position) {
  return std::max<std::int64_t>(0, std::min(program.last(), position) - program.first() + 1);
}

}  // namespace

AttentionStatistics statistics_on_device(const at::Tensor& qkv, const DevicePass& pass, std::int64_t begin,
                                         std::int64_t end, const DistanceBuckets* buckets) {
  const at::NoGradGuard no_gradients;
  if (buckets != nullptr && std::ssize(buckets->edges()) > kMaxBuckets)
    throw theory::SpecError("--device: at most 32 classes of distances; the CPU has no limit");
  const DeviceLayer& layer = *pass.layer;
  const at::Tensor packed = turned(qkv, pass);
  const std::int64_t width = packed.size(2) / 3;
  gpe_rows_problem problem{};
  problem.shape = shape_of(packed, layer);
  problem.shape.queries = static_cast<std::int32_t>(end - begin);
  problem.shape.keys = static_cast<std::int32_t>(end);
  const gpe_shape& shape = problem.shape;
  problem.q = heads_of(packed.narrow(1, begin, end - begin), 0, width, shape.head_dim);
  problem.k = heads_of(packed, 1, width, shape.head_dim);
  problem.scores = layer.tables(shape.head_dim);
  const auto options = packed.options().dtype(at::kFloat);
  const at::Tensor numbers = at::empty({8, shape.batch, shape.heads, shape.queries}, options);
  std::array<float*, 8> row{};
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = numbers[static_cast<std::int64_t>(i)].mutable_data_ptr<float>();
  problem.rows = {row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]};
  const std::int64_t tiles = (shape.queries + kTile - 1) / kTile;
  const std::int64_t count = buckets == nullptr ? 0 : std::ssize(buckets->edges());
  at::Tensor edges, mass, moments;
  if (count > 0) {
    const std::vector<std::int32_t> narrow(buckets->edges().begin(), buckets->edges().end());
    edges = at::empty({count}, options.dtype(at::kInt));
    edges.copy_(
        at::from_blob(const_cast<std::int32_t*>(narrow.data()), {count}, at::TensorOptions(at::kInt)));
    mass = at::empty({shape.batch, shape.heads, tiles, count}, options);
    moments = at::empty({shape.batch, shape.heads, tiles, kWarps, count, GPE_MOMENTS}, options);
    problem.buckets = {edges.const_data_ptr<std::int32_t>(), static_cast<std::int32_t>(count),
                       mass.mutable_data_ptr<float>()};
  }
  const DeviceKernels& kernels = *pass.accelerator->kernels;
  Accelerator::check(kernels.attention_rows(&problem, element_of(packed), pass.accelerator->stream()));
  if (count > 0) {
    Accelerator::check(kernels.attention_moments(&problem, moments.mutable_data_ptr<float>(),
                                                 element_of(packed), pass.accelerator->stream()));
  }

  AttentionStatistics result;
  const at::Tensor here = numbers.to(at::kCPU);
  const auto rows = static_cast<std::int64_t>(numbers[0].numel());
  const float* from = here.const_data_ptr<float>();
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto number = [&](std::int64_t which) { return static_cast<double>(from[which * rows + i]); };
    const auto head = static_cast<std::size_t>(i / shape.queries % shape.heads);
    result.rows.push_back({number(0), number(1), number(2), number(3), number(4), number(5), number(6),
                           number(7), seen(layer.heads[head]->program(), begin + i % shape.queries)});
  }
  if (count == 0) return result;
  const at::Tensor masses = mass.to(at::kDouble).sum(2).to(at::kCPU).contiguous();
  const at::Tensor parts = moments.to(at::kCPU);
  const std::int64_t of_head = tiles * kWarps;
  for (std::int64_t head = 0; head < std::int64_t{shape.batch} * shape.heads; ++head) {
    for (std::int64_t b = 0; b < count; ++b) {
      BucketStatistics bucket;
      for (std::int64_t part = 0; part < of_head; ++part) {
        const float* m = parts.const_data_ptr<float>() + ((head * of_head + part) * count + b) * GPE_MOMENTS;
        const auto number = [m](int index) { return static_cast<double>(m[index]); };
        if (m[0] == 0) continue;
        BucketStatistics one;
        one.content = {number(0), number(1), number(2)};
        one.score = {number(0), number(3), number(4)};
        one.least_content = -number(5);
        one.largest_content = number(6);
        bucket.merge(one);
      }
      bucket.mass = masses.const_data_ptr<double>()[head * count + b];
      result.buckets.push_back(bucket);
    }
  }
  return result;
}

}  // namespace gpe::model
