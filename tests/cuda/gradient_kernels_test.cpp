// The backward kernels, on the CPU and on a device where there is one, against the backward pass in
// double precision on the same numbers.
#include "tests/cuda/device_problem.h"
#include "tests/cuda/lane_gradients.h"

namespace gradient_kernels_test {

using namespace gpe;
using namespace gpe::tests;
using cuda::BFloat16;
using cuda::Route;

struct Reads {
  bool out = true, log_normalizer = false, entropy = false;
};

struct Series {
  double tolerance = 0;  // of an angle, in radians
  int least = 0;         // how many groups of tiles are computed by them, at least
};

template <Route kRoute, int kDim, class Element>
void agrees_on(Machine& machine, const Case& c, std::int64_t tokens, int head_dim, double tolerance,
               const Reads& reads, const Series& series) {
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

  DeviceScores scores(heads.get(), head_dim, machine);
  if (kRoute == Route::series) {
    scores.use_series(series.tolerance, head_dim, machine);
    const auto used = std::ranges::count_if(scores.series_terms(), [](int terms) { return terms > 0; });
    EXPECT_GE(used, series.least) << c.name;
  }
  const Stored<Element> q(turned(p, heads, p.q, tokens)), k(turned(p, heads, p.k, tokens)), v(p.v), g(p.g),
      stored_out(out);
  const std::vector<float> log_normalizer(lse.begin(), lse.end()), entropies(entropy.begin(), entropy.end()),
      lse_gradient(by_lse.begin(), by_lse.end()), entropy_gradient(by_entropy.begin(), by_entropy.end());
  std::vector<Element> found_q(out.size()), found_k(out.size()), found_v(out.size());
  const auto length = static_cast<std::size_t>(tokens);
  std::vector<double> by_gain(kHeads * length), by_bias(kHeads * length);
  const auto half = length * static_cast<std::size_t>(head_dim / 2);  // of a head: its cosines, its sines
  std::vector<double> by_transform(kRoute != Route::products ? kHeads * 2 * half : 0);
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
                               .bias = machine.out(by_bias),
                               .transform = machine.out(by_transform)};
  if (machine.device() != nullptr) {
    std::vector<float> workspace(static_cast<std::size_t>(machine.device()->gradient_workspace(&problem)));
    problem.workspace = machine.in(workspace);
    Machine::check(machine.device()->attention_gradients(&problem, element_of(Element{}), nullptr));
    machine.fetch();
  } else {
    gradients_by_lanes<kRoute, kDim, Element>(problem);
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
  if (not_learned_on_device(*p.programs[0]) != nullptr) return;
  for (std::int64_t h = 0; h < kHeads; ++h) {
    std::vector<double> found(c.learned.size());
    const auto part = [&](const std::vector<double>& all, std::size_t size, std::size_t at) {
      return all.empty() ? std::span<const double>() : std::span(all).subspan(at * size, size);
    };
    const auto head = static_cast<std::size_t>(h);
    add_table_gradients(*heads.get()[head],
                        {part(by_gain, length, head), part(by_bias, length, head),
                         part(by_transform, half, 2 * head), part(by_transform, half, 2 * head + 1)},
                        found);
    for (std::size_t n = 0; n < found.size(); ++n)
      expect_near(found[n], by_parameter[static_cast<std::size_t>(h)][n], 30 * tolerance,
                  c.name + ' ' + c.learned[n]);
  }
}

template <Route kRoute, int kDim, class Element>
void agrees(const Case& c, std::int64_t tokens, int head_dim, double tolerance, const Reads& reads,
            const Series& series = {}) {
  Machine CPU;
  agrees_on<kRoute, kDim, Element>(CPU, c, tokens, head_dim, tolerance, reads, series);
  std::string reason;
  static const std::unique_ptr<const DeviceKernels> device = DeviceKernels::find(reason);
  if (device == nullptr) return;
  Machine machine(*device);
  agrees_on<kRoute, kDim, Element>(machine, c, tokens, head_dim, tolerance, reads, series);
}

TEST(GradientKernels, of_floats_are_those_of_attention) {
  for (const Case& c : cases()) {
    if (!has_tables(c)) continue;
    for (const Reads& reads : {Reads{}, Reads{true, true, true}, Reads{false, false, true}}) {
      if (turns_pairs(c)) {
        agrees<Route::turned, 16, float>(c, 90, 16, 1e-4, reads);
      } else {
        agrees<Route::products, 16, float>(c, 90, 16, 1e-4, reads);
      }
    }
  }
}

TEST(GradientKernels, of_16_bits_are_those_of_attention) {
  for (const Case& c : cases()) {
    if (!has_tables(c) || (turns(c) && !turns_pairs(c))) continue;
    if (turns_pairs(c)) {
      agrees<Route::turned, 32, BFloat16>(c, 130, 24, 3e-2, {});
    } else {
      agrees<Route::products, 32, BFloat16>(c, 130, 32, 3e-2, {});
    }
  }
}

// Beside attention with the exact angles: the tolerance is that of the angles where elements are float32.
TEST(GradientKernels, by_series_are_those_of_attention) {
  const std::string rotation = "transform = \"rotation\"\n";
  const auto turning = [&](const std::string& name, const std::string& angle,
                           std::vector<std::string> learned) {
    return Case{name,
                encoding_of_text(rotation + "bias = \"-n/40\"\n[score.rotation]\nangle = \"" + angle + "\"",
                                 "w = { default = \"1/10\" }"),
                std::move(learned)};
  };
  const Case smooth = turning("smooth", "w*10000^(-2*j/d)*n/(1 + log(1 + n))", {"w"}),
             chirp = turning("chirp", "n/(3 + j) + n^2/(1 + j)^3/20000", {}),
             piecewise = turning("piecewise", "10000^(-2*j/d)*min(n, 100 + j)", {});
  const Reads all{true, true, true};
  agrees<Route::series, 16, float>(piecewise, 150, 16, 2e-4, all, {1e-6, 2});
  agrees<Route::series, 32, float>(smooth, 200, 32, 1e-3, {}, {1e-4, 4});
  agrees<Route::series, 32, float>(chirp, 200, 32, 1e-3, all, {3e-4, 8});
  agrees<Route::series, 32, float>(piecewise, 200, 24, 2e-4, {}, {1e-6, 4});
  agrees<Route::series, 32, BFloat16>(smooth, 130, 32, 4e-2, {}, {1e-3, 4});
  agrees<Route::series, 64, BFloat16>(smooth, 130, 64, 4e-2, {}, {1e-3, 8});
}

TEST(GradientKernels, of_slices_of_a_batch_are_those_of_all) {
  const gpe_shape shape{.batch = 480, .heads = 6, .group = 1, .queries = 256, .keys = 256, .head_dim = 64};
  EXPECT_EQ(cuda::transform_parts(shape, 256), 6 * 4 * 64 * 256);
  EXPECT_EQ(cuda::transform_slice(shape, 256), (1 << 26) / (6 * 4 * 64 * 256));
  EXPECT_EQ(cuda::transform_slice(gpe_shape{2, 1, 1, 1 << 16, 1 << 16, 64}, 1 << 16), 1);
  EXPECT_EQ(cuda::transform_slice(gpe_shape{2, 1, 1, 64, 64, 64}, 64), 2);
}

TEST(GradientKernels, have_the_usual_head_dimensions) {
  const Case alibi = cases()[3], ape = cases()[4];
  agrees<Route::products, 64, cuda::Half>(alibi, 70, 64, 4e-3, {});
  agrees<Route::products, 128, cuda::Half>(alibi, 66, 128, 4e-3, {});
  agrees<Route::turned, 64, cuda::Half>(ape, 66, 64, 4e-3, {});
}

}  // namespace gradient_kernels_test
