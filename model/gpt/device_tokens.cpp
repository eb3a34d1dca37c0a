#include "model/gpt/device_tokens.h"

namespace gpe::model {

gpe_element element_of(const at::Tensor& tensor) {
  TORCH_CHECK(tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kBFloat16,
              "attention on a device: of float32 and bfloat16 only");
  return tensor.scalar_type() == at::kFloat ? GPE_FLOAT32 : GPE_BFLOAT16;
}

gpe_tensor heads_of(const at::Tensor& tensor, std::int64_t part, std::int64_t width, std::int64_t head_dim) {
  auto* data = static_cast<char*>(tensor.data_ptr()) + part * width * tensor.element_size();
  return {data, tensor.stride(0), head_dim, tensor.stride(1)};
}

gpe_shape shape_of(const at::Tensor& qkv, const DeviceLayer& layer) {
  const auto heads = static_cast<std::int64_t>(layer.heads.size());
  const auto tokens = static_cast<std::int32_t>(qkv.size(1));
  return {.batch = static_cast<std::int32_t>(qkv.size(0)),
          .heads = static_cast<std::int32_t>(heads),
          .group = 1,
          .queries = tokens,
          .keys = tokens,
          .head_dim = static_cast<std::int32_t>(qkv.size(2) / 3 / heads)};
}

void turn(const at::Tensor& qkv, const DevicePass& pass, int sign) {
  const DeviceLayer& layer = *pass.layer;
  if (!layer.angles.defined()) return;
  const gpe_shape shape = shape_of(qkv, layer);
  const auto* angles = layer.angles.const_data_ptr<double>();
  const std::int64_t width = qkv.size(2) / 3;
  for (std::int64_t part = 0; part < 2; ++part) {
    gpe_tensor tokens = heads_of(qkv, part, width, shape.head_dim);
    const int at_once = layer.same_angles ? shape.heads : 1;
    for (int head = 0; head < shape.heads; head += at_once) {
      Accelerator::check(pass.accelerator->kernels->turn(
          &shape, &tokens, at_once, shape.keys, 0, angles + head * shape.head_dim / 2,
          layer.interleaved ? 1 : 0, sign, element_of(qkv), pass.accelerator->stream()));
      tokens.data = static_cast<char*>(tokens.data) + tokens.head * qkv.element_size();
    }
  }
}

at::Tensor turned(const at::Tensor& qkv, const DevicePass& pass) {
  at::Tensor packed = qkv.contiguous();
  if (!pass.layer->angles.defined()) return packed;
  packed = packed.clone();
  turn(packed, pass, 1);
  return packed;
}

}  // namespace gpe::model
