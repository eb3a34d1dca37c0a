// SHA-256, for naming the exact bytes a report speaks of.
#pragma once

#include <string>
#include <string_view>

namespace gpe::theory {

/// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace gpe::theory
