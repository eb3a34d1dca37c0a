// The operators of torch.ops.gpe, on torch's stable interface: one library for every release from 2.10 on.
// Tensors are on the CPU; `encoding` is an OpenEncoding's address; parameters are [head][given],
// float64. Tests: tests/python/test_attention.py
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>

#include "model/attention/statistics.h"
#include "probes/python/open_encoding.h"
#include "theory/source/spec_error.h"

namespace gpe::probes {
namespace {

using model::BFloat16;
using model::HeadScores;
using model::Strided;
using torch::headeronly::ScalarType;
using torch::stable::Tensor;

constexpr std::int64_t kRowNumbers = 9;
constexpr std::int64_t kBucketNumbers = 8;

const OpenEncoding& encoding_at(std::int64_t address) {
  return *reinterpret_cast<const OpenEncoding*>(address);  // NOLINT: what gpe_encoding_open gave
}

// Calls f with (Real, Element) values for the type of a tensor.
template <class F>
auto by_type(const Tensor& tensor, const F& f) {
  switch (tensor.scalar_type()) {
    case ScalarType::Float:
      return f(float{}, float{});
    case ScalarType::Double:
      return f(double{}, double{});
    case ScalarType::BFloat16:
      return f(float{}, BFloat16{});
    default:
      throw theory::SpecError("attention of float32, float64 and bfloat16 only");
  }
}

template <class Real>
constexpr ScalarType kType = sizeof(Real) == 4 ? ScalarType::Float : ScalarType::Double;

template <class Element>
Strided<const Element> read(const Tensor& tensor) {
  return {static_cast<const Element*>(tensor.const_data_ptr()), tensor.stride(0), tensor.stride(1),
          tensor.stride(2)};
}
template <class Element>
Strided<Element> write(const Tensor& tensor) {
  return {static_cast<Element*>(tensor.mutable_data_ptr()), tensor.stride(0), tensor.stride(1),
          tensor.stride(2)};
}
template <class Number>
const Number* numbers(const std::optional<Tensor>& tensor) {
  return tensor ? static_cast<const Number*>(tensor->const_data_ptr()) : nullptr;
}
template <class Number>
std::span<const Number> all_numbers(const std::optional<Tensor>& tensor) {
  if (!tensor) return {};
  return {numbers<Number>(tensor), static_cast<std::size_t>(tensor->numel())};
}

model::AttentionShape shape_of(const Tensor& q, const Tensor& k) {
  return {.batch = q.size(0),
          .heads = q.size(1),
          .queries = q.size(2),
          .keys = k.size(2),
          .head_dim = q.size(3),
          .key_heads = k.size(1)};
}

model::Parallel threads() {
  return model::several_threads(static_cast<int>(torch::stable::get_num_threads()));
}

template <class Real>
std::vector<const HeadScores<Real>*> pointers(const model::LayerScores<Real>& scores) {
  std::vector<const HeadScores<Real>*> result;
  for (const auto& head : scores) result.push_back(head.get());
  return result;
}

std::tuple<Tensor, Tensor, Tensor, Tensor> attention_forward(const Tensor& q, const Tensor& k,
                                                             const Tensor& v, const Tensor& parameters,
                                                             std::int64_t encoding) {
  const model::AttentionShape shape = shape_of(q, k);
  Tensor out = torch::stable::new_empty(q, {shape.batch, shape.heads, shape.queries, shape.head_dim});
  return by_type(q, [&]<class Real, class Element>(Real, Element) {
    const auto row = [&] {
      return torch::stable::new_empty(q, {shape.batch, shape.heads, shape.queries}, kType<Real>);
    };
    Tensor log_normalizer = row();
    Tensor entropy = row();
    Tensor largest_score = row();
    const auto scores = encoding_at(encoding).scores<Real>(all_numbers<double>(parameters), shape.keys);
    model::attention_forward<Real, Element>(shape, pointers(scores), read<Element>(q), read<Element>(k),
                                            read<Element>(v), write<Element>(out),
                                            {static_cast<Real*>(log_normalizer.mutable_data_ptr()),
                                             static_cast<Real*>(entropy.mutable_data_ptr()),
                                             static_cast<Real*>(largest_score.mutable_data_ptr())},
                                            threads());
    return std::tuple(out, log_normalizer, entropy, largest_score);
  });
}

std::tuple<Tensor, Tensor, Tensor, Tensor> attention_backward(
    const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& out, const Tensor& log_normalizer,
    const Tensor& entropy, const std::optional<Tensor>& out_gradient,
    const std::optional<Tensor>& log_normalizer_gradient, const std::optional<Tensor>& entropy_gradient,
    const Tensor& parameters, std::int64_t encoding) {
  const model::AttentionShape shape = shape_of(q, k);
  Tensor dq = torch::stable::empty_like(q);
  Tensor dk = torch::stable::empty_like(k);
  Tensor dv = torch::stable::empty_like(v);
  Tensor dparameters = torch::stable::new_zeros(parameters, parameters.sizes());
  return by_type(q, [&]<class Real, class Element>(Real, Element) {
    const auto scores = encoding_at(encoding).scores<Real>(all_numbers<double>(parameters), shape.keys);
    const auto given = static_cast<std::size_t>(encoding_at(encoding).given());
    std::vector<std::span<double>> of_heads;
    for (std::size_t head = 0; head < scores.size(); ++head) {
      of_heads.emplace_back(static_cast<double*>(dparameters.mutable_data_ptr()) + head * given, given);
    }
    model::attention_backward<Real, Element>(
        shape, pointers(scores), read<Element>(q), read<Element>(k), read<Element>(v), read<Element>(out),
        out_gradient ? read<Element>(*out_gradient) : Strided<const Element>{}, numbers<Real>(log_normalizer),
        {write<Element>(dq), write<Element>(dk), write<Element>(dv)}, of_heads, threads(),
        {numbers<Real>(log_normalizer_gradient), numbers<Real>(entropy_gradient), numbers<Real>(entropy)});
    return std::tuple(dq, dk, dv, dparameters);
  });
}

std::tuple<Tensor, Tensor> attention_statistics(const Tensor& q, const Tensor& k,
                                                const std::optional<Tensor>& begin,
                                                const std::optional<Tensor>& end, const Tensor& edges,
                                                const Tensor& parameters, std::int64_t encoding) {
  const model::AttentionShape shape = shape_of(q, k);
  const auto edge = all_numbers<std::int64_t>(edges);
  const model::DistanceBuckets buckets({edge.begin(), edge.end()});
  const auto classes = static_cast<std::int64_t>(buckets.size());
  Tensor rows = torch::stable::new_empty(parameters, {kRowNumbers, shape.batch, shape.heads, shape.queries});
  Tensor totals = torch::stable::new_empty(parameters, {kBucketNumbers, shape.batch, shape.heads, classes});
  return by_type(q, [&]<class Real, class Element>(Real, Element) {
    const auto scores = encoding_at(encoding).scores<Real>(all_numbers<double>(parameters), shape.keys);
    const auto measured = model::attention_statistics<Real, Element>(
        shape, pointers(scores), read<Element>(q), read<Element>(k),
        {all_numbers<std::int64_t>(begin), all_numbers<std::int64_t>(end)}, &buckets, threads());
    auto* row = static_cast<double*>(rows.mutable_data_ptr());
    const std::size_t count = measured.rows.size();
    for (std::size_t at = 0; at < count; ++at) {
      const model::RowStatistics& of = measured.rows[at];
      const double values[kRowNumbers] = {
          of.log_normalizer,  of.entropy,        of.varentropy,
          of.mean_distance,   of.largest_weight, of.largest_score,
          of.largest_content, of.sink_weight,    static_cast<double>(of.keys)};
      for (std::size_t i = 0; i < kRowNumbers; ++i) row[i * count + at] = values[i];
    }
    auto* total = static_cast<double*>(totals.mutable_data_ptr());
    const std::size_t all = measured.buckets.size();
    for (std::size_t at = 0; at < all; ++at) {
      const model::BucketStatistics& of = measured.buckets[at];
      const double values[kBucketNumbers] = {of.mass,          static_cast<double>(of.count()),
                                             of.content.mean,  of.content.variance(),
                                             of.least_content, of.largest_content,
                                             of.score.mean,    of.score.variance()};
      for (std::size_t i = 0; i < kBucketNumbers; ++i) total[i * all + at] = values[i];
    }
    return std::tuple(rows, totals);
  });
}

// One head's factors by distance: rows bias, gain, softcap and sink (at n = 0), cosine and sine by block;
// columns n = 0 … count - 1, with 0 before the first distance.
class Columns {
 public:
  Columns(const Tensor& parameters, std::int64_t encoding, std::int64_t head, std::int64_t length,
          std::int64_t count)
      : program_(encoding_at(encoding).program(static_cast<int>(head))),
        turns_(program_.content() == model::Content::rotation ||
               program_.content() == model::Content::hyperbolic),
        count_(count),
        distances_(std::max<std::int64_t>(count - program_.first(), 0)),
        run_(program_.program(), program_.first(), std::max<std::int64_t>(distances_, 1), program_.blocks(),
             wanted(program_, turns_)) {
    const auto given = static_cast<std::size_t>(encoding_at(encoding).given());
    const auto values =
        all_numbers<double>(parameters).subspan(static_cast<std::size_t>(head) * given, given);
    run_.evaluate(values, static_cast<double>(length), std::max<std::int64_t>(distances_, 1));
  }

