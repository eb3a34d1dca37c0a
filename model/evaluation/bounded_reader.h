// A model that reads text with as few keys as are proved to matter.
#pragma once

#include <cstdint>
#include <vector>

#include "model/evaluation/certified_window.h"

namespace gpe::model {

/// Every head sees its W(ε) + 1 newest keys, and the cache keeps as many as the greatest of them needs. The
/// content bounds are given, and hold for every input; or are those of the text read so far (a posteriori):
/// when a token exceeds them they are raised, by half at least, and the text is read again with the
/// greater windows. Either way, no row of what was read last leaves out more than ε of a head's weight.
class BoundedReader {
 public:
  /// @param whole   the model with all keys; must outlive the result
  /// @param twin    the same model again, which is changed
  /// @param bounds  by [layer][head]; nothing: those of the text
  /// @throws theory::SpecError  an encoding that reads L, which a cache without its oldest keys does not
  /// know; a head without a certified window
  BoundedReader(const LoadedModel& whole, LoadedModel twin, theory::Rational epsilon,
                std::optional<std::vector<std::vector<double>>> bounds, const theory::ConstantOracle& oracle);

  /// As Transformer::next_logits.
  at::Tensor next_logits(const at::Tensor& inputs);

  const std::vector<std::vector<double>>& bounds() const { return bounds_; }
  const std::vector<std::vector<std::int64_t>>& keys() const { return keys_; }
  std::int64_t most_keys() const { return cache_.most; }
  int times_read_again() const { return times_read_again_; }

 private:
  void narrow();
  bool raise_bounds();  ///< those that inputs have exceeded; whether there were any

  const LoadedModel& whole_;
  LoadedModel twin_;
  theory::Rational epsilon_;
  const theory::ConstantOracle& oracle_;
  bool of_text_;
  std::vector<std::vector<double>> bounds_;
  std::vector<std::vector<std::int64_t>> keys_;
  KeyValueCache cache_;
  std::vector<at::Tensor> text_;
  int times_read_again_ = 0;
};

}  // namespace gpe::model
