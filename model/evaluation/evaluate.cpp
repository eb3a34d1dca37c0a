#include "model/evaluation/evaluate.h"

#include <algorithm>
#include <map>

#include "model/gpt/head_loss.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

constexpr std::uint64_t kBootstrapSeed = 1;

Cluster sum_of(const double* losses, std::int64_t from, std::int64_t to) {
  double result = 0;
  for (std::int64_t i = from; i < to; ++i) result += losses[i];
  return {result, static_cast<double>(to - from)};
}

// Sums of losses over the first T tokens and over the second half of them, window by window.
class Totals {
 public:
  explicit Totals(const std::vector<std::int64_t>& lengths)
      : lengths_(lengths), whole_(lengths.size()), far_(lengths.size()) {}

  void add(const double* losses, std::int64_t length) {
    for (std::size_t k = 0; k < lengths_.size() && lengths_[k] <= length; ++k) {
      whole_[k].push_back(sum_of(losses, 0, lengths_[k]));
      far_[k].push_back(sum_of(losses, lengths_[k] / 2, lengths_[k]));
    }
  }

  std::vector<LengthResult> results() const {
    std::vector<LengthResult> result;
    for (std::size_t k = 0; k < lengths_.size(); ++k) {
      if (whole_[k].empty()) continue;
      result.push_back({lengths_[k], mean_of(whole_[k]), mean_of(far_[k]), {}});
      for (const Cluster& window : whole_[k]) result.back().by_window.push_back(window.sum / window.count);
    }
    return result;
  }

 private:
  std::vector<std::int64_t> lengths_;
  std::vector<std::vector<Cluster>> whole_;
  std::vector<std::vector<Cluster>> far_;
};

}  // namespace

at::Tensor tokens_at(std::span<const std::uint16_t> tokens, const std::vector<std::size_t>& begins,
                     std::int64_t length) {
  at::Tensor result = at::empty({static_cast<std::int64_t>(begins.size()), length}, at::kLong);
  std::int64_t* to = result.mutable_data_ptr<std::int64_t>();
  for (const std::size_t begin : begins) {
    for (std::int64_t i = 0; i < length; ++i) *to++ = tokens[begin + static_cast<std::size_t>(i)];
  }
  return result;
}

MeanLoss mean_of(const std::vector<Cluster>& clusters) {
  return {cluster_mean(clusters), bootstrap_interval(clusters, kBootstrapSeed)};
}

std::vector<Series> evaluate(Transformer& model, const TokenFile& file, const std::string& source,
                             const EvaluateOptions& options) {
  file.check(model.config().model.vocabulary);
  const std::vector<Document> documents = file.documents();
  const std::int64_t longest = options.lengths.back();
  struct Plan {
    std::string over;
    std::vector<Window> windows;
  };
  std::vector<Plan> plans;
  for (std::size_t k = options.lengths.size(); k-- > 0;) {  // the greatest length that enough documents have
    const std::int64_t length = options.lengths[k];
    const std::size_t as_many_tokens = options.windows * static_cast<std::size_t>(longest / length);
    std::vector<Window> windows =
        document_windows(documents, static_cast<std::size_t>(length), as_many_tokens);
    if (windows.size() < options.windows || documents.size() < 2) continue;
    plans.push_back({"documents", std::move(windows)});
    break;
  }
  if (plans.empty() || plans.back().windows.front().length < static_cast<std::size_t>(longest)) {
    plans.push_back({"packed windows",
                     packed_windows(documents, static_cast<std::size_t>(longest), options.windows, source)});
  }
  double all = 0;
  double done = 0;
  for (const Plan& plan : plans)
    all += static_cast<double>(plan.windows.size() * plan.windows.front().length);
  std::vector<Series> result;
  for (const Plan& plan : plans) {
    const auto length = static_cast<std::int64_t>(plan.windows.front().length);
    const auto rows = static_cast<std::size_t>(std::max<std::int64_t>(1, kTokensAtOnce / length));
    Totals totals(options.lengths);
    for (std::size_t first = 0; first < plan.windows.size(); first += rows) {
      std::vector<std::size_t> inputs;
      std::vector<std::size_t> targets;
      for (std::size_t i = first; i < std::min(first + rows, plan.windows.size()); ++i) {
        inputs.push_back(plan.windows[i].begin);
        targets.push_back(plan.windows[i].begin + 1);
      }
      const at::Tensor losses =
          model.losses(tokens_at(file.tokens(), inputs, length), tokens_at(file.tokens(), targets, length));
      for (std::int64_t row = 0; row < losses.size(0); ++row)
        totals.add(losses.const_data_ptr<double>() + row * length, length);
      done += static_cast<double>(losses.numel());
      options.progress(done / all);
    }
    result.push_back({plan.over, plan.windows.size(), totals.results()});
  }
  return result;
}

