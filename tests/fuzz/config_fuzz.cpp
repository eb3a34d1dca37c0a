// Any bytes as a training configuration: one that writes itself and is read back as it was, or a SpecError.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "model/gpt/config.h"
#include "theory/expression/spec_error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpe::model;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const TsmConfig config = parse_config(text, "input");
    const std::string written = to_toml(config);
    if (to_toml(parse_config(written, "again")) != written) {
      std::fprintf(stderr, "read back as another configuration\n%s", written.c_str());
      std::abort();
    }
  } catch (const gpe::theory::SpecError& error) {
    if (*error.what() == '\0' || std::string(error.what()).starts_with("again")) std::abort();
  }
  return 0;
}
