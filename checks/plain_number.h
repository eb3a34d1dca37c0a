// Exact numbers as people write them: a decimal where it ends soon, a fraction otherwise.
#pragma once

#include <string>

#include "theory/rational.h"

namespace gpe::checks {

inline std::string plain_number(const theory::Rational& value) {
  constexpr int kMostPlaces = 30;
  for (int places = 0; places <= kMostPlaces; ++places) {
    const theory::Rational shifted = value.abs() * theory::Rational(10).pow(places);
    if (!shifted.is_integer()) continue;
    std::string text = shifted.str();
    const auto count = static_cast<std::size_t>(places);
    if (text.size() <= count) text.insert(0, count + 1 - text.size(), '0');
    if (places > 0) text.insert(text.size() - count, 1, '.');
    return (value.sign() < 0 ? "-" : "") + text;
  }
  return value.str();
}

}  // namespace gpe::checks
