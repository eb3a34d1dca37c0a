#include "probes/run/continued_contexts.h"
// Tests: tests/probes/run/transformer_probe_test.cpp
#include <cassert>
#include <cmath>

#include "probes/run/transformer_probe.h"

namespace gpe::probes {

namespace {

using model::AttentionStatistics;

constexpr std::size_t kContexts = 32;  // windows that are read on; all others give keys

// Queries, keys and values of a window, by layer: [1, tokens, 3·width].
using LayersOfWindow = std::vector<at::Tensor>;

std::vector<LayersOfWindow> layers_of(const model::LoadedModel& model, const model::TokenFile& file,
                                      const std::vector<model::Window>& windows) {
  std::vector<LayersOfWindow> result;
  for (const model::Window& window : windows) {
    LayersOfWindow& layers = result.emplace_back();
    model.transformer->hidden(
        window_tokens(file, window),
        [&](const at::Tensor& qkv, const model::AttentionLayer&) { layers.push_back(qkv.contiguous()); });
  }
  return result;
}

// Window `own` with `tokens` tokens; those of other windows stand between its first token and the rest.
at::Tensor read_on(const std::vector<LayersOfWindow>& windows, std::size_t layer, std::size_t own,
                   std::int64_t tokens) {
  const at::Tensor& window = windows[own][layer];
  const std::int64_t fit = window.size(1);
  const std::int64_t first = fit / 64;
  const std::int64_t half = fit / 2;
  std::vector<at::Tensor> parts = {window.narrow(1, 0, first)};
  std::int64_t missing = std::max<std::int64_t>(0, tokens - fit);
  for (std::size_t next = own + 1; missing > 0; ++next) {
    if (next % windows.size() == own) continue;
    const std::int64_t piece = std::min(missing, fit - half);
    parts.push_back(windows[next % windows.size()][layer].narrow(1, half, piece));
    missing -= piece;
  }
  parts.push_back(window.narrow(1, first, fit - first));
  return at::cat(parts, 1);
}

// Mean entropy of rows [begin, end), by head.
std::vector<double> entropies(const at::Tensor& qkv, const model::AttentionLayer& layer, std::int64_t begin,
                              std::int64_t end) {
  const auto rows = static_cast<std::size_t>(end - begin);
  const AttentionStatistics found = statistics(qkv, layer, begin, end, nullptr);
  std::vector<double> result(found.rows.size() / rows);
  for (std::size_t i = 0; i < found.rows.size(); ++i)
    result[i / rows] += found.rows[i].entropy / static_cast<double>(rows);
  return result;
}

struct OverContexts {
  double entropy = 0;
  model::Spread difference;
};

Continuation mean_of(const OverContexts& found) {
  const double count = found.difference.count;
  return {found.entropy / count, found.difference.mean, std::sqrt(found.difference.variance() / (count - 1))};
}

}  // namespace

std::vector<std::vector<std::vector<Continuation>>> continued_contexts(
    const model::LoadedModel& model, const model::TokenFile& file, const std::vector<model::Window>& windows,
    const std::vector<std::int64_t>& lengths, const std::function<void(double)>& progress) {
  assert(windows.size() >= 2);
  const std::vector<LayersOfWindow> read = layers_of(model, file, windows);
  const auto fit = static_cast<std::int64_t>(windows.front().length);
  const std::int64_t half = fit / 2;
  const std::size_t contexts = std::min(kContexts, windows.size());
  const std::size_t layers = read.front().size();
  std::vector<std::int64_t> tokens;
  for (const std::int64_t length : lengths)
    tokens.push_back(std::max(fit, middle_query(length) + (fit - half) / 2));
  std::vector<std::vector<std::vector<Continuation>>> result;
  for (std::size_t l = 0; l < layers; ++l) {
    const auto layer = model.transformer->layer_scores(static_cast<int>(l), tokens.back());
    std::vector<std::vector<OverContexts>> sums(static_cast<std::size_t>(model.config.model.heads),
                                                std::vector<OverContexts>(lengths.size()));
    for (std::size_t context = 0; context < contexts; ++context) {
      const std::size_t own = context * windows.size() / contexts;
      const std::vector<double> before = entropies(read[own][l], *layer, half, fit);
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        const std::vector<double> after =
            entropies(read_on(read, l, own, tokens[i]), *layer, tokens[i] - (fit - half), tokens[i]);
        for (std::size_t head = 0; head < sums.size(); ++head) {
          sums[head][i].entropy += after[head];
          sums[head][i].difference.merge({1, after[head] - before[head], 0});
        }
      }
      progress((static_cast<double>(l) + static_cast<double>(context + 1) / static_cast<double>(contexts)) /
               static_cast<double>(layers));
    }
    auto& of_layer = result.emplace_back();
    for (const auto& head : sums) {
      auto& of_head = of_layer.emplace_back();
      for (const OverContexts& at : head) of_head.push_back(mean_of(at));
    }
  }
  return result;
}

}  // namespace gpe::probes
