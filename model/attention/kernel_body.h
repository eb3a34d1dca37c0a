// The loops of kernel.h over vectors of GPE_VECTOR_BYTES bytes, in the namespace GPE_KERNELS_OF. Included
// once by each file that is compiled for an instruction set; calls nothing that another file could be
// compiled with.
//
// Vectors are those of GCC and Clang: arithmetic and comparisons are by lane, a comparison selects as c ? x :
// y.
#include "model/attention/kernel.h"

namespace gpe::model::GPE_KERNELS_OF {
namespace {

using Int = std::int64_t;

template <class Real>
struct Lanes;
template <>
struct Lanes<float> {
  using Vector = float __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integers = std::int32_t __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integer = std::int32_t;
};
template <>
struct Lanes<double> {
  using Vector = double __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integers = std::int64_t __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integer = std::int64_t;
};
template <class Real>
using V = typename Lanes<Real>::Vector;
template <class Real>
constexpr Int kLanes = GPE_VECTOR_BYTES / static_cast<Int>(sizeof(Real));

template <class Real>
inline __attribute__((always_inline)) V<Real> load(const Real* from) {
  V<Real> result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}
template <class Real>
inline __attribute__((always_inline)) void store(Real* to, const V<Real>& value) {
  __builtin_memcpy(to, &value, sizeof value);
}
template <class Real>
inline __attribute__((always_inline)) V<Real> splat(Real value) {
  return V<Real>{} + value;
}
template <class Real>
inline __attribute__((always_inline)) Real total(const V<Real>& v) {
  Real result = 0;
  for (Int lane = 0; lane < kLanes<Real>; ++lane) result += v[lane];
  return result;
}
template <class Real>
inline __attribute__((always_inline)) Real largest(const V<Real>& v) {
  Real result = v[0];
  for (Int lane = 1; lane < kLanes<Real>; ++lane) result = v[lane] > result ? v[lane] : result;
  return result;
}

// e^x for x <= 88, 0 below -87: x = k·log 2 + r, |r| <= log(2)/2, and e^r by a polynomial. Relative error
// 2e-7, for double 4e-16.
inline __attribute__((always_inline)) V<float> exponential(const V<float>& x) {
  constexpr float magic = 12582912.0F;  // 1.5·2^23: adding it rounds to an integer, kept in the low bits
  const V<float> shifted = x * 1.44269504F + magic;
  const V<float> k = shifted - magic;
  const V<float> r = (x - k * 0.693359375F) + k * 2.12194440e-4F;
  V<float> p = splat(1.9875691500e-4F);
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  using Integers = Lanes<float>::Integers;
  const Integers exponent = (reinterpret_cast<Integers>(shifted) - 0x4B400000 + 127) << 23;
  const V<float> result = p * reinterpret_cast<V<float>>(exponent);
  return x < -87.0F ? V<float>{} : result;
}
inline __attribute__((always_inline)) V<double> exponential(const V<double>& x) {
  constexpr double magic = 6755399441055744.0;  // 1.5·2^52
  const V<double> shifted = x * 1.4426950408889634 + magic;
  const V<double> k = shifted - magic;
  const V<double> r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  V<double> p = splat(1.0 / 6227020800.0);
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * (r * r) + r + 1.0;
  using Integers = Lanes<double>::Integers;
  const Integers exponent = (reinterpret_cast<Integers>(shifted) - 0x4338000000000000 + 1023) << 52;
  const V<double> result = p * reinterpret_cast<V<double>>(exponent);
  return x < -87.0 ? V<double>{} : result;
}

template <class Real, int kRows, int kVectors>
inline __attribute__((always_inline)) void multiply_block(Int k, const Real* a, Int a_row, Int a_col,
                                                          const Real* b, Int b_row, Real* c, Int c_row,
                                                          bool add) {
  V<Real> sum[kRows][kVectors];
  for (int i = 0; i < kRows; ++i)
    for (int v = 0; v < kVectors; ++v) sum[i][v] = add ? load(c + i * c_row + v * kLanes<Real>) : V<Real>{};
  for (Int l = 0; l < k; ++l) {
    V<Real> row[kVectors];
    for (int v = 0; v < kVectors; ++v) row[v] = load(b + l * b_row + v * kLanes<Real>);
    for (int i = 0; i < kRows; ++i) {
      const Real factor = a[i * a_row + l * a_col];
      for (int v = 0; v < kVectors; ++v) sum[i][v] += factor * row[v];
    }
  }
  for (int i = 0; i < kRows; ++i)
    for (int v = 0; v < kVectors; ++v) store(c + i * c_row + v * kLanes<Real>, sum[i][v]);
}

// The registers hold kRows·kVectors sums, kVectors of B and one factor.
template <class Real>
void multiply(Int m, Int n, Int k, const Real* a, Int a_row, Int a_col, const Real* b, Int b_row, Real* c,
              Int c_row, bool add) {
  constexpr int wide = GPE_VECTOR_BYTES == 64 ? 4 : 2;
  constexpr Int step = wide * kLanes<Real>;
  Int column = 0;
  for (; column + step <= n; column += step)
    for (Int i = 0; i < m; i += 4)
      multiply_block<Real, 4, wide>(k, a + i * a_row, a_row, a_col, b + column, b_row, c + i * c_row + column,
                                    c_row, add);
  for (; column < n; column += kLanes<Real>)
    for (Int i = 0; i < m; i += 8)
      multiply_block<Real, 8, 1>(k, a + i * a_row, a_row, a_col, b + column, b_row, c + i * c_row + column,
                                 c_row, add);
}

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
          const V<Real> even = load(tile.even[i + r] + j * tile.block_stride + col);
          const V<Real> odd = load(tile.odd[i + r] + j * tile.block_stride + col);
          sum[r] += even * (q1 * k1 + q2 * k2) + odd * (q1 * k2 + (tile.odd_sign * q2) * k1);
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
  const bool learned = adjoints.even[0] != nullptr;
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
          const V<Real> even = gradient * load(tile.even[i + r] + at);
          const V<Real> odd = gradient * load(tile.odd[i + r] + at);
          dq1[r] += even * k1 + odd * k2;
          dq2[r] += even * k2 + (odd * tile.odd_sign) * k1;
          dk1 += even * q1 + odd * (tile.odd_sign * q2);
          dk2 += even * q2 + odd * q1;
          if (learned) {
            Real* to_even = adjoints.even[i + r] + at;
            Real* to_odd = adjoints.odd[i + r] + at;
            store(to_even, load(to_even) + gradient * (q1 * k1 + q2 * k2));
            store(to_odd, load(to_odd) + gradient * (q1 * k2 + (tile.odd_sign * q2) * k1));
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
inline __attribute__((always_inline)) typename Lanes<Real>::Integers lane_numbers() {
  typename Lanes<Real>::Integers result{};
  for (Int lane = 0; lane < kLanes<Real>; ++lane)
    result[lane] = static_cast<typename Lanes<Real>::Integer>(lane);
  return result;
}

// tanh(content/cap)
template <class Real>
inline __attribute__((always_inline)) V<Real> saturation(const V<Real>& content, Real cap) {
  V<Real> twice = content * (Real(2) / cap);
  twice = twice > Real(80) ? splat(Real(80)) : twice;
  return Real(1) - Real(2) / (exponential(twice) + Real(1));
}

template <class Real>
void weights(const TileRows<Real>& tile, Real* s, Int s_row, Real* max, Real* sum, Real* moment,
             Real* factor) {
  const auto lanes = lane_numbers<Real>();
  using Integer = typename Lanes<Real>::Integer;
  constexpr Real lowest = -__builtin_huge_val();
  for (Int i = 0; i < tile.rows; ++i) {
    Real* row = s + i * s_row;
    const auto begin = static_cast<Integer>(tile.begin[i]);
    const auto end = static_cast<Integer>(tile.end[i]);
    V<Real> high = splat(lowest);
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      V<Real> a = load(row + col);
      if (tile.softcap != 0) a = tile.softcap * saturation<Real>(a, tile.softcap);
      if (tile.gain[i] != nullptr) a *= load(tile.gain[i] + col);
      if (tile.bias[i] != nullptr) a += load(tile.bias[i] + col);
      const auto key = lanes + static_cast<Integer>(col);
      a = (key >= begin) & (key < end) ? a : splat(lowest);
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
                      const Real* delta, const TileAdjoints<Real>& adjoints) {
  const auto lanes = lane_numbers<Real>();
  using Integer = typename Lanes<Real>::Integer;
  V<Real> cap_sum{};
  for (Int i = 0; i < tile.rows; ++i) {
    Real* row = s + i * s_row;
    Real* gradient_row = dp + i * dp_row;
    const auto begin = static_cast<Integer>(tile.begin[i]);
    const auto end = static_cast<Integer>(tile.end[i]);
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
      const auto key = lanes + static_cast<Integer>(col);
      const auto visible = (key >= begin) & (key < end);
      const V<Real> p = visible ? exponential(a) : V<Real>{};
      const V<Real> da = visible ? p * (load(gradient_row + col) - delta[i]) : V<Real>{};
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

template <class Real>
constexpr Kernels<Real> all(std::string_view name) {
  return {name,          multiply<Real>,         turned_scores<Real>, turned_gradients<Real>,
          weights<Real>, weight_gradients<Real>, cross_entropy<Real>};
}

}  // namespace

// Internal linkage would hide them; kernel.cpp declares these two for each set.
const Kernels<float>& float_kernels() {
  static constexpr Kernels<float> instance = all<float>(GPE_KERNELS_NAME);
  return instance;
}
const Kernels<double>& double_kernels() {
  static constexpr Kernels<double> instance = all<double>(GPE_KERNELS_NAME);
  return instance;
}

}  // namespace gpe::model::GPE_KERNELS_OF
