#include "checks/verifier/numbers.h"
// Tests: tests/certificates/attacks_test.cpp, tests/certificates/forged_numbers.py
#include <algorithm>

#include "checks/verifier/jet.h"
#include "checks/verifier/proof.h"

namespace gpe::verifier {

namespace {

// One number, the same at every n.
bool is_number(const Constant& c) { return !any_atom(c, is_open) && !any_atom(c, is_unknown); }

// A claim is shown, or wrong, or its ends are not seen so sharply.
void require(bool shown, bool wrong, const std::string& otherwise) {
  if (wrong) throw NotShown(otherwise);
  if (!shown) throw NotFollowed(otherwise + ", as far as the enclosures show");
}

Sums terms_at(const Interval& phi) {
  const Interval f = exp(-phi);
  return {f, phi * f};
}

}  // namespace

Numbers::Numbers(const ScoreFunction& law) : law_(law), e_(law.evaluator(cell_, {})) {
  const Constant n = cell_.symbol("n");
  cell_.assume(n - law.first, ">=");
  e_.names["n"] = n;
  try {
    Evaluator e = e_;
    if (const Form b = e("$b"); b.constant()) {
      phi_ = -b.value();
      bernstein_ = is_bernstein(*phi_);
    }
  } catch (const NotShown&) {  // then it is evaluated at numbers only
  }
}

// All distances together.
void Numbers::sum_up(const Json& proof) {
  if (law_.windowed) {
    total_ = up_to(law_.first + law_.keys() - 1);
    return;
  }
  const long direct = proof["direct"], order = proof["order"], levels = proof["levels"];
  if (direct < 2 || direct % 2 != 0 || direct > (levels > 0 ? 1000 : 100000) || direct <= law_.first ||
      order < 1 || order > 20 || levels > 4000)
    throw NotShown("no parameters of a summation");
  const Json& tail = proof["tail"];
  check_proof({"cn.every-content.holds", "0"}, law_, Calculus(), {}, tail);
  if (tail["rule"] != "sum-converges" || tail["k"] != 0 || tail.contains("modulus") ||
      tail["threshold"]["from"].is_null())
    throw NotShown("no bound of the tail");
  const Q eta = e_.rational(tail["eta"]), c = e_.rational(tail["C"]);
  const Interval end(Q(mpz_class(direct) << static_cast<unsigned long>(levels))), log_end = log(end);
  if (!(end - Interval(e_.rational(tail["threshold"]["from"]))).nonnegative())
    throw NotShown("no bound of the tail after the explicit terms");
  total_ = up_to(direct - 1);
  if (levels > 0 && (!bernstein_ || !score(direct).nonnegative()))
    throw NotFollowed("-b is not seen to be a nonnegative Bernstein function");
  const std::vector<Q> bernoulli = bernoulli_numbers(static_cast<std::size_t>(order));
  for (long level = 0; level < levels; ++level)
    *total_ += doubling(direct, mpz_class(1) << static_cast<unsigned long>(level), bernoulli);
  // h e^-ψ(X) + ∫ e^-ψ and h ψ(X) e^-ψ(X) + ∫ ψ e^-ψ from X on, with φ >= ψ = (1 + η) log x - C >= 1 and
  // t e^-t falling from 1 on
  const Interval psi = Interval(1 + eta) * log_end - c, power = exp(Interval(c) - Interval(eta) * log_end),
                 first = power * inverse(Interval(Q(direct)));
  if (!(psi - Interval(1)).nonnegative()) throw NotShown("the tail begins too early");
  if (levels == 0) far_ = direct;
  *total_ +=
      {(first + power * inverse(eta)) * Interval(0, 1),
       (psi * first + power * (psi * inverse(eta) + Interval((1 + eta) / (eta * eta)))) * Interval(0, 1)};
}

void Numbers::diverges(const Json& proof) const {
  const Json& tail = proof["tail"];
  if (tail.is_null() || tail["rule"] != "sum-diverges") throw NotShown("the sum is not seen to diverge");
  check_proof({"cn.every-content.fails", "0"}, law_, Calculus(), {}, tail);
}

Interval Numbers::score(long n) const { return jet(phi(), Q(n), 1)[0]; }
Interval Numbers::weight(long n) const { return exp(-score(n)); }

bool Numbers::bias_against(long n, const Q& c, const std::string& relation) {
  e_.names["n"] = n;
  return cell_.follows(e_("$b") - c, relation);
}

const Constant& Numbers::content(const Q& bound) {
  e_.names["$B"] = bound;
  e_.names["n"] = cell_.symbol("n");
  if (const auto known = contents_.find(bound); known != contents_.end()) return known->second;
  const Form a = e_("$a");
  if (!a.constant()) throw NotShown("the content is of another kind");
  return contents_.emplace(bound, a.value()).first->second;
}

// U(W) (1 - ε) <= ε l(W), and not so at W - 1: sums of f times e^a beyond W, times e^-a up to W
void Numbers::window(const Q& epsilon, const Q& bound, long w) {
  if (w < law_.first || (law_.windowed && w >= law_.first + law_.keys())) throw NotShown("no window");
  if (!is_number(content(bound))) throw NotShown("the content depends on n");
  const Interval gain = exp(Interval(2) * enclose(content(bound)));
  const auto excess = [&](long at) {
    const Interval inside = up_to(at).z;
    return Interval(epsilon) * inside - Interval(1 - epsilon) * gain * (total().z - inside);
  };
  const Interval here = excess(w), before = w > law_.first ? excess(w - 1) : Interval(-1);
  require(here.nonnegative() && (-before).positive(), (-here).positive() || before.nonnegative(),
          "another window");
}

// (1 - p) e^2a f(n) >= p Σ_{m != n} f(m), over all m or those up to n; and not so from n + 1 on, as f does
// not rise
void Numbers::reach(const Q& weight, const Q& bound, const Json& n, bool self) {
  if (!is_number(content(bound))) throw NotShown("the content depends on n");
  const Interval gain = exp(Interval(2) * enclose(content(bound)));
  if (!bernstein_) throw NotShown("the bias is not seen to fall");
  const auto excess = [&](long at) {
    const Interval f = this->weight(at);
    return Interval(1 - weight) * gain * f - Interval(weight) * ((self ? up_to(at).z : total().z) - f);
  };
  const long next = n.is_null() ? law_.first : n.get<long>() + 1,
             beyond = law_.first + (law_.windowed ? law_.keys() : next + 1);
  if (next < law_.first + !n.is_null() || next > beyond) throw NotShown("no reach");
  const Interval here = n.is_null() ? Interval(1) : excess(next - 1),
                 after = next < beyond ? excess(next) : Interval(-1);
  require(here.nonnegative() && (-after).positive(), (-here).positive() || after.nonnegative(),
          "another reach");
}

// |b(n)| <= C1 (literal: >= C1) for all n up to N, and not at N + 1
void Numbers::local_range(const Form& c1, bool within, const Json& claimed) {
  const auto holds = [&](const Q& n, bool yes) {
    e_.names["n"] = n;
    const Form b = e_("$b"), over = b - c1, under = -b - c1;
    if (within == yes)
      return yes ? cell_.nonnegative(-over) && cell_.nonnegative(-under)
                 : cell_.positive(-over) && cell_.positive(-under);
    return yes ? cell_.nonnegative(over) || cell_.nonnegative(under)
               : cell_.positive(over) || cell_.positive(under);
  };
  const bool unbounded = claimed == "unbounded", none = claimed == "none";
  const long first = law_.first, next = unbounded || none ? first + unbounded : claimed.get<long>() + 1;
  const bool falls = bernstein_ && within;  // then the ends are enough
  if (unbounded && (law_.windowed || !phi_ || !is_number(*phi_))) throw NotShown("the bias is not constant");
  if (next < first + !none || (law_.windowed && next > first + law_.keys()) ||
      (!falls && next - first > 20000))
    throw NotShown("no such local range");
  for (long n = first; n < next; n = falls && n < next - 1 ? next - 1 : n + 1)
    if (!holds(n, true)) require(false, holds(n, false), "the local range ends before");
  if (!unbounded && !(law_.windowed && next == first + law_.keys()) && !holds(next, false))
    require(false, holds(next, true), "the local range does not end there");
}

const Constant& Numbers::phi() const { return phi_ ? *phi_ : throw NotShown("the bias is of another kind"); }
const Sums& Numbers::total() const {
  return total_ ? *total_ : throw NotShown("the sum over all distances is not claimed");
}
const Sums& Numbers::up_to(long n) {
  if (n < law_.first || n - law_.first > 100000) throw NotFollowed("too many distances");
  for (long m = law_.first + static_cast<long>(prefix_.size()); m <= n; ++m) {
    prefix_.push_back(prefix_.empty() ? Sums() : prefix_.back());
    prefix_.back() += terms_at(jet(phi(), Q(m), 1)[0]);
  }
  return prefix_[static_cast<std::size_t>(n - law_.first)];
}

// h Σ_{k>=0} u(x + h k) less 2h Σ_{k>=0} u(2x + 2h k), for x = direct·h, u = f and φ f:
// docs/certificates.md, R2
Sums Numbers::doubling(long direct, const mpz_class& step, const std::vector<Q>& bernoulli) const {
  const std::size_t size = 2 * bernoulli.size();
  const Interval h{Q(step)}, x{Q(step * direct)};
  const Jet p = jet(phi(), x, size);
  Jet minus;
  for (const Interval& c : p) minus.push_back(-c);
  const Jet f = exp(minus), g = p * f;
  Sums result{Interval(Q(-1, 2)) * h * f[0], Interval(Q(-1, 2)) * h * g[0]};
  Interval powers(1);
  Q four = 1;
  for (std::size_t k = 1; k <= bernoulli.size(); ++k) {
    powers = powers * h * h;
    four *= 4;
    const Interval factor = Interval(bernoulli[k - 1] * (four - 1) / (2 * static_cast<long>(k))) * powers;
    result += {factor * f[2 * k - 1], factor * g[2 * k - 1]};
  }
  const long m = static_cast<long>(bernoulli.size());
  const Interval rest = Interval(abs(bernoulli.back()) * (four + 1) / (2 * m)) * powers,
                 top = magnitude(f[size - 1]), below = magnitude(f[size - 2]);
  result += {rest * top * Interval(-1, 1),
             rest * ((p[0] + Interval(2 * m)) * top + p[1] * below * inverse(Interval(Q(2 * m - 1)))) *
                 Interval(-1, 1)};
  for (long k = 0; k < direct / 2; ++k) {
    const Sums one = terms_at(jet(phi(), Q(step * (direct + 2 * k)), 1)[0]);
    result += {Interval(2) * h * one.z, Interval(2) * h * one.s};
  }
  return result;
}

void check_numbers(const ScoreFunction& law, const Json& claim, const Json& proof) {
  const Calculus plain;
  Evaluator e(plain);
  Numbers numbers(law);
  if (claim["Z"].is_null() && claim["H"].is_null() && claim["windows"].empty() && claim["reach"].empty() &&
      claim["self_reach"].empty() && claim["local_range"].is_null())
    throw NotShown("nothing is claimed");
  if (law.depends_on_length()) throw NotShown("numbers of a law that mentions L");
  const bool infinite = claim["Z"] == "infinite", summed = claim["Z"].is_object() && !law.windowed;
  if (proof["direct"].is_null() == summed || proof["tail"].is_null() == (summed || infinite))
    throw NotShown("a proof of nothing, or none");
  if (infinite) numbers.diverges(proof);
  if (claim["Z"].is_object()) numbers.sum_up(proof);
  const auto encloses = [&](const char* name, const auto& value) {
    const Json& ends = claim[name];
    if (infinite != (ends == "infinite")) throw NotShown("Z is infinite where H is, and only there");
    if (!ends.is_object()) return;
    const Interval above = value() - Interval(e.rational(ends["lower"])),
                   below = Interval(e.rational(ends["upper"])) - value();
    require(above.nonnegative() && below.nonnegative(), (-above).positive() || (-below).positive(),
            std::string("the bounds of ") + name);
  };
  encloses("Z", [&] { return numbers.total().z; });
  encloses("H", [&] { return numbers.total().entropy(); });
  for (const Json& one : claim["windows"]) {
    const Q epsilon = e.rational(one["epsilon"]), bound = e.rational(one["content_bound"]);
    if (epsilon <= 0 || epsilon >= 1) throw NotShown("no weight");
    if (!infinite && one["W"].is_null()) throw NotShown("no window");
    if (one["W"].is_null())
      numbers.content(bound);  // the sum beyond it is infinite, whatever a >= 0 is
    else
      numbers.window(epsilon, bound, one["W"]);
  }
  for (const char* name : {"reach", "self_reach"})
    for (const Json& one : claim[name]) {
      const Q weight = e.rational(one["weight"]), bound = e.rational(one["content_bound"]);
      if (weight <= 0 || weight >= 1) throw NotShown("no weight");
      const bool self = name == std::string("self_reach");
      if (!self && infinite && one["n"].is_null())
        enclose(numbers.content(bound));  // the same at every n: the sum of all others is infinite, too
      else
        numbers.reach(weight, bound, one["n"], self);
    }
  if (const Json& range = claim["local_range"]; !range.is_null()) {
    const Q c1 = e.rational(range["threshold"]);
    if (c1 <= 0) throw NotShown("the threshold is not positive");
    if (range["literal"].is_null() && range["within"].is_null()) throw NotShown("a range of nothing");
    for (const char* name : {"literal", "within"})
      if (!range[name].is_null()) numbers.local_range(Form(c1), name == std::string("within"), range[name]);
  }
}

}  // namespace gpe::verifier
