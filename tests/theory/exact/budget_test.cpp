// Budgets: what a question gets, alone and of the time of a report.
#include "theory/exact/budget.h"

#include <gtest/gtest.h>

#include "theory/expression/undecided.h"

namespace budget_test {

using gpe::theory::Budget;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Budget, without_a_limit_is_never_over) {
  EXPECT_FALSE(Budget().question().is_over());
  EXPECT_FALSE(Budget().whole().left().has_value());
  EXPECT_FALSE(Budget().until(1, 8).is_over());
}

TEST(Budget, begins_with_a_question) {
  const Budget budget(seconds(-1));
  EXPECT_FALSE(budget.is_over()) << "it has not started";
  EXPECT_TRUE(budget.question().is_over());
  EXPECT_THROW(budget.question().check(), gpe::theory::TimeUp);
}

TEST(Budget, gives_a_question_of_a_report_a_third_of_what_is_left) {
  const Budget report = Budget(seconds(10), seconds(6)).whole();
  const auto first = report.question().left();
  ASSERT_TRUE(first);
  EXPECT_LE(*first, seconds(2));
  EXPECT_GT(*first, milliseconds(1500));
  EXPECT_GT(*Budget(seconds(1), seconds(60)).whole().question().left(), milliseconds(900));
}

TEST(Budget, leaves_some_milliseconds_when_the_report_has_no_time) {
  EXPECT_GT(*Budget(seconds(10), seconds(-1)).whole().question().left(), milliseconds(5));
  EXPECT_LE(*Budget(seconds(10), seconds(-20)).whole().question().left(), milliseconds(1));
}

TEST(Budget, of_parts_is_counted_from_where_it_began) {
  const Budget question = Budget(seconds(8)).question();
  EXPECT_LE(*question.until(1, 8).left(), seconds(1));
  EXPECT_GT(*question.until(12, 8).left(), seconds(11));
}

}  // namespace budget_test
