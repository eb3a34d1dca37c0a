// The rules of tasks give what the public suites print as their examples, and texts keep to them.
#include "model/data/task.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "tests/refusal.h"

namespace gpe::model {
namespace task_test {

std::vector<int> digits(const std::string& text) {
  std::vector<int> result;
  for (const char digit : text) result.push_back(digit - '0');
  return result;
}

std::vector<int> part(const TaskText& text, std::size_t begin, std::size_t end) {
  return {text.numbers.begin() + static_cast<std::ptrdiff_t>(begin),
          text.numbers.begin() + static_cast<std::ptrdiff_t>(end)};
}

// zoology/data/multiquery_ar.py of HazyResearch/zoology, the docstring of multiquery_ar: its label of a query
// stands here in the place after it, which is a 0 there.
TEST(Task, recall_is_the_example_of_zoology) {
  const TaskText text = recall_text({2, 4}, {8, 7}, {4, 1}, 6);
  EXPECT_EQ(text.numbers, (std::vector<int>{2, 8, 4, 7, 0, 0, 4, 7, 0, 0, 0, 0, 2, 8, 0, 0}));
  EXPECT_EQ(text.answers, (std::vector<AnswerPlace>{{7, 8, 3}, {13, 14, 11}}));
}

// tasks/cs/bucket_sort.py and duplicate_string.py of google-deepmind/randomized_positional_encodings.
TEST(Task, sort_and_copy_are_the_examples_of_deepmind) {
  for (const auto& [from, to] : {std::pair{"10204112", "00111224"}, std::pair{"1110001", "0001111"}}) {
    std::vector<int> target = digits(from);
    std::ranges::sort(target);
    EXPECT_EQ(target, digits(to));
  }
  const TaskText text = source_and_target(digits("101"), digits("101"), 3);
  EXPECT_EQ(text.numbers, (std::vector<int>{1, 0, 1, kSeparator, 1, 0, 1}));
  EXPECT_EQ(text.answers, (std::vector<AnswerPlace>{{4, 7, 3}}));
}

// scripts/generate_data.py of deep-spin/asentmax: numpy.roll(source, n) with n zeros before; the index of
// each token in its run; the bit of the last write (2; ignore is 3, read is 4).
TEST(Task, n_back_count_and_flip_flop_are_those_of_asentmax) {
  EXPECT_EQ(n_back({0, 5, 6, 7, 8}, 2), (std::vector<int>{0, 0, 0, 5, 6}));
  EXPECT_EQ(repetitions({4, 4, 4, 9, 9, 4, 4}), (std::vector<int>{0, 1, 2, 0, 1, 0, 1}));
  const TaskText text = flip_flop_text({2, 3, 2, 3, 4}, {0, 0, 1, 0, 0});
  EXPECT_EQ(text.numbers, (std::vector<int>{2, 0, 3, 0, 2, 1, 3, 0, 4, 1}));
  EXPECT_EQ(text.answers, (std::vector<AnswerPlace>{{9, 10, 3}}));
}

// make_sort_freq of tracr sorts [2, 4, 2, 1] to [2, 2, 4, 1]: the most frequent comes first.
TEST(Task, most_frequent_is_none_when_there_are_two) {
  EXPECT_EQ(most_frequent({2, 4, 2, 1}), 2);
  EXPECT_EQ(most_frequent({2, 4, 4, 2, 1}), std::nullopt);
  EXPECT_EQ(most_frequent({}), std::nullopt);
}

// What follows from a text alone, by another way than it was made.
void check(Task task, const TaskText& text, std::size_t nearest) {
  const auto& numbers = text.numbers;
  ASSERT_FALSE(text.answers.empty());
  const AnswerPlace first = text.answers.front();
  const std::size_t half = numbers.size() / 2;
  for (const AnswerPlace& place : text.answers) {
    ASSERT_LT(place.begin, place.end);
    ASSERT_LE(place.end, numbers.size());
    ASSERT_LT(place.distance, place.begin);
  }
  if (task == Task::recall) {
    EXPECT_EQ(text.answers.size(), kPairs);
    for (const AnswerPlace& place : text.answers) {
      const std::size_t query = place.begin - 1;
      EXPECT_GE(place.distance, nearest);
      EXPECT_EQ(numbers[query - place.distance], numbers[place.begin]) << "the token that knows";
      EXPECT_EQ(numbers[query - place.distance - 1], numbers[query]) << "its key";
      EXPECT_EQ(std::ranges::count(numbers, numbers[query]), 2) << "a duplicate key";
    }
  } else if (task == Task::flip_flop) {
    const std::size_t query = first.begin - 1;
    EXPECT_GE(first.distance, nearest);
    EXPECT_EQ(numbers[query], kRead);
    EXPECT_EQ(numbers[query - first.distance], numbers[first.begin]);
    EXPECT_EQ(numbers[query - first.distance - 1], kWrite);
    for (std::size_t i = query - first.distance + 1; i < query; i += 2) EXPECT_EQ(numbers[i], kIgnore);
  } else if (task == Task::most_frequent) {
    const auto times = [&](int symbol) { return std::count(numbers.begin(), numbers.end() - 2, symbol); };
    for (int symbol = 0; symbol < kFrequentSymbols; ++symbol)
      EXPECT_TRUE(symbol == numbers.back() || times(symbol) < times(numbers.back()));
    EXPECT_EQ(first.distance, numbers.size() - 2);
  } else {
    EXPECT_EQ(numbers[half], kSeparator);
    const std::vector<int> source = part(text, 0, half);
    const std::vector<int> target = part(text, half + 1, numbers.size());
    EXPECT_EQ(target.size(), source.size());
    EXPECT_EQ(first.end, numbers.size());
    for (std::size_t i = first.begin; i < first.end; ++i) {
      if (task == Task::copy || task == Task::n_back) {
        EXPECT_EQ(numbers[i], numbers[i - 1 - first.distance]);
      }
    }
    if (task == Task::sort) {
      EXPECT_TRUE(std::ranges::is_sorted(target));
      EXPECT_TRUE(std::ranges::is_permutation(target, source));
    }
    if (task == Task::count) {
      for (std::size_t i = 0; i < source.size(); ++i) {
        std::size_t before = 0;
        while (before < i && source[i - before - 1] == source[i]) ++before;
        EXPECT_EQ(target[i], static_cast<int>(before));
        EXPECT_LT(target[i], kMaxRepetitions);
      }
    }
  }
}

TEST(Task, texts_keep_to_their_rules_and_fill_their_room) {
  for (std::size_t t = 0; t < static_cast<std::size_t>(Task::story); ++t) {
    const Task task = static_cast<Task>(t);
    for (const std::size_t room : {34UL, 62UL, 63UL, 254UL}) {
      for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const std::size_t nearest = room > 60 ? seed % 3 * room / 4 : 0;
        if (task == Task::recall && nearest + 40 > room) continue;
        SCOPED_TRACE(std::string(kTaskNames[t]) + " in " + std::to_string(room) + ", seed " +
                     std::to_string(seed));
        Random random(seed, t);
        const TaskText text = task_text(task, room, nearest, random);
        EXPECT_LE(text.numbers.size(), room);
        EXPECT_GE(text.numbers.size() + 1, room);
        check(task, text, nearest);
        for (const int number : text.numbers) EXPECT_TRUE(number >= kSeparator && number < kRecallSymbols);
      }
    }
  }
}

TEST(Task, lengths_of_runs_are_independent_of_what_was_before) {
  std::array<std::array<int, kMaxRepetitions + 1>, kMaxRepetitions + 1> pairs{};
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const std::size_t room = 7 + seed % 60;
    const TaskText text = run_lengths_text(room, random);
    const std::size_t source = text.answers.front().begin - 1;
    EXPECT_EQ(text.numbers[source], kSeparator);
    EXPECT_LE(text.numbers.size(), std::max<std::size_t>(room, kMaxRepetitions + 2));
    std::size_t at = 0;
    for (const AnswerPlace& place : text.answers) {
      std::size_t end = at + 1;
      while (end < source && text.numbers[end] == text.numbers[at]) ++end;
      EXPECT_EQ(text.numbers[place.begin], static_cast<int>(end - at));
      EXPECT_EQ(place.begin - 1 - place.distance, at) << "where the run begins";
      at = end;
    }
    EXPECT_EQ(at, source) << "each run has its answer";
    for (std::size_t i = 1; i < text.answers.size(); ++i)
      ++pairs.at(static_cast<std::size_t>(text.numbers[source + i]))
            .at(static_cast<std::size_t>(text.numbers[source + i + 1]));
  }
  for (std::size_t before = 2; before <= kMaxRepetitions; ++before) {
    const int all = std::accumulate(pairs.at(before).begin(), pairs.at(before).end(), 0);
    for (std::size_t next = 2; next <= kMaxRepetitions; ++next)
      EXPECT_NEAR(pairs.at(before).at(next), all / 11.0, 5 * std::sqrt(all / 11.0)) << before << next;
  }
}

