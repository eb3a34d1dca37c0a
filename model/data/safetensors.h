// Tensors by name in a safetensors file: a reader that maps the file and trusts nothing in it, and a writer.
// Format: github.com/huggingface/safetensors, README: 8 bytes length N of the header (little-endian), N bytes
// JSON
// {"NAME": {"dtype", "shape", "data_offsets"}, ..., "__metadata__": {string: string}}, then the tensors'
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/data/mapped_file.h"
#include "model/data/tensor_view.h"

namespace gpe::model {

class SafetensorsFile {
 public:
  /// Maps and checks the whole header: every byte after it belongs to exactly one tensor, and every tensor
  /// has the bytes that its type and shape ask for. The values are not looked at.
  /// @throws theory::SpecError  one message that names the file and what is wrong
  explicit SafetensorsFile(const std::filesystem::path& file);

  /// In the order of their bytes in the file.
  const std::vector<TensorView>& tensors() const { return tensors_; }
  const Metadata& metadata() const { return metadata_; }

  /// Nullptr when there is none of that name.
  const TensorView* find(std::string_view name) const;
  /// @throws theory::SpecError  absent (with the nearest name), or of another type or shape
  const TensorView& expect(std::string_view name, TensorType type, std::span<const std::int64_t> shape) const;

 private:
  std::string source_;
  MappedFile file_;
  std::vector<TensorView> tensors_;
  std::map<std::string, std::size_t, std::less<>> index_;
  Metadata metadata_;
};

/// Writes a file that the Python package reads; whole or not at all (checks/cli/write_file.h). The same
/// tensors and metadata give the same bytes, in whatever order they come; the data begins at a multiple of 8
/// bytes, and larger elements stand first, so that every tensor is aligned.
/// @pre  names are UTF-8, distinct and not "__metadata__"; bytes are those that type and shape ask for
/// @throws std::runtime_error  when the file cannot be written
void write_safetensors(const std::filesystem::path& file, std::span<const TensorView> tensors,
                       const Metadata& metadata = {});

}  // namespace gpe::model
