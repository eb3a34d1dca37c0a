#include "model/training/run_record.h"

#include <charconv>

#include "theory/source/spec_error.h"

namespace gpe::model {

using theory::SpecError;

namespace {

constexpr const char* kTrain = "train_sha256";
constexpr const char* kValidation = "validation_sha256";
constexpr const char* kRanks = "ranks";

}  // namespace

void add_record(Metadata& metadata, const RunRecord& record) {
  if (!record.train_sha256.empty()) metadata[kTrain] = record.train_sha256;
  if (!record.validation_sha256.empty()) metadata[kValidation] = record.validation_sha256;
  if (record.ranks > 0) metadata[kRanks] = std::to_string(record.ranks);
}

RunRecord recorded(const Metadata& metadata) {
  const auto text = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  RunRecord result{text(kTrain), text(kValidation), 0};
  const std::string ranks = text(kRanks);
  std::from_chars(ranks.data(), ranks.data() + ranks.size(), result.ranks);
  return result;
}

void require_same_run(const std::filesystem::path& folder, const RunRecord& then, const RunRecord& now) {
  const auto same = [&](const std::string& before, const std::string& here, const char* file) {
    if (before.empty() || here.empty() || before == here) return;
    throw SpecError(folder.string() + ": the run began with another " + file +
                    " (sha256); expected the data that it began with in --data");
  };
  same(then.train_sha256, now.train_sha256, "train.bin");
  same(then.validation_sha256, now.validation_sha256, "val.bin");
  if (then.ranks > 0 && now.ranks > 0 && then.ranks != now.ranks) {
    throw SpecError(folder.string() + ": the run has " + std::to_string(then.ranks) + " rank" +
                    (then.ranks == 1 ? "" : "s") + ", each with its rows of a step; expected as many, not " +
                    std::to_string(now.ranks));
  }
}

}  // namespace gpe::model
