#include "checks/write_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

namespace gpe::checks {

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::path temporary = file;
  temporary += ".tmp" + std::to_string(getpid());
  const auto fail = [&](const std::string& what) {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw std::runtime_error(file.string() + ": " + what + ": " + reason);
  };
  {
    std::ofstream stream(temporary, std::ios::binary);
    if (!stream) fail("cannot be created");
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) fail("cannot be written");
  }
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) {
    errno = error.value();
    fail("cannot be replaced");
  }
}

}  // namespace gpe::checks
