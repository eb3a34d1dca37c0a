#include "model/interop/imported_model.h"

#include "model/data/safetensors_header.h"
#include "model/interop/activation_names.h"

namespace gpe::model {

std::string read_activation(const JsonConfig& json, const std::string& key, const std::string& by_default) {
  std::vector<std::string> allowed;
  for (const auto& [theirs, ours] : kActivationNames) allowed.emplace_back(theirs);
  const std::string name = json.has(key) ? json.text(key, allowed) : by_default;
  for (const auto& [theirs, ours] : kActivationNames) {
    if (theirs == name) return std::string(ours);
  }
  return name;
}

void WeightReader::take(const std::string& ours, const std::string& theirs,
                        const std::vector<std::int64_t>& shape) {
  const TensorView& view = folder_.expect(theirs, shape);
  model_.weights[ours] = [&folder = folder_, &view] { return folder.numbers(view); };
}

void WeightReader::take_transposed(const std::string& ours, const std::string& theirs, std::int64_t out,
                                   std::int64_t in) {
  const TensorView& view = folder_.expect(theirs, {in, out});
  model_.weights[ours] = [&folder = folder_, &view] { return folder.numbers(view).t(); };
}

void WeightReader::zeros(const std::string& ours, std::int64_t size) {
  model_.weights[ours] = [size] { return at::zeros({size}, at::kFloat); };
}

void WeightReader::reorder(const std::string& ours, const std::vector<std::int64_t>& rows) {
  auto& source = model_.weights.at(ours);
  source = [before = std::move(source), rows] {
    return before().index_select(0, at::tensor(rows, at::kLong));
  };
}

void WeightReader::take_head(const std::string& theirs, const std::string& embedding) {
  const TsmConfig::Model& m = model_.config.model;
  const std::vector<std::int64_t> shape = {m.vocabulary, m.width};
  if (!m.tied_head) return take("lm_head.weight", theirs, shape);
  if (!folder_.has(theirs)) return;
  const at::Tensor head = folder_.numbers(folder_.expect(theirs, shape));
  if (!head.equal(folder_.numbers(folder_.expect(embedding, shape)))) {
    folder_.refuse(theirs, "differs from " + quoted_name(embedding) +
                               ", but 'tie_word_embeddings' says that they are one");
  }
}

}  // namespace gpe::model
