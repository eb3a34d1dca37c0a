// Answers of tasks are read back, and held against their tokens.
#include "model/data/task_answers.h"

#include <functional>

#include "model/data/answer_key.h"
#include "tests/model/token_files.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gpe::model {
namespace task_answers_test {

using tests::refusal;
using tests::TemporaryFolder;

// Three documents of 8 tokens: two answers, one of two tokens, one.
struct Made {
  TemporaryFolder folder;
  std::vector<std::uint16_t> tokens;
  TaskAnswers answers;

  Made() {
    for (std::uint16_t i = 0; i < 24; ++i) tokens.push_back(i % 8 == 7 ? 9 : i % 5);
    tests::write_tokens(folder, "t", tokens, 10, 9);
    answers = {
        .tokens_sha256 = TokenFile(folder / "t.bin").bytes_sha256(),
        .seed = 3,
        .tasks = {"copy", "sort"},
        .answers = {{0, 0, 8, 2, 3, 1}, {0, 0, 8, 5, 6, 4}, {1, 8, 8, 13, 15, 2}, {0, 16, 8, 20, 21, 1}}};
  }
  std::string reading(const std::function<void(TaskAnswers&)>& change) const {
    TaskAnswers changed = answers;
    change(changed);
    const auto file = folder / "t.answers.json";
    write_task_answers(file, changed);
    const std::string message = refusal([&] { read_task_answers(file, TokenFile(folder / "t.bin")); });
    return message.starts_with(file.string() + ": ") ? message.substr(file.string().size() + 2) : message;
  }
};

TEST(TaskAnswers, are_read_back) {
  const Made made;
  const TokenFile tokens(made.folder / "t.bin");
  const auto file = answer_key_file(made.folder / "t.bin");
  write_task_answers(file, made.answers);
  const TaskAnswers read = read_task_answers(file, tokens);
  EXPECT_EQ(read.answers, made.answers.answers);
  EXPECT_EQ(read.tasks, made.answers.tasks);
  EXPECT_EQ(read.seed, 3u);
}

TEST(TaskAnswers, that_do_not_fit_are_refused) {
  const Made made;
  const std::string order = ": places that are out of order, or outside of the document or the file";
  EXPECT_EQ(made.reading([](TaskAnswers&) {}), "accepted");
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.tokens_sha256[0] ^= 1; }),
            "has the answers of another token file (sha256)");
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers.clear(); }), "not answers of make-tasks");
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.tasks.pop_back(); }), "not answers of make-tasks");
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers[3].end = 25; }), "not answers of make-tasks");
  EXPECT_EQ(made.reading([](TaskAnswers& a) { std::swap(a.answers[0], a.answers[1]); }), "answer 2" + order);
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers[0].begin = 0; }), "answer 1" + order);
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers[0].end = 2; }), "answer 1" + order);
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers[2].length = 6; }), "answer 3" + order);
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers[3].length = 9; }), "answer 4" + order);
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers[1].distance = 5; }), "answer 2" + order);
  EXPECT_EQ(made.reading([](TaskAnswers& a) { a.answers[1].task = 1; }), "answer 2" + order);
  const TokenFile tokens(made.folder / "t.bin");
  for (const char* wrong :
       {"", "[", "[]", "7", "{\"references\": []}", "{\"schema\": 1}", "{\"schema\": 2}",
        "{\"schema\":1,\"seed\":1,\"tokens_sha256\":\"\",\"tasks\":[\"a\"],\"answers\":[[0,0,8,2,3]]}",
        "{\"schema\":1,\"seed\":1,\"tokens_sha256\":\"\",\"tasks\":[\"a\"],\"answers\":[[0,0,8,2,3.0,1]]}",
        "{\"schema\":1,\"seed\":1,\"tokens_sha256\":\"\",\"tasks\":[\"a\"],\"answers\":[[-1,0,8,2,3,1]]}",
        "{\"schema\":1,\"seed\":1,\"tokens_sha256\":\"\",\"tasks\":\"a\",\"answers\":[[0,0,8,2,3,1]]}"}) {
    made.folder.write("t.answers.json", wrong);
    EXPECT_THROW(read_task_answers(made.folder / "t.answers.json", tokens), theory::SpecError) << wrong;
  }
}

}  // namespace task_answers_test
}  // namespace gpe::model
