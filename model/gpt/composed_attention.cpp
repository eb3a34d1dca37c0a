#include "model/gpt/composed_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace gpe::model {

namespace {

using theory::Normalizer;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kPairs = std::int64_t{1}
                                << 24;  // of a head, at once, where no gradients are asked for

// What the scores of one head are made of.
struct Tables {
  at::Tensor gain, bias;    // [n]
  at::Tensor cosine, sine;  // [block][n], where every pair is turned by its own angle
  at::Tensor cos, sin;      // [position][block], where q and k are turned each by its own position
  at::Tensor softcap;       // one number
};

// The table in this type; where something is learned, `take` sees ∂loss/∂ the numbers as they were given.
template <class Take>
at::Tensor table(at::Tensor numbers, at::ScalarType type, bool learns, const Take& take) {
  if (learns) {
    numbers.requires_grad_(true);
    numbers.register_hook([take](const at::Tensor& gradient) { take(gradient.contiguous()); });
  }
  return numbers.to(type);
}

// On the CPU: a gradient goes through the head's formulas into that of `raw`.
Tables tables_of(const AttentionLayer& layer, int head, const at::Tensor& raw, at::ScalarType type) {
  const auto scores = layer.exact[static_cast<std::size_t>(head)];
  const ScoreProgram& program = scores->program();
  const std::int64_t length = scores->length();
  const bool learns = at::GradMode::is_enabled() && scores->learns();
  const auto give = [scores, raw, positions = layer.positions, of = layer.layer, head,
                     numbers = layer.raw](const TableGradientSpans& spans) {
    std::vector<double> by_value(positions->setting().learned.size());
    add_table_gradients(*scores, spans, by_value);
    at::Tensor to = raw.grad();
    if (!to.defined()) raw.mutable_grad() = to = at::zeros_like(raw);
    positions->add_gradient(of, head, by_value, numbers,
                            {to.mutable_data_ptr<double>(), static_cast<std::size_t>(to.numel())});
  };
  TileRows<double> tile;
  tile.rows = 1;
  double sink = 0;
  HeadRows<double> rows(*scores);
  rows.begin(length - 1, tile, &sink);
  // The distances of the last query run backwards.
  const auto column = [&](const double* values, at::IntArrayRef sizes, at::IntArrayRef strides,
                          std::span<const double> TableGradientSpans::*part) {
    const at::Tensor numbers =
        at::from_blob(const_cast<double*>(values), sizes, strides, at::kDouble).flip(-1);
    return table(numbers, type, learns, [give, part](const at::Tensor& gradient) {
      TableGradientSpans spans;
      spans.*part = {gradient.const_data_ptr<double>(), static_cast<std::size_t>(gradient.numel())};
      give(spans);
    });
  };
  const double zero = 0, one = 1;
  const auto by_distance = [&](const double* values, const double& without, auto part) {
    return values == nullptr ? column(&without, {length}, {0}, part) : column(values, {length}, {1}, part);
  };
  Tables result;
  result.gain = by_distance(tile.gain[0], one, &TableGradientSpans::gain);
  result.bias = by_distance(tile.bias[0], zero, &TableGradientSpans::bias);
  if (scores->turns_pairs()) {
    const std::vector<std::int64_t> sizes = {program.blocks(), length}, strides = {tile.block_stride, 1};
    result.cosine = column(tile.cosine[0], sizes, strides, &TableGradientSpans::cosine);
    result.sine = column(tile.sine[0], sizes, strides, &TableGradientSpans::sine);
  }
  if (scores->turns_separately()) {
    const auto by_position = [&](const double* from) {
      return at::from_blob(const_cast<double*>(from), {length, program.blocks()}, at::kDouble).to(type);
    };
    result.cos = by_position(scores->position_cosine(0));
    result.sin = by_position(scores->position_sine(0));
  }
  if (program.has_softcap()) {
    const at::Tensor numbers = at::scalar_tensor(scores->softcap(), at::kDouble);
    result.softcap = table(numbers, type, learns, [give](const at::Tensor& gradient) {
      give({.gain = {}, .bias = {}, .cosine = {}, .sine = {}, .softcap = gradient.item<double>()});
    });
  }
  return result;
}

// On a device: a gradient is added to what the layer collects.
Tables tables_of(const DevicePass& pass, int head, at::ScalarType type) {
  const DeviceLayer& layer = *pass.layer;
  const auto collected = [&](const at::Tensor& numbers, const at::Tensor& sum) {
    const bool learns = pass.collects && sum.defined();
    return table(numbers, type, learns, [sum](const at::Tensor& gradient) {
      const at::NoGradGuard no_gradients;
      at::Tensor(sum).add_(gradient);
    });
  };
  const auto of_head = [head](const at::Tensor& all) { return all.defined() ? all[head] : at::Tensor(); };
  Tables result;
  result.gain = collected(layer.gain[head] / std::numbers::log2e, of_head(layer.by_gain));
  result.bias = collected(layer.bias[head] / std::numbers::log2e, of_head(layer.by_bias));
  if (layer.cosine.defined()) {
    const at::Tensor sum = of_head(layer.by_transform);
    result.cosine = collected(layer.cosine[head].clone(), sum.defined() ? sum[0] : sum);
    result.sine = collected(layer.sine[head].clone(), sum.defined() ? sum[1] : sum);
  }
  if (layer.angles.defined()) {
    const at::Tensor position = at::arange(layer.length, layer.angles.options());
    const at::Tensor angle = at::outer(position, layer.angles[head]);
    result.cos = angle.cos().to(type);
    result.sin = angle.sin().to(type);
  }
  result.softcap = of_head(layer.softcap);
  return result;
}

// The two coordinates of every block: [batch, tokens, block] twice.
std::array<at::Tensor, 2> blocks_of(const at::Tensor& x, const ScoreProgram& program) {
  const bool interleaved = program.layout() == theory::Layout::interleaved;
  const auto both = x.unflatten(2, interleaved ? at::IntArrayRef{program.blocks(), 2}
                                               : at::IntArrayRef{2, program.blocks()})
                        .unbind(interleaved ? 3 : 2);
  return {both[0], both[1]};
}

// Each token turned by its position.
at::Tensor turned(const at::Tensor& x, const Tables& tables, std::int64_t first,
                  const ScoreProgram& program) {
  const auto [one, other] = blocks_of(x, program);
  const at::Tensor cos = tables.cos.narrow(0, first, x.size(1)), sin = tables.sin.narrow(0, first, x.size(1));
  return at::cat({one * cos - other * sin, one * sin + other * cos}, 2);
}

/// @param at  a table's numbers at the distance of each pair
template <class At>
at::Tensor contents(const at::Tensor& q, const at::Tensor& k, const ScoreProgram& program,
                    const Tables& tables, const At& at) {
  if (program.content() == Content::none) return at::zeros({q.size(0), 1, 1}, q.options());
  if (tables.cos.defined())
    return at::bmm(turned(q, tables, k.size(1) - q.size(1), program),
                   turned(k, tables, 0, program).transpose(1, 2));
  if (!tables.cosine.defined()) return at::bmm(q, k.transpose(1, 2));
  const double sign = program.content() == Content::hyperbolic ? 1 : -1;
  const auto [q1, q2] = blocks_of(q, program);
  const auto [k1, k2] = blocks_of(k, program);
  at::Tensor sum = at::zeros({q.size(0), q.size(1), k.size(1)}, q.options());
  for (std::int64_t j = 0; j < program.blocks(); ++j) {
    const auto pair = [j](const at::Tensor& one, const at::Tensor& other) {
      return at::stack({one.select(2, j), other.select(2, j)}, 2);
    };
    sum = sum + at(tables.cosine[j]) * at::bmm(pair(q1, q2), pair(k1, k2).transpose(1, 2)) +
          at(tables.sine[j]) * at::bmm(pair(q1, q2 * sign), pair(k2, k1).transpose(1, 2));
  }
  return sum;
}

// Where a key is not among the k of the row with the largest scores; of equal scores the nearest are.
at::Tensor left_out(const at::Tensor& scores, std::int64_t k) {
  const at::Tensor nearest_first = scores.detach().flip(2);
  const at::Tensor order = nearest_first.argsort(/*stable=*/true, 2, /*descending=*/true);
  return order.argsort(/*stable=*/false, 2, /*descending=*/false).flip(2).ge(k);
}

// Softmax of what a logarithm of the weights is, where that is one: sigmoid's would fall to 0.
at::Tensor weights_of(const at::Tensor& scores, const at::Tensor& unseen, const ScoreProgram& program) {
  if (program.normalizer() == Normalizer::relu) {
    const at::Tensor weights = scores.relu().masked_fill(unseen, 0);
    const at::Tensor sum = weights.sum(2, true);
    return weights / sum.masked_fill(sum.eq(0), 1);
  }
  const bool is_sigmoid = program.normalizer() == Normalizer::sigmoid;
  const at::Tensor logarithms =
      (is_sigmoid ? at::log_sigmoid(scores) : scores).masked_fill(unseen, -kInfinity);
  const bool selects = program.normalizer() == Normalizer::top_k && program.keys_selected() < scores.size(2);
  const at::Tensor without =
      selects ? unseen.logical_or(left_out(logarithms, program.keys_selected())) : unseen;
  return at::softmax(logarithms.masked_fill(without, -kInfinity), 2).masked_fill(without, 0);
}

struct HeadPass {
  at::Tensor out, weights, largest_score;
};

/// @param q  [batch, queries, head_dim], the last of the keys
HeadPass pass_of(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const ScoreProgram& program,
                 const Tables& tables) {
  const std::int64_t keys = k.size(1), offset = keys - q.size(1);
  const auto whole = q.options().dtype(at::kLong);
  const at::Tensor n = at::arange(offset, keys, whole).unsqueeze(1) - at::arange(keys, whole);
  const at::Tensor places = n.clamp_min(0).flatten();
  const auto at = [&](const at::Tensor& table) { return table.index_select(0, places).view(n.sizes()); };
  at::Tensor content = contents(q, k, program, tables, at) / std::sqrt(static_cast<double>(q.size(2)));
  if (tables.softcap.defined()) content = tables.softcap * at::tanh(content / tables.softcap);
  const at::Tensor scores = at(tables.gain) * content + at(tables.bias);
  const at::Tensor unseen = n.lt(program.first()).logical_or(n.gt(program.last()));
  const at::Tensor weights = weights_of(scores, unseen, program);
  return {at::bmm(weights, v), weights, scores.detach().masked_fill(unseen, -kInfinity).amax()};
}

// Without gradients, in pieces.
at::Tensor pieces_of(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                     const ScoreProgram& program, const Tables& tables) {
  const std::int64_t offset = k.size(1) - q.size(1);
  const std::int64_t at_once = std::max<std::int64_t>(1, kPairs / (k.size(0) * k.size(1)));
  std::vector<at::Tensor> pieces;
  for (std::int64_t begin = 0; begin < q.size(1); begin += at_once) {
    const std::int64_t count = std::min(at_once, q.size(1) - begin), end = offset + begin + count;
    pieces.push_back(
        pass_of(q.narrow(1, begin, count), k.narrow(1, 0, end), v.narrow(1, 0, end), program, tables).out);
  }
  return at::cat(pieces, 1);
}

// What is asked for of what a head was seen to do.
void record(const HeadPass& pass, int head, const AttentionLayer& layer) {
  const at::NoGradGuard no_gradients;
  const auto entropy = [&] { return at::special_entr(pass.weights.detach()).sum(2).to(at::kDouble).mean(0); };
  if (!layer.entropy.empty()) {
    const at::Tensor mean = entropy().contiguous();
    std::copy_n(mean.const_data_ptr<double>(), mean.numel(), layer.entropy.begin() + head * mean.numel());
  }
  if (!layer.largest_score.empty())
    layer.largest_score[static_cast<std::size_t>(head)] = pass.largest_score.item<double>();
  if (layer.device.entropy.defined()) layer.device.entropy[head].add_(entropy());
  if (layer.device.largest_score.defined()) {
    at::Tensor so_far = layer.device.largest_score[head];
    so_far.copy_(at::maximum(so_far, pass.largest_score));
  }
}

}  // namespace

at::Tensor attend_composed(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const at::Tensor& raw, const AttentionLayer& layer) {
  const at::ScalarType type = q.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  const int heads = layer.positions->setting().heads;
  const auto parts = [&](const at::Tensor& x) { return x.to(type).chunk(heads, 2); };
  const auto queries = parts(q), keys = parts(k), values = parts(v);
  std::vector<at::Tensor> outs;
  for (int head = 0; head < heads; ++head) {
    const auto at = static_cast<std::size_t>(head);
    const ScoreProgram& program = layer.positions->program(layer.layer, head);
    const Tables tables = layer.device.layer != nullptr ? tables_of(layer.device, head, type)
                                                        : tables_of(layer, head, raw, type);
    if (!at::GradMode::is_enabled()) {
      outs.push_back(pieces_of(queries[at], keys[at], values[at], program, tables));
      continue;
    }
    const HeadPass pass = pass_of(queries[at], keys[at], values[at], program, tables);
    record(pass, head, layer);
    outs.push_back(pass.out);
  }
  return at::cat(outs, 2).to(q.scalar_type());
}

}  // namespace gpe::model
