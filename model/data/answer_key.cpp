#include "model/data/answer_key.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "checks/cli/read_json.h"
#include "checks/cli/version.h"
#include "checks/cli/write_file.h"
#include "model/data/mapped_file.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using theory::SpecError;

struct NotAKey {};

// An integer from 0 to `most`, and no number that would become one.
std::uint64_t count(const json& value, std::uint64_t most) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) throw NotAKey{};
  return value.get<std::uint64_t>();
}

constexpr std::uint64_t kMaxPlaces = std::uint64_t{1} << 48U;

PlantedReference read_reference(const json& object) {
  const auto place = [&](const char* name) { return count(object.at(name), kMaxPlaces); };
  return {.document = place("document"),
          .name_at = place("name_at"),
          .query_at = place("query_at"),
          .answer_end = place("answer_end"),
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
  const auto not_a_key = [&] { throw SpecError(file.string() + ": not an answer key of make-stories"); };
  constexpr std::int64_t kMaxTokens = 1 << 16;
  const auto vocabulary = static_cast<std::uint64_t>(tokens.vocabulary().value_or(kMaxTokens));
  try {
    const json content = checks::read_json(text, file.string());
    if (content.at("schema") != 1)
      throw SpecError(file.string() + ": schema is not 1, which this program reads");
    key.seed = count(content.at("seed"), std::numeric_limits<std::uint64_t>::max());
    key.tokens_sha256 = content.at("tokens_sha256").get<std::string>();
    for (const json& candidate : content.at("candidates")) {
      if (count(candidate, kMaxTokens) >= vocabulary) throw NotAKey{};
      key.candidates.push_back(candidate.get<std::uint16_t>());
    }
    for (const json& reference : content.at("references")) {
      key.references.push_back(read_reference(reference));
      distances.push_back(count(reference.at("distance"), kMaxPlaces));
    }
  } catch (const json::exception&) {
    not_a_key();
  } catch (const NotAKey&) {
    not_a_key();
  }
  if (tokens.bytes_sha256() != key.tokens_sha256) {
    throw SpecError(file.string() + ": is the key of another token file (sha256)");
  }
  for (std::size_t i = 0; i < key.references.size(); ++i) {
    const std::string what = trouble(key.references[i], distances[i], tokens.tokens());
    if (!what.empty()) throw SpecError(file.string() + ": reference " + std::to_string(i + 1) + ": " + what);
  }
  return key;
}

}  // namespace gpe::model