TEST(Task, the_share_of_the_most_frequent_is_that_at_every_length) {
  for (const std::size_t size : {5UL, 20UL, 61UL, 1000UL, 4000UL}) {
    for (const double share : {0.2, 0.4, 1.0}) {
      const std::size_t nearest = share < 1 ? size * 2 / 5 : 0;
      Random random(size);
      const TaskText text = task_text(Task::most_frequent, size + 2, nearest, random, {.share = share});
      const std::vector<int> source = part(text, 0, size);
      const int answer = text.numbers.back();
      EXPECT_EQ(most_frequent(source), answer);
      const auto count = static_cast<std::size_t>(std::ranges::count(source, answer));
      EXPECT_EQ(count, std::max(2UL, static_cast<std::size_t>(std::ceil(share * static_cast<double>(size)))));
      EXPECT_EQ(std::ranges::count(part(text, size - nearest, size), answer), 0) << "none is nearer";
    }
  }
}

TEST(Task, short_texts_recall_fewer_pairs) {
  for (const auto& [room, pairs] : {std::pair{7UL, 1UL}, {8UL, 2UL}, {31UL, 7UL}, {62UL, 8UL}}) {
    Random random(room);
    const TaskText text = task_text(Task::recall, room, 0, random, {.short_texts = true});
    EXPECT_EQ(text.answers.size(), pairs);
    EXPECT_LE(text.numbers.size(), room);
  }
}

