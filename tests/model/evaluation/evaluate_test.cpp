// Losses by length: one pass gives what a pass for each length gives, and names recalled are counted.
#include "model/evaluation/evaluate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/evaluation/evaluate_tasks.h"
#include "tests/model/small_model.h"
#include "tests/model/token_files.h"
#include "theory/source/spec_error.h"

namespace evaluate_test {

using namespace gpe;
using namespace gpe::model;
using tests::oracle;
using tests::small;

constexpr std::uint16_t kEnd = 10;

// Documents of the lengths given, the end token among them.
std::vector<std::uint16_t> text(const std::vector<std::size_t>& documents) {
  std::vector<std::uint16_t> tokens;
  for (const std::size_t length : documents) {
    for (std::size_t i = 0; i + 1 < length; ++i) {
      const std::size_t at = tokens.size();
      tokens.push_back(static_cast<std::uint16_t>((at * at + 3 * at) % 10));
    }
    tokens.push_back(kEnd);
  }
  return tokens;
}

std::filesystem::path file_of(const tests::TemporaryFolder& folder,
                              const std::vector<std::size_t>& documents) {
  return tests::write_tokens(folder, "t", text(documents), 11, kEnd);
}

// The mean loss over tokens [from, to) of windows at `begins`, in a pass over `to` tokens.
double mean_loss(Transformer& model, const TokenFile& file, const std::vector<std::size_t>& begins,
                 std::size_t from, std::size_t to) {
  double sum = 0;
  for (const std::size_t begin : begins) {
    std::vector<std::int64_t> numbers(file.tokens().begin() + static_cast<std::ptrdiff_t>(begin),
                                      file.tokens().begin() + static_cast<std::ptrdiff_t>(begin + to + 1));
    const at::Tensor all = at::tensor(numbers).unsqueeze(0);
    const auto length = static_cast<std::int64_t>(to);
    const at::Tensor losses = model.losses(all.narrow(1, 0, length), all.narrow(1, 1, length));
    const auto first = static_cast<std::int64_t>(from);
    sum += losses.narrow(1, first, length - first).sum().item<double>();
  }
  return sum / static_cast<double>(begins.size() * (to - from));
}

TEST(Evaluate, one_pass_gives_every_length_whatever_the_encoding) {
  const tests::TemporaryFolder folder;
  const TokenFile file(file_of(folder, {20, 20, 20, 20, 20, 20, 20, 20}));
  for (const char* encoding : {"ape", "rope", "ssmax", "sliding-window"}) {
    const LoadedModel model = new_model(small(encoding), oracle());
    tests::stretch(*model.transformer, 12);
    EvaluateOptions options;
    options.lengths = {4, 7, 64};
    options.windows = 2;
    const std::vector<Series> series = evaluate(*model.transformer, file, "t", options);
    ASSERT_EQ(series.size(), 2U);
    // 2·⌊64/7⌋ windows of 7 would be 18: there are 8 documents, all long enough
    EXPECT_EQ(series[0].over, "documents");
    EXPECT_EQ(series[0].windows, 8U);
    ASSERT_EQ(series[0].lengths.size(), 2U);
    const std::vector<std::size_t> documents = {0, 20, 40, 60, 80, 100, 120, 140};
    EXPECT_EQ(series[1].over, "packed windows");
    EXPECT_EQ(series[1].windows, 2U);
    ASSERT_EQ(series[1].lengths.size(), 3U);
    const std::vector<std::size_t> packed = {0, 80};
    for (const auto& [of, begins] : {std::pair{series[0], documents}, {series[1], packed}}) {
      for (const LengthResult& at : of.lengths) {
        const auto length = static_cast<std::size_t>(at.length);
        EXPECT_NEAR(at.whole.loss, mean_loss(*model.transformer, file, begins, 0, length), 1e-12)
            << encoding << ' ' << length;
        EXPECT_NEAR(at.far.loss, mean_loss(*model.transformer, file, begins, length / 2, length), 1e-12)
            << encoding << ' ' << length;
        ASSERT_TRUE(at.whole.interval.has_value());
        EXPECT_LE(at.whole.interval->lower, at.whole.loss);
        EXPECT_GE(at.whole.interval->upper, at.whole.loss);
      }
    }
  }
}

TEST(Evaluate, every_token_is_counted_once) {
  const tests::TemporaryFolder folder;
  const LoadedModel model = new_model(small("ape"), oracle());
  tests::stretch(*model.transformer, 12);
  for (const std::size_t tokens : {29UL, 31UL, 5UL}) {  // 28 = 4·7, 30 = 4·7 + 2, 4 predictions
    const TokenFile file(file_of(folder, {tokens}));
    const Series series = every_token(*model.transformer, file, 7, "t", [](double) {});
    double sum = 0;
    std::size_t pieces = 0;
    for (std::size_t begin = 0; begin + 1 < tokens; begin += 7) {
      const std::size_t here = std::min<std::size_t>(7, tokens - 1 - begin);
      sum += mean_loss(*model.transformer, file, {begin}, 0, here) * static_cast<double>(here);
      ++pieces;
    }
    EXPECT_EQ(series.windows, pieces);
    EXPECT_NEAR(series.lengths[0].whole.loss, sum / static_cast<double>(tokens - 1), 1e-12) << tokens;
  }
}

TEST(Evaluate, a_single_window_has_no_interval_and_a_short_file_is_refused) {
  const tests::TemporaryFolder folder;
  const TokenFile file(file_of(folder, {33}));
  const LoadedModel model = new_model(small("ape"), oracle());
  EvaluateOptions options;
  options.lengths = {32};
  const std::vector<Series> series = evaluate(*model.transformer, file, "t", options);
  ASSERT_EQ(series.size(), 1U);
  EXPECT_FALSE(series[0].lengths[0].whole.interval.has_value());
  options.lengths = {33};
  EXPECT_THROW(evaluate(*model.transformer, file, "t", options), theory::SpecError);
}

TEST(Evaluate, tokens_beyond_the_vocabulary_are_refused) {
  const tests::TemporaryFolder folder;
  const TokenFile file(tests::write_tokens(folder, "t", {1, 2, 12, 3}, 13, kEnd));
  const LoadedModel model = new_model(small("ape"), oracle());
  EvaluateOptions options;
  options.lengths = {2};
  EXPECT_THROW(evaluate(*model.transformer, file, "t", options), theory::SpecError);
}

TEST(Tasks, answers_are_counted_by_task_and_length_as_token_by_token) {
  const tests::TemporaryFolder folder;
  const TokenFile file(file_of(folder, {12, 12, 12, 9}));
  TaskAnswers answers;
  answers.tasks = {"copy", "sort"};
  answers.answers = {{0, 0, 12, 4, 6, 1},
                     {0, 0, 12, 8, 9, 1},
                     {1, 12, 12, 20, 23, 2},
                     {0, 24, 12, 30, 31, 5},
                     {0, 36, 9, 40, 42, 1}};
  const LoadedModel model = new_model(small("ssmax"), oracle());
  tests::stretch(*model.transformer, 12);
  double done = 0;
  const auto results = evaluate_tasks(*model.transformer, file, answers, [&](double part) { done = part; });
  EXPECT_EQ(done, 1);
  struct Expected {
    std::string task;
    std::size_t length, documents;
    std::vector<TaskAnswer> answers;
  };
  const auto& a = answers.answers;
  const std::vector<Expected> all = {
      {"copy", 9, 1, {a[4]}}, {"copy", 12, 2, {a[0], a[1], a[3]}}, {"sort", 12, 1, {a[2]}}};
  ASSERT_EQ(results.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    double losses = 0;
    double right = 0;
    std::size_t count = 0;
    std::map<std::uint16_t, double> tokens;
    for (const TaskAnswer& answer : all[i].answers) {
      for (std::size_t place = answer.begin; place < answer.end; ++place) {
        const auto first = file.tokens().begin() + static_cast<std::ptrdiff_t>(answer.document);
        const std::size_t read = place - answer.document;
        losses += mean_loss(*model.transformer, file, {answer.document}, read - 1, read);
        KeyValueCache cache;
        const std::vector<std::int64_t> before(first, first + static_cast<std::ptrdiff_t>(read));
        const at::Tensor logits = model.transformer->next_logits(at::tensor(before).unsqueeze(0), cache);
        right += logits.narrow(0, 0, tests::kSmallVocabulary).argmax().item<std::int64_t>() ==
                 file.tokens()[place];
        ++tokens[file.tokens()[place]];
        ++count;
      }
    }
    EXPECT_EQ(results[i].task, all[i].task);
    EXPECT_EQ(results[i].length, all[i].length);
    EXPECT_EQ(results[i].documents, all[i].documents);
    EXPECT_EQ(results[i].answers, count);
    EXPECT_NEAR(results[i].loss.loss, losses / static_cast<double>(count), 1e-12);
    EXPECT_EQ(results[i].accuracy, right / static_cast<double>(count));
    const auto most = std::ranges::max_element(tokens, {}, &std::pair<const std::uint16_t, double>::second);
    EXPECT_EQ(results[i].constant, most->second / static_cast<double>(count));
  }
}

TEST(Recall, counts_the_right_names_and_measures_the_answers_loss) {
  const tests::TemporaryFolder folder;
  const TokenFile file(file_of(folder, {12, 12, 12}));
  AnswerKey key;
  key.candidates = {0, 4, 8};
  for (const std::size_t document : {0, 12, 24}) {
    PlantedReference reference;
    reference.document = document;
    reference.name_at = document + 2;
    reference.query_at = document + (document == 24 ? 8 : 6);
    reference.answer_end = reference.query_at + 3;
    key.references.push_back(reference);
  }
  const LoadedModel model = new_model(small("alibi"), oracle());
  tests::stretch(*model.transformer, 12);
  const auto results = recall(*model.transformer, file, key, [](double) {});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].distance, 4U);
  EXPECT_EQ(results[0].asked, 2U);
  EXPECT_EQ(results[1].distance, 6U);
  double losses = 0;
  double right = 0;
  for (const std::size_t document : {0, 12}) {
    losses += mean_loss(*model.transformer, file, {document}, 6, 8);
    KeyValueCache cache;
    std::vector<std::int64_t> read(file.tokens().begin() + static_cast<std::ptrdiff_t>(document),
                                   file.tokens().begin() + static_cast<std::ptrdiff_t>(document + 7));
    const at::Tensor logits = model.transformer->next_logits(at::tensor(read).unsqueeze(0), cache);
    std::uint16_t likeliest = 0;
    for (const std::uint16_t name : {4, 8}) {
      if (logits[name].item<float>() > logits[likeliest].item<float>()) likeliest = name;
    }
    right += likeliest == file.tokens()[document + 7] ? 1 : 0;
  }
  EXPECT_NEAR(results[0].answer.loss, losses / 2, 1e-12);
  EXPECT_EQ(results[0].accuracy, right / 2);
  key.candidates.clear();
  EXPECT_FALSE(recall(*model.transformer, file, key, [](double) {})[0].accuracy.has_value());
}

}  // namespace evaluate_test
