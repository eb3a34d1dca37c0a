// Training batches: pieces of the file, the same whatever was drawn before.
#include "model/data/batch_sampler.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "theory/source/spec_error.h"

namespace gpe::model {
namespace batch_sampler_test {

std::vector<std::uint16_t> counting(std::size_t size) {
  std::vector<std::uint16_t> tokens(size);
  std::iota(tokens.begin(), tokens.end(), std::uint16_t{0});
  return tokens;
}

using Integers = std::vector<std::int64_t>;

TEST(BatchSampler, targets_are_the_inputs_one_token_further) {
  const auto tokens = counting(1000);
  const BatchSampler sampler(tokens, 16, 3);
  Integers inputs(16 * 8);
  Integers targets(16 * 8);
  sampler.fill(5, 0, inputs, targets);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(targets[i], inputs[i] + 1);
    EXPECT_EQ(inputs[i], static_cast<std::int64_t>(sampler.offset(5, i / 16) + i % 16));
  }
}

TEST(BatchSampler, rows_taken_in_parts_are_those_taken_at_once) {
  const auto tokens = counting(5000);
  const BatchSampler sampler(tokens, 32, 4);
  Integers inputs(32 * 12);
  Integers targets(32 * 12);
  sampler.fill(9, 0, inputs, targets);
  Integers part(32 * 3);
  Integers part_targets(32 * 3);
  for (std::size_t first = 12; first > 0;) {
    first -= 3;
    BatchSampler(tokens, 32, 4).fill(9, first, part, part_targets);
    EXPECT_TRUE(
        std::equal(part.begin(), part.end(), inputs.begin() + static_cast<std::ptrdiff_t>(32 * first)));
    EXPECT_TRUE(std::equal(part_targets.begin(), part_targets.end(),
                           targets.begin() + static_cast<std::ptrdiff_t>(32 * first)));
  }
}

TEST(BatchSampler, every_place_can_be_drawn_and_none_outside) {
  const auto tokens = counting(10);
  const BatchSampler sampler(tokens, 4, 5);
  std::set<std::size_t> seen;
  for (std::uint64_t step = 0; step < 200; ++step) seen.insert(sampler.offset(step, 0));
  EXPECT_EQ(seen, (std::set<std::size_t>{0, 1, 2, 3, 4, 5}));  // 0 to 10 - 4 - 1
  EXPECT_EQ(BatchSampler(std::span(tokens).first(5), 4, 5).offset(0, 0), 0u);
  EXPECT_THROW(BatchSampler(std::span(tokens).first(4), 4, 5), theory::SpecError);
}

TEST(BatchSampler, seeds_and_steps_differ) {
  const auto tokens = counting(60000);
  const BatchSampler one(tokens, 8, 1);
  const BatchSampler two(tokens, 8, 2);
  int same = 0;
  for (std::uint64_t step = 0; step < 1000; ++step) {
    same += one.offset(step, 0) == two.offset(step, 0) ? 1 : 0;
    same += one.offset(step, 0) == one.offset(step + 1, 0) ? 1 : 0;
    same += one.offset(step, 0) == one.offset(step, 1) ? 1 : 0;
  }
  EXPECT_LE(same, 3);  // 3000 pairs of one in 60000
}

TEST(BatchSampler, with_answers_rows_begin_with_documents_and_nothing_else_is_asked) {
  const auto tokens = counting(50);  // documents of 10; the third has no answer, the fourth one that is far
  TaskAnswers answers;
  answers.answers = {{0, 0, 10, 3, 5, 1},
                     {0, 0, 10, 8, 9, 1},
                     {0, 10, 10, 16, 17, 1},
                     {0, 30, 10, 39, 40, 1},
                     {0, 40, 10, 44, 45, 1}};
  const BatchSampler sampler(tokens, 7, 6, answers);
  std::set<std::size_t> seen;
  for (std::uint64_t step = 0; step < 100; ++step) {
    Integers inputs(7 * 3);
    Integers targets(7 * 3);
    sampler.fill(step, 0, inputs, targets);
    std::size_t asked = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t begin = sampler.offset(step, i / 7);
      seen.insert(begin);
      const std::size_t target = begin + i % 7 + 1;
      const bool is_answer = std::ranges::any_of(
          answers.answers, [&](const TaskAnswer& a) { return a.begin <= target && target < a.end; });
      EXPECT_EQ(inputs[i], static_cast<std::int64_t>(target - 1));
      EXPECT_EQ(targets[i], is_answer ? static_cast<std::int64_t>(target) : BatchSampler::kNotAsked);
      asked += is_answer ? 1 : 0;
    }
    EXPECT_EQ(sampler.targets_asked(step, 3), asked);
  }
  EXPECT_EQ(seen, (std::set<std::size_t>{0, 10, 40}));
  EXPECT_EQ(BatchSampler(tokens, 7, 6).targets_asked(0, 3), 21U);
  EXPECT_THROW(BatchSampler(tokens, 2, 6, answers), theory::SpecError);  // answers begin later
  answers.answers = {{0, 0, 10, 8, 9, 1}};                               // beyond that part of the file
  EXPECT_THROW(BatchSampler(std::span(tokens).first(6), 5, 6, answers), theory::SpecError);
}

}  // namespace batch_sampler_test
}  // namespace gpe::model