  std::int64_t rows() const { return 4 + (turns_ ? 2 * program_.blocks() : 0); }

  void write_to(double* rows) const {
    each([&](std::size_t output, std::int64_t row, std::size_t at, std::int64_t column) {
      rows[row * count_ + column] = run_.output(output)[at];
    });
  }

  void back(const double* gradient, std::span<double> parameters) {
    std::array<std::vector<double>, model::ScoreProgram::kOutputs> adjoints;
    std::array<std::span<const double>, model::ScoreProgram::kOutputs> spans;
    each([&](std::size_t output, std::int64_t row, std::size_t at, std::int64_t column) {
      adjoints[output].resize(run_.output(output).size());
      adjoints[output][at] = gradient[row * count_ + column];
    });
    for (std::size_t output = 0; output < spans.size(); ++output) spans[output] = adjoints[output];
    run_.back(spans, parameters);
  }

 private:
  using Program = model::ScoreProgram;
  static std::vector<std::size_t> wanted(const Program& program, bool turns) {
    std::vector<std::size_t> result = {Program::kBias, Program::kGain};
    if (turns) result.insert(result.end(), {Program::kCosine, Program::kSine});
    if (program.has_softcap()) result.push_back(Program::kSoftcap);
    if (program.has_sink()) result.push_back(Program::kSink);
    return result;
  }

