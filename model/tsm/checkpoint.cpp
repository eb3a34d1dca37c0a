#include "model/tsm/checkpoint.h"

#include <charconv>

#include "checks/write_file.h"
#include "model/safetensors.h"
#include "theory/spec_error.h"
#include "theory/spec_parse.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kRaw = "position.raw";
constexpr const char* kMeasured = "position.measured";

fs::path optimizer_file(const fs::path& folder, std::int64_t iteration) {
  return folder / ("optimizer-" + std::to_string(iteration) + ".safetensors");
}

fs::path model_file(const fs::path& place) { return fs::is_directory(place) ? place / kModelFile : place; }

fs::path checkpoint_file(const fs::path& place) {
  fs::path path = model_file(place);
  if (fs::is_directory(place) && !fs::exists(path))
    throw SpecError(place.string() + ": there is no " + kModelFile + " in it");
  return path;
}

TensorType type_of(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kDouble ? TensorType::f64
         : tensor.scalar_type() == at::kLong ? TensorType::i64
                                             : TensorType::f32;
}

// The same tensors in the processor's memory.
std::vector<NamedTensor> on_processor(const std::vector<NamedTensor>& tensors) {
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

// Weights may be stored in either type, whatever they are computed with.
void read_tensor(const SafetensorsFile& file, const std::string& name, const at::Tensor& into) {
  const TensorView* found = file.find(name);
  const bool is_double = found != nullptr && found->type == TensorType::f64;
  const at::Tensor stored = at::empty(into.sizes(), is_double ? at::kDouble : at::kFloat);
  const TensorView& view = file.expect(name, type_of(stored), into.sizes());
  std::memcpy(stored.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
  into.copy_(stored);
}

const std::string& metadata_of(const SafetensorsFile& file, const fs::path& path, const std::string& key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    throw SpecError(path.string() + ": no '" + key + "' in its metadata; expected a checkpoint of train-tsm");
  }
  return found->second;
}

PositionSetting setting_of(const TsmConfig& config) {
  PositionSetting setting;
  setting.layers = static_cast<int>(config.model.layers);
  setting.heads = static_cast<int>(config.model.heads);
  setting.head_dim = static_cast<int>(config.head_dim());
  setting.learned = config.position.learned;
  using Share = PositionSetting::Share;
  setting.share = config.position.share == "model"  ? Share::model
                  : config.position.share == "head" ? Share::head
                                                    : Share::layer_and_head;
  return setting;
}

LoadedModel assemble(const TsmConfig& config, const EncodingFiles& encoding, const fs::path& folder,
                     Transformer::Weights weights, const theory::ConstantOracle& oracle) {
  LoadedModel model;
  model.config = config;
  model.encoding = encoding;
  model.folder = folder;
  model.positions = std::make_unique<Positions>(encoding, folder, setting_of(config), oracle);
  model.transformer = std::make_unique<Transformer>(config, *model.positions, weights);
  return model;
}

// Everything in the file but how far the run had come.
LoadedModel read_model(const SafetensorsFile& file, const fs::path& path, const TsmConfig& config,
                       const theory::ConstantOracle& oracle) {
  EncodingFiles encoding;
  encoding.toml = metadata_of(file, path, "encoding");
  encoding.source = path.string() + ": encoding";
  for (const auto& [key, text] : file.metadata()) {
    constexpr std::string_view prefix = "table ";
    if (key.starts_with(prefix)) encoding.tables[key.substr(prefix.size())] = text;
  }
  LoadedModel model = unset_model(config, encoding, path.parent_path(), oracle);
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& weight : model.transformer->weights())
    read_tensor(file, weight.name, weight.tensor);
  if (model.transformer->raw().numel() > 0) read_tensor(file, kRaw, model.transformer->raw());
  std::vector<double>& measured = model.transformer->measured();
  const TensorView* found = file.find(kMeasured);
  const bool other_context =
      found != nullptr && found->shape.size() == 3 && found->shape[2] != config.training.context;
  if (!measured.empty() && !other_context) {
    const std::vector<std::int64_t> shape = {config.model.layers, config.model.heads,
                                             config.training.context};
    const TensorView& view = file.expect(kMeasured, TensorType::f64, shape);
    std::memcpy(measured.data(), view.bytes.data(), view.bytes.size());
  }
  return model;
}

}  // namespace

LoadedModel new_model(const TsmConfig& config, const theory::ConstantOracle& oracle) {
  check_config(config);
  EncodingFiles encoding = read_encoding_files(config.position.encoding);
  std::map<std::string, ParameterTexts> values;
  for (const std::string& assignment : config.position.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw SpecError("position.set: '" + assignment + "': expected NAME=VALUE");
    values[assignment.substr(0, equals)] = {{assignment.substr(equals + 1)}};
  }
  if (!values.empty()) encoding.toml = with_parameters(encoding, values);
  const fs::path folder = fs::path(encoding.source).parent_path();
  return assemble(config, encoding, folder, Transformer::Weights::initial, oracle);
}

