// An encoding at the heads of one layer, as Python holds it: what the operators read, and what Python asks
// about it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "checks/arb/expr_ball.h"
#include "model/position/score_cache.h"

namespace gpe::probes {

/// Heads and layers are counted from 1 in the encoding's formulas, from 0 here.
class OpenEncoding {
 public:
  /// @param request  JSON: `text` (TOML), `source` (for messages), `folder` (of its tables), `head_dim`,
  /// `heads`,
  ///   `layer`, `layers`; `set`, an object of exact values as text; `learned`, names of the parameters that
  ///   calls give as numbers; `window`, a number of keys or null: the smaller one holds; `softcap` and
  ///   `sink`: true where calls give one as a further parameter, in this order, after the learned ones
  /// @throws theory::SpecError
  explicit OpenEncoding(const std::string& request);

  int heads() const { return static_cast<int>(programs_.size()); }
  /// How many numbers a call gives for each head.
  std::int64_t given() const { return given_; }
  const model::ScoreProgram& program(int head) const { return *programs_[static_cast<std::size_t>(head)]; }
  /// JSON: `name`, `given`, `heads`, `parameters` with their values by head, and the formulas as text, LaTeX
  /// and SymPy.
  const std::string& description() const { return description_; }

  /// The columns of every head for positions 0 … length - 1; those of the last call are kept.
  /// @param parameters  [head][given]
  template <class Real>
  model::LayerScores<Real> scores(std::span<const double> parameters, std::int64_t length) const;

 private:
  template <class Real>
  struct Kept {
    std::vector<double> parameters;
    std::int64_t length = -1;
    model::LayerScores<Real> scores;
  };
  template <class Real>
  Kept<Real>& kept() const;

  checks::BallOracle oracle_;
  std::int64_t given_ = 0;
  std::vector<std::shared_ptr<const model::ScoreProgram>> programs_;
  std::string description_;
  mutable std::mutex lock_;
  mutable Kept<float> floats_;
  mutable Kept<double> doubles_;
};

}  // namespace gpe::probes

extern "C" {
/// Null when it fails; then *message is one line to be released with gpe_encoding_release_text.
void* gpe_encoding_open(const char* request, char** message);
const char* gpe_encoding_description(const void* encoding);
void gpe_encoding_close(void* encoding);
void gpe_encoding_release_text(char* text);
}
