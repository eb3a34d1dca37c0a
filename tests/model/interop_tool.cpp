// What the tests in Python ask of models opened here.
//   interop_tool TOKENS OUT MODEL DTYPE [MODEL DTYPE]...
//   TOKENS: a safetensors file with "tokens", I64 [rows, columns]
//   OUT gets the logits of each model, "0", "1", ...: F64 [rows, columns, vocabulary]
#include <cstdio>
#include <span>

#include "checks/arb/expr_ball.h"
#include "model/data/safetensors.h"
#include "model/interop/open_model.h"
#include "theory/source/spec_error.h"

namespace {

using namespace gpe::model;

at::Tensor logits(const LoadedModel& model, const at::Tensor& tokens) {
  const at::Tensor hidden = model.transformer->hidden(tokens);
  return at::matmul(hidden, model.transformer->head().to(hidden.scalar_type()).t())
      .to(at::kDouble)
      .contiguous();
}

}  // namespace

int main(int count, char** arguments) {
  const std::span<char*> all(arguments, static_cast<std::size_t>(count));
  if (all.size() < 5 || all.size() % 2 == 0) {
    std::fputs("interop_tool: expected TOKENS OUT MODEL DTYPE [MODEL DTYPE]...\n", stderr);
    return 2;
  }
  try {
    const gpe::checks::BallOracle oracle;
    const SafetensorsFile file(all[1]);
    const TensorView& view = *file.find("tokens");
    const at::Tensor tokens = at::empty(view.shape, at::kLong);
    std::memcpy(tokens.mutable_data_ptr(), view.bytes.data(), view.bytes.size());
    const at::NoGradGuard no_gradients;
    std::vector<at::Tensor> found;
    std::vector<TensorView> views;
    for (std::size_t at = 3; at < all.size(); at += 2) {
      const at::Tensor& one = found.emplace_back(logits(open_model(all[at], oracle, all[at + 1]), tokens));
      views.push_back({std::to_string(views.size()),
                       TensorType::f64,
                       one.sizes().vec(),
                       {static_cast<const std::byte*>(one.const_data_ptr()), one.nbytes()}});
    }
    write_safetensors(all[2], views);
    return 0;
  } catch (const gpe::theory::SpecError& error) {
    std::fprintf(stderr, "interop_tool: %s\n", error.what());
    return 2;
  }
}
