// The loops of attention_kernel.h over vectors of GPE_VECTOR_BYTES bytes, in the namespace GPE_KERNELS_OF.
// Included once by each file that is compiled for an instruction set; calls nothing that another file could
// be compiled with. Tests: tests/model/attention/attention_test.cpp
#include "model/attention/attention_kernel.h"
#include "model/attention/attention_kernel_product.h"
#include "model/attention/attention_kernel_statistics.h"

namespace gpe::model::GPE_KERNELS_OF {
namespace {

constexpr int kTurnedRows = GPE_VECTOR_BYTES == 64 ? 4 : 2;

template <class Real>
void turned_scores(const TileRows<Real>& tile, Int blocks, const Real* q, Int q_row, const Real* k, Int k_row,
                   Real* s, Int s_row) {
  constexpr int R = kTurnedRows;
  for (Int i = 0; i < tile.rows; i += R) {
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      V<Real> sum[R] = {};
      for (Int j = 0; j < blocks; ++j) {
        const V<Real> k1 = load(k + j * k_row + col);
        const V<Real> k2 = load(k + (blocks + j) * k_row + col);
        for (int r = 0; r < R; ++r) {
          const Real q1 = q[(i + r) * q_row + j];
          const Real q2 = q[(i + r) * q_row + blocks + j];
          const V<Real> cosine = load(tile.cosine[i + r] + j * tile.block_stride + col);
          const V<Real> sine = load(tile.sine[i + r] + j * tile.block_stride + col);
          sum[r] += cosine * (q1 * k1 + q2 * k2) + sine * (q1 * k2 + (tile.swap_sign * q2) * k1);
        }
      }
      for (int r = 0; r < R; ++r) store(s + (i + r) * s_row + col, sum[r]);
    }
  }
}

template <class Real>
void turned_gradients(const TileRows<Real>& tile, Int blocks, const Real* q, Int q_row, const Real* k,
                      Int k_row, const Real* g, Int g_row, Real* dq, Int dq_row, Real* dk, Int dk_row,
                      const TileAdjoints<Real>& adjoints) {
  constexpr int R = kTurnedRows;
  const bool learned = adjoints.cosine[0] != nullptr;
  for (Int i = 0; i < tile.rows; i += R) {
    for (Int j = 0; j < blocks; ++j) {
      V<Real> dq1[R] = {};
      V<Real> dq2[R] = {};
      for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
        const V<Real> k1 = load(k + j * k_row + col);
        const V<Real> k2 = load(k + (blocks + j) * k_row + col);
        V<Real> dk1 = load(dk + j * dk_row + col);
        V<Real> dk2 = load(dk + (blocks + j) * dk_row + col);
        for (int r = 0; r < R; ++r) {
          const Real q1 = q[(i + r) * q_row + j];
          const Real q2 = q[(i + r) * q_row + blocks + j];
          const Int at = j * tile.block_stride + col;
          const V<Real> gradient = load(g + (i + r) * g_row + col);
          const V<Real> cosine = gradient * load(tile.cosine[i + r] + at);
          const V<Real> sine = gradient * load(tile.sine[i + r] + at);
          dq1[r] += cosine * k1 + sine * k2;
          dq2[r] += cosine * k2 + (sine * tile.swap_sign) * k1;
          dk1 += cosine * q1 + sine * (tile.swap_sign * q2);
          dk2 += cosine * q2 + sine * q1;
          if (learned) {
            Real* to_cosine = adjoints.cosine[i + r] + at;
            Real* to_sine = adjoints.sine[i + r] + at;
            store(to_cosine, load(to_cosine) + gradient * (q1 * k1 + q2 * k2));
            store(to_sine, load(to_sine) + gradient * (q1 * k2 + (tile.swap_sign * q2) * k1));
          }
        }
        store(dk + j * dk_row + col, dk1);
        store(dk + (blocks + j) * dk_row + col, dk2);
      }
      for (int r = 0; r < R; ++r) {
        dq[(i + r) * dq_row + j] += total<Real>(dq1[r]);
        dq[(i + r) * dq_row + blocks + j] += total<Real>(dq2[r]);
      }
    }
  }
}

