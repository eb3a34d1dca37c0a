// What a head's score is made of besides its content, as numbers by distance: A(n) = f(n) cap(c(n)) + b(n),
// |c(n)| <= B w(n).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/position/expression_tape.h"
#include "theory/score/score_function.h"

namespace gpe::probes {

/// For one query, at the distances n = first, first + 1, … that it sees.
struct ScoreColumns {
  std::int64_t first = 0;
  std::vector<double> bias, gain, norm;  ///< b(n), f(n), w(n)
  double softcap = 0;                    ///< 0: none
  double sink = -std::numeric_limits<double>::infinity();

  std::size_t size() const { return bias.size(); }
  std::int64_t distance(std::size_t at) const { return first + static_cast<std::int64_t>(at); }
  double score(std::size_t at, double content) const;
  /// a(n) = |f(n)| cap(B w(n)).
  double amplitude(std::size_t at, double content_bound) const;
};

class HeadColumns {
 public:
  /// @param law     without free parameters
  /// @param oracle  must outlive the result
  /// @throws theory::SpecError  a law whose numbers cannot be computed by distance
  HeadColumns(const theory::ScoreFunction& law, const theory::ConstantOracle& oracle);

  /// Those of the query at position `query`, which sees keys from position 0: L = query. Empty when it sees
  /// none.
  ScoreColumns at(std::int64_t query) const;

 private:
  std::int64_t first_;
  std::int64_t last_;
  bool has_softcap_;
  bool has_sink_;
  model::ExpressionTape program_;
};

}  // namespace gpe::probes
