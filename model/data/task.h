// Tasks whose answers are known: a source, and the tokens that a rule makes of it. The definitions are those
// of public suites (docs/data.md), written as one text.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "model/data/random.h"

namespace gpe::model {

enum class Task { recall, copy, flip_flop, n_back, count, most_frequent, sort, story };
inline constexpr std::array<std::string_view, 8> kTaskNames = {
    "recall", "copy", "flip-flop", "n-back", "count", "most-frequent", "sort", "story"};

/// Places in a text: the answer is the tokens begin ... end - 1, each predicted from the one before it.
struct AnswerPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
  /// From the query, begin - 1, to the token that knows, or to the first of the source when all of it is
  /// needed: the n of A(n).
  std::size_t distance = 0;
  friend bool operator==(const AnswerPlace&, const AnswerPlace&) = default;
};

/// Numbers from 0 on are symbols; the separator is not a symbol.
inline constexpr int kSeparator = -1;
struct TaskText {
  std::vector<int> numbers;
  std::vector<AnswerPlace> answers;  ///< increasing
};

/// What the public suites fix.
inline constexpr int kRecallSymbols = 64;  ///< 0 is between pairs and queries, keys below half, values above
inline constexpr int kSymbols = 32;        ///< of copy, n-back, count and sort
inline constexpr int kFrequentSymbols = 8;
inline constexpr std::size_t kPairs = 8;
inline constexpr std::size_t kTokensOfPair = 4;  ///< with its query, where there is room for fewer pairs
inline constexpr std::size_t kBackSteps = 4;
inline constexpr int kMaxRepetitions = 12;
inline constexpr double kWriteProbability = 0.1;
inline constexpr int kWrite = 2, kIgnore = 3, kRead = 4;  ///< of flip-flop, beside the bits 0 and 1

/// What a text has instead of what the suites fix.
struct TaskForm {
  bool short_texts = false;  ///< recall: as many pairs as have kTokensOfPair tokens, kPairs at most
  bool run_lengths = false;  ///< count: the answers are the lengths of the source's runs, in order
  double share = 0;          ///< most-frequent: of the source, the part that is the answer; 0: as it comes
};

/// The rules.
std::vector<int> n_back(const std::vector<int>& source, std::size_t steps);
std::vector<int> repetitions(const std::vector<int>& source);
/// Nothing when there are several, or none.
std::optional<int> most_frequent(const std::vector<int>& source);

/// Pairs, then `space` places of two symbols each: query i stands at gaps[i], its value after it.
/// @pre  as many keys, values and gaps; gaps are different and below `space`
TaskText recall_text(const std::vector<int>& keys, const std::vector<int>& values,
                     const std::vector<std::size_t>& gaps, std::size_t space);
/// Instructions with a bit each, the last a read, whose bit is the answer.
/// @pre  the first is a write, the last and no other a read
TaskText flip_flop_text(const std::vector<int>& instructions, std::vector<int> bits);
/// Source, separator, target; the first `known` symbols of the target are not asked for.
TaskText source_and_target(std::vector<int> source, const std::vector<int>& target, std::size_t distance,
                           std::size_t known = 0);

/// Lengths of runs, 2 to kMaxRepetitions, independent of each other: as many as have room at their longest,
/// one at least.
TaskText run_lengths_text(std::size_t room, Random& random);
/// A source in which each other symbol is rarer than the answer, which `count` of its symbols are.
/// @param nearest  to the separator, no answer is nearer
TaskText frequent_text(std::size_t size, std::size_t count, std::size_t nearest, Random& random);

/// A text of at most `room` numbers, and of as many as the task can use; of run lengths, of one run at least.
/// @param nearest  recall, flip-flop, and most-frequent with a share: nothing that knows the answer is nearer
/// @pre  not Task::story
/// @throws theory::SpecError  there is no room for the task, or for that distance
TaskText task_text(Task task, std::size_t room, std::size_t nearest, Random& random,
                   const TaskForm& form = {});

}  // namespace gpe::model
