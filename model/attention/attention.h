// Attention with the scores of an encoding, forwards and backwards, in tiles: memory grows with the number of
// tokens, not with its square.
//   A_ij = gain(n)·cap(c_ij) + bias(n), n = i - j,   p_ij = e^{A_ij} / (Σ_j e^{A_ij} + e^sink),   o_i = Σ_j
//   p_ij v_j
// over the keys j with first <= n <= last; c_ij is q_iᵀ W(n) k_j/√d (score_program.h). A query that sees no
// key gives 0.
#pragma once

#include <cstdint>
#include <span>

#include "model/attention/bfloat16.h"
#include "model/position/head_scores.h"
#include "model/position/parallel.h"

namespace gpe::model {

/// A tensor [batch][head][token][coordinate] in memory: strides in elements, coordinates next to each other.
template <class Element>
struct Strided {
  Element* data = nullptr;
  std::int64_t batch = 0;
  std::int64_t head = 0;
  std::int64_t token = 0;

  Element* at(std::int64_t b, std::int64_t h, std::int64_t t) const {
    return data + b * batch + h * head + t * token;
  }
};

/// Keys stand at positions 0 … keys - 1, queries at the last `queries` of them.
struct AttentionShape {
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t queries = 1;
  std::int64_t keys = 1;
  std::int64_t head_dim = 64;  ///< even
  /// Heads that k and v have: each serves heads/key_heads neighbouring heads of q. 0: as many as heads.
  std::int64_t key_heads = 0;

  std::int64_t offset() const { return keys - queries; }
  std::int64_t key_head(std::int64_t head) const {
    return key_heads == 0 ? head : head / (heads / key_heads);
  }
};

/// What forward leaves for backward, and what is measured; [batch][head][query].
template <class Real>
struct AttentionRows {
  Real* log_normalizer = nullptr;  ///< log(Σ_j e^{A_ij} + e^sink); -inf where a query sees nothing
  Real* entropy = nullptr;  ///< of the weights of the tokens, without the sink, in nats; null: not wanted
  Real* largest_score = nullptr;  ///< max_j A_ij; -inf where a query sees nothing; null: not wanted
};

/// Real is what is computed in, Element what is read and written: (float, float), (double, double) and
/// (float, BFloat16).
/// @param heads  one per head; each of length >= shape.keys
template <class Real, class Element>
void attention_forward(const AttentionShape& shape, std::span<const HeadScores<Real>* const> heads,
                       Strided<const Element> q, Strided<const Element> k, Strided<const Element> v,
                       Strided<Element> out, const AttentionRows<Real>& rows, const Parallel& parallel);

template <class Element>
struct AttentionGradients {
  Strided<Element> q, k, v;  ///< written, not added to
};

/// ∂loss/∂AttentionRows, for a loss that reads them; [batch][head][query].
template <class Real>
struct RowGradients {
  const Real* log_normalizer = nullptr;  ///< null: does not matter
  const Real* entropy = nullptr;         ///< null: does not matter
  const Real* entropies = nullptr;       ///< what forward left, where `entropy` is given
};

/// Needs queries = keys, and as many heads of keys as of queries.
/// @param out_gradient  without data: the loss reads the rows alone, and v gets zeros
/// @param log_normalizer  what forward left
/// @param parameters  ∂loss/∂parameters are added, one row per head; a row is empty where nothing is learned
template <class Real, class Element>
void attention_backward(const AttentionShape& shape, std::span<const HeadScores<Real>* const> heads,
                        Strided<const Element> q, Strided<const Element> k, Strided<const Element> v,
                        Strided<const Element> out, Strided<const Element> out_gradient,
                        const Real* log_normalizer, const AttentionGradients<Element>& gradients,
                        std::span<const std::span<double>> parameters, const Parallel& parallel,
                        const RowGradients<Real>& row_gradients = {});

}  // namespace gpe::model
