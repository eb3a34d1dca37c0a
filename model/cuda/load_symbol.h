// A function out of a library that was loaded when the program ran. Tests: tests/cuda/device_library_test.cpp
#pragma once

#include <dlfcn.h>

namespace gpe::model {

/// @return whether the library has one of that name
template <class Function>
bool load_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace gpe::model