Series every_token(Transformer& model, const TokenFile& file, std::int64_t length, const std::string& source,
                   const std::function<void(double)>& progress) {
  file.check(model.config().model.vocabulary);
  const auto predicted = static_cast<std::int64_t>(file.tokens().size()) - 1;
  if (predicted < 1) throw theory::SpecError(source + ": there is no token to predict");
  const std::int64_t rows = std::max<std::int64_t>(1, kTokensAtOnce / length);
  std::vector<Cluster> whole;
  std::vector<Cluster> far;
  for (std::int64_t begin = 0; begin < predicted;) {
    const std::int64_t here = std::min(length, predicted - begin);  // the last piece may be shorter
    const std::int64_t count = std::min(rows, (predicted - begin) / here);
    std::vector<std::size_t> inputs;
    std::vector<std::size_t> targets;
    for (std::int64_t i = 0; i < count; ++i) {
      inputs.push_back(static_cast<std::size_t>(begin + i * here));
      targets.push_back(inputs.back() + 1);
    }
    const at::Tensor losses =
        model.losses(tokens_at(file.tokens(), inputs, here), tokens_at(file.tokens(), targets, here));
    for (std::int64_t row = 0; row < count; ++row) {
      const double* of_row = losses.const_data_ptr<double>() + row * here;
      whole.push_back(sum_of(of_row, 0, here));
      far.push_back(sum_of(of_row, here / 2, here));
    }
    begin += count * here;
    progress(static_cast<double>(begin) / static_cast<double>(predicted));
  }
  return {"every token", whole.size(), {{length, mean_of(whole), mean_of(far), {}}}};
}

std::vector<RecallResult> recall(Transformer& model, const TokenFile& file, const AnswerKey& key,
                                 const std::function<void(double)>& progress) {
  file.check(model.config().model.vocabulary);
  struct Answers {
    std::vector<Cluster> right;
    std::vector<Cluster> losses;
  };
  std::map<std::size_t, Answers> by_distance;
  for (const std::uint16_t candidate : key.candidates) {
    if (candidate >= model.config().model.vocabulary)
      throw theory::SpecError("the answer key names token " + std::to_string(candidate) +
                              ", which the model does not have");
  }
  const at::Tensor candidates = at::empty({static_cast<std::int64_t>(key.candidates.size())}, at::kLong);
  std::copy(key.candidates.begin(), key.candidates.end(), candidates.mutable_data_ptr<std::int64_t>());
  const at::Tensor head = model.head().detach().to(at::kCPU);
  std::size_t done = 0;
  for (const PlantedReference& reference : key.references) {
    const auto length = static_cast<std::int64_t>(reference.answer_end - 1 - reference.document);
    const auto answer = static_cast<std::int64_t>(reference.answer_size());
    const at::Tensor inputs = tokens_at(file.tokens(), {reference.document}, length);
    const at::Tensor targets = tokens_at(file.tokens(), {reference.document + 1}, length);
    const at::Tensor last = model.hidden(inputs)[0].narrow(0, length - answer, answer).to(at::kCPU);
    const at::Tensor losses = token_losses(last, head, targets[0].narrow(0, length - answer, answer));
    Answers& answers = by_distance[reference.distance()];
    answers.losses.push_back({losses.sum().item<double>(), static_cast<double>(answer)});
    if (!key.candidates.empty()) {
      const at::Tensor logits = at::mv(head.index_select(0, candidates).to(last.scalar_type()), last[0]);
      const std::int64_t likeliest = candidates[logits.argmax().item<std::int64_t>()].item<std::int64_t>();
      answers.right.push_back({likeliest == file.tokens()[reference.query_at + 1] ? 1.0 : 0.0, 1});
    }
    progress(static_cast<double>(++done) / static_cast<double>(key.references.size()));
  }
  std::vector<RecallResult> result;
  for (const auto& [distance, answers] : by_distance) {
    RecallResult of{distance, answers.losses.size(), std::nullopt, std::nullopt, mean_of(answers.losses)};
    if (!answers.right.empty()) {
      of.accuracy = cluster_mean(answers.right);
      of.accuracy_interval = bootstrap_interval(answers.right, kBootstrapSeed);
    }
    result.push_back(of);
  }
  return result;
}

}  // namespace gpe::model
