// How much memory a cache of keys and values takes. Tests: tests/cli/stack.cmake
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "theory/source/rational.h"

namespace gpe::checks {

/// How an engine keeps numbers. A scaled format has one more number of 16 bits for each 32, as q8_0 and q4_0
/// of llama.cpp.
struct CacheFormat {
  std::string name = "bf16";
  int bits = 16;
  bool scaled = false;

  /// For so many numbers of one token and layer.
  theory::Rational bytes(std::int64_t numbers) const;
};
/// bf16, fp16, fp32, fp8, int8 or int4. @throws theory::SpecError  naming the option
CacheFormat cache_format(const std::string& option, const std::string& name);

/// Keys of one layer in a context, in whole pages of `page` keys: a window begins anywhere in one, a chunk at
/// a multiple of its size.
std::int64_t keys_in_pages(std::int64_t context, std::optional<std::int64_t> window, bool chunked,
                           std::int64_t page);

}  // namespace gpe::checks
