// The backward kernels, on the processor and on a device where there is one, against the backward pass in
// double precision on the same numbers.
#include "model/cuda/key_gradient_kernel.h"
#include "model/cuda/loss_row.h"
#include "model/cuda/query_gradient_kernel.h"
#include "tests/cuda/device_problem.h"

namespace {

using namespace gpe;
using namespace gpe::tests;
using cuda::BFloat16;

struct Reads {
  bool out = true, log_normalizer = false, entropy = false;
};

// What the device does around the two kernels, one thread after the other.
template <bool kTurned, int kDim, class Element>
void on_processor(const gpe_gradient_problem& problem, const DeviceScores& scores, std::size_t tiles) {
  const gpe_shape& shape = problem.shape;
  const auto rows = static_cast<std::size_t>(shape.batch * shape.heads * shape.queries);
  std::vector<float> delta(rows), by_score(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const std::int64_t b = row / (shape.heads * shape.queries), h = row / shape.queries % shape.heads,
                       t = row % shape.queries;
    const auto at = [&](const gpe_tensor& tensor) {
      return static_cast<const Element*>(tensor.data) + b * tensor.batch + h * tensor.head + t * tensor.token;
    };
    const bool reads_out = problem.out_gradient.data != nullptr;
    const auto from = [&](const float* numbers) { return numbers == nullptr ? 0.0F : numbers[i]; };
    const cuda::LossOfRow loss = cuda::loss_of_row(
        reads_out ? cuda::row_product(at(problem.out), at(problem.out_gradient), shape.head_dim) : 0.0F,
        scores.sink(h), problem.log_normalizer[i], problem.entropy[i],
        from(problem.row_gradients.log_normalizer), from(problem.row_gradients.entropy));
    delta[i] = loss.delta, by_score[i] = loss.by_score;
  }
  const auto length = static_cast<std::size_t>(problem.scores.length);
  std::vector<float> gain(static_cast<std::size_t>(shape.batch * shape.heads) * tiles * length),
      bias(gain.size());
  const auto typed = cuda::typed<Element>(problem, {problem.log_normalizer, delta.data(), by_score.data()},
                                          {gain.data(), bias.data()});
  run_on_processor<cuda::QueryGradientKernel<kTurned, kDim, Element>>(typed, static_cast<int>(tiles));
  run_on_processor<cuda::KeyGradientKernel<kTurned, kDim, Element>>(typed, static_cast<int>(tiles));
  for (std::size_t i = 0; i < gain.size(); ++i) {
    const std::size_t to = i / (tiles * length) % static_cast<std::size_t>(shape.heads) * length + i % length;
    problem.gain[to] += static_cast<double>(gain[i]);
    problem.bias[to] += static_cast<double>(bias[i]);
  }
}

template <bool kTurned, int kDim, class Element>
void agrees_on(Machine& machine, const Case& c, std::int64_t tokens, int head_dim, double tolerance,
               const Reads& reads) {
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

  const DeviceScores scores(heads.get(), head_dim, machine);
  const Stored<Element> q(turned(p, heads, p.q, tokens)), k(turned(p, heads, p.k, tokens)), v(p.v), g(p.g),
      stored_out(out);
  const std::vector<float> log_normalizer(lse.begin(), lse.end()), entropies(entropy.begin(), entropy.end()),
      lse_gradient(by_lse.begin(), by_lse.end()), entropy_gradient(by_entropy.begin(), by_entropy.end());
  std::vector<Element> found_q(out.size()), found_k(out.size()), found_v(out.size());
  const auto tiles = static_cast<std::size_t>((tokens + 63) / 64);
  const auto length = static_cast<std::size_t>(tokens);
  std::vector<double> by_gain(kHeads * length), by_bias(kHeads * length);
  gpe_gradient_problem problem{.shape = shape_of(p),
                               .q = tensor_of(p, machine.in(q.bits), tokens),
                               .k = tensor_of(p, machine.in(k.bits), tokens),
                               .v = tensor_of(p, machine.in(v.bits), tokens),
                               .out = tensor_of(p, machine.in(stored_out.bits), tokens),
                               .out_gradient = tensor_of(p, reads.out ? machine.in(g.bits) : nullptr, tokens),
                               .q_gradient = tensor_of(p, machine.out(found_q), tokens),
                               .k_gradient = tensor_of(p, machine.out(found_k), tokens),
                               .v_gradient = tensor_of(p, machine.out(found_v), tokens),
                               .scores = scores.result,
                               .log_normalizer = machine.in(log_normalizer),
                               .entropy = machine.in(entropies),
                               .row_gradients = {reads.log_normalizer ? machine.in(lse_gradient) : nullptr,
                                                 reads.entropy ? machine.in(entropy_gradient) : nullptr},
                               .workspace = nullptr,
                               .gain = machine.out(by_gain),
                               .bias = machine.out(by_bias)};
  if (machine.device() != nullptr) {
    std::vector<float> workspace(static_cast<std::size_t>(machine.device()->gradient_workspace(&problem)));
    problem.workspace = machine.in(workspace);
    Machine::check(machine.device()->attention_gradients(&problem, element_of(Element{}), nullptr));
    machine.fetch();
  } else {
    on_processor<kTurned, kDim, Element>(problem, scores, tiles);
  }

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
    std::vector<double> found(c.learned.size());
    const auto of_head = [&](const std::vector<double>& all) {
      return std::span(all).subspan(static_cast<std::size_t>(h) * length, length);
    };
    add_table_gradients(*heads.get()[static_cast<std::size_t>(h)], of_head(by_gain), of_head(by_bias), found);
    for (std::size_t n = 0; n < found.size(); ++n)
      expect_near(found[n], by_parameter[static_cast<std::size_t>(h)][n], 30 * tolerance,
                  c.name + ' ' + c.learned[n]);
  }
}

template <bool kTurned, int kDim, class Element>
void agrees(const Case& c, std::int64_t tokens, int head_dim, double tolerance, const Reads& reads) {
  Machine processor;
  agrees_on<kTurned, kDim, Element>(processor, c, tokens, head_dim, tolerance, reads);
  std::string reason;
  static const std::unique_ptr<const DeviceKernels> device = DeviceKernels::find(reason);
  if (device == nullptr) return;
  Machine machine(*device);
  agrees_on<kTurned, kDim, Element>(machine, c, tokens, head_dim, tolerance, reads);
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

TEST(GradientKernels, have_the_usual_head_dimensions) {
  const Case alibi = cases()[3], ape = cases()[4];
  agrees<false, 64, cuda::Half>(alibi, 70, 64, 4e-3, {});
  agrees<false, 128, cuda::Half>(alibi, 66, 128, 4e-3, {});
  agrees<true, 64, cuda::Half>(ape, 66, 64, 4e-3, {});
}

}  // namespace
