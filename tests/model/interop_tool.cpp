// What the tests in Python ask of a model opened here.
//   interop_tool MODEL DTYPE TOKENS OUT     TOKENS: a safetensors file with "tokens", I64 [rows, columns];
//   OUT gets
//                                           "logits", F64 [rows, columns, vocabulary]
#include <cstdio>
#include <span>

#include "checks/arb/expr_ball.h"
#include "model/data/safetensors.h"
#include "model/interop/open_model.h"
#include "theory/source/spec_error.h"

int main(int count, char** arguments) {
  using namespace gpe::model;
  const std::span<char*> all(arguments, static_cast<std::size_t>(count));
  if (all.size() != 5) {
    std::fputs("interop_tool: expected MODEL DTYPE TOKENS OUT\n", stderr);
    return 2;
  }
  try {
    const gpe::checks::BallOracle oracle;
    const LoadedModel model = open_model(all[1], oracle, all[2]);
    const SafetensorsFile file(all[3]);
    const TensorView& view = *file.find("tokens");
    const at::Tensor tokens = at::empty(view.shape, at::kLong);
    std::memcpy(tokens.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
    const at::NoGradGuard no_gradients;
    const at::Tensor hidden = model.transformer->hidden(tokens);
    const at::Tensor logits = at::matmul(hidden, model.transformer->head().to(hidden.scalar_type()).t())
                                  .to(at::kDouble)
                                  .contiguous();
    write_safetensors(
        all[4],
        std::vector<TensorView>{{"logits",
                                 TensorType::f64,
                                 logits.sizes().vec(),
                                 {static_cast<const std::byte*>(logits.const_data_ptr()), logits.nbytes()}}});
    return 0;
  } catch (const gpe::theory::SpecError& error) {
    std::fprintf(stderr, "interop_tool: %s\n", error.what());
    return 2;
  }
}
