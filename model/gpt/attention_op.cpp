#include "model/gpt/attention_op.h"
// Tests: tests/model/gpt/transformer_test.cpp
#include <cmath>
#include <stdexcept>

#include "model/attention/attention.h"
#include "model/gpt/composed_attention.h"
#include "model/gpt/device_attention.h"
#include "model/gpt/device_statistics.h"
#include "model/gpt/torch_threads.h"

namespace gpe::model {

namespace {

// LibTorch's type has the same bits.
template <class Element>
Element* elements(const at::Tensor& tensor) {
  return static_cast<Element*>(tensor.data_ptr());
}

// Part `part` of the last dimension, cut into heads.
template <class Element>
Strided<Element> strided_heads(const at::Tensor& tensor, std::int64_t part, std::int64_t width,
                               std::int64_t head_dim) {
  return {elements<Element>(tensor) + part * width, tensor.stride(0), head_dim, tensor.stride(1)};
}

template <class Real>
std::vector<const HeadScores<Real>*> pointers_of(const AttentionLayer& layer) {
  const LayerScores<Real>* scores = nullptr;
  if constexpr (sizeof(Real) == 4) {
    scores = &layer.scores;
  } else {
    scores = &layer.exact;
  }
  std::vector<const HeadScores<Real>*> result;
  for (const auto& head : *scores) result.push_back(head.get());
  TORCH_INTERNAL_ASSERT(!result.empty(), "no scores of this type");
  return result;
}

AttentionShape shape_of(const at::Tensor& q, const at::Tensor& k, const AttentionLayer& layer,
                        std::int64_t width) {
  const std::int64_t heads = layer.positions->setting().heads;
  return {
      .batch = q.size(0), .heads = heads, .queries = q.size(1), .keys = k.size(1), .head_dim = width / heads};
}

template <class Real>
constexpr at::ScalarType kRowType = sizeof(Real) == 4 ? at::kFloat : at::kDouble;

// Calls f with (Real, Element) values for the type of a tensor.
template <class F>
void by_type(const at::Tensor& tensor, const F& f) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return f(float{}, float{});
    case at::kDouble:
      return f(double{}, double{});
    case at::kBFloat16:
      return f(float{}, BFloat16{});
    default:
      TORCH_CHECK(false, "attention of float32, float64 and bfloat16 only");
  }
}

struct Holder : torch::CustomClassHolder {
  explicit Holder(std::shared_ptr<const AttentionLayer> of) : layer(std::move(of)) {}
  std::shared_ptr<const AttentionLayer> layer;
};

struct Attend : torch::autograd::Function<Attend> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& qkv,
                            const at::Tensor& raw, const std::shared_ptr<const AttentionLayer>& layer) {
    const at::Tensor packed = qkv.contiguous();
    const std::int64_t width = packed.size(2) / 3;
    at::Tensor out = at::empty({packed.size(0), packed.size(1), width}, packed.options());
    at::Tensor log_normalizer;
    by_type(packed, [&]<class Real, class Element>(Real, Element) {
      const AttentionShape shape = shape_of(packed, packed, *layer, width);
      log_normalizer =
          at::empty({shape.batch, shape.heads, shape.queries}, packed.options().dtype(kRowType<Real>));
      at::Tensor entropy;
      at::Tensor largest_score;
      AttentionRows<Real> rows{elements<Real>(log_normalizer), nullptr, nullptr};
      if (!layer->entropy.empty()) {
        entropy = at::empty_like(log_normalizer);
        rows.entropy = elements<Real>(entropy);
      }
      if (!layer->largest_score.empty()) {
        largest_score = at::empty_like(log_normalizer);
        rows.largest_score = elements<Real>(largest_score);
      }
      attention_forward<Real, Element>(
          shape, pointers_of<Real>(*layer), strided_heads<const Element>(packed, 0, width, shape.head_dim),
          strided_heads<const Element>(packed, 1, width, shape.head_dim),
          strided_heads<const Element>(packed, 2, width, shape.head_dim),
          strided_heads<Element>(out, 0, width, shape.head_dim), rows, torch_threads());
      if (entropy.defined()) {
        const at::Tensor mean = entropy.to(at::kDouble).mean(0).contiguous();
        std::copy_n(elements<const double>(mean), layer->entropy.size(), layer->entropy.begin());
      }
      if (largest_score.defined()) {
        const at::Tensor largest = largest_score.amax({0, 2}).to(at::kDouble).contiguous();
        std::copy_n(elements<const double>(largest), layer->largest_score.size(),
                    layer->largest_score.begin());
      }
    });
    context->save_for_backward({packed, out, log_normalizer, raw});
    context->saved_data["layer"] = c10::IValue::make_capsule(c10::make_intrusive<Holder>(layer));
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& packed = saved[0];
    const at::Tensor& out = saved[1];
    const auto capsule = context->saved_data["layer"].toCapsule();
    const AttentionLayer& layer = *static_cast<const Holder&>(*capsule).layer;
    const at::Tensor out_gradient = gradients[0].contiguous();
    const std::int64_t width = out.size(2);
    at::Tensor packed_gradient = at::empty_like(packed);
    at::Tensor raw_gradient = at::zeros_like(saved[3]);
    by_type(packed, [&]<class Real, class Element>(Real, Element) {
      const AttentionShape shape = shape_of(packed, packed, layer, width);
      const auto learned = layer.positions->setting().learned.size();
      std::vector<std::vector<double>> parameters(static_cast<std::size_t>(shape.heads),
                                                  std::vector<double>(learned));
      const std::vector<std::span<double>> spans(parameters.begin(), parameters.end());
      attention_backward<Real, Element>(shape, pointers_of<Real>(layer),
                                        strided_heads<const Element>(packed, 0, width, shape.head_dim),
                                        strided_heads<const Element>(packed, 1, width, shape.head_dim),
                                        strided_heads<const Element>(packed, 2, width, shape.head_dim),
                                        strided_heads<const Element>(out, 0, width, shape.head_dim),
                                        strided_heads<const Element>(out_gradient, 0, width, shape.head_dim),
                                        elements<const Real>(saved[2]),
                                        {strided_heads<Element>(packed_gradient, 0, width, shape.head_dim),
                                         strided_heads<Element>(packed_gradient, 1, width, shape.head_dim),
                                         strided_heads<Element>(packed_gradient, 2, width, shape.head_dim)},
                                        spans, torch_threads());
      const std::span<double> raw(elements<double>(raw_gradient),
                                  static_cast<std::size_t>(raw_gradient.numel()));
      for (int head = 0; head < static_cast<int>(shape.heads); ++head) {
        layer.positions->add_gradient(layer.layer, head, parameters[static_cast<std::size_t>(head)],
                                      layer.raw, raw);
      }
    });
    return {packed_gradient, raw_gradient, at::Tensor()};
  }
};

