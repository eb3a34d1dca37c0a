#include "model/interop/llama2c.h"
// Tests: tests/model/import_model_test.py
#include <array>
#include <cmath>
#include <cstring>

#include "model/data/mapped_file.h"
#include "model/gpt/tensor_checks.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

constexpr std::size_t kHeader = 7;
constexpr std::int32_t kLaterVersions = 0x616b3432;  // "ak42"

struct Sizes {
  std::int64_t width = 0, inner = 0, layers = 0, heads = 0, key_heads = 0, vocabulary = 0, context = 0;
  bool tied = true;

  std::int64_t head_dim() const { return width / heads; }
  std::int64_t key_width() const { return head_dim() * key_heads; }
  std::int64_t angles() const { return context * head_dim() / 2; }
  std::int64_t numbers() const {
    const std::int64_t block = width * (2 + 2 * width + 2 * key_width() + 3 * inner);
    return vocabulary * width * (tied ? 1 : 2) + layers * block + width + 2 * angles();
  }
};

Sizes read_sizes(std::span<const std::byte> bytes, const std::string& source) {
  std::array<std::int32_t, kHeader> header{};
  if (bytes.size() < sizeof header)
    throw SpecError(source + ": has " + std::to_string(bytes.size()) +
                    " bytes; expected a model of llama2.c, which begins with 7 integers of 4 bytes");
  std::memcpy(header.data(), bytes.data(), sizeof header);
  if (header[0] == kLaterVersions)
    throw SpecError(source + ": is a model of llama2.c of version " + std::to_string(header[1]) +
                    "; expected version 0");
  Sizes s;
  s.tied = header[5] > 0;
  header[5] = header[5] == INT32_MIN ? 0 : std::abs(header[5]);
  struct Field {
    const char* name;
    std::int64_t* value;
    std::int64_t high;
  };
  const std::array<Field, kHeader> fields = {{{"the width", &s.width, 1 << 20},
                                              {"the inner width", &s.inner, 1 << 22},
                                              {"the number of layers", &s.layers, 1024},
                                              {"the number of heads", &s.heads, 1024},
                                              {"the number of key heads", &s.key_heads, 1024},
                                              {"the vocabulary", &s.vocabulary, 65536},
                                              {"the context", &s.context, 1 << 24}}};
  for (std::size_t i = 0; i < kHeader; ++i) {
    if (header[i] < 1 || header[i] > fields[i].high)
      throw SpecError(source + ": " + fields[i].name + " is " + std::to_string(header[i]) +
                      "; expected 1 to " + std::to_string(fields[i].high) + " (a model of llama2.c)");
    *fields[i].value = header[i];
  }
  if (s.width % (2 * s.heads) != 0 || s.heads % s.key_heads != 0)
    throw SpecError(source + ": the width is " + std::to_string(s.width) + " with " +
                    std::to_string(s.heads) + " heads and " + std::to_string(s.key_heads) +
                    " key heads; expected an even multiple of the heads, and these one of the key heads");
  const std::int64_t expected = 4 * (static_cast<std::int64_t>(kHeader) + s.numbers());
  if (std::cmp_not_equal(bytes.size(), expected))
    throw SpecError(source + ": has " + std::to_string(bytes.size()) + " bytes; expected " +
                    std::to_string(expected) + ", as its header says");
  return s;
}

// The weights of the file, in its order.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, std::string source) : rest_(bytes), source_(std::move(source)) {}

  at::Tensor take(const std::string& name, at::IntArrayRef shape) {
    const at::Tensor result = at::empty(shape, at::kFloat);
    std::memcpy(result.mutable_data_ptr(), rest_.data(), result.nbytes());
    rest_ = rest_.subspan(result.nbytes());
    require_finite(result, name, source_);
    return result;
  }

 private:
  std::span<const std::byte> rest_;
  std::string source_;
};

struct Weights {
  at::Tensor tokens, norm1, q, k, v, out, norm2, gate, down, up, norm, head;
};

// run.c computes its angles anew, and takes no notice of the tables.
void check_angles(const at::Tensor& cosines, const at::Tensor& sines, const Sizes& s,
                  const std::string& source) {
  constexpr std::int64_t kRows = 4096;  // float32 has four digits of an angle there
  const std::int64_t blocks = s.head_dim() / 2;
  const std::int64_t rows = std::min(s.context, kRows);
  const at::Tensor rates = at::pow(at::scalar_tensor(10000.0, at::kDouble),
                                   -at::arange(blocks, at::kDouble) / static_cast<double>(blocks));
  const at::Tensor angles = at::outer(at::arange(rows, at::kDouble), rates);
  const auto differs = [&](const at::Tensor& table, const at::Tensor& expected) {
    return (table.narrow(0, 0, rows) - expected).abs().max().item<double>() > 1e-3;
  };
  if (differs(cosines, angles.cos()) || differs(sines, angles.sin()))
    throw SpecError(source + ": freq_cis has other angles than n·10000^(-2j/d); expected RoPE of base 10000");
}

