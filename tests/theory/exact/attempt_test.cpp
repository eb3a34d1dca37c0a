#include "theory/exact/attempt.h"

#include <gtest/gtest.h>

namespace gpe::theory {
namespace attempt_test {

using End = NotKnown::End;

const auto undecided = []() -> int { throw Undecided("a sign"); };
const auto undefined = []() -> int { throw Undefined("log of -1"); };
const auto late = []() -> int { throw TimeUp(); };
const auto split = []() -> int { throw SplitRequest{Form::symbol("beta")}; };

TEST(Attempt, has_the_value_where_there_is_one) {
  const auto tried = attempt([] { return 7; });
  ASSERT_TRUE(tried);
  EXPECT_EQ(*tried, 7);
  EXPECT_EQ(attempt([] { return 7; }).value_or(1), 7);
  EXPECT_EQ(attempt([] { return 7; }).if_known(), std::optional(7));
  EXPECT_EQ(attempt([] { return 7; }).or_raise(), 7);
}

TEST(Attempt, has_the_end_and_the_reason_where_there_is_none) {
  const auto one = attempt(undecided);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.why().end, End::undecided);
  EXPECT_EQ(one.reason(), "a sign");
  const auto other = attempt<Undecided, Undefined>(undefined);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.why().end, End::undefined);
  EXPECT_EQ(other.reason(), "log of -1");
  const auto open = attempt<Undecided, SplitRequest>(split);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.why().end, End::split);
  EXPECT_EQ(open.reason(), "the sign of beta is left open");
  EXPECT_EQ(attempt(undecided).value_or(1), 1);
  EXPECT_EQ(attempt(undecided).if_known(), std::nullopt);
  EXPECT_EQ(
      attempt(undecided).or_else([](const std::string& reason) { return static_cast<int>(reason.size()); }),
      6);
}

TEST(Attempt, lets_every_exception_pass_that_is_not_named) {
  EXPECT_THROW(attempt(undefined), Undefined);
  EXPECT_THROW(attempt<Undefined>(undecided), Undecided);
  EXPECT_THROW((attempt<Undecided, Undefined>(split)), SplitRequest);
  EXPECT_THROW(attempt([]() -> int { throw std::logic_error("a broken invariant"); }), std::logic_error);
}

TEST(Attempt, in_time_ends_with_the_time) {
  EXPECT_EQ(attempt(late).why().end, End::time_up);
  EXPECT_EQ(attempt<TimeUp>(late).why().end, End::time_up);
  EXPECT_THROW(attempt<TimeUp>(undecided), Undecided);
  EXPECT_THROW(attempt_in_time(late), TimeUp);
  EXPECT_THROW((attempt_in_time<Undefined, Undecided>(late)), TimeUp);
  EXPECT_FALSE(attempt_in_time(undecided));
}

TEST(Attempt, raises_what_it_was) {
  EXPECT_THROW(attempt(late).or_raise(), TimeUp);
  EXPECT_THROW(attempt(undecided).or_raise(), Undecided);
  EXPECT_THROW(attempt<Undefined>(undefined).or_raise(), Undecided);  // with the reason
}

TEST(Attempt, work_without_a_value_is_done_or_not) {
  int steps = 0;
  EXPECT_TRUE(attempt([&] { ++steps; }));
  EXPECT_FALSE(attempt([&] {
    ++steps;
    throw Undecided("a sign");
  }));
  EXPECT_EQ(steps, 2);
}

}  // namespace attempt_test
}  // namespace gpe::theory
