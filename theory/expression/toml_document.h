// TOML texts as documents: the one way in which programs read them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#define TOML_EXCEPTIONS 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <toml++/toml.h>
#pragma GCC diagnostic pop

#include "theory/expression/nesting.h"
#include "theory/expression/spec_error.h"

namespace gpe::theory {

/// @throws SpecError  with its place, for what is no TOML or nested too deeply (theory/expression/nesting.h)
inline toml::table toml_document(std::string_view text, const std::string& source) {
  require_shallow_toml(text, source);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw error_at(source, text, std::max<std::size_t>(1, at.line), std::max<std::size_t>(1, at.column), 1,
                   std::string(error.description()));
  }
}

}  // namespace gpe::theory
