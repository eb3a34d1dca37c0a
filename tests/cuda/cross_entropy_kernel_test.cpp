// The kernel of the cross entropy, on the CPU and on a device where there is one, against double
// precision on the same stored logits.
#include "model/cuda/cross_entropy_kernel.h"

#include "tests/cuda/device_problem.h"

namespace cross_entropy_kernel_test {

using namespace gpe;
using namespace gpe::tests;

template <class Element>
void agrees_on(Machine& machine, std::int64_t rows, std::int64_t vocabulary, double spread, float scale,
               double tolerance) {
  const Stored<Element> logits(normal_numbers(static_cast<std::size_t>(rows * vocabulary), 5, spread));
  std::vector<std::int64_t> targets;
  for (std::int64_t i = 0; i < rows; ++i) targets.push_back(i * 7919 % vocabulary);
  std::vector<Element> found = logits.bits;
  std::vector<float> losses(static_cast<std::size_t>(rows), NAN);
  const gpe_cross_entropy_problem problem{
      machine.out(found), machine.in(targets), machine.out(losses), rows, vocabulary, scale};
  if (machine.device() != nullptr) {
    Machine::check(machine.device()->cross_entropy(&problem, element_of(Element{}), nullptr));
    machine.fetch();
  } else {
    using Kernel = cuda::CrossEntropyKernel<Element>;
    for (std::int64_t row = 0; row < rows; ++row) {
      typename Kernel::Shared shared;
      std::memset(&shared, 0xFF, sizeof shared);
      cuda::Block block(Kernel::kWarps);
      Kernel{problem, shared, static_cast<int>(row)}.run(block);
    }
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(row * vocabulary + i); };
    double largest = -INFINITY, mass = 0;
    for (std::int64_t i = 0; i < vocabulary; ++i) largest = std::max(largest, logits.exact[at(i)]);
    for (std::int64_t i = 0; i < vocabulary; ++i) mass += std::exp(logits.exact[at(i)] - largest);
    const std::int64_t target = targets[static_cast<std::size_t>(row)];
    const double loss = largest + std::log(mass) - logits.exact[at(target)];
    EXPECT_NEAR(static_cast<double>(losses[static_cast<std::size_t>(row)]), loss, 1e-5 * (1 + spread)) << row;
    for (std::int64_t i = 0; i < vocabulary; ++i) {
      const double weight = std::exp(logits.exact[at(i)] - largest) / mass;
      const double wanted = i == target ? 1 : 0;
      const double expected = scale == 0 ? logits.exact[at(i)] : (weight - wanted) * scale;
      EXPECT_NEAR(static_cast<double>(cuda::Planes<Element>::value(found[at(i)])), expected,
                  tolerance * std::abs(expected) + 1e-6 * std::abs(scale))
          << row << ' ' << i;
    }
  }
}

template <class Element>
void agrees(std::int64_t rows, std::int64_t vocabulary, double spread, float scale, double tolerance) {
  Machine CPU;
  agrees_on<Element>(CPU, rows, vocabulary, spread, scale, tolerance);
  std::string reason;
  const auto device = DeviceKernels::find(reason);
  if (device == nullptr) return;
  Machine machine(*device);
  agrees_on<Element>(machine, rows, vocabulary, spread, scale, tolerance);
}

TEST(CrossEntropyKernel, of_floats_is_that_of_a_row) {
  agrees<float>(3, 2500, 1, 0.25F, 1e-4);  // more than one look at the maximum, and a part of one
  agrees<float>(2, 2048, 30, 1, 1e-4);
  agrees<float>(4, 7, 3, 2, 1e-4);
  agrees<float>(1, 1, 1, 1, 1e-4);
}

TEST(CrossEntropyKernel, of_16_bits_is_that_of_the_stored_logits) {
  agrees<cuda::BFloat16>(2, 2500, 4, 0.25F, 4e-3);
  agrees<cuda::Half>(2, 300, 4, 0.25F, 5e-4);
}

TEST(CrossEntropyKernel, leaves_the_logits_without_a_scale) { agrees<float>(2, 300, 4, 0, 0); }

}  // namespace cross_entropy_kernel_test
