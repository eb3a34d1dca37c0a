// The headers of LibTorch in use. Precompiled: every file of this folder that touches tensors includes this
// one, and no other header of LibTorch. Tests: tests/model/gpt/transformer_test.cpp
#pragma once

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/csrc/autograd/variable.h>
