#include "model/data/safetensors.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "checks/cli/write_file.h"
#include "model/data/safetensors_header.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::model {

SafetensorsFile::SafetensorsFile(const std::filesystem::path& file) : source_(file.string()), file_(file) {
  SafetensorsContent content = parse_safetensors(file_.bytes(), source_);
  tensors_ = std::move(content.tensors);
  metadata_ = std::move(content.metadata);
  for (std::size_t i = 0; i < tensors_.size(); ++i) index_.emplace(tensors_[i].name, i);
}

const TensorView* SafetensorsFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

const TensorView& SafetensorsFile::expect(std::string_view name, TensorType type,
                                          std::span<const std::int64_t> shape) const {
  const std::string where = source_ + ": tensor " + quoted_name(std::string(name)) + " ";
  const TensorView* const tensor = find(name);
  if (tensor == nullptr) {
    const std::string nearest = theory::nearest_name(name, theory::names_of(tensors_));
    throw theory::SpecError(where + "is missing" +
                            (nearest.empty() ? "" : "; there is " + quoted_name(nearest)));
  }
  if (tensor->type != type || !std::ranges::equal(tensor->shape, shape)) {
    throw theory::SpecError(where + "is " + describe(tensor->type, tensor->shape) + "; expected " +
                            describe(type, shape));
  }
  return *tensor;
}

void write_safetensors(const std::filesystem::path& file, std::span<const TensorView> tensors,
                       const Metadata& metadata) {
  std::vector<TensorView> sorted(tensors.begin(), tensors.end());
  std::ranges::sort(sorted, {}, [](const TensorView& tensor) {
    return std::make_tuple(-static_cast<int>(size_of(tensor.type)), std::string_view(tensor.name));
  });
  const std::string header = safetensors_header(sorted, metadata);
  std::vector<std::string_view> pieces = {header};
  for (const TensorView& tensor : sorted) {
    pieces.emplace_back(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  checks::write_file(file, pieces);
}

}  // namespace gpe::model
