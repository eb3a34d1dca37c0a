// What bad input is told.
#pragma once

#include <functional>
#include <string>

#include "theory/source/spec_error.h"

namespace gpe::tests {

/// The message that `body` ends with, or "accepted".
inline std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const theory::SpecError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace gpe::tests
