#include "model/training/resume.h"

#include "model/training/run_folder.h"
#include "model/training/stored_tensors.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

LoadedModel load_run(const fs::path& folder, const theory::ConstantOracle& oracle) {
  try {
    LoadedModel model = load_model(folder, oracle);
    if (model.iteration > model.config.training.iterations)
      throw SpecError(folder.string() + ": its iteration is beyond training.iterations");
    return model;
  } catch (const SpecError& error) {
    const auto older = older_model(folder);
    if (!older) throw;
    throw SpecError(std::string(error.what()) + "; the checkpoint before it is in " +
                    older->filename().string() + "; renamed to " + kModelFile + ", it is resumed");
  }
}

void load_moments(const fs::path& folder, const LoadedModel& model, AdamW& optimizer,
                  const RunRecord& record) {
  const fs::path path = optimizer_file(folder, model.iteration);
  const SafetensorsFile file(path);
  if (iteration_of(file, path) != model.iteration)
    throw SpecError(path.string() + ": is of another iteration than its name says");
  const auto state = file.metadata().find("model");
  if (state != file.metadata().end() && state->second != model.state)
    throw SpecError(path.string() + ": belongs to another model than " + (folder / kModelFile).string());
  require_same_run(folder, recorded(file.metadata()), record);
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& moment : optimizer.moments()) read_tensor(file, path, moment.name, moment.tensor);
}

}  // namespace gpe::model
