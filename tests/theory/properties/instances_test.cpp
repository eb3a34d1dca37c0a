// The 92 questions of tests/cases/instances.csv: 57 scores, is Z finite, and where it is, is H?
//
// A row with a gain speaks of every content |c| <= 1: z_every and h_every are the readings cn/every-content
// and eb/limit, z_some and h_some those for some content. Without a gain all contents agree (A is the bias,
// up to a bounded content). `why` is the argument that the expected verdict rests on.
#include <chrono>

#include "tests/cases/csv.h"
#include "tests/in_time.h"
#include "tests/oracle.h"
#include "theory/properties/verdict.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"

namespace instances_test {

using gpe::testing::CsvRow;
using gpe::theory::Finding;
using gpe::theory::Property;
using gpe::theory::Rational;
using gpe::theory::ScoreFunction;
using Clock = gpe::theory::CpuClock;

// Best of three; reading the text included. Each takes about 0.1 ms.
constexpr double kMaxMilliseconds = 10;

using gpe::testing::oracle;

struct Question {
  std::string id;
  std::string column;
  Property property;
  std::string reading;
  std::string expected;
  std::string bias;
  std::string gain;
  std::int64_t first;
};

std::vector<Question> questions(const std::vector<std::string>& columns) {
  const std::map<std::string, std::pair<Property, std::string>> readings = {
      {"z_every", {Property::convergent_normalization, "every-content"}},
      {"z_some", {Property::convergent_normalization, "some-content"}},
      {"h_every", {Property::entropy_boundedness, "limit"}},
      {"h_some", {Property::entropy_boundedness, "some-content"}}};
  std::vector<Question> result;
  for (const CsvRow& row : gpe::testing::read_cases("instances.csv")) {
    for (const std::string& column : columns) {
      if (row.at(column).empty()) continue;
      const auto& [property, reading] = readings.at(column);
      result.push_back({row.at("id"), column, property, reading, row.at(column), row.at("bias"),
                        row.at("gain"), std::stoll(row.at("first"))});
    }
  }
  return result;
}

Finding answer(const Question& question, std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  const ScoreFunction law = gpe::theory::instantiate(
      gpe::theory::encoding_of({question.bias, question.gain, "", "", question.first}), {}, {}, oracle());
  return gpe::theory::find(*gpe::theory::find_reading(question.property, question.reading), law, Rational(1),
                           gpe::testing::in_time(limit));
}

std::string text(const Question& question) {
  return question.id + " " + question.column +
         ": A = " + (question.gain.empty() ? "" : "(" + question.gain + ") c + ") + question.bias;
}

TEST(Instances, are_57_scores_with_92_questions_of_which_88_can_be_put_to_other_systems) {
  const std::vector<CsvRow> rows = gpe::testing::read_cases("instances.csv");
  EXPECT_EQ(rows.size(), 57U);
  EXPECT_EQ(questions({"z_every", "h_every"}).size(), 92U);
  std::size_t asked = 0;
  for (const CsvRow& row : rows) {
    asked += row.at("asked").size();  // "Z" or "ZH"
    EXPECT_EQ(row.at("h_every").empty(), row.at("z_every") == "fails") << row.at("id");
  }
  EXPECT_EQ(asked, 88U);
}

TEST(Instances, every_question_is_answered_right) {
  for (const Question& question : questions({"z_every", "h_every", "z_some", "h_some"})) {
    const Finding finding = answer(question);
    EXPECT_EQ(name_of(finding.verdict), question.expected) << text(question) << "\n  " << finding.reason;
  }
}

// No row is decided by the exception of another: where Z is infinite for every content, so is H.
TEST(Instances, an_infinite_sum_has_no_finite_entropy) {
  for (Question question : questions({"z_every"})) {
    if (question.expected != "fails") continue;
    question.property = Property::entropy_boundedness;
    question.reading = "limit";
    EXPECT_EQ(name_of(answer(question).verdict), "fails") << text(question);
  }
}

TEST(Instances, no_question_takes_long) {
  for (const Question& question : questions({"z_every", "h_every"})) {
    double best = 1e9;
    for (int repetition = 0; repetition < 3 && best > kMaxMilliseconds; ++repetition) {
      const auto start = Clock::now();
      answer(question);
      best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    EXPECT_LT(best, kMaxMilliseconds) << text(question);
  }
}

TEST(Instances, a_time_limit_that_is_over_leaves_the_question_undecided_and_says_so) {
  const Question first = questions({"h_every"}).front();
  const Finding finding = answer(first, std::chrono::milliseconds(-1));
  EXPECT_EQ(name_of(finding.verdict), "undecided");
  EXPECT_NE(finding.reason.find("time limit"), std::string::npos) << finding.reason;
}

}  // namespace instances_test
