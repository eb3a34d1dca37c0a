// What safetensors_test.py asks of the C++ side.
//   safetensors_tool copy IN OUT     read, and write what was read
//   safetensors_tool check FILE...   one line per file: "ok", or why it is refused
#include <cstdio>
#include <span>
#include <string>

#include "model/data/safetensors.h"
#include "theory/source/spec_error.h"

int main(int count, char** arguments) {
  using gpe::model::SafetensorsFile;
  const std::span<char*> all(arguments, static_cast<std::size_t>(count));
  const std::string command = all.size() > 1 ? all[1] : "";
  if (command == "copy" && all.size() == 4) {
    const SafetensorsFile file(all[2]);
    gpe::model::write_safetensors(all[3], file.tensors(), file.metadata());
    return 0;
  }
  if (command == "check") {
    for (const char* const name : all.subspan(2)) {
      try {
        const SafetensorsFile file(name);
        std::puts("ok");
      } catch (const gpe::theory::SpecError& error) {
        std::puts(error.what());
      }
    }
    return 0;
  }
  std::fputs("safetensors_tool: expected copy IN OUT, or check FILE...\n", stderr);
  return 2;
}
