// Any bytes as a safetensors file: tensors that cover the data exactly and write back to the same contents,
// or a SpecError of one printable line.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "model/data/safetensors_header.h"
#include "theory/expression/spec_error.h"

namespace {

using namespace gpe::model;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::span<const std::byte> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    const SafetensorsContent content = parse_safetensors(bytes, "input");
    std::size_t total = 0;
    for (const TensorView& tensor : content.tensors) {
      require(tensor.bytes.data() >= bytes.data() &&
                  tensor.bytes.data() + tensor.bytes.size() <= bytes.data() + bytes.size(),
              "a tensor outside the file");
      require(tensor_bytes(tensor.type, tensor.shape) == tensor.bytes.size(), "a tensor of another size");
      total += tensor.bytes.size();
    }
    std::string again = safetensors_header(content.tensors, content.metadata);
    require(again.size() % 8 == 0, "data that is not aligned");
    for (const TensorView& tensor : content.tensors) {
      again.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    }
    const SafetensorsContent second = parse_safetensors(as_bytes(again), "again");
    require(total + 8 <= size && second.metadata == content.metadata, "other metadata");
    require(second.tensors.size() == content.tensors.size(), "another number of tensors");
    for (std::size_t i = 0; i < content.tensors.size(); ++i) {
      const TensorView& one = content.tensors[i];
      const TensorView& two = second.tensors[i];
      require(one.name == two.name && one.type == two.type && one.shape == two.shape, "another tensor");
      require(std::equal(one.bytes.begin(), one.bytes.end(), two.bytes.begin(), two.bytes.end()),
              "other bytes");
    }
  } catch (const gpe::theory::SpecError& error) {
    const std::string message = error.what();
    require(message.starts_with("input: "), "a message that does not say where");
    require(message.size() < 400, "a long message");
    for (const char c : message) require(c >= ' ' && c <= '~', "a message that is not one printable line");
  }
  return 0;
}