LoadedModel unset_model(const TsmConfig& config, const EncodingFiles& encoding, const fs::path& folder,
                        const theory::ConstantOracle& oracle) {
  check_config(config);
  return assemble(config, encoding, folder, Transformer::Weights::unset, oracle);
}

LoadedModel load_model(const fs::path& place, const theory::ConstantOracle& oracle,
                       const std::string& dtype) {
  const fs::path path = checkpoint_file(place);
  const SafetensorsFile file(path);
  TsmConfig config = parse_config(metadata_of(file, path, "config"), path.string() + ": config");
  if (!dtype.empty()) config.training.dtype = dtype;
  LoadedModel model = read_model(file, path, config, oracle);
  const std::string& iteration = metadata_of(file, path, "iteration");
  std::from_chars(iteration.data(), iteration.data() + iteration.size(), model.iteration);
  return model;
}

theory::Law head_law(const LoadedModel& model, int layer, int head, const theory::ConstantOracle& oracle) {
  const PositionSetting& setting = model.positions->setting();
  const EncodingFiles files = model.positions->files(model.transformer->raw_numbers());
  const theory::Encoding encoding = theory::parse_encoding(
      files.toml, files.source, model.folder, {head + 1, setting.heads, layer + 1, setting.layers});
  return instantiate(encoding, {setting.head_dim, head + 1, setting.heads, layer + 1, setting.layers}, {},
                     oracle);
}

LoadedModel begin_from(const fs::path& place, const TsmConfig& config, const theory::ConstantOracle& oracle) {
  const fs::path path = checkpoint_file(place);
  return read_model(SafetensorsFile(path), path, config, oracle);
}

void take_weights(const fs::path& place, Transformer& into) {
  const SafetensorsFile file(checkpoint_file(place));
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& weight : into.weights()) read_tensor(file, weight.name, weight.tensor);
}

void save_checkpoint(const fs::path& folder, const LoadedModel& model, const AdamW& optimizer) {
  std::vector<TensorView> moments;
  const std::vector<NamedTensor> tensors = on_processor(optimizer.moments());
  for (const NamedTensor& moment : tensors) moments.push_back(view_of(moment.name, moment.tensor));
  const fs::path newest = optimizer_file(folder, model.iteration);
  write_safetensors(newest, moments, {{"format", "pt"}, {"iteration", std::to_string(model.iteration)}});
  write_model(folder / kModelFile, model);
  complete_checkpoint(folder, model);
}

void write_model(const fs::path& file, const LoadedModel& model, const std::vector<NamedTensor>& beside) {
  const Transformer& transformer = *model.transformer;
  std::vector<TensorView> tensors;
  for (const NamedTensor& tensor : beside) tensors.push_back(view_of(tensor.name, tensor.tensor));
  const std::vector<NamedTensor> weights = on_processor(transformer.weights());
  for (const NamedTensor& weight : weights) tensors.push_back(view_of(weight.name, weight.tensor));
  if (transformer.raw().numel() > 0) tensors.push_back(view_of(kRaw, transformer.raw()));
  const TsmConfig::Model& m = model.config.model;
  if (!transformer.measured().empty()) {
    tensors.push_back(
        view_of(kMeasured, {m.layers, m.heads, model.config.training.context}, transformer.measured()));
  }
  Metadata metadata = {{"format", "pt"},
                       {"iteration", std::to_string(model.iteration)},
                       {"config", to_toml(model.config)},
                       {"encoding", model.encoding.toml}};
  for (const auto& [name, bytes] : model.encoding.tables) metadata["table " + name] = bytes;
  write_safetensors(file, tensors, metadata);
}

void complete_checkpoint(const fs::path& folder, const LoadedModel& model) {
  const Transformer& transformer = *model.transformer;
  write_encoding_files(model.positions->files(transformer.raw_numbers(), transformer.measured()),
                       folder / "encoding.toml");
  const fs::path newest = optimizer_file(folder, model.iteration);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool half_written = name.find(".tmp") != std::string::npos;  // by a program that was killed
    if (half_written || (name.starts_with("optimizer-") && entry.path() != newest)) fs::remove(entry.path());
  }
}

void load_moments(const fs::path& folder, const LoadedModel& model, AdamW& optimizer) {
  const SafetensorsFile file(optimizer_file(folder, model.iteration));
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& moment : optimizer.moments()) read_tensor(file, moment.name, moment.tensor);
}

}  // namespace gpe::model
