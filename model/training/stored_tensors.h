// Tensors of LibTorch in files of safetensors: written as views of their bytes, read with their checksums,
// and the numbers that stand in the metadata. Tests: tests/model/training/checkpoint_test.cpp
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "model/data/safetensors.h"
#include "model/gpt/transformer.h"

namespace gpe::model {

/// The same tensors in the CPU's memory.
std::vector<NamedTensor> on_cpu(const std::vector<NamedTensor>& tensors);

/// @param tensor  contiguous, on the CPU; must outlive the result, as `numbers`
TensorView view_of(const std::string& name, const at::Tensor& tensor);
TensorView view_of(const std::string& name, std::vector<std::int64_t> shape, std::span<const double> numbers);

/// A tensor of the file, stored as float32, float64 or bfloat16, into one of the same shape and any type.
/// @throws theory::SpecError  absent, of another shape, with another checksum, or with NaN or an infinity
void read_tensor(const SafetensorsFile& file, const std::filesystem::path& path, const std::string& name,
                 const at::Tensor& into);

/// @throws theory::SpecError  absent
const std::string& metadata_of(const SafetensorsFile& file, const std::filesystem::path& path,
                               const std::string& key);
/// How many steps were done. @throws theory::SpecError  absent, or not a whole number
std::int64_t iteration_of(const SafetensorsFile& file, const std::filesystem::path& path);

}  // namespace gpe::model
