// Any bytes as a certificate: accepted with a claim, or refused with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "checks/verifier/certificate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    for (const gpe::verifier::Json& one : gpe::verifier::certificates_of(gpe::verifier::read_json(text)))
      if (gpe::verifier::check_certificate(one).empty()) std::abort();
  } catch (const gpe::verifier::NotShown& error) {
    if (*error.what() == '\0') std::abort();
  }
  return 0;
}
