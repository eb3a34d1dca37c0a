// Attention of weights that are not a softmax on a device, in its order of a training step, beside that of
// the CPU in double precision.
#include "model/gpt/composed_attention.h"

#include <fstream>

#include "tests/cuda/accelerators.h"
#include "tests/temporary_folder.h"

namespace composed_attention_test {

using namespace gpe;
using namespace gpe::model;
using gpe::tests::accelerators;
using gpe::tests::oracle;
using gpe::tests::some_tokens;
using gpe::tests::stretch;
using gpe::tests::wide;

[[maybe_unused]] const bool devices_are_found = !accelerators().empty();

at::Tensor on_processor(const at::Tensor& tensor) { return tensor.detach().to(at::kCPU).to(at::kDouble); }

TEST(ComposedAttentionOnDevice, has_the_losses_and_gradients_of_the_processor) {
  const tests::TemporaryFolder folder;
  const std::string rotation = "transform = \"rotation\"\nnormalizer = \"sigmoid\"\n[score.rotation]\n";
  for (const std::string& score :
       {std::string("bias = \"-m*n\"\ngain = \"1 + m*n\"\nsoftcap = 3\nfirst = 1\nnormalizer = \"relu\"\n"),
        "bias = \"-m*n\"\nwindow = 7\nnormalizer = { kind = \"top-k\", k = 3 }\n" + std::string(),
        rotation + "angle = \"10^(-2*j/d)*n\"\n",
        rotation + "angle = \"m*n/(1 + j)\"\nlayout = \"interleaved\"\n"}) {
    std::ofstream(folder / "test.toml")
        << "schema = 1\nname = \"test\"\n[parameters]\nm = { default = \"1/5\" }\n[score]\n"
        << score;
    const std::vector<std::string> learned =
        score.find("10^") == std::string::npos ? std::vector<std::string>{"m"} : std::vector<std::string>{};
    const at::Tensor inputs = some_tokens(3, 10, 3), targets = some_tokens(3, 10, 5);
    const auto model_of = [&](const std::string& dtype) {
      LoadedModel model = new_model(wide((folder / "test").string(), learned, dtype), oracle());
      stretch(*model.transformer, 6);
      model.transformer->record_heads(true);
      return model;
    };
    const LoadedModel expected = model_of("float64");
    const double loss = expected.transformer->add_gradients(inputs, targets, 1.0 / 30);
    for (const auto& accelerator : accelerators()) {
      const std::string where = score + accelerator->name;
      const LoadedModel model = model_of("float32");
      Transformer& transformer = *model.transformer;
      transformer.to(accelerator);
      transformer.clear_heads();
      for (const NamedTensor& weight : transformer.weights())
        weight.tensor.mutable_grad() = at::zeros_like(weight.tensor);
      const at::Tensor found = transformer.add_gradients_on_device(inputs.to(accelerator->device),
                                                                   targets.to(accelerator->device), 1.0 / 30);
      EXPECT_NEAR(found.item<double>(), loss, 1e-4 * loss) << where;
      transformer.add_raw_gradients();
      std::vector<std::pair<at::Tensor, at::Tensor>> pairs;
      for (std::size_t i = 0; i < transformer.weights().size(); ++i)
        pairs.emplace_back(transformer.weights()[i].tensor.grad(),
                           expected.transformer->weights()[i].tensor.grad());
      if (!learned.empty()) pairs.emplace_back(transformer.raw().grad(), expected.transformer->raw().grad());
      const std::vector<double>& entropies = expected.transformer->seen_entropies();
      pairs.emplace_back(
          transformer.device_heads().entropy.flatten(),
          at::from_blob(const_cast<double*>(entropies.data()), {std::ssize(entropies)}, at::kDouble));
      for (const auto& [one, other] : pairs) {
        const double error = (on_processor(one) - other).abs().max().item<double>();
        EXPECT_LT(error, 1e-3 * (1e-3 + other.abs().max().item<double>())) << where;
      }
      const at::Tensor losses = transformer.losses(inputs, targets);
      EXPECT_LT((losses - expected.transformer->losses(inputs, targets)).abs().max().item<double>(), 1e-3)
          << where;
    }
  }
}

}  // namespace composed_attention_test
