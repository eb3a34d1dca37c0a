// What transformers calls the activations that the Transformer has.
// Tests: tests/model/interop_import_test.py, tests/model/interop/interop_test.cpp
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace gpe::model {

/// Theirs, ours; the first of ours is the one that is written. The variants of one of ours differ by
/// rounding.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kActivationNames = {{
    {"gelu", "gelu"},
    {"gelu_python", "gelu"},
    {"gelu_new", "gelu_tanh"},
    {"gelu_fast", "gelu_tanh"},
    {"gelu_pytorch_tanh", "gelu_tanh"},
    {"gelu_python_tanh", "gelu_tanh"},
    {"gelu_accurate", "gelu_tanh"},
    {"relu", "relu"},
}};

}  // namespace gpe::model
