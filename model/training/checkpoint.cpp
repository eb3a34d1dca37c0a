#include "model/training/checkpoint.h"

#include <charconv>

#include "checks/cli/file_inside.h"
#include "model/gpt/tensor_checks.h"
#include "model/training/run_folder.h"
#include "model/training/stored_tensors.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

constexpr const char* kRaw = "position.raw";
constexpr const char* kMeasured = "position.measured";
constexpr const char* kValidationLoss = "validation_loss";
constexpr std::string_view kTable = "table ";  // before the name of a file, in the metadata

fs::path model_file(const fs::path& place) { return fs::is_directory(place) ? place / kModelFile : place; }

fs::path checkpoint_file(const fs::path& place) {
  fs::path path = model_file(place);
  if (fs::is_directory(place) && !fs::exists(path))
    throw SpecError(place.string() + ": there is no " + kModelFile + " in it");
  return path;
}

double validation_loss_of(const SafetensorsFile& file, const fs::path& path) {
  const std::string& text = metadata_of(file, path, kValidationLoss);
  double loss = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), loss);
  if (error != std::errc() || end != text.data() + text.size())
    throw SpecError(path.string() + ": '" + kValidationLoss + "' in its metadata is not a number");
  return loss;
}

// A model takes memory before its weights are read: not much more than the file, whose least type has two
// bytes.
void check_extent(const SafetensorsFile& file, const TsmConfig& config, const fs::path& path) {
  const TsmConfig::Model& m = config.model;
  if (m.vocabulary < 1 || m.vocabulary_padded < m.vocabulary)
    throw SpecError(path.string() + ": its configuration has no vocabulary");
  double bytes = 0;
  for (const TensorView& tensor : file.tensors()) bytes += static_cast<double>(tensor.bytes.size());
  if (2 * weight_count(config) > bytes)
    throw SpecError(path.string() + ": its configuration has more weights than the file");
}

PositionSetting setting_of(const TsmConfig& config) {
  PositionSetting setting;
  setting.layers = static_cast<int>(config.model.layers);
  setting.heads = static_cast<int>(config.model.heads);
  setting.head_dim = static_cast<int>(config.head_dim());
  setting.learned = config.position.learned;
  using Share = PositionSetting::Share;
  setting.share = Share::layer_and_head;
  if (config.position.share == "model") setting.share = Share::model;
  if (config.position.share == "head") setting.share = Share::head;
  return setting;
}

LoadedModel assemble(const TsmConfig& config, const EncodingFiles& encoding, Transformer::Weights weights,
                     const theory::ConstantOracle& oracle) {
  LoadedModel model;
  model.config = config;
  model.encoding = encoding;
  model.positions = std::make_unique<Positions>(encoding, setting_of(config), oracle);
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
    if (!key.starts_with(kTable)) continue;
    check_checksum(file.metadata(), key, std::as_bytes(std::span(text)), path.string());
    encoding.tables[key.substr(kTable.size())] = text;
  }
  check_extent(file, config, path);
  LoadedModel model = unset_model(config, encoding, oracle);
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& weight : model.transformer->weights())
    read_tensor(file, path, weight.name, weight.tensor);
  if (model.transformer->raw().numel() > 0) read_tensor(file, path, kRaw, model.transformer->raw());
  std::vector<double>& measured = model.transformer->measured();
  const TensorView* found = file.find(kMeasured);
  const bool other_context =
      found != nullptr && found->shape.size() == 3 && found->shape[2] != config.training.context;
  if (!measured.empty() && !other_context) {
    const std::vector<std::int64_t> shape = {config.model.layers, config.model.heads,
                                             config.training.context};
    const TensorView& view = file.expect(kMeasured, TensorType::f64, shape);
    check_checksum(file.metadata(), kMeasured, view.bytes, path.string());
    std::memcpy(measured.data(), view.bytes.data(), view.bytes.size());
    require_finite(at::from_blob(measured.data(), {std::ssize(measured)}, at::kDouble), kMeasured,
                   path.string());
  }
  model.state = digest_of(file.metadata());
  return model;
}

// model.safetensors: what lies in it, and the CPU's copies of the tensors while it is written.
struct ModelContent {
  ModelContent(const LoadedModel& model, const std::vector<NamedTensor>& beside)
      : weights(on_cpu(model.transformer->weights())) {
    const Transformer& transformer = *model.transformer;
    for (const NamedTensor& tensor : beside) tensors.push_back(view_of(tensor.name, tensor.tensor));
    for (const NamedTensor& weight : weights) tensors.push_back(view_of(weight.name, weight.tensor));
    if (transformer.raw().numel() > 0) tensors.push_back(view_of(kRaw, transformer.raw()));
    const TsmConfig::Model& m = model.config.model;
    if (!transformer.measured().empty()) {
      tensors.push_back(
          view_of(kMeasured, {m.layers, m.heads, model.config.training.context}, transformer.measured()));
    }
    metadata = {{"format", "pt"},
                {"iteration", std::to_string(model.iteration)},
                {"config", to_toml(model.config)},
                {"encoding", model.encoding.toml}};
    for (const TensorView& tensor : tensors) add_checksum(metadata, tensor.name, tensor.bytes);
    for (const auto& [name, bytes] : model.encoding.tables) {
      const std::string key = std::string(kTable) + name;
      metadata[key] = bytes;
      add_checksum(metadata, key, std::as_bytes(std::span(bytes)));
    }
  }

