// make-tasks: token files of tasks whose answers are known, with the places of the answers beside them.
// Tests: tests/model/make_tasks_test.py
#include <algorithm>
#include <numeric>

#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "model/data/answer_key.h"
#include "model/data/recall_story.h"
#include "model/data/task.h"
#include "model/data/task_answers.h"
#include "model/data/token_writer.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"

namespace gpe::model::make_tasks_program {
namespace {

namespace fs = std::filesystem;
using theory::SpecError;

struct Options {
  std::string output;
  std::vector<std::string> tasks = {"recall", "copy",          "flip-flop", "n-back",
                                    "count",  "most-frequent", "sort"};
  std::string lengths = "64";
  std::uint64_t count = 1000;
  double nearest = 0;
  std::size_t shortest = 0;
  TaskForm form;
  std::string tokenizer;
  std::uint64_t seed = 1;
};

struct Share {
  Task task;
  std::uint64_t documents = 1;  // for each one of --count
};

std::vector<Share> shares(const std::vector<std::string>& texts) {
  std::vector<Share> result;
  const std::vector<std::string> names(kTaskNames.begin(), kTaskNames.end());
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw SpecError("--tasks: unknown task '" + name + "'" + theory::did_you_mean(name, names));
    const auto task = static_cast<Task>(found - names.begin());
    if (std::ranges::any_of(result, [&](const Share& share) { return share.task == task; }))
      throw SpecError("--tasks: '" + name + "' is given twice");
    Share share{task};
    if (equals != std::string::npos) {
      const std::string number = text.substr(equals + 1);
      const bool is_number = !number.empty() && number.size() <= 3 &&
                             number.find_first_not_of("0123456789") == std::string::npos;
      share.documents = is_number ? std::stoull(number) : 0;
      if (share.documents == 0) throw SpecError("--tasks: " + text + ": expected NAME=N, N from 1 to 999");
    }
    result.push_back(share);
  }
  return result;
}

std::vector<std::size_t> lengths_of(const std::string& text) {
  constexpr std::int64_t kLeast = 32;
  constexpr std::int64_t kMax = 1 << 20;
  std::vector<std::size_t> result;
  for (const theory::Rational& value : checks::lengths_option("--lengths", text)) {
    const auto number = value.to_int64();
    if (!number || *number < kLeast || *number > kMax) {
      throw SpecError("--lengths: " + value.str() + " is not from " + std::to_string(kLeast) + " to " +
                      std::to_string(kMax));
    }
    result.push_back(static_cast<std::size_t>(*number));
  }
  return result;
}

// The tokens: of the tokenizer, or the end token alone; separator, padding, one for each task, the symbols.
class Writer {
 public:
  Writer(const Options& options, bool stories) : options_(options) {
    if (options.tokenizer.empty()) {
      if (stories) throw SpecError("--tasks story needs --tokenizer: stories are written in its tokens");
      return;
    }
    place_ = fs::is_directory(options.tokenizer) ? fs::path(options.tokenizer) / "tokenizer.json"
                                                 : fs::path(options.tokenizer);
    tokenizer_.emplace(Tokenizer::load(place_));
    const auto end = tokenizer_->added_token(kEndOfText);
    if (!end) throw SpecError(options.tokenizer + ": has no token " + std::string(kEndOfText));
    end_ = static_cast<std::uint16_t>(*end);
    first_ = tokenizer_->vocabulary_size();
    constexpr std::int64_t kMaxTokens = 1 << 16;
    if (vocabulary() > kMaxTokens)
      throw SpecError(options.tokenizer + ": with those of tasks, more tokens than 16 bits number");
    if (stories) stories_.emplace(*tokenizer_, options.seed);
  }

  void add(Task task, std::size_t length, std::uint64_t index) {
    const std::size_t document = tokens_.size();
    constexpr std::uint64_t kDocuments = std::uint64_t{1}
                                         << 32U;  // of a task and length, in a stream's number
    Random random(options_.seed, (static_cast<std::uint64_t>(task) << 56U) + length * kDocuments + index);
    TaskText text;
    if (task != Task::story) text = text_of(task, length, random);
    if (mixed()) tokens_.resize(document + random.below(length - 1 - text.numbers.size()), own(1));
    tokens_.push_back(own(2 + static_cast<std::int64_t>(task)));
    const std::size_t begin = tokens_.size();
    if (task == Task::story) text.answers = add_story(length, index);
    for (const int number : text.numbers)
      tokens_.push_back(number == kSeparator ? own(0) : own(kSymbol + number));
    for (const AnswerPlace& place : text.answers) {
      answers_.answers.push_back({.task = static_cast<std::size_t>(task),
                                  .document = document,
                                  .length = length,
                                  .begin = begin + place.begin,
                                  .end = begin + place.end,
                                  .distance = place.distance});
    }
    tokens_.resize(document + length - 1, own(1));
    tokens_.push_back(end_);
    ++documents_;
  }

  void write() {
    const fs::path file = options_.output;
    fs::remove(answer_key_file(file));  // never the answers of other tokens
    answers_.seed = options_.seed;
    answers_.tasks.assign(kTaskNames.begin(), kTaskNames.end());
    answers_.tokens_sha256 = write_tokens(file, tokens_,
                                          {.program = "make-tasks",
                                           .vocabulary = vocabulary(),
                                           .end_of_text = end_,
                                           .documents = documents_,
                                           .tokenizer = place_,
                                           .text = tokenizer_.has_value()});
    write_task_answers(answer_key_file(file), answers_);
  }

 private:
  static constexpr std::int64_t kSymbol = 2 + static_cast<std::int64_t>(kTaskNames.size());

