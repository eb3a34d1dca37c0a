// Any bytes as a safetensors file: tensors that cover the data exactly and write back to the same contents,
// or a SpecError of one printable line.
#include <algorithm>

#include "model/data/safetensors_header.h"
#include "tests/fuzz/fuzzer.h"

namespace gpe::fuzz {
namespace {

using namespace model;

std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace

void read(std::string_view file) {
  const std::span<const std::byte> bytes = as_bytes(file);
  const std::string message = refusal("input", [&] {
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
    require(total + 8 <= bytes.size() && second.metadata == content.metadata, "other metadata");
    require(second.tensors.size() == content.tensors.size(), "another number of tensors");
    for (std::size_t i = 0; i < content.tensors.size(); ++i) {
      const TensorView& one = content.tensors[i];
      const TensorView& two = second.tensors[i];
      require(one.name == two.name && one.type == two.type && one.shape == two.shape, "another tensor");
      require(std::equal(one.bytes.begin(), one.bytes.end(), two.bytes.begin(), two.bytes.end()),
              "other bytes");
    }
  });
  require(message.empty() || message.starts_with("input: "), "a message that does not say where", message);
  require(message.size() < 400, "a long message", message);
  require(std::ranges::all_of(message, [](char c) { return c >= ' ' && c <= '~'; }),
          "a message that is not one printable line", message);
}

}  // namespace gpe::fuzz
