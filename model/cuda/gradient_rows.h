// What both backward kernels read and write of tokens.
#pragma once

#include "model/cuda/contents.h"
#include "model/cuda/gradient_problem.h"
#include "model/cuda/pair_gradient.h"

namespace gpe::cuda {

/// A row that sees nothing, or is not there, has weights of 0.
GPE_KERNEL RowOfLoss load_row(const LossRows& rows, Lanes<bool> there, Lanes<std::int64_t> at) {
  const Lanes<float> zero(0.0F);
  const Lanes<float> log_normalizer = load_if(there, rows.log_normalizer, at, Lanes<float>(-INFINITY));
  const Lanes<bool> sees = log_normalizer > Lanes<float>(-INFINITY);
  return {select(sees, log_normalizer * Lanes<float>(kLog2E), Lanes<float>(-kNoMaximum)),
          select(sees, load_if(there, rows.delta, at, zero), zero),
          select(sees, load_if(there, rows.by_score, at, zero), zero)};
}

/// 16 rows of a warp, in fragments; a row is a token.
template <int kDim, class Element>
GPE_KERNEL void write_rows(Element* to, std::int64_t token_stride, int first, int count,
                           const Lanes<float> (&rows)[kDim / 8][4], int warp, int head_dim) {
  GPE_UNROLL
  for (int f = 0; f < kDim / 8; ++f) {
    GPE_UNROLL
    for (int c = 0; c < 4; ++c) {
      const Lanes<int> token = row_of(c) + Lanes<int>(warp * 16 + first);
      const Lanes<int> coordinate = token_of(f, c);
      store_rounded(token < Lanes<int>(count) && coordinate < Lanes<int>(head_dim), to,
                    wide(token) * Lanes<std::int64_t>(token_stride) + wide(coordinate), rows[f][c]);
    }
  }
}

/// The same from shared memory, (1, 2) by block and token.
template <int kStride, class Element>
GPE_KERNEL void write_pairs(Element* to, std::int64_t token_stride, int first, int count, const float* pairs,
                            int warp, int head_dim, bool interleaved) {
  const int blocks = head_dim / 2;
  for (int i = 0; i < 16 * blocks; i += kLanes) {  // the rows that this warp summed up
    const Lanes<int> at = lane_id() + Lanes<int>(i);
    const Lanes<int> row = at / Lanes<int>(blocks) + Lanes<int>(warp * 16), block = at % Lanes<int>(blocks);
    const Lanes<bool> there = at < Lanes<int>(16 * blocks) && row + Lanes<int>(first) < Lanes<int>(count);
    GPE_UNROLL
    for (int part = 0; part < 2; ++part) {
      const Lanes<int> coordinate =
          interleaved ? block * Lanes<int>(2) + Lanes<int>(part) : block + Lanes<int>(part * blocks);
      store_rounded(
          there, to, wide(row + Lanes<int>(first)) * Lanes<std::int64_t>(token_stride) + wide(coordinate),
          load_if(there, pairs, wide(block * Lanes<int>(kStride) + row * Lanes<int>(2) + Lanes<int>(part)),
                  Lanes<float>(0.0F)));
    }
  }
}

}  // namespace gpe::cuda
