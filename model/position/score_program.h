// A law at one head as the columns that attention reads: A(n) = gain·cap(c(n)) + bias, with the content
//   c(n) = Σ_j cosine_j(n)·(q₁k₁ + q₂k₂) + sine_j(n)·(q₁k₂ ∓ q₂k₁)    over blocks (1, 2) of two coordinates,
// cosine = scale·cos θ, sine = scale·sin θ for rotations (−), e^(−decay·n)·cosh and ·sinh for hyperbolic ones
// (+).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "model/position/expression_tape.h"
#include "theory/score/score_function.h"

namespace gpe::model {

/// How q and k meet.
enum class Content { none, dot_product, rotation, hyperbolic };

/// The column that alpha = "measured" reads; no name that a file can give.
inline constexpr const char* kMeasuredEntropy = "measured entropy";

/// What one head's score is made of. Immutable.
class ScoreProgram {
 public:
  /// The columns, in the order of the outputs of program().
  enum Output : std::size_t { kBias, kGain, kCosine, kSine, kSoftcap, kSink, kOutputs };
  /// Farther than any distance.
  static constexpr std::int64_t kNoLast = std::numeric_limits<std::int64_t>::max() / 4;

  /// @param learned  parameters that stay free, in this order; all others take their values in `law`
  /// @param oracle   must outlive the result
  /// @throws theory::SpecError  what a trained model cannot have: alpha = "frozen-pair", a k that is learned
  ScoreProgram(const theory::ScoreFunction& law, const std::vector<std::string>& learned,
               const theory::ConstantOracle& oracle);

  const ExpressionTape& program() const { return program_; }
  Content content() const { return content_; }
  theory::Layout layout() const { return layout_; }
  std::int64_t blocks() const { return blocks_; }
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }  ///< largest distance seen; kNoLast without a window
  bool has_softcap() const { return has_softcap_; }
  bool has_sink() const { return has_sink_; }
  theory::Normalizer normalizer() const { return normalizer_; }
  std::int64_t keys_selected() const { return keys_selected_; }  ///< k of top-k
  /// alpha = "measured": alpha(n) = alpha0·(1 + E(n)), alpha0 = 1 unless the file has it, where E(n) is
  /// column 0 of the program, the mean of the entropy that the head was seen to have at query n.
  bool measures_entropy() const { return measures_entropy_; }

  /// The angles at n = 1 when the rotation is that of stock RoPE with these frequencies, at every n below
  /// `count`: q and k may then be rotated each by its own position. Nothing otherwise, nor when a parameter
  /// is free in it, or L. Within 1e-9 radians at every n; a difference of that size is below the rounding of
  /// a float.
  std::optional<std::vector<double>> frequencies(std::int64_t count) const;

 private:
  std::optional<ExpressionTape> angle_;  ///< of a rotation without scale, free parameters and L
  ExpressionTape program_;
  Content content_;
  theory::Layout layout_ = theory::Layout::half;
  std::int64_t blocks_;
  std::int64_t first_;
  std::int64_t last_;
  bool has_softcap_;
  bool has_sink_;
  theory::Normalizer normalizer_;
  std::int64_t keys_selected_;
  bool measures_entropy_;
};

}  // namespace gpe::model
