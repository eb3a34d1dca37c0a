#include "model/gpt/tensor_checks.h"

#include "model/data/safetensors_header.h"
#include "theory/source/sha256.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

using theory::SpecError;

namespace {

std::string key_of(const std::string& name) { return "sha256 " + name; }

std::string sha256_of(std::span<const std::byte> bytes) {
  return theory::sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

void add_checksum(Metadata& metadata, const std::string& name, std::span<const std::byte> bytes) {
  metadata[key_of(name)] = sha256_of(bytes);
}

void check_checksum(const Metadata& metadata, const std::string& name, std::span<const std::byte> bytes,
                    const std::string& source) {
  const auto recorded = metadata.find(key_of(name));
  if (recorded != metadata.end() && recorded->second != sha256_of(bytes)) {
    throw SpecError(
        source + ": " + quoted_name(name) +
        ": its bytes are not those that were written (sha256); the file is damaged or was changed");
  }
}

std::string digest_of(const Metadata& metadata) {
  std::string all;
  for (const auto& [key, value] : metadata) {
    for (const std::string& text : {key, value}) all += std::to_string(text.size()) + ":" + text;
  }
  return theory::sha256_hex(all);
}

void require_finite(const at::Tensor& tensor, const std::string& name, const std::string& source) {
  if (tensor.numel() == 0 || at::isfinite(tensor).all().item<bool>()) return;
  throw SpecError(source + ": tensor " + quoted_name(name) + " has an entry that is " +
                  (at::isnan(tensor).any().item<bool>() ? "NaN" : "infinite") + "; expected finite numbers");
}

}  // namespace gpe::model
