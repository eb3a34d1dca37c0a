// Any bytes as a GGUF file: the config that its metadata stand for, or a SpecError that names the file.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "checks/configs/other_formats.h"
#include "tests/fuzz/fuzzer.h"

void gpe::fuzz::read(std::string_view bytes) {
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("gguf_fuzz-" + std::to_string(getpid()) + ".gguf");
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::string message = refusal(file.filename().string(), [&] {
    const checks::JsonConfig config = checks::config_of_file(file);
    require(config.states("model_type"), "a config without a type");
  });
  require(message.size() < 1000, "a long message", message);
  std::filesystem::remove(file);
}
