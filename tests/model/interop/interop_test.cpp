// Models written for other programs and read again; the tests in Python hold both against transformers.
#include <algorithm>

#include "model/interop/export_model.h"
#include "model/interop/open_model.h"
#include "model/interop/qkv_rows.h"
#include "tests/model/small_model.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace interop_test {

using namespace gpe;
using namespace gpe::model;
using gpe::tests::oracle;
using gpe::tests::refusal;
using gpe::tests::small;
using gpe::tests::some_tokens;
using gpe::tests::TemporaryFolder;

// Every weight away from where it begins.
void stir(const Transformer& transformer) {
  const at::NoGradGuard no_gradients;
  double phase = 0;
  for (const NamedTensor& weight : transformer.weights()) {
    weight.tensor.add_(
        (at::arange(weight.tensor.numel(), at::kFloat) * 1.7 + ++phase).sin().view_as(weight.tensor) * 0.4);
  }
}

at::Tensor logits(const LoadedModel& model) {
  const at::NoGradGuard no_gradients;
  return at::matmul(model.transformer->hidden(some_tokens(2, 10, 3)), model.transformer->head().t());
}

TEST(NeoxRows, are_a_permutation_that_keeps_pairs_together) {
  for (const theory::Layout layout : {theory::Layout::half, theory::Layout::interleaved}) {
    for (const std::int64_t turned : {0, 2, 6, 8}) {
      const std::vector<std::int64_t> rows = neox_rows(3, 8, turned, layout);
      std::vector<std::int64_t> sorted = rows;
      std::ranges::sort(sorted);
      for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<std::int64_t>(i));
      for (std::int64_t j = 0; j < turned / 2; ++j) {  // of the keys of head 2
        const bool half = layout == theory::Layout::half;
        const auto first = static_cast<std::size_t>(24 + 8 + (half ? j : 2 * j));
        const auto second = static_cast<std::size_t>(24 + 8 + (half ? j + 4 : 2 * j + 1));
        EXPECT_EQ(rows[first], 24 + 8 + j);
        EXPECT_EQ(rows[second], 24 + 8 + j + turned / 2);
      }
      for (std::size_t value = 48; value < 72; ++value)
        EXPECT_EQ(rows[value] % 24, 16 + static_cast<std::int64_t>(value) % 8);
    }
  }
}

TEST(Export, written_and_read_again_a_model_has_the_same_logits) {
  struct Case {
    std::string encoding, layout;
    void (*change)(TsmConfig::Model&);
  };
  const auto nothing = [](TsmConfig::Model&) {};
  const auto neox = [](TsmConfig::Model& m) {
    m.bias = true;
    m.feed_forward = 20;
    m.activation = "gelu_tanh";
    m.parallel_residual = true;
    m.tied_head = false;
  };
  for (const Case& c :
       {Case{"nope", "gpt2", nothing},
        Case{"nope", "gpt2",
             [](TsmConfig::Model& m) {
               m.position_table = 12;
               m.tied_head = false;
               m.activation = "relu";
             }},
        Case{"nope", "tsm", neox}, Case{"rope", "gpt_neox", nothing}, Case{"rope", "gpt_neox", neox},
        Case{"partial-rotary", "gpt_neox", nothing}, Case{"position-interpolation", "gpt_neox", nothing},
        Case{"alibi", "tsm", neox}, Case{"ape", "tsm", nothing}, Case{"t5", "tsm", nothing},
        Case{"ssmax", "tsm", nothing}}) {
    TsmConfig config = small(c.encoding, "float32");
    c.change(config.model);
    const LoadedModel model = new_model(config, oracle());
    stir(*model.transformer);
    const TemporaryFolder folder;
    EXPECT_EQ(export_model(model, {}, folder / "out"), c.layout) << c.encoding;
    const LoadedModel again = open_model(folder / "out", oracle());
    const at::Tensor expected = logits(model);
    EXPECT_GT(expected.std().item<double>(), 0.3);
    EXPECT_LT((logits(again) - expected).abs().max().item<double>(), 1e-5) << c.encoding;
  }
}

TEST(Export, a_layout_that_does_not_fit_is_refused_with_the_reason) {
  const auto told = [](const std::string& encoding, const ExportOptions& options) {
    const LoadedModel model = new_model(small(encoding, "float32"), oracle());
    return refusal([&] {
      const TemporaryFolder folder;
      export_model(model, options, folder / "out");
    });
  };
  const std::string neox = "the model does not fit into the layout gpt_neox: ";
  EXPECT_EQ(told("rope", {.layout = "gpt2"}),
            "the model does not fit into the layout gpt2: it has rotations");
  EXPECT_EQ(told("nope", {.layout = "gpt_neox"}), neox + "it has no rotations");
  EXPECT_EQ(told("ape", {.layout = "gpt_neox"}), neox + "layer 1, head 1 has a bias");
  EXPECT_EQ(told("yarn", {.layout = "gpt_neox"}), neox + "layer 1, head 1 has a gain");
  EXPECT_EQ(told("ntk-aware", {.layout = "gpt_neox"}), "accepted");
  EXPECT_EQ(told("p-rope", {.layout = "gpt_neox"}), "accepted");
  EXPECT_EQ(told("xpos", {.layout = "gpt_neox"}),
            neox + "layer 1, head 1 turns in another way than by one base");
  EXPECT_EQ(told("ssmax", {.layout = "gpt2"}),
            "the model does not fit into the layout gpt2: layer 1, head 1 reads the index of the query");
  EXPECT_EQ(told("hope-hyperbolic", {.layout = "gpt_neox"}), neox + "layer 1, head 1 is hyperbolic");
  EXPECT_EQ(told("sliding-window", {.layout = "gpt_neox"}), neox + "layer 1, head 1 has a window");
  EXPECT_EQ(told("rope", {}), "accepted");
}

TEST(OpenModel, says_what_a_folder_lacks) {
  const TemporaryFolder folder;
  const std::string at = folder.path().string();
  const auto told = [&] { return refusal([&] { open_model(folder.path(), oracle()); }); };
  EXPECT_EQ(told(), at + ": there is no model.safetensors in it");
  folder.write("config.json", "[]");
  EXPECT_EQ(told(), at + "/config.json: expected a JSON object");
  folder.write("config.json", "{}");
  EXPECT_EQ(told(),
            at + "/config.json: key 'model_type' is missing; expected one of gpt2, gpt_neox, nanogpt, tsm");
  folder.write("config.json", R"({"model_type": "gpt2"})");
  EXPECT_EQ(told(), at + ": there is no model.safetensors in it and no model.safetensors.index.json");
  folder.write("model.safetensors.index.json", R"({"weight_map": {"x": "/etc/passwd"}})");
  EXPECT_EQ(told(),
            at + "/model.safetensors.index.json: key 'weight_map.x' is \"/etc/passwd\"; expected the name of "
                 "a file in the same folder");
}

}  // namespace interop_test
