// What attention.h computes, in double precision, one query and one key at a time: the ground truth of its
// tests.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/attention/attention.h"
#include "model/position/score_program.h"

namespace gpe::model {

/// One head of one batch entry: q, k, v are [token][coordinate]; queries are the last of the keys' positions.
struct ReferenceHead {
  const ScoreProgram* program;
  std::vector<double> parameters;
  std::vector<double> measured;  ///< by query, for alpha = "measured"; else empty
  std::int64_t queries;
  std::int64_t keys;
  std::int64_t head_dim;
  std::vector<double> q, k, v;
};

struct ReferenceOutput {
  std::vector<double> out;             ///< [query][coordinate]
  std::vector<double> log_normalizer;  ///< with the sink
  std::vector<double> entropy;         ///< of the tokens
  std::vector<double> weights;         ///< [query][key], of the tokens, with the sink in the denominator
  std::vector<double> scores;          ///< [query][key], A; minus infinity for a key that is not seen
  std::vector<double> contents;        ///< [query][key], before a soft cap; 0 for a key that is not seen
};
ReferenceOutput reference_forward(const ReferenceHead& head);

struct ReferenceGradients {
  std::vector<double> q, k, v, parameters;
};
ReferenceGradients reference_backward(const ReferenceHead& head, std::span<const double> out_gradient);

}  // namespace gpe::model
