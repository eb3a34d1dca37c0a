#include "model/data/batch_sampler.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "model/data/random.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

BatchSampler::BatchSampler(std::span<const std::uint16_t> tokens, std::size_t context, std::uint64_t seed)
    : tokens_(tokens), context_(context), seed_(seed) {
  assert(context > 0);
  if (tokens.size() <= context) {
    throw theory::SpecError("a context of " + std::to_string(context) + " needs " +
                            std::to_string(context + 1) + " tokens; there are " +
                            std::to_string(tokens.size()));
  }
}

BatchSampler::BatchSampler(std::span<const std::uint16_t> tokens, std::size_t context, std::uint64_t seed,
                           const TaskAnswers& answers)
    : BatchSampler(tokens, context, seed) {
  answers_.resize(tokens.size());
  for (const TaskAnswer& answer : answers.answers) {
    for (std::size_t i = answer.begin; i < std::min(answer.end, tokens.size()); ++i) answers_[i] = true;
    const bool fits = answer.document + context < tokens.size() && answer.begin <= answer.document + context;
    if (fits && (begins_.empty() || begins_.back() != answer.document)) begins_.push_back(answer.document);
  }
  if (begins_.empty())
    throw theory::SpecError("no document has an answer within a context of " + std::to_string(context));
  for (const std::size_t begin : begins_) {
    const auto first = answers_.begin() + static_cast<std::ptrdiff_t>(begin) + 1;
    asked_.push_back(
        static_cast<std::size_t>(std::count(first, first + static_cast<std::ptrdiff_t>(context), true)));
  }
}

std::size_t BatchSampler::offset(std::uint64_t step, std::uint64_t row) const {
  if (!begins_.empty()) return begins_[random_below(begins_.size(), seed_, step, row)];
  return random_below(tokens_.size() - context_, seed_, step, row);
}

std::size_t BatchSampler::targets_asked(std::uint64_t step, std::uint64_t rows) const {
  if (begins_.empty()) return rows * context_;
  std::size_t result = 0;
  for (std::uint64_t row = 0; row < rows; ++row)
    result += asked_[random_below(begins_.size(), seed_, step, row)];
  return result;
}

void BatchSampler::fill(std::uint64_t step, std::uint64_t first_row, std::span<std::int64_t> inputs,
                        std::span<std::int64_t> targets) const {
  assert(inputs.size() == targets.size() && inputs.size() % context_ == 0);
  for (std::size_t row = 0; row * context_ < inputs.size(); ++row) {
    const std::size_t begin = offset(step, first_row + row);
    const auto piece = tokens_.subspan(begin, context_ + 1);
    std::ranges::copy(piece.first(context_), inputs.subspan(row * context_).begin());
    const auto of_row = targets.subspan(row * context_, context_);
    std::ranges::copy(piece.last(context_), of_row.begin());
    if (answers_.empty()) continue;
    for (std::size_t i = 0; i < context_; ++i)
      if (!answers_[begin + 1 + i]) of_row[i] = kNotAsked;
  }
}

}  // namespace gpe::model
