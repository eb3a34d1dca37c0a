// What of LibTorch is used here. Precompiled: everything in this folder that touches tensors includes this
// and nothing else of it. Tests: tests/model/gpt/transformer_test.cpp
#pragma once

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/csrc/autograd/variable.h>