  std::vector<NamedTensor> weights;
  std::vector<TensorView> tensors;
  Metadata metadata;
};

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
  return assemble(config, encoding, Transformer::Weights::initial, oracle);
}

LoadedModel unset_model(const TsmConfig& config, const EncodingFiles& encoding,
                        const theory::ConstantOracle& oracle) {
  check_config(config);
  return assemble(config, encoding, Transformer::Weights::unset, oracle);
}

LoadedModel load_model(const fs::path& place, const theory::ConstantOracle& oracle,
                       const std::string& dtype) {
  const fs::path path = checkpoint_file(place);
  const SafetensorsFile file(path);
  TsmConfig config = parse_config(metadata_of(file, path, "config"), path.string() + ": config");
  if (!dtype.empty()) config.training.dtype = dtype;
  LoadedModel model = read_model(file, path, config, oracle);
  model.iteration = iteration_of(file, path);
  return model;
}

theory::ScoreFunction head_law(const LoadedModel& model, int layer, int head,
                               const theory::ConstantOracle& oracle) {
  const PositionSetting& setting = model.positions->setting();
  const EncodingFiles files = model.positions->files(model.transformer->raw_numbers());
  const theory::Encoding encoding = parse_files(files, {head + 1, setting.heads, layer + 1, setting.layers});
  return instantiate(encoding, {setting.head_dim, head + 1, setting.heads, layer + 1, setting.layers}, {},
                     oracle);
}

LoadedModel begin_from(const fs::path& place, const TsmConfig& config, const theory::ConstantOracle& oracle) {
  const fs::path path = checkpoint_file(place);
  return read_model(SafetensorsFile(path), path, config, oracle);
}

void take_weights(const fs::path& place, Transformer& into) {
  const fs::path path = checkpoint_file(place);
  const SafetensorsFile file(path);
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& weight : into.weights()) read_tensor(file, path, weight.name, weight.tensor);
}

void save_checkpoint(const fs::path& folder, const LoadedModel& model, const AdamW& optimizer,
                     const RunRecord& record) {
  const ModelContent content(model, {});
  Metadata metadata = {{"format", "pt"},
                       {"iteration", std::to_string(model.iteration)},
                       {"model", digest_of(content.metadata)}};
  add_record(metadata, record);
  std::vector<TensorView> moments;
  const std::vector<NamedTensor> tensors = on_cpu(optimizer.moments());
  for (const NamedTensor& moment : tensors) {
    moments.push_back(view_of(moment.name, moment.tensor));
    add_checksum(metadata, moment.name, moments.back().bytes);
  }
  const fs::path file = checks::file_inside(folder, kModelFile);
  write_safetensors(checks::file_inside(folder, optimizer_file({}, model.iteration)), moments, metadata);
  if (fs::exists(file)) {
    const std::int64_t older = iteration_of(SafetensorsFile(file), file);
    if (older != model.iteration) keep_model(folder, older);
  }
  write_safetensors(file, content.tensors, content.metadata);
  complete_checkpoint(folder, model);
}

void write_model(const fs::path& file, const LoadedModel& model, const std::vector<NamedTensor>& beside) {
  const ModelContent content(model, beside);
  write_safetensors(file, content.tensors, content.metadata);
}

void keep_best(const fs::path& folder, const LoadedModel& model, double validation_loss) {
  const fs::path best = checks::file_inside(folder, "best");
  fs::create_directories(best);
  const fs::path file = checks::file_inside(best, kModelFile);
  if (model.iteration > 0 && fs::exists(file) &&
      validation_loss_of(SafetensorsFile(file), file) <= validation_loss)
    return;
  const Transformer& transformer = *model.transformer;
  write_encoding_files(model.positions->files(transformer.raw_numbers(), transformer.measured()),
                       best / "encoding.toml");
  ModelContent content(model, {});
  content.metadata[kValidationLoss] = decimal(validation_loss);
  write_safetensors(file, content.tensors, content.metadata);
  remove_older(best, model.iteration, {});
}

void complete_checkpoint(const fs::path& folder, const LoadedModel& model) {
  const Transformer& transformer = *model.transformer;
  const EncodingFiles encoding = model.positions->files(transformer.raw_numbers(), transformer.measured());
  write_encoding_files(encoding, folder / "encoding.toml");
  std::vector<fs::path> tables;
  for (const auto& table : encoding.tables) tables.emplace_back(table.first);
  remove_older(folder, model.iteration, tables);
}

}  // namespace gpe::model
