// Proof D1 (docs/certificates.md): how the score of a family falls with n and with its free parameters.
#pragma once

#include "checks/verifier/sum.h"

namespace gpe::verifier {

using Box = std::map<std::string, std::pair<Q, Q>>;

// Each free parameter makes -b (or a) grow, -b the more so at larger n: 1; or the contrary: -1. Or: NotShown.
class Order {
 public:
  Order(const Box& box, std::map<std::string, int>& direction) : box_(box), direction_(direction) {}
  bool falls = true, unknown = false;  // b rises with n nowhere in the box; it has unknowns

  void read(const Constant& phi);  // -b
  void read_content(const Constant& a);

 private:
  bool note(const Atom& atom, const Q& exponent, bool strict = false);
  bool depends(const Atom& atom) const;
  bool grows(const Atom& atom, const Q& exponent, const Q& side);
  bool logarithm(const Constant& of, const Q& side);

  const Box& box_;
  std::map<std::string, int>& direction_;
};

}  // namespace gpe::verifier