  std::int64_t vocabulary() const { return first_ + kSymbol + kRecallSymbols; }
  std::uint16_t own(std::int64_t number) const { return static_cast<std::uint16_t>(first_ + number); }

  bool mixed() const { return options_.shortest > 0; }

  // Of the whole document, or of a random part of it, which has the token of the task, too.
  TaskText text_of(Task task, std::size_t length, Random& random) const {
    const std::size_t least = options_.shortest;
    const std::size_t part = mixed() ? least + random.below(length - least) : length - 1;
    const std::size_t of = mixed() ? part : length;
    const auto nearest = static_cast<std::size_t>(options_.nearest * static_cast<double>(of));
    TaskForm form = options_.form;
    form.short_texts = mixed();
    return task_text(task, part - 1, nearest, random, form);
  }

  // A name asked for at half the length; of stories whose beginning is too long, the next one.
  std::vector<AnswerPlace> add_story(std::size_t length, std::uint64_t index) {
    constexpr std::uint64_t kAttempts = 64;
    for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
      const RecallStory story = stories_->make(length / 2, index * kAttempts + attempt, 1);
      if (story.tokens.size() + 1 > length) continue;
      for (const Token token : std::span(story.tokens).first(story.tokens.size() - 1))
        tokens_.push_back(static_cast<std::uint16_t>(token));
      return {{story.query_at + 1, story.answer_end, story.distance()}};
    }
    throw SpecError("story: " + std::to_string(length) + " tokens have no room for a name asked for at " +
                    std::to_string(length / 2) + " tokens");
  }

  const Options& options_;
  fs::path place_;
  std::optional<Tokenizer> tokenizer_;
  std::optional<RecallStories> stories_;
  std::uint16_t end_ = 0;
  std::int64_t first_ = 1;
  std::size_t documents_ = 0;
  std::vector<std::uint16_t> tokens_;
  TaskAnswers answers_;
};

int run(const Options& o) {
  if (fs::path(o.output).extension() != ".bin")
    throw SpecError("--output " + o.output + ": expected FILE.bin");
  const std::vector<Share> tasks = shares(o.tasks);
  const std::vector<std::size_t> lengths = lengths_of(o.lengths);
  std::uint64_t each = 0;
  for (const Share& share : tasks) each += share.documents;
  const double tokens = static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0})) *
                        static_cast<double>(o.count) * static_cast<double>(each);
  constexpr double kMaxTokens = 0x1p31;
  if (tokens > kMaxTokens) throw SpecError("--count: more than 2147483648 tokens");
  const std::size_t least = std::ranges::min(lengths);
  if (o.shortest >= least)
    throw SpecError("--shortest " + std::to_string(o.shortest) + ": documents have " + std::to_string(least) +
                    " tokens");
  const bool stories =
      std::ranges::any_of(tasks, [](const Share& share) { return share.task == Task::story; });
  if (stories && o.shortest > 0) throw SpecError("--shortest: a story has the length of its document");
  Writer writer(o, stories);
  checks::ProgressLine line("make-tasks");
  for (const std::size_t length : lengths) {
    line.show("documents of " + std::to_string(length) + " tokens");
    for (std::uint64_t index = 0; index < o.count; ++index) {
      for (const Share& share : tasks) {
        for (std::uint64_t i = 0; i < share.documents; ++i)
          writer.add(share.task, length, index * share.documents + i);
      }
    }
  }
  writer.write();
  return checks::kDone;
}

std::vector<checks::Option> options(Options& o) {
  return {{"--output", &o.output, "FILE", "FILE.bin; FILE.json and FILE.answers.json beside it", "",
           checks::Required{}},
          {"--tasks", &o.tasks, "NAME[=N],...",
           "tasks among recall, copy, flip-flop, n-back, count, most-frequent, sort (default: all these) and "
           "story; "
           "NAME=N: N times as many documents",
           "", checks::CommaList{}},
          {"--lengths", &o.lengths, "T",
           "document lengths in tokens: 64..4096 (doubling), or a list (default 64)"},
          {"--count", &o.count, "N", "documents of each task and length (default 1000)", "",
           checks::WholeNumbers{1, 100'000'000}},
          {"--nearest", &o.nearest, "P",
           "recall, flip-flop, most-frequent with --share: nothing that knows an answer is nearer than this "
           "part of the length (default 0)",
           "", checks::Numbers{0.0, 1.0}},
          {"--shortest", &o.shortest, "N",
           "texts of N tokens to the length, each at a random place of its document", "",
           checks::WholeNumbers{8, 1 << 20}},
          {"--run-lengths", &o.form.run_lengths, "",
           "count: the answers are the lengths of the runs, which are independent"},
          {"--share", &o.form.share, "P", "most-frequent: the part of the source that is the answer", "",
           checks::Numbers{0.2, 1.0}},
          {"--tokenizer", &o.tokenizer, "T", "tokenizer.json, or a folder with one: for stories"},
          {"--seed", &o.seed, "N", "the same seed gives the same documents (default 1)"}};
}

}  // namespace

int run(int argc, char** argv) {
  return checks::program_main(
      {"make-tasks", "Makes tasks whose answers are known, as tokens: documents of one length each.",
       "Examples:\n"
       "  make-tasks --count 40000 --output data/tasks/train.bin\n"
       "  make-tasks --lengths 64..4096 --count 32 --nearest 0.4 --seed 2 --output data/tasks/far.bin\n"
       "Exit: 0 done, 2 bad use or a wrong file, 1 anything else."},
      argc, argv, options, run);
}

}  // namespace gpe::model::make_tasks_program
