// The scores of heads as tables of floats for the device: the other side of ScoreTables (problem.h), on the
// CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/position/head_scores.h"

namespace gpe::model {

/// One table per head, by distance n = 0 … length - 1; what is below `first` is 0.
struct HeadTables {
  std::vector<float> gain, bias;    ///< [head][length], times log2 e
  std::vector<float> cosine, sine;  ///< [head][head_dim/2][length], where pairs are turned; else empty
  std::vector<std::int32_t> first, last;
  std::vector<float> softcap;  ///< empty: none has one
  std::vector<float> sink;     ///< times log2 e; empty: none has one
  std::int64_t length = 0;
  bool turns_pairs = false;
  bool interleaved = false;
  bool hyperbolic = false;
  bool no_content = false;  ///< contents are 0
};

/// @param heads  all of one shape: with and without a sink, a soft cap and turned pairs at once
/// @throws theory::SpecError  a score that depends on L: every query would need tables of its own
HeadTables head_tables(std::span<const HeadScores<double>* const> heads);

/// ∂loss/∂ the tables of one head, natural units: gain and bias by n = 0 … length - 1, cosine and sine by
/// [block][n]; empty where not known. The soft cap's is one number.
struct TableGradientSpans {
  std::span<const double> gain, bias, cosine, sine;
  double softcap = 0;
};
/// Adds ∂loss/∂parameters of one head.
void add_table_gradients(const HeadScores<double>& head, const TableGradientSpans& tables,
                         std::span<double> parameters);

/// The part of a learned score without a gradient on the GPU: "softcap", "sink"; null where there is none.
const char* not_learned_on_device(const ScoreProgram& program);

}  // namespace gpe::model
