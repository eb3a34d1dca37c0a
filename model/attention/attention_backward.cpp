// Tests: tests/model/attention/attention_test.cpp
#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/attention/attention_kernel.h"
#include "model/attention/pack.h"

namespace gpe::model {

namespace {

// One head of one batch entry: dA = p·(dp - delta), then q, k, v and the parameters from it, tile by tile,
// with the weights computed again from log_normalizer.
template <class Real, class Element>
class Backward {
 public:
  Backward(const AttentionShape& shape, const HeadScores<Real>& head, std::int64_t b, std::int64_t h)
      : shape_(shape),
        head_(head),
        b_(b),
        h_(h),
        tokens_(padded(shape.keys, kTileKeys)),
        row_(padded(shape.head_dim, 16)),
        coordinates_(head, shape.head_dim),
        scale_(Real(1) / std::sqrt(static_cast<Real>(shape.head_dim))),
        kernels_(kernels<Real>()) {
    for (auto* matrix : {&q_, &k_, &k_transposed_, &v_transposed_, &out_gradient_, &dq_, &dk_, &dv_}) {
      matrix->assign(static_cast<std::size_t>(tokens_ * row_), Real(0));
    }
    delta_.assign(static_cast<std::size_t>(tokens_), Real(0));
  }

  void pack(Strided<const Element> q, Strided<const Element> k, Strided<const Element> v,
            Strided<const Element> out, Strided<const Element> out_gradient) {
    reads_out_ = out_gradient.data != nullptr;
    AlignedVector<Real> values(static_cast<std::size_t>(tokens_ * row_));
    for (std::int64_t t = 0; t < shape_.keys; ++t) {
      coordinates_.in(q.at(b_, h_, t), t, scale_, q_.data() + t * row_);
      coordinates_.in(k.at(b_, h_, t), t, Real(1), k_.data() + t * row_);
      if (!reads_out_) continue;
      const Element* from = v.at(b_, h_, t);
      const Element* output = out.at(b_, h_, t);
      const Element* gradient = out_gradient.at(b_, h_, t);
      Real product = 0;
      for (std::int64_t c = 0; c < shape_.head_dim; ++c) {
        const auto at = static_cast<std::size_t>(t * row_ + c);
        values[at] = static_cast<Real>(from[c]);
        out_gradient_[at] = static_cast<Real>(gradient[c]);
        product += out_gradient_[at] * static_cast<Real>(output[c]);
      }
      delta_[static_cast<std::size_t>(t)] = product;
    }
    transpose(k_.data(), tokens_, row_, row_, k_transposed_.data(), tokens_);
    transpose(values.data(), tokens_, row_, row_, v_transposed_.data(), tokens_);
  }

  /// Pointers are to the rows of this head.
  void run(const Real* log_normalizer, const RowGradients<Real>& row_gradients, ScoreAdjoints<Real>& sums) {
    constexpr std::int64_t most = TileRows<Real>::kMax;
    HeadRows<Real> head_rows(head_);
    const std::int64_t rows = head_.tile_rows();
    AlignedVector<Real> s(static_cast<std::size_t>(rows * kTileKeys));
    AlignedVector<Real> dp(static_cast<std::size_t>(rows * kTileKeys));
    for (std::int64_t first = 0; first < shape_.queries; first += rows) {
      const std::int64_t here = std::min(rows, shape_.queries - first);
      TileRows<Real> tile;
      tile.rows = rows;
      tile.cols = kTileKeys;
      TileAdjoints<Real> adjoints;
      Real sink[most];
      head_rows.begin(first, tile, sink);
      head_rows.begin_back(sums, adjoints);
      Real lse[most];
      Real by_score[most];
      Real sink_gradient[most];
      for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t i = first + r;
        const bool real = r < here && !std::isinf(log_normalizer[i]);
        lse[r] = real ? log_normalizer[i] : Real(0);
        by_score[r] = sink_gradient[r] = 0;
        if (!real) continue;
        // ∂loss/∂A_j = p_j (dp_j - delta + by_score (A_j - lse))
        Real& delta = delta_[static_cast<std::size_t>(i)];
        const Real share = std::exp(sink[r] - lse[r]);
        if (row_gradients.log_normalizer != nullptr) delta -= row_gradients.log_normalizer[i];
        sink_gradient[r] = -share * delta;
        if (row_gradients.entropy != nullptr && share < Real(1)) {
          // ∂H/∂A_j = -p_j/(1 - share) (A_j - lse of the tokens + H)
          by_score[r] = -row_gradients.entropy[i] / (Real(1) - share);
          delta -= by_score[r] * (row_gradients.entropies[i] - std::log1p(-share));
        }
      }
      const KeyRange keys = keys_of(head_.program(), first, here);
      tile.advance(keys.begin);
      adjoints.advance(rows, keys.begin);
      for (std::int64_t key = keys.begin; key < keys.end; key += kTileKeys) {
        see(head_.program(), first, here, key, tile);
        contents(kernels_, head_, tile, q_.data() + first * row_, row_, k_transposed_.data() + key, tokens_,
                 s.data());
        if (reads_out_) {
          kernels_.multiply(rows, kTileKeys, row_, out_gradient_.data() + first * row_, row_, 1,
                            v_transposed_.data() + key, tokens_, dp.data(), kTileKeys, false);
        } else {
          std::ranges::fill(dp, Real(0));
        }
        kernels_.weight_gradients(tile, s.data(), kTileKeys, dp.data(), kTileKeys, lse, delta_.data() + first,
                                  by_score, adjoints);
        if (reads_out_) {
          kernels_.multiply(kTileKeys, row_, rows, s.data(), 1, kTileKeys,
                            out_gradient_.data() + first * row_, row_, dv_.data() + key * row_, row_, true);
        }
        content_gradients(tile, adjoints, first, key, dp.data());
        tile.advance(kTileKeys);
        adjoints.advance(rows, kTileKeys);
      }
      head_rows.end_back(sums, sink_gradient);
    }
  }

