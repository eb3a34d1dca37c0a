// Where in a token file of make-tasks the answers stand: the mask of training, and what an evaluation counts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/data/token_file.h"

namespace gpe::model {

/// Places in the file. The answer is the tokens begin ... end - 1, each predicted from the one before it.
struct TaskAnswer {
  std::size_t task = 0;      ///< of TaskAnswers::tasks
  std::size_t document = 0;  ///< where its document begins
  std::size_t length = 0;    ///< of the document, in tokens
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t distance = 0;  ///< AnswerPlace::distance
  friend bool operator==(const TaskAnswer&, const TaskAnswer&) = default;
};

struct TaskAnswers {
  std::string tokens_sha256;
  std::uint64_t seed = 0;
  std::vector<std::string> tasks;
  std::vector<TaskAnswer> answers;  ///< increasing, none overlap, at least one
};

/// @throws std::runtime_error  when the file cannot be written
void write_task_answers(const std::filesystem::path& file, const TaskAnswers& answers);

/// Reads the file and holds it against its tokens: checksum, and places that follow each other inside of
/// documents.
/// @throws theory::SpecError  one message that names the file
TaskAnswers read_task_answers(const std::filesystem::path& file, const TokenFile& tokens);

}  // namespace gpe::model
