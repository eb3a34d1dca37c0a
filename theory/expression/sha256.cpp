#include "theory/expression/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace gpe::theory {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  }
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += "0123456789abcdef"[digest.at(i) >> 4U];
    hex += "0123456789abcdef"[digest.at(i) & 15U];
  }
  return hex;
}

}  // namespace gpe::theory
