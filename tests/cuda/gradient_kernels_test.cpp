// The backward kernels, run on the processor, against the backward pass in double precision on the same
// numbers.
#include "model/cuda/key_gradient_kernel.h"
#include "model/cuda/query_gradient_kernel.h"
#include "tests/cuda/host_device.h"

namespace {

using namespace gpe;
using namespace gpe::tests;
using cuda::BFloat16;

struct Reads {
  bool out = true, log_normalizer = false, entropy = false;
};

template <bool kTurned, int kDim, class Element>
void agrees(const Case& c, std::int64_t tokens, int head_dim, double tolerance, const Reads& reads) {
  Problem p(c, tokens, tokens, head_dim);
  for (auto* numbers : {&p.q, &p.k, &p.v, &p.g}) *numbers = Stored<Element>(*numbers).exact;
  const ProblemHeads<double> heads(p);
  const auto at = [&](auto& numbers) { return p.strided(numbers.data(), tokens); };
  const auto reading = [&](auto& numbers) { return p.strided(std::as_const(numbers).data(), tokens); };
  const auto rows = static_cast<std::size_t>(kBatch * kHeads * tokens);

  std::vector<double> out(p.q.size()), lse(rows), entropy(rows);
  attention_forward<double, double>(p.shape, heads.get(), reading(p.q), reading(p.k), reading(p.v), at(out),
                                    {lse.data(), entropy.data()}, one_thread());
  const std::vector<double> by_lse = normal_numbers(rows, 7), by_entropy = normal_numbers(rows, 8);
  std::vector<double> dq(out.size()), dk(out.size()), dv(out.size());
  std::vector<std::vector<double>> by_parameter(kHeads, std::vector<double>(c.learned.size()));
  const std::vector<std::span<double>> spans(by_parameter.begin(), by_parameter.end());
  Strided<const double> no_gradient = reading(p.g);
  if (!reads.out) no_gradient.data = nullptr;
  attention_backward<double, double>(p.shape, heads.get(), reading(p.q), reading(p.k), reading(p.v),
                                     reading(out), no_gradient, lse.data(), {at(dq), at(dk), at(dv)}, spans,
                                     one_thread(),
                                     {reads.log_normalizer ? by_lse.data() : nullptr,
                                      reads.entropy ? by_entropy.data() : nullptr, entropy.data()});

  // what a kernel of its own prepares: docs of RowOfLoss
  std::vector<float> log_normalizer(lse.begin(), lse.end()), delta(rows), by_score(rows);
  const DeviceScores scores(heads.get(), head_dim);
  for (std::int64_t i = 0; i < std::ssize(lse); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::int64_t b = i / (kHeads * tokens), h = i / tokens % kHeads, t = i % tokens;
    double product = 0;
    for (std::size_t x = 0; reads.out && x < static_cast<std::size_t>(head_dim); ++x)
      product += out[p.at(b, h, t, tokens) + x] * p.g[p.at(b, h, t, tokens) + x];
    if (std::isinf(lse[row])) continue;
    const double sink =
        scores.result.sink == nullptr ? -INFINITY : static_cast<double>(scores.result.sink[h]) * std::log(2);
    const double share = std::exp(sink - lse[row]);
    if (reads.log_normalizer) product -= by_lse[row];
    if (reads.entropy) {
      by_score[row] = static_cast<float>(-by_entropy[row] / (1 - share));
      product += by_entropy[row] / (1 - share) * (entropy[row] - std::log1p(-share));
    }
    delta[row] = static_cast<float>(product);
  }

  const Stored<Element> q(turned(p, heads, p.q, tokens)), k(turned(p, heads, p.k, tokens)), v(p.v), g(p.g);
  std::vector<Element> found_q(out.size()), found_k(out.size()), found_v(out.size());
  const auto tiles = static_cast<std::size_t>((tokens + 63) / 64);
  const auto length = static_cast<std::size_t>(tokens);
  std::vector<float> by_gain(static_cast<std::size_t>(kBatch * kHeads) * tiles * length),
      by_bias(by_gain.size());
  cuda::GradientProblem<Element> problem{
      .shape = {kBatch, kHeads, 1, static_cast<int>(tokens), static_cast<int>(tokens), head_dim},
      .q = device_tensor(p, q.bits.data(), tokens),
      .k = device_tensor(p, k.bits.data(), tokens),
      .v = device_tensor(p, v.bits.data(), tokens),
      .out_gradient = device_tensor(p, reads.out ? g.bits.data() : nullptr, tokens),
      .q_gradient = device_tensor(p, found_q.data(), tokens),
      .k_gradient = device_tensor(p, found_k.data(), tokens),
      .v_gradient = device_tensor(p, found_v.data(), tokens),
      .scores = scores.result,
      .rows = {log_normalizer.data(), delta.data(), by_score.data()},
      .tables = {by_gain.data(), by_bias.data()}};
  run_on_processor<cuda::QueryGradientKernel<kTurned, kDim, Element>>(problem, static_cast<int>(tiles));
  run_on_processor<cuda::KeyGradientKernel<kTurned, kDim, Element>>(problem, static_cast<int>(tiles));

  // gradients of what was turned before are turned: so are the expected ones
  const std::vector<double> expected_q = turned(p, heads, dq, tokens),
                            expected_k = turned(p, heads, dk, tokens);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto value = [](Element x) { return static_cast<double>(cuda::Planes<Element>::value(x)); };
    const std::string where = c.name + ' ' + std::to_string(i);
    expect_near(value(found_q[i]), expected_q[i], tolerance, "q " + where);
    expect_near(value(found_k[i]), expected_k[i], tolerance, "k " + where);
    expect_near(value(found_v[i]), dv[i], tolerance, "v " + where);
  }
  if (!learns_tables_only(*p.programs[0])) return;
  for (std::int64_t h = 0; h < kHeads; ++h) {
    std::vector<double> gain(length), bias(length), found(c.learned.size());
    for (std::size_t b = 0; b < kBatch; ++b) {
      for (std::size_t part = 0; part < tiles * length; ++part) {
        const std::size_t from = (b * kHeads + static_cast<std::size_t>(h)) * tiles * length + part;
        gain[part % length] += static_cast<double>(by_gain[from]);
        bias[part % length] += static_cast<double>(by_bias[from]);
      }
    }
    add_table_gradients(*heads.get()[static_cast<std::size_t>(h)], gain, bias, found);
    for (std::size_t n = 0; n < found.size(); ++n)
      expect_near(found[n], by_parameter[static_cast<std::size_t>(h)][n], 30 * tolerance,
                  c.name + ' ' + c.learned[n]);
  }
}

TEST(GradientKernels, of_floats_are_those_of_attention) {
  for (const Case& c : cases()) {
    if (!has_tables(c)) continue;
    for (const Reads& reads : {Reads{}, Reads{true, true, true}, Reads{false, false, true}}) {
      if (turns_pairs(c)) {
        agrees<true, 16, float>(c, 90, 16, 1e-4, reads);
      } else {
        agrees<false, 16, float>(c, 90, 16, 1e-4, reads);
      }
    }
  }
}

TEST(GradientKernels, of_16_bits_are_those_of_attention) {
  for (const Case& c : cases()) {
    if (!has_tables(c) || (turns(c) && !turns_pairs(c))) continue;
    if (turns_pairs(c)) {
      agrees<true, 32, BFloat16>(c, 130, 24, 3e-2, {});
    } else {
      agrees<false, 32, BFloat16>(c, 130, 32, 3e-2, {});
    }
  }
}

}  // namespace
