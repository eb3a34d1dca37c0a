// The common part of fuzzers: libFuzzer's entry, and the report of a failure. Included once per program,
// which defines gpe::fuzz::read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "theory/source/printable.h"
#include "theory/source/spec_error.h"

namespace gpe::fuzz {

/// What the program does with any bytes. It ends early where they are read wrongly.
void read(std::string_view bytes);

inline void require(bool condition, std::string_view what, std::string_view about = "") {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(about.size()), about.data());
  std::abort();
}

/// `body` reads, or refuses with a SpecError that says where: in `place`. @returns its message, or nothing
template <class Body>
std::string refusal(std::string_view place, const Body& body) {
  try {
    body();
    return {};
  } catch (const theory::SpecError& error) {
    const std::string message = error.what();
    require(message.find(place) != std::string::npos, "a message that does not say where", message);
    require(message.find('\0') == std::string::npos && !theory::printable_message(message).empty(),
            "a message that is not text", message);
    return message;
  }
}

}  // namespace gpe::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpe::fuzz::read({reinterpret_cast<const char*>(data), size});
  return 0;
}
