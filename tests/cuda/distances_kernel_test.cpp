// Sums by exact distance, on the CPU and on a device where there is one, against the weights and
// contents of all pairs in double precision.
#include "tests/cuda/device_problem.h"
#include "tests/cuda/lane_distances.h"

namespace distances_kernel_test {

using namespace gpe;
using namespace gpe::tests;
using cuda::BFloat16;

template <class Contents, int kDim, class Element>
void agrees_on(Machine& machine, const Case& c, std::int64_t queries, std::int64_t keys, int head_dim,
               double tolerance) {
  Problem p(c, queries, keys, head_dim);
  for (auto* numbers : {&p.q, &p.k}) *numbers = Stored<Element>(*numbers).exact;
  const ProblemHeads<double> heads(p);
  const DeviceScores scores(heads.get(), head_dim, machine);
  const Stored<Element> q(turned(p, heads, p.q, queries)), k(turned(p, heads, p.k, keys));
  std::vector<ReferenceOutput> expected;  // [batch][head]
  std::vector<float> log_normalizer;
  for (std::int64_t b = 0; b < kBatch; ++b) {
    for (std::int64_t h = 0; h < kHeads; ++h) {
      expected.push_back(reference_forward(p.reference(b, h)));
      for (const double number : expected.back().log_normalizer)
        log_normalizer.push_back(static_cast<float>(number));
    }
  }
  const auto length = static_cast<std::size_t>(keys);
  std::vector<double> sums(kBatch * kHeads * GPE_DISTANCE_SUMS * length, NAN);
  gpe_rows_problem problem{};
  problem.shape = shape_of(p);
  problem.q = tensor_of(p, machine.in(q.bits), queries);
  problem.k = tensor_of(p, machine.in(k.bits), keys);
  problem.scores = scores.result;
  problem.rows.log_normalizer = machine.in(log_normalizer);
  double* to = machine.out(sums);
  if (machine.device() != nullptr) {
    std::vector<float> workspace(static_cast<std::size_t>(machine.device()->distances_workspace(&problem)));
    Machine::check(machine.device()->attention_distances(&problem, machine.in(workspace), to,
                                                         element_of(Element{}), nullptr));
    machine.fetch();
  } else {
    distances_by_lanes<Contents, Element>(problem, to);
  }
  for (std::size_t head = 0; head < expected.size(); ++head) {
    const ReferenceOutput& of = expected[head];
    std::vector<double> exact(GPE_DISTANCE_SUMS * length);
    for (std::size_t row = 0; row < static_cast<std::size_t>(queries); ++row) {
      const std::size_t position = row + static_cast<std::size_t>(keys - queries);
      for (std::size_t key = 0; key <= position; ++key) {
        const std::size_t pair = row * length + key, n = position - key;
        if (std::isinf(of.scores[pair])) continue;
        exact[n] += of.weights[pair];
        exact[length + n] += 1;
        exact[2 * length + n] += of.contents[pair];
        exact[3 * length + n] += of.contents[pair] * of.contents[pair];
      }
    }
    for (std::size_t i = 0; i < exact.size(); ++i)
      expect_near(sums[head * exact.size() + i], exact[i], tolerance, c.name + ' ' + std::to_string(i));
  }
}

template <class Contents, int kDim, class Element>
void agrees(const Case& c, std::int64_t queries, std::int64_t keys, int head_dim, double tolerance) {
  Machine CPU;
  agrees_on<Contents, kDim, Element>(CPU, c, queries, keys, head_dim, tolerance);
  std::string reason;
  static const std::unique_ptr<const DeviceKernels> device = DeviceKernels::find(reason);
  if (device == nullptr) return;
  Machine machine(*device);
  agrees_on<Contents, kDim, Element>(machine, c, queries, keys, head_dim, tolerance);
}

TEST(DistancesKernel, adds_up_all_pairs) {
  for (const Case& c : cases()) {
    if (!has_tables(c)) continue;
    if (turns_pairs(c)) {
      agrees<cuda::TurnedContents<16, float>, 16, float>(c, 70, 100, 16, 1e-4);
    } else {
      agrees<cuda::ProductContents<16, float>, 16, float>(c, 70, 150, 16, 1e-4);
    }
  }
}

TEST(DistancesKernel, of_16_bits_adds_up_all_pairs) {
  const Case alibi = cases()[3], ape = cases()[4];
  agrees<cuda::ProductContents<64, BFloat16>, 64, BFloat16>(alibi, 130, 130, 64, 1e-4);
  agrees<cuda::TurnedContents<32, BFloat16>, 32, BFloat16>(ape, 70, 70, 24, 1e-4);
}

}  // namespace distances_kernel_test