template <class Real>
void weights(const TileRows<Real>& tile, Real* s, Int s_row, Real* max, Real* sum, Real* moment,
             Real* factor) {
  constexpr Real lowest = -__builtin_huge_val();
  for (Int i = 0; i < tile.rows; ++i) {
    Real* row = s + i * s_row;
    V<Real> high = splat(lowest);
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      V<Real> a = score_of(tile, i, col, load(row + col));
      a = inside<Real>(col, tile.begin[i], tile.end[i]) ? a : splat(lowest);
      high = a > high ? a : high;
      store(row + col, a);
    }
    const Real seen = largest<Real>(high);
    const Real before = max[i];
    const Real now = seen > before ? seen : before;
    const Real base = now == lowest ? Real(0) : now;
    const Real shift = before == lowest ? Real(0) : before - base;
    factor[i] = before == lowest ? Real(0) : exponential(splat(shift))[0];
    V<Real> mass{};
    V<Real> first{};
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      const V<Real> x = load(row + col) - base;
      const V<Real> weight = exponential(x);
      mass += weight;
      if (moment != nullptr) first += weight == V<Real>{} ? V<Real>{} : weight * x;
      store(row + col, weight);
    }
    if (moment != nullptr) moment[i] = factor[i] * (moment[i] + shift * sum[i]) + total<Real>(first);
    sum[i] = sum[i] * factor[i] + total<Real>(mass);
    max[i] = now;
  }
}

template <class Real>
void weight_gradients(const TileRows<Real>& tile, Real* s, Int s_row, Real* dp, Int dp_row, const Real* lse,
                      const Real* delta, const Real* by_score, const TileAdjoints<Real>& adjoints) {
  V<Real> cap_sum{};
  for (Int i = 0; i < tile.rows; ++i) {
    Real* row = s + i * s_row;
    Real* gradient_row = dp + i * dp_row;
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      V<Real> content = load(row + col);
      V<Real> slope = splat(Real(1));
      V<Real> by_cap{};
      if (tile.softcap != 0) {
        const V<Real> t = saturation<Real>(content, tile.softcap);
        slope = Real(1) - t * t;
        by_cap = t - content * (Real(1) / tile.softcap) * slope;
        content = tile.softcap * t;
      }
      const V<Real> gain = tile.gain[i] != nullptr ? load(tile.gain[i] + col) : splat(Real(1));
      V<Real> a = content * gain - lse[i];
      if (tile.bias[i] != nullptr) a += load(tile.bias[i] + col);
      const auto visible = inside<Real>(col, tile.begin[i], tile.end[i]);
      const V<Real> p = visible ? exponential(a) : V<Real>{};
      const V<Real> da = visible ? p * (load(gradient_row + col) - delta[i] + by_score[i] * a) : V<Real>{};
      if (adjoints.bias[i] != nullptr) store(adjoints.bias[i] + col, load(adjoints.bias[i] + col) + da);
      if (adjoints.gain[i] != nullptr)
        store(adjoints.gain[i] + col, load(adjoints.gain[i] + col) + da * content);
      if (tile.softcap != 0) cap_sum += da * gain * by_cap;
      store(row + col, p);
      store(gradient_row + col, da * gain * slope);
    }
  }
  if (adjoints.softcap != nullptr) *adjoints.softcap += total<Real>(cap_sum);
}

// Vectors first, then what is left one by one, through the same exponential.
template <class Real>
Real cross_entropy(Int count, Real* logits, Int target, Real scale) {
  constexpr Int lanes = kLanes<Real>;
  const Int whole = count / lanes * lanes;
  const auto rest = [&](Int from) {  // a vector whose missing lanes are as low as can be
    V<Real> result = splat(Real(-__builtin_huge_val()));
    for (Int i = from; i < count; ++i) result[i - from] = logits[i];
    return result;
  };
  V<Real> high = rest(whole);
  for (Int i = 0; i < whole; i += lanes) {
    const V<Real> x = load(logits + i);
    high = x > high ? x : high;
  }
  const Real base = largest<Real>(high);
  const Real of_target = logits[target] - base;
  V<Real> mass = exponential(rest(whole) - base);
  for (Int i = 0; i < whole; i += lanes) {
    const V<Real> weight = exponential(load(logits + i) - base);
    mass += weight;
    if (scale != 0) store(logits + i, weight);
  }
  const Real sum = total<Real>(mass);
  if (scale != 0) {
    const Real factor = scale / sum;
    const V<Real> last = exponential(rest(whole) - base) * factor;
    for (Int i = 0; i < whole; i += lanes) store(logits + i, load(logits + i) * factor);
    for (Int i = whole; i < count; ++i) logits[i] = last[i - whole];
    logits[target] -= scale;
  }
  return static_cast<Real>(__builtin_log(static_cast<double>(sum))) - of_target;
}

}  // namespace

// Internal linkage would hide it; attention_kernel.cpp declares it for each set.
template <class Real>
const Kernels<Real>& kernels_of_set() {
  static constexpr Kernels<Real> instance{GPE_KERNELS_NAME,       multiply<Real>,     turned_scores<Real>,
                                          turned_gradients<Real>, weights<Real>,      observe<Real>,
                                          weight_gradients<Real>, cross_entropy<Real>};
  return instance;
}
template const Kernels<float>& kernels_of_set<float>();
template const Kernels<double>& kernels_of_set<double>();

}  // namespace gpe::model::GPE_KERNELS_OF
