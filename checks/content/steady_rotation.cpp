#include "checks/content/steady_rotation.h"
// Tests: tests/checks/content/frozen_pair_test.cpp
#include <cassert>

namespace gpe::checks {

SteadyRotation::SteadyRotation(std::vector<FrozenBlock> blocks, std::vector<Ball> frequencies, long bits)
    : blocks_(std::move(blocks)), frequencies_(std::move(frequencies)), bits_(bits) {
  assert(blocks_.size() == frequencies_.size());
  for (std::int64_t r = 0; r < kPage; ++r) {
    for (const Ball& frequency : frequencies_) {
      const Ball angle = mul(frequency, Ball(r), bits_);
      within_.push_back({cos(angle, bits_), sin(angle, bits_)});
    }
  }
}

// cosine cos(x + y) + sine sin(x + y) = (cosine cos x + sine sin x) cos y + (sine cos x - cosine sin x) sin
// y.
void SteadyRotation::move_to(std::int64_t page) {
  turned_.clear();
  for (std::size_t j = 0; j < blocks_.size(); ++j) {
    const Ball angle = mul(frequencies_[j], Ball(page * kPage), bits_);
    const Ball c = cos(angle, bits_);
    const Ball s = sin(angle, bits_);
    turned_.push_back({add(mul(blocks_[j].cosine, c, bits_), mul(blocks_[j].sine, s, bits_), bits_),
                       sub(mul(blocks_[j].sine, c, bits_), mul(blocks_[j].cosine, s, bits_), bits_)});
  }
  page_ = page;
}

Ball SteadyRotation::at(std::int64_t n) {
  assert(n >= 0);
  if (n / kPage != page_) move_to(n / kPage);
  const Turn* turn = &within_[static_cast<std::size_t>(n % kPage) * blocks_.size()];
  Ball sum(0);
  for (const FrozenBlock& block : turned_) {
    arb_addmul(sum.raw(), block.cosine.raw(), turn->cosine.raw(), bits_);
    arb_addmul(sum.raw(), block.sine.raw(), turn->sine.raw(), bits_);
    ++turn;
  }
  return sum;
}

}  // namespace gpe::checks
