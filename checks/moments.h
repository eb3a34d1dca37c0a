// Z = Σ e^A, S = Σ A e^A, D = Σ n e^A over the same range of n.
#pragma once

#include "checks/ball.h"

namespace gpe::checks {

struct Moments {
  Ball z{0};
  Ball s{0};
  Ball d{0};
};

/// What is wanted besides Z.
struct Wanted {
  bool s = true;
  bool d = true;
};

Moments plus(const Moments& a, const Moments& b, long bits);
/// Each sum with its error bound added.
Moments widened(const Moments& a, const Moments& errors);
/// Lower bounds of |Z|, |S|, |D|.
Moments sizes(const Moments& a);
/// Whether every wanted error is proved to be at most 2^-bits of its size.
bool small_beside(const Moments& errors, const Moments& sizes, long bits, Wanted wanted);
/// The hull of `a` and `a + rest`, where rest >= 0 bounds what is left out (of S in absolute value, S < 0
/// there).
Moments with_rest(const Moments& a, const Moments& rest, Wanted wanted, long bits);
/// H = log Z - S/Z.
Ball entropy_of(const Moments& moments, long bits);

}  // namespace gpe::checks
