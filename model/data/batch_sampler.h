// Which pieces of a token file a training step sees: a function of the seed, the step and the row, and of
// nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/data/task_answers.h"

namespace gpe::model {

/// Pieces begin anywhere, with replacement and across documents, as get_batch of nanoGPT draws them. A run
/// that resumes at step s, or whose rows are split between processes or accumulated in parts, sees the same
/// pieces.
class BatchSampler {
 public:
  /// @param context  T, the inputs of a row; its targets are one token further on
  /// @throws theory::SpecError  when there are fewer than T + 1 tokens
  BatchSampler(std::span<const std::uint16_t> tokens, std::size_t context, std::uint64_t seed);
  /// Only answers are targets: the others are kNotAsked. Pieces begin where documents do that have an answer
  /// among the T tokens after their first.
  /// @param answers  of the file that begins with `tokens`
  /// @throws theory::SpecError  there is no such document
  BatchSampler(std::span<const std::uint16_t> tokens, std::size_t context, std::uint64_t seed,
               const TaskAnswers& answers);

  static constexpr std::int64_t kNotAsked = -1;  ///< a target without a loss

  /// Where row `row` of step `step` begins: uniform in 0 ... N - T - 1, or over those documents.
  std::size_t offset(std::uint64_t step, std::uint64_t row) const;
  /// Targets of rows 0 ... rows - 1 of a step that are asked.
  std::size_t targets_asked(std::uint64_t step, std::uint64_t rows) const;

  /// Rows first_row, first_row + 1, ... of a step.
  /// @param inputs, targets  (rows, T), row-major, of the same size: a multiple of T
  void fill(std::uint64_t step, std::uint64_t first_row, std::span<std::int64_t> inputs,
            std::span<std::int64_t> targets) const;

 private:
  std::span<const std::uint16_t> tokens_;
  std::size_t context_;
  std::uint64_t seed_;
  std::vector<bool> answers_;        // by token; empty: every token is asked
  std::vector<std::size_t> begins_;  // of documents
  std::vector<std::size_t> asked_;   // targets of a row that begins there
};

}  // namespace gpe::model