  // f(output, row, index in the output, column)
  template <class F>
  void each(const F& f) const {
    const std::int64_t first = program_.first();
    if (count_ > 0 && program_.has_softcap()) f(Program::kSoftcap, 2, 0, 0);
    if (count_ > 0 && program_.has_sink()) f(Program::kSink, 3, 0, 0);
    for (std::int64_t i = 0; i < distances_; ++i) {
      f(Program::kBias, 0, static_cast<std::size_t>(i), first + i);
      f(Program::kGain, 1, static_cast<std::size_t>(i), first + i);
      for (std::int64_t j = 0; turns_ && j < program_.blocks(); ++j) {
        const auto at = static_cast<std::size_t>(j * distances_ + i);
        f(Program::kCosine, 4 + j, at, first + i);
        f(Program::kSine, 4 + program_.blocks() + j, at, first + i);
      }
    }
  }

  const Program& program_;
  bool turns_;
  std::int64_t count_;
  std::int64_t distances_;
  model::TapeEvaluator run_;
};

Tensor columns(const Tensor& parameters, std::int64_t encoding, std::int64_t head, std::int64_t length,
               std::int64_t count) {
  const Columns of(parameters, encoding, head, length, count);
  Tensor result = torch::stable::new_zeros(parameters, {of.rows(), count});
  of.write_to(static_cast<double*>(result.mutable_data_ptr()));
  return result;
}

Tensor columns_backward(const Tensor& gradient, const Tensor& parameters, std::int64_t encoding,
                        std::int64_t head, std::int64_t length, std::int64_t count) {
  Tensor result = torch::stable::new_zeros(parameters, parameters.sizes());
  const auto given = static_cast<std::size_t>(encoding_at(encoding).given());
  Columns of(parameters, encoding, head, length, count);
  of.back(static_cast<const double*>(gradient.const_data_ptr()),
          {static_cast<double*>(result.mutable_data_ptr()) + static_cast<std::size_t>(head) * given, given});
  return result;
}

// The angles at n = 1 where the rotation is that of stock RoPE with them; nothing else: no elements.
Tensor frequencies(const Tensor& parameters, std::int64_t encoding, std::int64_t head, std::int64_t count) {
  const auto found = encoding_at(encoding).program(static_cast<int>(head)).frequencies(count);
  const auto blocks = static_cast<std::int64_t>(found ? found->size() : 0);
  Tensor result = torch::stable::new_empty(parameters, {blocks});
  if (found) std::ranges::copy(*found, static_cast<double*>(result.mutable_data_ptr()));
  return result;
}

}  // namespace
}  // namespace gpe::probes

STABLE_TORCH_LIBRARY(gpe, library) {
  library.def(
      "attention_forward(Tensor q, Tensor k, Tensor v, Tensor parameters, int encoding)"
      " -> (Tensor, Tensor, Tensor, Tensor)");
  library.def(
      "attention_backward(Tensor q, Tensor k, Tensor v, Tensor out, Tensor lse, Tensor entropy, Tensor? "
      "out_gradient,"
      " Tensor? lse_gradient, Tensor? entropy_gradient, Tensor parameters, int encoding)"
      " -> (Tensor, Tensor, Tensor, Tensor)");
  library.def(
      "attention_statistics(Tensor q, Tensor k, Tensor? begin, Tensor? end, Tensor edges, Tensor parameters,"
      " int encoding) -> (Tensor, Tensor)");
  library.def("columns(Tensor parameters, int encoding, int head, int length, int count) -> Tensor");
  library.def(
      "columns_backward(Tensor gradient, Tensor parameters, int encoding, int head, int length, int count) "
      "-> Tensor");
  library.def("frequencies(Tensor parameters, int encoding, int head, int count) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(gpe, CPU, library) {
  library.impl("attention_forward", TORCH_BOX(&gpe::probes::attention_forward));
  library.impl("attention_backward", TORCH_BOX(&gpe::probes::attention_backward));
  library.impl("attention_statistics", TORCH_BOX(&gpe::probes::attention_statistics));
  library.impl("columns", TORCH_BOX(&gpe::probes::columns));
  library.impl("columns_backward", TORCH_BOX(&gpe::probes::columns_backward));
  library.impl("frequencies", TORCH_BOX(&gpe::probes::frequencies));
}
