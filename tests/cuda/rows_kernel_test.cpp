// The kernel of rows, on the CPU and on a device where there is one, against attention in double
// precision on the same numbers.
#include "model/cuda/rows_kernel.h"
#include "model/attention/statistics.h"
#include "model/cuda/series_contents.h"
#include "tests/cuda/device_problem.h"
#include "theory/source/spec_error.h"

namespace rows_kernel_test {

using namespace gpe;
using namespace gpe::tests;
using cuda::BFloat16;
using cuda::Half;

struct Tolerance {
  double row;  // of |found - expected|/(1 + |expected|)
  double out;
};

struct Visibility {
  std::vector<std::int64_t> begin, end;
  std::int64_t key_of_nan = -1;  // this key has a coordinate that is not a number
};

struct Series {
  double tolerance = 0;  // 0: none
  int least = 0;         // how many groups of tiles are computed by them, at least
};

template <class Contents, int kDim, class Element>
void agrees_on(Machine& machine, const Case& c, std::int64_t queries, std::int64_t keys, int head_dim,
               const Tolerance& tolerance, const Visibility& visibility, const Series& series) {
  Problem p(c, queries, keys, head_dim);
  for (auto* numbers : {&p.q, &p.k, &p.v}) *numbers = Stored<Element>(*numbers).exact;
  if (visibility.key_of_nan >= 0) *p.strided(p.k.data(), keys).at(0, 0, visibility.key_of_nan) = NAN;
  const ProblemHeads<double> heads(p);
  DeviceScores scores(heads.get(), head_dim, machine);
  if (series.tolerance > 0) {
    scores.use_series(series.tolerance, head_dim, machine);
    const auto used = std::ranges::count_if(scores.series_terms(), [](int terms) { return terms > 0; });
    EXPECT_GE(used, series.least) << c.name;
  }
  const Stored<Element> q(turned(p, heads, p.q, queries)), k(turned(p, heads, p.k, keys)), v(p.v);

  const auto rows = static_cast<std::size_t>(kBatch * kHeads * queries);
  std::vector<std::vector<float>> found(8, std::vector<float>(rows, NAN));
  std::vector<Element> out(static_cast<std::size_t>(kBatch * queries * kHeads * head_dim));
  const std::vector<std::int64_t> wide_edges = {0, 1, 3, 64, 65, 100};
  const std::vector<int> edges(wide_edges.begin(), wide_edges.end());
  const std::vector<int> begin(visibility.begin.begin(), visibility.begin.end()),
      end(visibility.end.begin(), visibility.end.end());
  const auto tiles = static_cast<int>((queries + 63) / 64);
  std::vector<float> mass(static_cast<std::size_t>(kBatch * kHeads * tiles) * edges.size(), NAN);
  std::vector<float*> results;
  for (auto& numbers : found) results.push_back(machine.out(numbers));
  const gpe_rows_problem problem{
      .shape = shape_of(p),
      .q = tensor_of(p, machine.in(q.bits), queries),
      .k = tensor_of(p, machine.in(k.bits), keys),
      .v = tensor_of(p, machine.in(v.bits), keys),
      .out = tensor_of(p, machine.out(out), queries),
      .scores = scores.result,
      .visible = {machine.in(begin), machine.in(end)},
      .rows = {results[0], results[1], results[2], results[3], results[4], results[5], results[6],
               results[7]},
      .buckets = {machine.in(edges), static_cast<int>(edges.size()), machine.out(mass)}};
  if (machine.device() != nullptr) {
    Machine::check(machine.device()->attention_rows(&problem, element_of(Element{}), nullptr));
    machine.fetch();
  } else {
    run_on_processor<cuda::RowsKernel<Contents, kDim, Element, true>>(cuda::typed<Element>(problem), tiles);
  }

  const DistanceBuckets buckets(wide_edges);
  const AttentionStatistics expected = attention_statistics<double, double>(
      p.shape, heads.get(), p.strided(std::as_const(p.q).data(), queries),
      p.strided(std::as_const(p.k).data(), keys), {visibility.begin, visibility.end}, &buckets, one_thread());
  for (std::size_t i = 0; i < rows; ++i) {
    const RowStatistics& row = expected.rows[i];
    const double numbers[] = {row.log_normalizer, row.entropy,       row.varentropy,      row.mean_distance,
                              row.largest_weight, row.largest_score, row.largest_content, row.sink_weight};
    for (std::size_t n = 0; n < 8; ++n) {
      expect_near(static_cast<double>(found[n][i]), numbers[n], tolerance.row,
                  c.name + " row " + std::to_string(i) + " number " + std::to_string(n));
    }
  }
  for (std::size_t which = 0; which < kBatch * kHeads; ++which) {
    for (std::size_t b = 0; b < edges.size(); ++b) {
      double sum = 0;
      for (std::size_t t = 0; t < static_cast<std::size_t>(tiles); ++t)
        sum += static_cast<double>(mass[(which * static_cast<std::size_t>(tiles) + t) * edges.size() + b]);
      expect_near(sum, expected.buckets[which * edges.size() + b].mass, tolerance.row,
                  c.name + " bucket " + std::to_string(b));
    }
  }
  if (!visibility.begin.empty() || !visibility.end.empty()) return;  // attention_forward has no such masks
  std::vector<double> exact_out(out.size());
  attention_forward<double, double>(p.shape, heads.get(), p.strided(std::as_const(p.q).data(), queries),
                                    p.strided(std::as_const(p.k).data(), keys),
                                    p.strided(std::as_const(p.v).data(), keys),
                                    p.strided(exact_out.data(), queries), {}, one_thread());
  for (std::size_t i = 0; i < out.size(); ++i) {
    expect_near(static_cast<double>(cuda::Planes<Element>::value(out[i])), exact_out[i], tolerance.out,
                c.name + " output " + std::to_string(i));
  }
}

const DeviceKernels* device() {
  static std::string reason;
  static const std::unique_ptr<const DeviceKernels> kernels = DeviceKernels::find(reason);
  return kernels.get();
}

template <class Contents, int kDim, class Element>
void agrees(const Case& c, std::int64_t queries, std::int64_t keys, int head_dim, const Tolerance& tolerance,
            const Visibility& visibility = {}, const Series& series = {}) {
  Machine CPU;
  agrees_on<Contents, kDim, Element>(CPU, c, queries, keys, head_dim, tolerance, visibility, series);
  if (device() == nullptr) return;
  Machine machine(*device());
  agrees_on<Contents, kDim, Element>(machine, c, queries, keys, head_dim, tolerance, visibility, series);
}

template <int kDim, class Element>
using Product = cuda::ProductContents<kDim, Element>;

constexpr Tolerance kOfFloats = {3e-5, 3e-5};
constexpr Tolerance kOfBFloat16 = {1e-4, 1.5e-2};  // the output is stored in eight bits, and so are weights
constexpr Tolerance kOfHalf = {1e-4, 2e-3};

TEST(RowsKernel, of_floats_is_attention) {
  int count = 0;
  for (const Case& c : cases()) {
    if (!has_tables(c) || turns_pairs(c)) continue;
    agrees<Product<16, float>, 16, float>(c, 90, 150, 16, kOfFloats);
    ++count;
  }
  EXPECT_GE(count, 8);
  agrees<Product<64, float>, 64, float>(cases()[0], 70, 70, 48, kOfFloats);
}

TEST(RowsKernel, of_16_bits_is_attention) {
  for (const Case& c : cases()) {
    if (!has_tables(c) || turns(c)) continue;
    agrees<Product<32, BFloat16>, 32, BFloat16>(c, 100, 200, 32, kOfBFloat16);
    agrees<Product<32, Half>, 32, Half>(c, 64, 64, 24, kOfHalf);
  }
}

TEST(RowsKernel, turns_every_pair_by_its_own_angle) {
  int count = 0;
  for (const Case& c : cases()) {
    if (!has_tables(c) || !turns_pairs(c)) continue;
    agrees<cuda::TurnedContents<16, float>, 16, float>(c, 90, 150, 16, kOfFloats);
    agrees<cuda::TurnedContents<32, BFloat16>, 32, BFloat16>(c, 70, 70, 24, kOfBFloat16);
    ++count;
  }
  EXPECT_GE(count, 4);
}

TEST(RowsKernel, turns_tiles_by_series) {
  const std::string rotation = "transform = \"rotation\"\n";
  const auto turning = [&](const std::string& name, const std::string& angle) {
    return Case{name, encoding_of_text(rotation + "[score.rotation]\nangle = \"" + angle + "\""), {}};
  };
  const Case rerope =
                 turning("rerope", "10000^(-2*j/d)*min(n, 100 + j)"),  // not stock RoPE: turned pair by pair
      smooth = turning("smooth", "10000^(-2*j/d)*n/(1 + log(1 + n))"),
             fast = turning("fast", "n*(1 + j)/(1 + sqrt(n)/50)");
  agrees<cuda::SeriesContents<16, float>, 16, float>(cases()[4], 256, 512, 16, {1e-3, 1e-3}, {}, {1e-4, 2});
  agrees<cuda::SeriesContents<32, float>, 32, float>(smooth, 320, 320, 32, {1e-3, 1e-3}, {}, {1e-4, 4});
  agrees<cuda::SeriesContents<32, float>, 32, float>(rerope, 320, 320, 32, {1e-4, 1e-4}, {}, {1e-6, 8});
  agrees<cuda::SeriesContents<16, float>, 16, float>(fast, 256, 256, 16, {1e-4, 1e-4}, {}, {1e-6, 0});
  agrees<cuda::SeriesContents<64, BFloat16>, 64, BFloat16>(smooth, 192, 192, 64, {3e-2, 5e-2}, {}, {1e-3, 8});
  // a chirp: the fit is exact, and the series has to be
  const Case chirp = turning("chirp", "n/(3 + j) + n^2/(1 + j)^3/20000");
  agrees<cuda::SeriesContents<32, float>, 32, float>(chirp, 200, 200, 32, {5e-4, 5e-4}, {}, {3e-4, 8});
  agrees<cuda::SeriesContents<32, BFloat16>, 32, BFloat16>(chirp, 200, 200, 32, {3e-2, 5e-2}, {}, {1e-3, 8});
  // queries that do not stand at multiples of 64 from the keys
  agrees<cuda::SeriesContents<16, float>, 16, float>(cases()[4], 100, 150, 16, {1e-4, 1e-4}, {}, {1e-6, 0});
}

TEST(RowsKernel, has_the_usual_head_dimensions) {
  const Case alibi = cases()[3];
  agrees<Product<16, BFloat16>, 16, BFloat16>(alibi, 1, 1, 8, kOfBFloat16);
  agrees<Product<64, BFloat16>, 64, BFloat16>(alibi, 129, 129, 64, kOfBFloat16);
  agrees<Product<128, BFloat16>, 128, BFloat16>(alibi, 65, 130, 128, kOfBFloat16);
}

TEST(RowsKernel, sees_what_it_may_see) {
  Visibility packed;  // documents of 40 tokens, padding from 110 on
  for (std::int64_t b = 0; b < kBatch; ++b) {
    for (std::int64_t i = 0; i < 120; ++i) {
      packed.begin.push_back(i / 40 * 40);
      packed.end.push_back(i < 110 ? 110 : 0);
    }
  }
  for (const Case& c : cases()) {
    if (!has_tables(c) || turns(c)) continue;
    agrees<Product<16, float>, 16, float>(c, 120, 120, 16, kOfFloats, packed);
  }
}

TEST(RowsKernel, says_nan_of_rows_that_see_it) {
  for (const Case& c : cases()) {
    if (!has_tables(c) || turns(c) || c.name == "no content") continue;  // there a device has NaN by 0, too
    agrees<Product<16, float>, 16, float>(c, 100, 150, 16, kOfFloats, {{}, {}, 80});
    agrees<Product<16, BFloat16>, 16, BFloat16>(c, 100, 150, 16, kOfBFloat16, {{}, {}, 80});
  }
}

TEST(HeadTables, refuse_what_depends_on_the_length) {
  int refused = 0;
  for (const Case& c : cases()) {
    if (has_tables(c)) continue;
    const Problem problem(c, 4, 4, 16);
    const ProblemHeads<double> heads{problem};
    EXPECT_THROW(head_tables(heads.get()), theory::SpecError) << c.name;
    ++refused;
  }
  EXPECT_GE(refused, 3);
}

TEST(Device, runs_all_of_these_tests) {
  std::string reason;
  if (DeviceKernels::find(reason) == nullptr) GTEST_SKIP() << reason;
}

}  // namespace rows_kernel_test
