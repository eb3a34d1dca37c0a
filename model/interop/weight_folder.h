// The weights of a folder in Hugging Face layout: model.safetensors, or the shards that
// model.safetensors.index.json names.
// Tests: tests/model/interop_import_test.py, tests/model/interop/interop_test.cpp
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/data/safetensors.h"
#include "model/gpt/torch.h"

namespace gpe::model {

class WeightFolder {
 public:
  /// Reads the headers alone.
  /// @throws theory::SpecError  no such file, a shard outside of the folder, a tensor that the index puts
  /// elsewhere
  explicit WeightFolder(const std::filesystem::path& folder);

  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// A tensor that somebody wants, of this shape, F64, F32, F16 or BF16.
  /// @throws theory::SpecError  missing (with the nearest name), of another shape or type
  const TensorView& expect(const std::string& name, const std::vector<std::int64_t>& shape);
  /// Says that it is known and of no use. Nothing happens when it is absent.
  void ignore(const std::string& name) { wanted_.insert(name); }
  /// @throws theory::SpecError  an unread tensor: a part of the model would be left out
  /// @param family  for the message: "a GPT-2 model"
  void expect_no_others(const std::string& family) const;
  /// The numbers of one of its tensors.
  /// @pre  F64, F32, F16 or BF16
  /// @throws theory::SpecError  NaN or an infinity
  at::Tensor numbers(const TensorView& view) const;
  /// @throws theory::SpecError  always: this file, this tensor, and `what` about it
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const;

 private:
  struct Place {
    const SafetensorsFile* file = nullptr;
    const TensorView* tensor = nullptr;
    std::string source;
  };
  void add(const std::filesystem::path& file);
  void add_shards(const std::filesystem::path& index);

  std::string source_;
  std::vector<std::unique_ptr<SafetensorsFile>> files_;
  std::map<std::string, Place> tensors_;
  std::set<std::string> wanted_;
};

}  // namespace gpe::model
