// What a model knows of the answers of make-tasks, by task and length.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/data/task_answers.h"
#include "model/evaluation/evaluate.h"

namespace gpe::model {

/// Answers of one task in documents of one length. Means are over tokens of answers, intervals over
/// documents.
struct TaskResult {
  std::string task;
  std::size_t length = 0;     ///< of a document, in tokens
  std::size_t documents = 0;  ///< with an answer
  std::size_t answers = 0;    ///< their tokens
  /// How often the token of the answer is the likeliest of all that the model has.
  double accuracy = 0;
  std::optional<ConfidenceInterval> accuracy_interval;
  /// How often the token is right that is the answer most often, here.
  double constant = 0;
  MeanLoss loss;
};

/// Each document is read once, from its beginning; every token of an answer is predicted from all tokens
/// before it, earlier answers among them.
/// @throws theory::SpecError  a token is not in the vocabulary, or the model has no such position
std::vector<TaskResult> evaluate_tasks(Transformer& model, const TokenFile& file, const TaskAnswers& answers,
                                       const std::function<void(double)>& progress);

}  // namespace gpe::model
