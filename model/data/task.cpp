#include "model/data/task.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "theory/source/spec_error.h"

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

TaskText recall(std::size_t room, std::size_t nearest, std::size_t pairs, Random& random) {
  const std::size_t space = room / 2 < pairs ? 0 : room / 2 - pairs;
  // A query at gap g is 2g + 1 tokens from the last of the values, and further from the others.
  const std::size_t first = nearest / 2;
  if (first + pairs > space) {
    no_room(Task::recall, room,
            std::to_string(pairs) + " pairs and queries at distances from " + std::to_string(nearest));
  }
  const std::vector<int> keys = different(pairs, 1, kRecallSymbols / 2, random);
  const std::vector<int> values = different(pairs, kRecallSymbols / 2, kRecallSymbols, random);
  const std::vector<int> gaps = different(pairs, static_cast<int>(first), static_cast<int>(space), random);
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

// Appends a run of 2 to kMaxRepetitions, of another symbol than the last. Returns its length.
int add_run(std::vector<int>& source, Random& random) {
  int symbol = below(random, source.empty() ? kSymbols : kSymbols - 1);
  if (!source.empty() && symbol >= source.back()) ++symbol;
  const int length = 2 + below(random, kMaxRepetitions - 1);
  source.insert(source.end(), static_cast<std::size_t>(length), symbol);
  return length;
}

std::vector<int> runs(std::size_t count, Random& random) {
  std::vector<int> result;
  while (result.size() < count) add_run(result, random);
  result.resize(count);
  return result;
}

TaskText frequent(std::size_t count, Random& random) {
  while (true) {
    const std::vector<int> source = symbols(count, kFrequentSymbols, random);
    if (const auto answer = most_frequent(source)) return source_and_target(source, {*answer}, count);
  }
}

TaskText frequent_by_share(std::size_t room, std::size_t nearest, double share, Random& random) {
  const std::size_t size = room - 2;
  const auto part = static_cast<std::size_t>(std::ceil(share * static_cast<double>(size)));
  const std::size_t count = std::max<std::size_t>(2, part);
  if (nearest > size || count > size - nearest) {
    no_room(Task::most_frequent, room,
            std::to_string(count) + " of one symbol at distances from " + std::to_string(nearest));
  }
  return frequent_text(size, count, nearest, random);
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

TaskText run_lengths_text(std::size_t room, Random& random) {
  const std::size_t count = std::max<std::size_t>(1, (room - 1) / (kMaxRepetitions + 1));
  TaskText text;
  std::vector<std::size_t> begins;
  std::vector<int> lengths;
  for (std::size_t i = 0; i < count; ++i) {
    begins.push_back(text.numbers.size());
    lengths.push_back(add_run(text.numbers, random));
  }
  text.numbers.push_back(kSeparator);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = text.numbers.size();
    text.answers.push_back({place, place + 1, place - 1 - begins[i]});
    text.numbers.push_back(lengths[i]);
  }
  return text;
}

TaskText frequent_text(std::size_t size, std::size_t count, std::size_t nearest, Random& random) {
  const int answer = below(random, kFrequentSymbols);
  std::vector<int> source(size, kSeparator);
  for (const int place : different(count, 0, static_cast<int>(size - nearest), random))
    source[static_cast<std::size_t>(place)] = answer;
  while (true) {
    std::vector<int> filled = source;
    for (int& symbol : filled)
      if (symbol == kSeparator)
        symbol = (answer + 1 + below(random, kFrequentSymbols - 1)) % kFrequentSymbols;
    if (most_frequent(filled) == answer) return source_and_target(filled, {answer}, size);
  }
}

TaskText task_text(Task task, std::size_t room, std::size_t nearest, Random& random, const TaskForm& form) {
  const std::size_t pairs = std::min(kPairs, std::max<std::size_t>(1, room / kTokensOfPair));
  if (task == Task::recall) return recall(room, nearest, form.short_texts ? pairs : kPairs, random);
  if (task == Task::flip_flop) return flip_flop(room, nearest, random);
  if (task == Task::count && form.run_lengths) return run_lengths_text(room, random);
  if (task == Task::most_frequent && form.share > 0)
    return frequent_by_share(room, nearest, form.share, random);
  constexpr std::size_t kLeast = 2 * kBackSteps + 3;  // tokens; of the other tasks less would do
  if (room < kLeast && (task == Task::n_back || !form.short_texts))
    no_room(task, room, "a source and its answer; " + std::to_string(kLeast) + " have");
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
