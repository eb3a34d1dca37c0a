// One function for each alternative of a std::variant, for std::visit.
#pragma once

namespace gpe::theory {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace gpe::theory
