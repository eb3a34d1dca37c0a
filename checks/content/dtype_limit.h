// The first distance at which neighbouring biases or angles are the same number in a floating-point format.
#pragma once

#include <string>
#include <vector>

#include "checks/arb/big_count.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// Binary floating point: `precision` significant bits, largest exponent `emax` (largest number (2 -
/// 2^(1-p))·2^emax), gradual underflow below 2^(1-emax), round to nearest even.
struct FloatFormat {
  std::string name;
  int precision;
  int emax;
};
/// "bf16", "fp16", "fp32". @throws theory::SpecError for another name.
FloatFormat float_format(const std::string& option, const std::string& name);

/// x rounded to the format; ±2^(emax+1), which is not a finite number of it, for an infinity.
theory::Rational rounded(const theory::Rational& x, const FloatFormat& format);

struct DtypeLimit {
  FloatFormat format;
  BigCount bias;        ///< least n with fl(b(n)) = fl(b(n+1)) although b(n) ≠ b(n+1); none: b is constant
  BigCount angle;       ///< the least such n over all blocks, for the angle in radians; none: no rotation
  int angle_block = 0;  ///< the block j where it happens
};
DtypeLimit dtype_limit(const theory::ScoreFunction& law, const FloatFormat& format,
                       const theory::Context& context);

}  // namespace gpe::checks
