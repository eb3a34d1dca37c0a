// Moments by class of distance, on the CPU and on a device where there is one, against the statistics
// in double precision on the same numbers.
#include "model/cuda/moments_kernel.h"

#include "model/attention/statistics.h"
#include "tests/cuda/device_problem.h"

namespace moments_kernel_test {

using namespace gpe;
using namespace gpe::tests;
using cuda::BFloat16;

struct Visibility {
  std::vector<std::int64_t> begin, end;
};

template <class Contents, int kDim, class Element>
void agrees_on(Machine& machine, const Case& c, std::int64_t queries, std::int64_t keys, int head_dim,
               double tolerance, const Visibility& visibility) {
  Problem p(c, queries, keys, head_dim);
  for (auto* numbers : {&p.q, &p.k}) *numbers = Stored<Element>(*numbers).exact;
  const ProblemHeads<double> heads(p);
  const DeviceScores scores(heads.get(), head_dim, machine);
  const Stored<Element> q(turned(p, heads, p.q, queries)), k(turned(p, heads, p.k, keys));
  const std::vector<std::int64_t> wide_edges = {0, 1, 3, 64, 65, 100, 100000};
  const std::vector<int> edges(wide_edges.begin(), wide_edges.end());
  const std::vector<int> begin(visibility.begin.begin(), visibility.begin.end()),
      end(visibility.end.begin(), visibility.end.end());
  const auto tiles = static_cast<std::size_t>((queries + 63) / 64), parts = 4 * tiles;
  std::vector<float> moments(kBatch * kHeads * parts * edges.size() * GPE_MOMENTS, NAN);
  gpe_rows_problem problem{};
  problem.shape = shape_of(p);
  problem.q = tensor_of(p, machine.in(q.bits), queries);
  problem.k = tensor_of(p, machine.in(k.bits), keys);
  problem.scores = scores.result;
  problem.visible = {machine.in(begin), machine.in(end)};
  problem.buckets = {machine.in(edges), static_cast<int>(edges.size()), nullptr};
  float* to = machine.out(moments);
  if (machine.device() != nullptr) {
    Machine::check(machine.device()->attention_moments(&problem, to, element_of(Element{}), nullptr));
    machine.fetch();
  } else {
    run_on_processor<cuda::MomentsKernel<Contents, Element>>(
        cuda::MomentsProblem<Element>{cuda::typed<Element>(problem), to}, static_cast<int>(tiles));
  }

  const DistanceBuckets buckets(wide_edges);
  const AttentionStatistics expected = attention_statistics<double, double>(
      p.shape, heads.get(), p.strided(std::as_const(p.q).data(), queries),
      p.strided(std::as_const(p.k).data(), keys), {visibility.begin, visibility.end}, &buckets, one_thread());
  for (std::size_t head = 0; head < kBatch * kHeads; ++head) {
    for (std::size_t b = 0; b < edges.size(); ++b) {
      BucketStatistics found;
      for (std::size_t part = 0; part < parts; ++part) {
        const float* m = moments.data() + ((head * parts + part) * edges.size() + b) * GPE_MOMENTS;
        const auto number = [m](int i) { return static_cast<double>(m[i]); };
        BucketStatistics one;
        one.content = {number(0), number(1), number(2)};
        one.score = {number(0), number(3), number(4)};
        one.least_content = -number(5);
        one.largest_content = number(6);
        if (number(0) > 0) found.merge(one);
      }
      const BucketStatistics& other = expected.buckets[head * edges.size() + b];
      const std::string where = c.name + " bucket " + std::to_string(b);
      EXPECT_EQ(found.count(), other.count()) << where;
      if (other.count() == 0) continue;
      expect_near(found.content.mean, other.content.mean, tolerance, where + " mean content");
      expect_near(found.content.variance(), other.content.variance(), tolerance, where + " variance");
      expect_near(found.score.mean, other.score.mean, tolerance, where + " mean score");
      expect_near(found.score.variance(), other.score.variance(), tolerance, where + " variance of scores");
      expect_near(found.least_content, other.least_content, tolerance, where + " least");
      expect_near(found.largest_content, other.largest_content, tolerance, where + " largest");
    }
  }
}

template <class Contents, int kDim, class Element>
void agrees(const Case& c, std::int64_t queries, std::int64_t keys, int head_dim, double tolerance,
            const Visibility& visibility = {}) {
  Machine CPU;
  agrees_on<Contents, kDim, Element>(CPU, c, queries, keys, head_dim, tolerance, visibility);
  std::string reason;
  static const std::unique_ptr<const DeviceKernels> device = DeviceKernels::find(reason);
  if (device == nullptr) return;
  Machine machine(*device);
  agrees_on<Contents, kDim, Element>(machine, c, queries, keys, head_dim, tolerance, visibility);
}

TEST(MomentsKernel, has_the_moments_of_all_pairs) {
  int products = 0, pairs = 0;
  for (const Case& c : cases()) {
    if (!has_tables(c)) continue;
    if (turns_pairs(c)) {
      agrees<cuda::TurnedContents<16, float>, 16, float>(c, 90, 150, 16, 3e-5);
      ++pairs;
    } else {
      agrees<cuda::ProductContents<16, float>, 16, float>(c, 90, 150, 16, 3e-5);
      ++products;
    }
  }
  EXPECT_GE(products, 8);
  EXPECT_GE(pairs, 4);
}

TEST(MomentsKernel, of_16_bits_has_them_too) {
  const Case alibi = cases()[3], ape = cases()[4];
  agrees<cuda::ProductContents<32, BFloat16>, 32, BFloat16>(alibi, 100, 200, 24, 3e-5);
  agrees<cuda::ProductContents<64, cuda::Half>, 64, cuda::Half>(alibi, 129, 129, 64, 3e-5);
  agrees<cuda::TurnedContents<32, BFloat16>, 32, BFloat16>(ape, 70, 70, 24, 3e-5);
}

TEST(MomentsKernel, leaves_out_what_is_not_seen) {
  Visibility packed;  // documents of 40 tokens, padding from 110 on
  for (std::int64_t b = 0; b < kBatch; ++b) {
    for (std::int64_t i = 0; i < 120; ++i) {
      packed.begin.push_back(i / 40 * 40);
      packed.end.push_back(i < 110 ? 110 : 0);
    }
  }
  agrees<cuda::ProductContents<16, float>, 16, float>(cases()[3], 120, 120, 16, 3e-5, packed);
}

}  // namespace moments_kernel_test
