#include "model/evaluation/evaluate_tasks.h"
// Tests: tests/model/evaluation/evaluate_test.cpp
#include <algorithm>
#include <map>

#include "model/gpt/head_loss.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

// A document, and the tokens of it that are answers.
struct TaskDocument {
  std::size_t task = 0, begin = 0, length = 0;
  std::vector<std::size_t> places;
};

std::vector<TaskDocument> documents_of(const TaskAnswers& answers) {
  std::vector<TaskDocument> result;
  for (const TaskAnswer& answer : answers.answers) {
    if (result.empty() || result.back().begin != answer.document)
      result.push_back({answer.task, answer.document, answer.length, {}});
    for (std::size_t i = answer.begin; i < answer.end; ++i) result.back().places.push_back(i);
  }
  return result;
}

struct Sums {
  std::vector<Cluster> right, losses;
  std::map<std::uint16_t, std::size_t> tokens;  // how often each is the answer
};

// Documents of one length, read together.
class Reader {
 public:
  Reader(Transformer& model, const TokenFile& file)
      : model_(model),
        tokens_(file.tokens()),
        head_(model.head().detach().to(at::kCPU)),
        known_(head_.narrow(0, 0, model.config().model.vocabulary)) {}

  void read(std::span<const TaskDocument> documents,
            std::map<std::pair<std::size_t, std::size_t>, Sums>& sums) {
    const auto length = static_cast<std::int64_t>(documents.front().length) - 1;  // nothing follows the last
    std::vector<std::size_t> begins;
    std::vector<std::int64_t> rows, targets;
    for (const TaskDocument& document : documents) {
      for (const std::size_t place : document.places) {
        rows.push_back(std::ssize(begins) * length + static_cast<std::int64_t>(place - document.begin) - 1);
        targets.push_back(tokens_[place]);
      }
      begins.push_back(document.begin);
    }
    const at::Tensor hidden = model_.hidden(tokens_at(tokens_, begins, length)).flatten(0, 1).to(at::kCPU);
    const at::Tensor x = hidden.index_select(0, at::tensor(rows, at::kLong));
    const at::Tensor asked = at::tensor(targets, at::kLong);
    const at::Tensor losses = token_losses(x, head_, asked);
    const at::Tensor right = at::mm(x, known_.to(x.scalar_type()).t()).argmax(1).eq(asked);
    std::int64_t first = 0;
    for (const TaskDocument& document : documents) {
      const auto count = std::ssize(document.places);
      Sums& of = sums[{document.task, document.length}];
      const auto all = static_cast<double>(count);
      of.right.push_back({right.narrow(0, first, count).sum().to(at::kDouble).item<double>(), all});
      of.losses.push_back({losses.narrow(0, first, count).sum().item<double>(), all});
      for (const std::size_t place : document.places) ++of.tokens[tokens_[place]];
      first += count;
    }
  }

 private:
  Transformer& model_;
  std::span<const std::uint16_t> tokens_;
  at::Tensor head_, known_;
};

}  // namespace

std::vector<TaskResult> evaluate_tasks(Transformer& model, const TokenFile& file, const TaskAnswers& answers,
                                       const std::function<void(double)>& progress) {
  file.check(model.config().model.vocabulary);
  const std::vector<TaskDocument> documents = documents_of(answers);
  const std::int64_t table = model.config().model.position_table;
  for (const TaskDocument& document : documents) {
    if (table > 0 && static_cast<std::int64_t>(document.length) - 1 > table) {
      throw theory::SpecError("a document has " + std::to_string(document.length) +
                              " tokens, and the model a table of " + std::to_string(table) + " positions");
    }
  }
  Reader reader(model, file);
  std::map<std::pair<std::size_t, std::size_t>, Sums> sums;
  for (std::size_t first = 0; first < documents.size();) {
    const std::size_t length = documents[first].length;
    const std::size_t most = std::max<std::size_t>(1, kTokensAtOnce / length);
    std::size_t end = first;
    while (end < documents.size() && end - first < most && documents[end].length == length) ++end;
    reader.read(std::span(documents).subspan(first, end - first), sums);
    first = end;
    progress(static_cast<double>(first) / static_cast<double>(documents.size()));
  }
  std::vector<TaskResult> result;
  for (const auto& [of, sum] : sums) {
    TaskResult here;
    here.task = answers.tasks[of.first];
    here.length = of.second;
    here.documents = sum.right.size();
    const MeanLoss right = mean_of(sum.right);
    here.accuracy = right.loss;
    here.accuracy_interval = right.interval;
    here.loss = mean_of(sum.losses);
    std::size_t most = 0;
    for (const auto& [token, count] : sum.tokens) {
      most = std::max(most, count);
      here.answers += count;
    }
    here.constant = static_cast<double>(most) / static_cast<double>(here.answers);
    result.push_back(std::move(here));
  }
  return result;
}

}  // namespace gpe::model
