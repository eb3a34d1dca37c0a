// TOML texts as documents: the one way in which programs read them.
// Tests: tests/theory/score/newcomers_test.cpp, tests/cli/hostile_files.cmake
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#define TOML_EXCEPTIONS 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <toml++/toml.h>
#pragma GCC diagnostic pop

#include "theory/source/nesting.h"
#include "theory/source/spec_error.h"

namespace gpe::theory {

/// A mistake of TOML at a place: what the reader of TOML says, or what to write where a value lacks its
/// quotes.
SpecError toml_error(std::string_view source, std::string_view text, std::size_t line, std::size_t column,
                     std::string_view description);

/// @throws SpecError  with its place, for what is no TOML or nested too deeply (theory/source/nesting.h)
inline toml::table toml_document(std::string_view text, const std::string& source) {
  require_shallow_toml(text, source);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw toml_error(source, text, std::max<std::size_t>(1, at.line), std::max<std::size_t>(1, at.column),
                     error.description());
  }
}

}  // namespace gpe::theory
