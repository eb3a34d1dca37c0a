#include "model/answer_key.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/version.h"
#include "checks/write_file.h"
#include "model/mapped_file.h"
#include "theory/spec_error.h"

namespace gpe::model {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using theory::SpecError;

PlantedReference read_reference(const json& object) {
  return {.document = object.at("document").get<std::size_t>(),
          .name_at = object.at("name_at").get<std::size_t>(),
          .query_at = object.at("query_at").get<std::size_t>(),
          .answer_end = object.at("answer_end").get<std::size_t>(),
          .creature = object.at("creature").get<std::string>(),
          .name = object.at("name").get<std::string>()};
}

// What is wrong with a reference, or nothing.
std::string trouble(const PlantedReference& reference, std::size_t stated_distance,
                    std::span<const std::uint16_t> tokens) {
  if (!(reference.document <= reference.name_at && reference.name_at < reference.query_at &&
        reference.query_at + 1 < reference.answer_end && reference.answer_end <= tokens.size())) {
    return "places that are out of order, or outside the file";
  }
  if (stated_distance != reference.distance()) {
    return "distance " + std::to_string(stated_distance) + " where the places give " +
           std::to_string(reference.distance());
  }
  if (reference.name_at + reference.answer_size() > reference.query_at ||
      !std::ranges::equal(tokens.subspan(reference.name_at, reference.answer_size()),
                          tokens.subspan(reference.query_at + 1, reference.answer_size()))) {
    return "the answer is not what stands where the name is introduced";
  }
  return "";
}

}  // namespace

std::filesystem::path answer_key_file(const std::filesystem::path& token_file) {
  std::filesystem::path file = token_file;
  return file.replace_extension(".answers.json");
}

void write_answer_key(const std::filesystem::path& file, const AnswerKey& key) {
  ordered_json references = ordered_json::array();
  for (const PlantedReference& reference : key.references) {
    references.push_back({{"document", reference.document},
                          {"name_at", reference.name_at},
                          {"query_at", reference.query_at},
                          {"answer_end", reference.answer_end},
                          {"distance", reference.distance()},
                          {"creature", reference.creature},
                          {"name", reference.name}});
  }
  const ordered_json content = {{"schema", 1},
                                {"generator", {{"program", "make-stories"}, {"version", kVersion}}},
                                {"seed", key.seed},
                                {"tokens_sha256", key.tokens_sha256},
                                {"candidates", key.candidates},
                                {"references", references}};
  checks::write_file(file, content.dump(1) + "\n");
}

AnswerKey read_answer_key(const std::filesystem::path& file, const TokenFile& tokens) {
  const MappedFile mapped(file);
  const std::string_view text(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
  AnswerKey key;
  std::vector<std::size_t> distances;
  try {
    const json content = json::parse(text);
    if (content.at("schema") != 1)
      throw SpecError(file.string() + ": schema is not 1, which this program reads");
    key.seed = content.at("seed").get<std::uint64_t>();
    key.tokens_sha256 = content.at("tokens_sha256").get<std::string>();
    key.candidates = content.at("candidates").get<std::vector<std::uint16_t>>();
    for (const json& reference : content.at("references")) {
      key.references.push_back(read_reference(reference));
      distances.push_back(reference.at("distance").get<std::size_t>());
    }
  } catch (const json::exception&) {
    throw SpecError(file.string() + ": not an answer key of make-stories");
  }
  if (tokens.sha256() && *tokens.sha256() != key.tokens_sha256) {
    throw SpecError(file.string() + ": is the key of another token file (sha256)");
  }
  for (std::size_t i = 0; i < key.references.size(); ++i) {
    const std::string what = trouble(key.references[i], distances[i], tokens.tokens());
    if (!what.empty()) throw SpecError(file.string() + ": reference " + std::to_string(i + 1) + ": " + what);
  }
  return key;
}

}  // namespace gpe::model
