// One thread, one block of two coordinates of one token: turned by an angle, in place.
// Tests: tests/cuda/device_model_test.cpp
#pragma once

#include "model/cuda/problem.h"

namespace gpe::cuda {

/// @param token  the first coordinate of the token
template <class Element>
GPE_KERNEL void turn_block(Element* token, int block, int blocks, double angle, bool interleaved) {
  Element& first = token[interleaved ? 2 * block : block];
  Element& second = token[interleaved ? 2 * block + 1 : blocks + block];
  const double turns = angle * 0.15915494309189535;  // of a circle: what is whole does not matter
  const double rest = (turns - rint(turns)) * 6.283185307179586;
  const auto cosine = static_cast<float>(cos(rest)), sine = static_cast<float>(sin(rest));
  const float x = Planes<Element>::value(first), y = Planes<Element>::value(second);
  first = Planes<Element>::rounded(x * cosine - y * sine);
  second = Planes<Element>::rounded(x * sine + y * cosine);
}

}  // namespace gpe::cuda
