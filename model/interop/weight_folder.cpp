#include "model/interop/weight_folder.h"

#include <algorithm>
#include <cstring>

#include "checks/configs/json_config.h"
#include "model/data/safetensors_header.h"
#include "model/gpt/tensor_checks.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

constexpr const char* kWhole = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

at::ScalarType scalar_type(TensorType type) {
  switch (type) {
    case TensorType::f64:
      return at::kDouble;
    case TensorType::f32:
      return at::kFloat;
    case TensorType::f16:
      return at::kHalf;
    case TensorType::bf16:
      return at::kBFloat16;
    default:
      return at::ScalarType::Undefined;
  }
}

}  // namespace

WeightFolder::WeightFolder(const fs::path& folder) : source_(folder.string()) {
  if (fs::exists(folder / kWhole)) {
    add(folder / kWhole);
  } else if (fs::exists(folder / kIndex)) {
    add_shards(folder / kIndex);
  } else {
    const bool pickled = fs::exists(folder / "pytorch_model.bin");
    throw SpecError(source_ + ": there is no " + kWhole + " in it" +
                    (pickled ? ", and pytorch_model.bin is not read: it can hold any program; "
                               "save_pretrained of transformers writes safetensors"
                             : std::string(" and no ") + kIndex));
  }
}

void WeightFolder::add(const fs::path& file) {
  files_.push_back(std::make_unique<SafetensorsFile>(file));
  for (const TensorView& tensor : files_.back()->tensors()) {
    const auto [at, is_new] =
        tensors_.emplace(tensor.name, Place{files_.back().get(), &tensor, file.string()});
    if (!is_new) {
      throw SpecError(file.string() + ": tensor " + quoted_name(tensor.name) + " is also in " +
                      at->second.source);
    }
  }
}

void WeightFolder::add_shards(const fs::path& index) {
  const checks::JsonConfig map = checks::JsonConfig(index).object("weight_map");
  std::map<std::string, std::string> shard_of;
  std::set<std::string> shards;
  for (const std::string& name : map.keys()) {
    const std::string shard = map.text(name);
    if (shard.empty() || fs::path(shard).filename() != shard || shard == "." || shard == "..")
      map.fail(name, "the name of a file in the same folder");
    shard_of[name] = shard;
    shards.insert(shard);
  }
  for (const std::string& shard : shards) add(index.parent_path() / shard);
  for (const auto& [name, shard] : shard_of) {
    const auto found = tensors_.find(name);
    const std::string file = (index.parent_path() / shard).string();
    if (found == tensors_.end() || found->second.source != file) {
      throw SpecError(file + ": tensor " + quoted_name(name) + " is missing; " + index.string() +
                      " says that it is there");
    }
  }
}

const TensorView& WeightFolder::expect(const std::string& name, const std::vector<std::int64_t>& shape) {
  wanted_.insert(name);
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) {
    std::vector<std::string> names;
    for (const auto& [other, place] : tensors_) names.push_back(other);
    const std::string nearest = theory::nearest_name(name, names);
    throw SpecError(source_ + ": tensor " + quoted_name(name) + " is missing; expected it with shape " +
                    describe(TensorType::f32, shape).substr(4) +
                    (nearest.empty() ? "" : "; there is " + quoted_name(nearest)));
  }
  const TensorView& tensor = *found->second.tensor;
  const bool is_number = scalar_type(tensor.type) != at::ScalarType::Undefined;
  if (!is_number || !std::ranges::equal(tensor.shape, shape)) {
    refuse(name, "is " + describe(tensor.type, tensor.shape) + "; expected " +
                     (is_number ? describe(tensor.type, shape) : "F32, F16, BF16 or F64"));
  }
  return tensor;
}

void WeightFolder::expect_no_others(const std::string& family) const {
  for (const auto& [name, place] : tensors_) {
    if (!wanted_.contains(name)) refuse(name, "has no place in " + family + " of this config.json");
  }
}

void WeightFolder::refuse(const std::string& name, const std::string& what) const {
  throw SpecError(tensors_.at(name).source + ": tensor " + quoted_name(name) + " " + what);
}

at::Tensor WeightFolder::numbers(const TensorView& view) const {
  at::Tensor result = at::empty(view.shape, scalar_type(view.type));
  std::memcpy(result.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
  require_finite(result, view.name, tensors_.at(view.name).source);
  return result;
}

}  // namespace gpe::model
