#include "model/data/task.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <string>

#include "theory/expression/spec_error.h"

namespace gpe::model {
namespace {

using theory::SpecError;

[[noreturn]] void no_room(Task task, std::size_t room, const std::string& what) {
  throw SpecError(std::string(kTaskNames[static_cast<std::size_t>(task)]) + ": " + std::to_string(room) +
                  " tokens have no room for " + what);
}

int below(Random& random, int bound) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
}

std::vector<int> symbols(std::size_t count, int bound, Random& random) {
  std::vector<int> result(count);
  for (int& symbol : result) symbol = below(random, bound);
  return result;
}

// `count` of first ... last - 1, all different, in random order.
std::vector<int> different(std::size_t count, int first, int last, Random& random) {
  std::vector<int> all(static_cast<std::size_t>(last - first));
  std::iota(all.begin(), all.end(), first);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(all.size() - i)]);
  all.resize(count);
  return all;
}

TaskText recall(std::size_t room, std::size_t nearest, Random& random) {
  const std::size_t space = room / 2 < kPairs ? 0 : room / 2 - kPairs;
  // A query at gap g is 2g + 1 tokens from the last of the values, and further from the others.
  const std::size_t first = nearest / 2;
  if (first + kPairs > space) {
    no_room(Task::recall, room,
            std::to_string(kPairs) + " pairs and queries at distances from " + std::to_string(nearest));
  }
  const std::vector<int> keys = different(kPairs, 1, kRecallSymbols / 2, random);
  const std::vector<int> values = different(kPairs, kRecallSymbols / 2, kRecallSymbols, random);
  const std::vector<int> gaps = different(kPairs, static_cast<int>(first), static_cast<int>(space), random);
  return recall_text(keys, values, {gaps.begin(), gaps.end()}, space);
}

TaskText flip_flop(std::size_t room, std::size_t nearest, Random& random) {
  const std::size_t count = room / 2;
  // The bit of the instruction that is k before the read is 2k - 1 tokens before it.
  const std::size_t least = std::max<std::size_t>((nearest + 2) / 2, 1);
  if (count < least + 1)
    no_room(Task::flip_flop, room, "a write at a distance of " + std::to_string(nearest));
  std::vector<int> instructions(count, kIgnore);
  for (std::size_t i = 0; i + least < count; ++i)
    if (random.unit() < kWriteProbability) instructions[i] = kWrite;
  instructions.front() = kWrite;
  instructions.back() = kRead;
  return flip_flop_text(instructions, symbols(count, 2, random));
}

// Runs of 2 to kMaxRepetitions, each of another symbol than the one before.
std::vector<int> runs(std::size_t count, Random& random) {
  std::vector<int> result;
  while (result.size() < count) {
    int symbol = below(random, result.empty() ? kSymbols : kSymbols - 1);
    if (!result.empty() && symbol >= result.back()) ++symbol;
    result.insert(result.end(), static_cast<std::size_t>(2 + below(random, kMaxRepetitions - 1)), symbol);
  }
  result.resize(count);
  return result;
}

TaskText frequent(std::size_t count, Random& random) {
  while (true) {
    const std::vector<int> source = symbols(count, kFrequentSymbols, random);
    if (const auto answer = most_frequent(source)) return source_and_target(source, {*answer}, count);
  }
}

}  // namespace

std::vector<int> n_back(const std::vector<int>& source, std::size_t steps) {
  std::vector<int> target(source.size(), 0);
  for (std::size_t i = steps; i < source.size(); ++i) target[i] = source[i - steps];
  return target;
}

std::vector<int> repetitions(const std::vector<int>& source) {
  std::vector<int> target(source.size(), 0);
  for (std::size_t i = 1; i < source.size(); ++i)
    if (source[i] == source[i - 1]) target[i] = target[i - 1] + 1;
  return target;
}

std::optional<int> most_frequent(const std::vector<int>& source) {
  std::map<int, std::size_t> counts;
  for (const int symbol : source) ++counts[symbol];
  std::optional<int> result;
  std::size_t most = 0;
  for (const auto& [symbol, count] : counts) {
    if (count > most) {
      result = symbol;
      most = count;
    } else if (count == most) {
      result = std::nullopt;
    }
  }
  return result;
}

TaskText recall_text(const std::vector<int>& keys, const std::vector<int>& values,
                     const std::vector<std::size_t>& gaps, std::size_t space) {
  assert(keys.size() == values.size() && keys.size() == gaps.size());
  TaskText text;
  text.numbers.assign(2 * (keys.size() + space), 0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t query = 2 * (keys.size() + gaps[i]);
    text.numbers[2 * i] = text.numbers[query] = keys[i];
    text.numbers[2 * i + 1] = text.numbers[query + 1] = values[i];
    text.answers.push_back({query + 1, query + 2, query - (2 * i + 1)});
  }
  std::ranges::sort(text.answers, {}, &AnswerPlace::begin);
  return text;
}

TaskText flip_flop_text(const std::vector<int>& instructions, std::vector<int> bits) {
  assert(instructions.size() == bits.size() && instructions.front() == kWrite &&
         instructions.back() == kRead);
  const auto written = std::ranges::find(instructions.rbegin(), instructions.rend(), kWrite);
  const auto before = static_cast<std::size_t>(written - instructions.rbegin());  // the read
  bits.back() = bits[bits.size() - 1 - before];
  TaskText text;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    text.numbers.push_back(instructions[i]);
    text.numbers.push_back(bits[i]);
  }
  const std::size_t end = text.numbers.size();
  text.answers = {{end - 1, end, 2 * before - 1}};
  return text;
}

TaskText source_and_target(std::vector<int> source, const std::vector<int>& target, std::size_t distance,
                           std::size_t known) {
  assert(known < target.size());
  TaskText text;
  text.numbers = std::move(source);
  text.numbers.push_back(kSeparator);
  text.answers = {{text.numbers.size() + known, text.numbers.size() + target.size(), distance}};
  text.numbers.insert(text.numbers.end(), target.begin(), target.end());
  return text;
}

TaskText task_text(Task task, std::size_t room, std::size_t nearest, Random& random) {
  if (task == Task::recall) return recall(room, nearest, random);
  if (task == Task::flip_flop) return flip_flop(room, nearest, random);
  constexpr std::size_t kLeast = 2 * kBackSteps + 3;  // tokens; of the other tasks less would do
  if (room < kLeast) no_room(task, room, "a source and its answer; " + std::to_string(kLeast) + " have");
  if (task == Task::most_frequent) return frequent(room - 2, random);
  const std::size_t half = (room - 1) / 2;
  if (task == Task::count) {
    const std::vector<int> source = runs(half, random);
    return source_and_target(source, repetitions(source), half);
  }
  std::vector<int> source = symbols(half, kSymbols, random);
  if (task == Task::n_back)
    return source_and_target(source, n_back(source, kBackSteps), half + kBackSteps, kBackSteps);
  std::vector<int> target = source;
  assert(task == Task::copy || task == Task::sort);
  if (task == Task::sort) std::ranges::sort(target);
  return source_and_target(std::move(source), target, half);
}

}  // namespace gpe::model
