// Z = Σ e^A, S = Σ A e^A, D = Σ n e^A over the same range of n.
#pragma once

#include "checks/arb/ball.h"

namespace gpe::checks {

struct Moments {
  Ball z{0};
  Ball s{0};
  Ball d{0};
};

/// What is wanted besides Z.
struct WantedMoments {
  bool s = true;
  bool d = true;
};

Moments plus(const Moments& a, const Moments& b, long bits);
/// Each sum with its error bound added.
Moments widened(const Moments& a, const Moments& errors);
/// Lower bounds of |Z|, |S|, |D|.
Moments sizes(const Moments& a);
/// Whether every wanted error is proved to be at most 2^-bits of its size.
bool small_beside(const Moments& errors, const Moments& sizes, long bits, WantedMoments wanted);
/// The hull of `a` and `a + rest`, where rest >= 0 bounds what is left out (of S in absolute value, S < 0
/// there).
Moments with_remainder(const Moments& a, const Moments& rest, WantedMoments wanted, long bits);
/// The sums of A from those of A_0, when |A - A_0| <= ε <= 1/2 and A_0 has one sign:
///   |Σ e^A - Σ e^{A_0}| <= 2ε Σ e^{A_0}, with n as for Z                           bound I4, docs/bounds.md
///   |Σ A e^A - Σ A_0 e^{A_0}| <= 2ε Σ (|A_0| + 1) e^{A_0}                          bound I5
Moments with_score_error(const Moments& leading, const Ball& epsilon);
/// H = log Z - S/Z.
Ball entropy_of(const Moments& moments, long bits);

}  // namespace gpe::checks
