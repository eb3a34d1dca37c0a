// Signs of constants in a cell of the parameter space, and functions of x on a half-line x >= X0, or near
// infinity. The rules are those of docs/certificates.md. Tests: tests/certificates/forged_calculus.py
#pragma once

#include "checks/verifier/sum.h"

namespace gpe::verifier {

class Calculus {
 public:
  /// Adds f <relation> 0, for a constant f, to what is known of the parameters.
  void assume(const Form& f, const std::string& relation);
  /// Takes x to be all reals with log^depth(x) >= ell; otherwise x is near infinity (the parameters say how
  /// near).
  void start(long depth, const Q& ell);
  Interval log_start() const { return logs_.at(1); }  ///< log X0

  // Proofs, for all x and all parameters of the cell; false proves nothing.
  bool positive(const Form& f) const { return holds(f, true); }
  bool nonnegative(const Form& f) const { return holds(f, false); }
  bool follows(const Form& f, const std::string& relation) const;
  bool empty() const;  ///< what is known of the parameters contradicts itself

  // Functions of x. @throws NotShown  where they may be undefined
  Constant symbol(const std::string& name) const { return named(Atom::Kind::symbol, name, {}); }
  Form power(const Form& base, const Form& exponent) const;
  Form log(const Form& f) const;
  Form exp(const Form& f) const;
  Form floor(const Form& f) const;
  Form larger(const Form& a, const Form& b) const;
  Form largest(const std::vector<Form>& all) const;
  /// Its largest terms, and the others as one unknown.
  Form trimmed(const Form& f) const;
  /// Something unknown between a and b.
  static Form between(const Form& a, const Form& b);
  /// What it is at most, without the unknowns whose sign is known; the same with one unknown in place of
  /// many.
  Form most(const Form& f) const;
  Form narrowed(const Form& f) const;

 private:
  Constant shortened(const Constant& c) const;
  struct Sign {
    int sign = 0;         // 0: not known
    bool strict = false;  // and not zero
  };
  using Row = std::pair<Constant, bool>;  // c >= 0, or c > 0
  static bool contradictory(std::vector<Row> rows);
  Sign sign_of(const Powers& powers, int depth) const;
  void assume_logarithms(const Constant& c, const std::string& relation);
  bool holds(const Constant& c, bool strict, int depth) const;
  bool open_holds(const Constant& c, const Powers& clear, bool strict, int depth, bool times = false) const;
  Constant named(Atom::Kind kind, const std::string& name, const Constant& of) const;
  Constant power(const Constant& base, const Q& exponent) const;
  Constant log(const Constant& c) const;
  Constant exp(const Constant& c) const;

  bool holds(const Form& f, bool strict, int depth = 0) const;
  Interval value(std::size_t i) const;
  Interval ratio(const Growth& a, const Growth& b) const;
  Interval bound(const Form& f, const Growth& growth) const;
  Interval small(const Form& f) const;
  Form series(const Form& small, const std::vector<Q>& coefficients, const Interval& last) const;

  std::vector<Row> conditions_;
  mutable std::map<std::tuple<std::string, bool, int>, bool> known_;  // what follows from them, or does not
  std::map<std::string, Constant> values_;                            // of atoms that conditions fix
  mutable std::map<std::string, Form> found_;                         // powers and logarithms
  std::vector<Interval> logs_;  // log^j(X0) for 0 < j <= depth + 1; empty: near infinity
};

std::string contrary(const std::string& relation);

}  // namespace gpe::verifier
