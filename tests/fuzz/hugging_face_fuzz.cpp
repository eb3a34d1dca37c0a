// Any bytes as a config.json: encodings that read back, or a SpecError with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "checks/configs/config_encoding.h"
#include "theory/expression/printable.h"
#include "theory/expression/spec_error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpe;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    for (const checks::ConfigEncoding& one : checks::encodings_of_config(checks::JsonConfig(text, "input")))
      if (one.parsed().name.empty()) std::abort();
  } catch (const theory::SpecError& error) {
    if (theory::printable_message(error.what()).empty()) std::abort();
  }
  return 0;
}