Weights read_weights(std::span<const std::byte> bytes, const Sizes& s, const std::string& source) {
  Reader reader(bytes.subspan(4 * kHeader), source);
  Weights w;
  w.tokens = reader.take("token_embedding_table", {s.vocabulary, s.width});
  w.norm1 = reader.take("rms_att_weight", {s.layers, s.width});
  w.q = reader.take("wq", {s.layers, s.width, s.width});
  w.k = reader.take("wk", {s.layers, s.key_width(), s.width});
  w.v = reader.take("wv", {s.layers, s.key_width(), s.width});
  w.out = reader.take("wo", {s.layers, s.width, s.width});
  w.norm2 = reader.take("rms_ffn_weight", {s.layers, s.width});
  w.gate = reader.take("w1", {s.layers, s.inner, s.width});
  w.down = reader.take("w2", {s.layers, s.width, s.inner});
  w.up = reader.take("w3", {s.layers, s.inner, s.width});
  w.norm = reader.take("rms_final_weight", {s.width});
  const at::Tensor cosines = reader.take("freq_cis_real", {s.context, s.head_dim() / 2});
  const at::Tensor sines = reader.take("freq_cis_imag", {s.context, s.head_dim() / 2});
  check_angles(cosines, sines, s, source);
  if (!s.tied) w.head = reader.take("wcls", {s.vocabulary, s.width});
  return w;
}

TsmConfig config_of(const Sizes& s) {
  TsmConfig config;
  TsmConfig::Model& m = config.model;
  m.layers = s.layers;
  m.heads = s.heads;
  m.width = s.width;
  m.vocabulary = m.vocabulary_padded = s.vocabulary;
  m.feed_forward = s.inner;
  m.activation = "swiglu";
  m.norm = "rms";
  m.norm_epsilon = 1e-5;
  m.tied_head = s.tied;
  config.position.encoding = "rope";
  config.training.context = s.context;
  return config;
}

// Rows of `heads` heads for every head of the model; of pairs (2j, 2j+1) first all first ones, then the
// others.
at::Tensor rows_of(const at::Tensor& theirs, const Sizes& s, std::int64_t heads, bool pairs) {
  const at::Tensor served = at::arange(s.heads, at::kLong).floor_divide(s.heads / heads);
  at::Tensor by_head = theirs.view({heads, s.head_dim(), s.width}).index_select(0, served);
  if (pairs) by_head = by_head.view({s.heads, s.head_dim() / 2, 2, s.width}).transpose(1, 2);
  return by_head.reshape({s.width, s.width});
}

std::map<std::string, at::Tensor> by_our_names(const Weights& w, const Sizes& s) {
  std::map<std::string, at::Tensor> result = {{"transformer.wte.weight", w.tokens},
                                              {"transformer.ln_f.weight", w.norm}};
  if (!s.tied) result["lm_head.weight"] = w.head;
  for (std::int64_t layer = 0; layer < s.layers; ++layer) {
    const std::string at = "transformer.h." + std::to_string(layer) + ".";
    result[at + "ln_1.weight"] = w.norm1[layer];
    result[at + "attn.c_attn.weight"] =
        at::cat({rows_of(w.q[layer], s, s.heads, true), rows_of(w.k[layer], s, s.key_heads, true),
                 rows_of(w.v[layer], s, s.key_heads, false)});
    result[at + "attn.c_proj.weight"] = w.out[layer];
    result[at + "ln_2.weight"] = w.norm2[layer];
    result[at + "mlp.c_gate.weight"] = w.gate[layer];
    result[at + "mlp.c_fc.weight"] = w.up[layer];
    result[at + "mlp.c_proj.weight"] = w.down[layer];
  }
  return result;
}

}  // namespace

LoadedModel read_llama2c(const fs::path& file, const theory::ConstantOracle& oracle) {
  const MappedFile mapped(file);
  const Sizes sizes = read_sizes(mapped.bytes(), file.string());
  const at::NoGradGuard no_gradients;
  const auto theirs = by_our_names(read_weights(mapped.bytes(), sizes, file.string()), sizes);
  const TsmConfig config = config_of(sizes);
  LoadedModel model = unset_model(config, read_encoding_files(config.position.encoding), oracle);
  for (const NamedTensor& weight : model.transformer->weights()) weight.tensor.copy_(theirs.at(weight.name));
  return model;
}

}  // namespace gpe::model
