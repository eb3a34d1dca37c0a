// Any bytes as a training configuration: one that writes itself and is read back as it was, or a SpecError.
#include "model/gpt/config.h"
#include "tests/fuzz/fuzzer.h"

void gpe::fuzz::read(std::string_view bytes) {
  std::string written;
  refusal("input", [&] { written = model::to_toml(model::parse_config(std::string(bytes), "input")); });
  if (written.empty()) return;
  const auto again = [&] {
    require(model::to_toml(model::parse_config(written, "again")) == written,
            "read back as another configuration", written);
  };
  require(refusal("again", again).empty(), "not read back", written);
}
