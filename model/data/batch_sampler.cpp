#include "model/data/batch_sampler.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "model/data/random.h"
#include "theory/expression/spec_error.h"

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

std::size_t BatchSampler::offset(std::uint64_t step, std::uint64_t row) const {
  return random_below(tokens_.size() - context_, seed_, step, row);
}

void BatchSampler::fill(std::uint64_t step, std::uint64_t first_row, std::span<std::int64_t> inputs,
                        std::span<std::int64_t> targets) const {
  assert(inputs.size() == targets.size() && inputs.size() % context_ == 0);
  for (std::size_t row = 0; row * context_ < inputs.size(); ++row) {
    const auto piece = tokens_.subspan(offset(step, first_row + row), context_ + 1);
    std::ranges::copy(piece.first(context_), inputs.subspan(row * context_).begin());
    std::ranges::copy(piece.last(context_), targets.subspan(row * context_).begin());
  }
}

}  // namespace gpe::model
