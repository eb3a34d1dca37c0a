// An array of balls in one allocation, as FLINT's vector functions take them.
// Tests: tests/checks/sums/family_bounds_test.cpp, tests/checks/sums/family_quick_test.cpp
#pragma once

#include <utility>

#include "checks/arb/ball.h"

namespace gpe::checks {

class BallVector {
 public:
  explicit BallVector(long size) : data_(_arb_vec_init(size)), size_(size) {}
  BallVector(const BallVector&) = delete;
  BallVector& operator=(const BallVector&) = delete;
  BallVector(BallVector&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  BallVector& operator=(BallVector&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~BallVector() {
    if (data_ != nullptr) _arb_vec_clear(data_, size_);
  }

  long size() const { return size_; }
  arb_ptr at(long i) { return data_ + i; }
  arb_srcptr at(long i) const { return data_ + i; }

 private:
  arb_ptr data_;
  long size_;
};

}  // namespace gpe::checks