  void unpack(const AttentionGradients<Element>& gradients) const {
    const bool transposed = head_.turns_pairs();
    for (std::int64_t t = 0; t < shape_.keys; ++t) {
      coordinates_.out(dq_.data() + t * row_, 1, t, scale_, gradients.q.at(b_, h_, t));
      coordinates_.out(transposed ? dk_.data() + t : dk_.data() + t * row_, transposed ? tokens_ : 1, t,
                       Real(1), gradients.k.at(b_, h_, t));
      Element* to = gradients.v.at(b_, h_, t);
      for (std::int64_t c = 0; c < shape_.head_dim; ++c) {
        to[c] = static_cast<Element>(dv_[static_cast<std::size_t>(t * row_ + c)]);
      }
    }
  }

 private:
  void content_gradients(const TileRows<Real>& tile, const TileAdjoints<Real>& adjoints, std::int64_t first,
                         std::int64_t key, const Real* g) {
    Real* dq = dq_.data() + first * row_;
    const Real* q = q_.data() + first * row_;
    if (head_.program().content() == Content::none) return;
    if (head_.turns_pairs()) {
      kernels_.turned_gradients(tile, head_.program().blocks(), q, row_, k_transposed_.data() + key, tokens_,
                                g, kTileKeys, dq, row_, dk_.data() + key, tokens_, adjoints);
      return;
    }
    kernels_.multiply(tile.rows, row_, kTileKeys, g, kTileKeys, 1, k_.data() + key * row_, row_, dq, row_,
                      true);
    kernels_.multiply(kTileKeys, row_, tile.rows, g, 1, kTileKeys, q, row_, dk_.data() + key * row_, row_,
                      true);
  }

  const AttentionShape& shape_;
  const HeadScores<Real>& head_;
  std::int64_t b_;
  std::int64_t h_;
  std::int64_t tokens_;  ///< padded
  std::int64_t row_;     ///< head_dim, padded
  Coordinates<Real> coordinates_;
  Real scale_;
  const Kernels<Real>& kernels_;
  bool reads_out_ = true;
  AlignedVector<Real> q_, k_, k_transposed_, v_transposed_, out_gradient_, delta_;
  AlignedVector<Real> dq_, dk_, dv_;  ///< dk_ is transposed where every pair is turned
};

}  // namespace

template <class Real, class Element>
void attention_backward(const AttentionShape& shape, std::span<const HeadScores<Real>* const> heads,
                        Strided<const Element> q, Strided<const Element> k, Strided<const Element> v,
                        Strided<const Element> out, Strided<const Element> out_gradient,
                        const Real* log_normalizer, const AttentionGradients<Element>& gradients,
                        std::span<const std::span<double>> parameters, const Parallel& parallel,
                        const RowGradients<Real>& row_gradients) {
  assert(std::ssize(heads) == shape.heads && shape.queries == shape.keys);
  assert(shape.key_heads == 0 || shape.key_heads == shape.heads);
  const auto from = [&](const Real* rows, std::int64_t which) {
    return rows == nullptr ? nullptr : rows + which * shape.queries;
  };
  std::vector<std::vector<ScoreAdjoints<Real>>> sums(heads.size());
  for (auto& of_head : sums) of_head.resize(static_cast<std::size_t>(shape.batch));
  parallel(shape.batch * shape.heads, [&](std::int64_t which) {
    const std::int64_t b = which / shape.heads;
    const std::int64_t h = which % shape.heads;
    const HeadScores<Real>& head = *heads[static_cast<std::size_t>(h)];
    ScoreAdjoints<Real>& sum = sums[static_cast<std::size_t>(h)][static_cast<std::size_t>(b)];
    sum = head.adjoints();
    Backward<Real, Element> backward(shape, head, b, h);
    backward.pack(q, k, v, out, out_gradient);
    backward.run(from(log_normalizer, which),
                 {from(row_gradients.log_normalizer, which), from(row_gradients.entropy, which),
                  from(row_gradients.entropies, which)},
                 sum);
    backward.unpack(gradients);
  });
  parallel(shape.heads, [&](std::int64_t h) {
    const auto at = static_cast<std::size_t>(h);
    if (heads[at]->learns()) heads[at]->back(sums[at], parameters[at]);
  });
}

template decltype(attention_backward<float, float>) attention_backward<float, float>;
template decltype(attention_backward<double, double>) attention_backward<double, double>;
template decltype(attention_backward<float, BFloat16>) attention_backward<float, BFloat16>;

}  // namespace gpe::model