TEST(Task, without_room_is_refused) {
  Random random(1);
  const auto message = [&](Task task, std::size_t room, std::size_t nearest) {
    return tests::refusal([&] { task_text(task, room, nearest, random); });
  };
  EXPECT_EQ(message(Task::recall, 31, 0),
            "recall: 31 tokens have no room for 8 pairs and queries at distances from 0");
  EXPECT_EQ(message(Task::recall, 62, 40),
            "recall: 62 tokens have no room for 8 pairs and queries at distances from 40");
  EXPECT_EQ(message(Task::flip_flop, 62, 60),
            "flip-flop: 62 tokens have no room for a write at a distance of 60");
  EXPECT_EQ(message(Task::flip_flop, 2, 0),
            "flip-flop: 2 tokens have no room for a write at a distance of 0");
  EXPECT_EQ(message(Task::sort, 10, 0), "sort: 10 tokens have no room for a source and its answer; 11 have");
  EXPECT_EQ(message(Task::flip_flop, 62, 59), "accepted");
  EXPECT_EQ(tests::refusal([&] { task_text(Task::most_frequent, 62, 40, random, {.share = 0.4}); }),
            "most-frequent: 62 tokens have no room for 24 of one symbol at distances from 40");
}

}  // namespace task_test
}  // namespace gpe::model
