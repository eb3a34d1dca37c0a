// Any bytes as a config.json: encodings that read back, or a SpecError with a message.
#include "checks/configs/config_encoding.h"
#include "tests/fuzz/fuzzer.h"

void gpe::fuzz::read(std::string_view bytes) {
  refusal("input", [&] {
    const checks::JsonConfig config(std::string(bytes), "input");
    for (const checks::ConfigEncoding& one : checks::encodings_of_config(config))
      require(!one.parsed().name.empty(), "an encoding without a name", bytes);
  });
}
