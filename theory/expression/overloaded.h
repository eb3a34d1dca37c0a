// One function for each alternative of a std::variant, for std::visit.
// Tests: tests/theory/score/encodings_verdicts_test.cpp
#pragma once

namespace gpe::theory {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace gpe::theory
