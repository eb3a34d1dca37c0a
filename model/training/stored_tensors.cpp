#include "model/training/stored_tensors.h"

#include <charconv>
#include <cstring>

#include "model/gpt/tensor_checks.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

TensorType type_of(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kDouble:
      return TensorType::f64;
    case at::kLong:
      return TensorType::i64;
    case at::kBFloat16:
      return TensorType::bf16;
    default:
      return TensorType::f32;
  }
}

// Weights may be stored in any of these types, whatever they are computed with.
at::ScalarType stored_type(const TensorView* found) {
  if (found != nullptr && found->type == TensorType::f64) return at::kDouble;
  if (found != nullptr && found->type == TensorType::bf16) return at::kBFloat16;
  return at::kFloat;
}

}  // namespace

std::vector<NamedTensor> on_cpu(const std::vector<NamedTensor>& tensors) {
  std::vector<NamedTensor> result;
  for (const NamedTensor& tensor : tensors)
    result.push_back({tensor.name, tensor.tensor.detach().to(at::kCPU)});
  return result;
}

TensorView view_of(const std::string& name, const at::Tensor& tensor) {
  return {name,
          type_of(tensor),
          tensor.sizes().vec(),
          {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()}};
}

TensorView view_of(const std::string& name, std::vector<std::int64_t> shape,
                   std::span<const double> numbers) {
  return {name, TensorType::f64, std::move(shape), std::as_bytes(numbers)};
}

void read_tensor(const SafetensorsFile& file, const fs::path& path, const std::string& name,
                 const at::Tensor& into) {
  const at::Tensor stored = at::empty(into.sizes(), stored_type(file.find(name)));
  const TensorView& view = file.expect(name, type_of(stored), into.sizes());
  check_checksum(file.metadata(), name, view.bytes, path.string());
  std::memcpy(stored.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
  into.copy_(stored);
  require_finite(into, name, path.string());
}

const std::string& metadata_of(const SafetensorsFile& file, const fs::path& path, const std::string& key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    throw SpecError(path.string() + ": no '" + key + "' in its metadata; expected a checkpoint of train-tsm");
  }
  return found->second;
}

std::int64_t iteration_of(const SafetensorsFile& file, const fs::path& path) {
  const std::string& text = metadata_of(file, path, "iteration");
  std::int64_t iteration = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), iteration);
  if (error != std::errc() || end != text.data() + text.size() || iteration < 0)
    throw SpecError(path.string() + ": 'iteration' in its metadata is not a whole number");
  return iteration;
}

}  // namespace gpe::model
