// nlohmann/json.hpp for the precompiled header, without the literal of its version 3.11: the body of that
// function makes the compiler instantiate the parser in every file, for half a second each.
// Tests: tests/cli/output.cmake
#pragma once

#include <cstddef>

// The literal is declared, and its body becomes that of a template that no file asks for.
#define _json(...)                 \
  _json(const char*, std::size_t); \
  template <int>                   \
  nlohmann::json unused_json_literal(__VA_ARGS__)
#include <nlohmann/json.hpp>
#undef _json
