// Any bytes as a token file, the JSON beside it and answers, in this order with a byte 0xff between them:
// documents that cover the tokens and answers inside of them, or a SpecError that names the file.
#include <algorithm>

#include "model/data/answer_key.h"
#include "model/data/task_answers.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/temporary_folder.h"

namespace gpe::fuzz {
namespace {

using namespace model;

std::string_view next_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\xff'), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

void read_all(const TokenFile& file, const std::filesystem::path& answers, bool of_tasks) {
  std::size_t at = 0;
  for (const Document& document : file.documents()) {
    require(document.begin == at && document.end > at, "documents that do not follow each other");
    at = document.end;
  }
  require(at == file.tokens().size(), "tokens outside of every document");
  if (of_tasks) {
    const TaskAnswers tasks = read_task_answers(answers, file);
    for (const TaskAnswer& answer : tasks.answers) {
      require(answer.task < tasks.tasks.size() && answer.document < answer.begin &&
                  answer.begin < answer.end && answer.end <= answer.document + answer.length &&
                  answer.document + answer.length <= at,
              "an answer of a task outside");
    }
    return;
  }
  const AnswerKey key = read_answer_key(answers, file);
  for (const PlantedReference& reference : key.references)
    require(reference.answer_end <= file.tokens().size() && reference.answer_size() > 0, "an answer outside");
  for (const std::uint16_t candidate : key.candidates)
    require(candidate < file.vocabulary().value_or(65536), "a token outside of the vocabulary");
  if (file.tokenizer()) file.tokenizer_text();
  file.check(65536);
}

}  // namespace

void read(std::string_view bytes) {
  static const tests::TemporaryFolder folder;
  folder.write("a.bin", next_part(bytes));
  folder.write("a.json", next_part(bytes));
  folder.write("a.answers.json", bytes);
  refusal(folder.path().string(), [&] {
    read_all(TokenFile(folder / "a.bin"), folder / "a.answers.json",
             bytes.find("\"references\"") == bytes.npos);
  });
}

}  // namespace gpe::fuzz