// What a maximum or a sum of NaN may hide is seen in the normalizer.
AttentionStatistics numbers(AttentionStatistics found) {
  for (const RowStatistics& row : found.rows) {
    if (std::isnan(row.entropy) || (row.keys > 0 && !std::isfinite(row.log_normalizer)))
      throw std::runtime_error("a score is not a number");
  }
  return found;
}

}  // namespace

at::Tensor attend(const at::Tensor& qkv, const at::Tensor& raw,
                  const std::shared_ptr<const AttentionLayer>& layer) {
  if (layer->positions->normalizer() != theory::Normalizer::softmax) {
    const auto parts = qkv.chunk(3, 2);
    return attend_composed(parts[0], parts[1], parts[2], raw, *layer);
  }
  if (layer->device.layer != nullptr) return attend_on_device(qkv, layer->device);
  return Attend::apply(qkv, raw, layer);
}

at::Tensor attend_to_cache(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionLayer& layer) {
  if (layer.positions->normalizer() != theory::Normalizer::softmax)
    return attend_composed(q, k, v, {}, layer);
  const std::int64_t width = q.size(2);
  at::Tensor out = at::empty(q.sizes(), q.options());
  by_type(q, [&]<class Real, class Element>(Real, Element) {
    const AttentionShape shape = shape_of(q, k, layer, width);
    attention_forward<Real, Element>(
        shape, pointers_of<Real>(layer), strided_heads<const Element>(q, 0, width, shape.head_dim),
        strided_heads<const Element>(k, 0, width, shape.head_dim),
        strided_heads<const Element>(v, 0, width, shape.head_dim),
        strided_heads<Element>(out, 0, width, shape.head_dim), {}, torch_threads());
  });
  return out;
}

AttentionStatistics statistics(const at::Tensor& qkv, const AttentionLayer& layer, std::int64_t begin,
                               std::int64_t end, const DistanceBuckets* buckets) {
  TORCH_INTERNAL_ASSERT(qkv.is_contiguous());
  if (layer.device.layer != nullptr)
    return numbers(statistics_on_device(qkv, layer.device, begin, end, buckets));
  const std::int64_t width = qkv.size(2) / 3;
  AttentionStatistics result;
  by_type(qkv, [&]<class Real, class Element>(Real, Element) {
    const AttentionShape shape =
        shape_of(qkv.narrow(1, begin, end - begin), qkv.narrow(1, 0, end), layer, width);
    Strided<const Element> q = strided_heads<const Element>(qkv, 0, width, shape.head_dim);
    q.data += begin * q.token;
    result = attention_statistics<Real, Element>(shape, pointers_of<Real>(layer), q,
                                                 strided_heads<const Element>(qkv, 1, width, shape.head_dim),
                                                 {}, buckets, torch_threads());
  });
  return numbers(std::move(result));
}

}  // namespace gpe::model
