// Numbers from files: which bytes they were, and whether they are numbers.
// Tests: tests/model/training/checkpoint_test.cpp
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "model/data/safetensors.h"
#include "model/gpt/torch.h"

namespace gpe::model {

/// The digest of a tensor's bytes, or of a text, under the key that a file's metadata has it: "sha256 NAME".
void add_checksum(Metadata& metadata, const std::string& name, std::span<const std::byte> bytes);

/// Nothing happens where none is recorded.
/// @param source  names the file in messages
/// @throws theory::SpecError  the bytes are others than those that the metadata speaks of
void check_checksum(const Metadata& metadata, const std::string& name, std::span<const std::byte> bytes,
                    const std::string& source);

/// A digest of everything that the metadata says, the checksums among it.
std::string digest_of(const Metadata& metadata);

/// @param source  names the file in messages
/// @throws theory::SpecError  NaN, or an infinity, perhaps only in the type of `tensor`: with the tensor's
/// name
void require_finite(const at::Tensor& tensor, const std::string& name, const std::string& source);

}  // namespace gpe::model
