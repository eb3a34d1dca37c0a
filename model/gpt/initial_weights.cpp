#include "model/gpt/initial_weights.h"

#include <cmath>

#include "model/data/random.h"

namespace gpe::model {

void fill_normal(const at::Tensor& tensor, double mean, double deviation, std::uint64_t seed,
                 std::uint64_t stream) {
  const at::Tensor numbers = at::empty({tensor.numel()}, at::kDouble);
  double* to = numbers.mutable_data_ptr<double>();
  const auto unit = [&](std::uint64_t index) {  // in (0, 1]
    return (static_cast<double>(random_bits(seed, stream, index) >> 11) + 1) * 0x1p-53;
  };
  for (std::int64_t i = 0; i < tensor.numel(); i += 2) {
    const auto index = static_cast<std::uint64_t>(i);
    const double radius = std::sqrt(-2 * std::log(unit(index)));
    const double angle = 2 * M_PI * unit(index + 1);
    to[i] = mean + deviation * radius * std::cos(angle);
    if (i + 1 < tensor.numel()) to[i + 1] = mean + deviation * radius * std::sin(angle);
  }
  tensor.copy_(numbers.view(tensor.sizes()));
}

std::vector<double> bias_entropies(const Positions& positions, std::span<const double> raw,
                                   std::int64_t context) {
  const PositionSetting& setting = positions.setting();
  std::vector<double> result;
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      const ScoreProgram& score = positions.program(layer, head);
      TapeEvaluator run(score.program(), score.first(), context, score.blocks(), {ScoreProgram::kBias});
      run.evaluate(positions.values(layer, head, raw), static_cast<double>(context - 1), context);
      double mass = 0;
      double moment = 0;
      for (std::int64_t n = 0; n < context; ++n) {
        if (n >= score.first()) {
          const double bias = run.output(ScoreProgram::kBias)[static_cast<std::size_t>(n - score.first())];
          mass += std::exp(bias);
          moment += bias * std::exp(bias);
        }
        result.push_back(mass > 0 ? std::log(mass) - moment / mass : 0);
      }
    }
  }
  return result;
}

}  // namespace gpe::model
