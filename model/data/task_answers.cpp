#include "model/data/task_answers.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "checks/cli/read_json.h"
#include "checks/cli/version.h"
#include "checks/cli/write_file.h"
#include "model/data/answer_key.h"
#include "model/data/mapped_file.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using theory::SpecError;

struct NotAnswers {};

std::uint64_t number_up_to(const json& value, std::uint64_t most) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) throw NotAnswers{};
  return value.get<std::uint64_t>();
}

TaskAnswer read_answer(const json& numbers, std::size_t tasks, std::size_t tokens) {
  constexpr std::size_t kAnswerNumbers = 6;
  if (!numbers.is_array() || numbers.size() != kAnswerNumbers) throw NotAnswers{};
  return {.task = number_up_to(numbers[0], tasks - 1),
          .document = number_up_to(numbers[1], tokens),
          .length = number_up_to(numbers[2], tokens),
          .begin = number_up_to(numbers[3], tokens),
          .end = number_up_to(numbers[4], tokens),
          .distance = number_up_to(numbers[5], tokens)};
}

bool fits(const TaskAnswer& answer, const TaskAnswer* before, std::size_t tokens) {
  const bool inside = answer.document < answer.begin && answer.begin < answer.end &&
                      answer.end <= answer.document + answer.length &&
                      answer.document + answer.length <= tokens &&
                      answer.distance < answer.begin - answer.document;
  if (!inside || before == nullptr) return inside;
  if (answer.document == before->document)
    return answer.begin >= before->end && answer.length == before->length && answer.task == before->task;
  return answer.document >= before->document + before->length;
}

json read(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  const std::string_view text(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
  return checks::read_json(text, file.string());
}

TaskAnswers answers_of(const json& content, const std::filesystem::path& file, const TokenFile& tokens) {
  TaskAnswers result;
  const std::size_t size = tokens.tokens().size();
  try {
    if (content.at("schema") != 1)
      throw SpecError(file.string() + ": schema is not 1, which this program reads");
    result.seed = number_up_to(content.at("seed"), std::numeric_limits<std::uint64_t>::max());
    result.tokens_sha256 = content.at("tokens_sha256").get<std::string>();
    result.tasks = content.at("tasks").get<std::vector<std::string>>();
    const json& answers = content.at("answers");
    if (result.tasks.empty() || !answers.is_array() || answers.empty()) throw NotAnswers{};
    for (const json& numbers : answers) {
      result.answers.push_back(read_answer(numbers, result.tasks.size(), size));
    }
  } catch (const json::exception&) {
    throw SpecError(file.string() + ": not answers of make-tasks");
  } catch (const NotAnswers&) {
    throw SpecError(file.string() + ": not answers of make-tasks");
  }
  if (tokens.bytes_sha256() != result.tokens_sha256)
    throw SpecError(file.string() + ": has the answers of another token file (sha256)");
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    if (!fits(result.answers[i], i > 0 ? &result.answers[i - 1] : nullptr, size)) {
      throw SpecError(file.string() + ": answer " + std::to_string(i + 1) +
                      ": places that are out of order, or outside of the document or the file");
    }
  }
  return result;
}

}  // namespace

void write_task_answers(const std::filesystem::path& file, const TaskAnswers& answers) {
  ordered_json places = ordered_json::array();
  for (const TaskAnswer& a : answers.answers)
    places.push_back({a.task, a.document, a.length, a.begin, a.end, a.distance});
  const ordered_json content = {{"schema", 1},
                                {"generator", {{"program", "make-tasks"}, {"version", kVersion}}},
                                {"seed", answers.seed},
                                {"tokens_sha256", answers.tokens_sha256},
                                {"tasks", answers.tasks},
                                {"fields", {"task", "document", "length", "begin", "end", "distance"}},
                                {"answers", std::move(places)}};
  checks::write_file(file, content.dump() + "\n");
}

TaskAnswers read_task_answers(const std::filesystem::path& file, const TokenFile& tokens) {
  return answers_of(read(file), file, tokens);
}

}  // namespace gpe::model
