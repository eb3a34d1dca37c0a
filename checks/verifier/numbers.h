// Numbers of a law without content, or with a bound on it: sums, windows, reach, local ranges.
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

struct Sums {
  Interval z, s;  // Σ f and Σ φ f, where f = e^b, φ = -b
  Sums& operator+=(const Sums& other) {
    z += other.z;
    s += other.s;
    return *this;
  }
  Interval entropy() const { return verifier::log(z) + s * inverse(z); }
};

// Each throws NotShown when what it is to prove does not follow.
class Numbers {
 public:
  explicit Numbers(const ScoreFunction& law);

  void sum_up(const Json& proof);          // all distances together
  void diverges(const Json& proof) const;  // they have no finite sum
  const Sums& total() const;
  const Sums& up_to(long n);
  Interval weight(long n) const;                                       // f(n)
  Interval score(long n) const;                                        // -b(n)
  const Constant& content(const Q& bound);                             // a, as a function of n
  bool bias_against(long n, const Q& c, const std::string& relation);  // whether b(n) <relation> c
  bool bernstein() const { return bernstein_; }  // -b is a Bernstein function, up to a number
  long far() const { return far_; }              // -b >= 1 for all n beyond it

  void window(const Q& epsilon, const Q& bound, long w);
  void reach(const Q& weight, const Q& bound, const Json& n, bool self);
  void local_range(const Form& c1, bool within, const Json& claimed);

 private:
  const Constant& phi() const;
  Sums doubling(long direct, const mpz_class& step, const std::vector<Q>& bernoulli) const;

  const ScoreFunction& law_;
  Calculus cell_;
  Evaluator e_;
  std::optional<Constant> phi_;     // -b
  std::map<Q, Constant> contents_;  // a, by B
  bool bernstein_ = false;
  long far_ = 0;  // 0: not known
  std::optional<Sums> total_;
  std::vector<Sums> prefix_;
};

/// @throws NotShown
void check_numbers(const ScoreFunction& law, const Json& claim, const Json& proof);

}  // namespace gpe::verifier
