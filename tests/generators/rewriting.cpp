#include "tests/generators/rewriting.h"

#include <algorithm>

#include "theory/expression/expr_print.h"

namespace gpe::testing {

using theory::Function;
using theory::Rational;
using namespace theory::node;

namespace {

const Expr kN = Expr::symbol("n");

const Call* call_of(const Expr& e, Function function) {
  const auto* call = e.as<Call>();
  return call != nullptr && call->function == function ? call : nullptr;
}

}  // namespace

bool Shape::at_least(const Expr& e, int bound, bool strict) const {
  if (const Rational* number = e.number())
    return strict ? *number > Rational(bound) : *number >= Rational(bound);
  if (const auto* symbol = e.as<Symbol>()) {
    if (symbol->name == "n") return strict ? first_ > bound : first_ >= bound;
    if (symbol->name == "L") return bound == 0 && !strict;
    return bound == 0 &&
           (positive_.contains(symbol->name) || (!strict && nonnegative_.contains(symbol->name)));
  }
  if (e.as<Pi>() != nullptr) return true;
  if (const auto* sum = e.as<Add>()) {
    // all nonnegative, and one that is enough by itself, or a literal one beside something positive
    if (!std::ranges::all_of(sum->terms, [&](const Expr& term) { return at_least(term, 0, false); }))
      return false;
    if (std::ranges::any_of(sum->terms, [&](const Expr& term) { return at_least(term, bound, strict); }))
      return true;
    const bool has_one =
        std::ranges::any_of(sum->terms, [&](const Expr& term) { return at_least(term, 1, false); });
    return bound == 1 && has_one && std::ranges::any_of(sum->terms, [&](const Expr& term) {
             return term.number() == nullptr && at_least(term, 0, true);
           });
  }
  if (const auto* product = e.as<Mul>()) {
    return std::ranges::all_of(product->factors,
                               [&](const Expr& factor) { return at_least(factor, bound, strict); });
  }
  if (const auto* power = e.as<Pow>()) {
    const Rational* exponent = power->exponent.number();
    if (bound == 0) {
      if (exponent != nullptr && exponent->sign() > 0) return at_least(power->base, 0, strict);
      return at_least(power->base, 0, true);
    }
    return exponent != nullptr && exponent->sign() > 0 && at_least(power->base, 1, strict);
  }
  if (const Call* exponential = call_of(e, Function::exp)) {
    return bound == 0 || at_least(exponential->arguments.front(), 0, strict);
  }
  if (const Call* logarithm = call_of(e, Function::log)) {
    const Expr& x = logarithm->arguments.front();
    if (bound == 0) return at_least(x, 1, strict);
    // log n > 1 from 3 on, log log n > 1 from 16 on
    if (x == kN) return first_ >= 3;
    const Call* inner = call_of(x, Function::log);
    return inner != nullptr && inner->arguments.front() == kN && first_ >= 16;
  }
  return false;
}

Expr Rewriter::growing() {
  const std::vector<Expr> pool = {Expr(1) + kN,
                                  sqrt(Expr(1) + kN),
                                  log(Expr(2) + kN),
                                  pow(Expr(1) + kN, Expr(Rational(7, 3))),
                                  exp(-kN),
                                  exp(kN),
                                  kN * kN + Expr(3),
                                  (Expr(1) + kN) * log(Expr(2) + kN),
                                  Expr(1) + exp(-sqrt(Expr(1) + kN)),
                                  Expr(2)};
  return pool[pick(pool.size())];
}

std::optional<Expr> Rewriter::distributed(const Expr& e) {
  if (const auto* power = e.as<Pow>()) {
    const Rational* exponent = power->exponent.number();
    if (power->base.as<Add>() == nullptr || exponent == nullptr || !(*exponent == Rational(2)))
      return std::nullopt;
    return distributed(Expr::raw(Mul{{power->base, power->base}}));
  }
  const auto* product = e.as<Mul>();
  if (product == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < product->factors.size(); ++i) {
    const auto* sum = product->factors[i].as<Add>();
    if (sum == nullptr) continue;
    std::vector<Expr> terms;
    for (const Expr& term : sum->terms) {
      std::vector<Expr> factors = product->factors;
      factors[i] = term;
      terms.push_back(mul(std::move(factors)));
    }
    return add(std::move(terms));
  }
  return std::nullopt;
}

std::optional<Expr> Rewriter::regrouped(const Expr& e) {
  const auto* sum = e.as<Add>();
  const auto* product = e.as<Mul>();
  if (sum == nullptr && product == nullptr) return std::nullopt;
  std::vector<Expr> parts = sum != nullptr ? sum->terms : product->factors;
  for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[pick(i)]);
  const auto join = [&](const Expr& a, const Expr& b) {
    return sum != nullptr ? Expr::raw(Add{{a, b}}) : Expr::raw(Mul{{a, b}});
  };
  while (parts.size() > 1) {  // a random tree over them
    const std::size_t i = pick(parts.size() - 1);
    parts[i] = join(parts[i], parts[i + 1]);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return parts.front();
}

std::optional<Expr> Rewriter::power_as_exponential(const Expr& e) {
  const auto* power = e.as<Pow>();
  if (power == nullptr) return std::nullopt;
  const Expr general = exp(power->exponent * log(power->base));
  if (shape_.positive(power->base)) return general;
  const Rational* exponent = power->exponent.number();
  if (power->base == kN && exponent != nullptr && exponent->sign() > 0) {  // 0^a = 0
    return branch(theory::Relation::less, kN, Expr(1), Expr(0), general);
  }
  return std::nullopt;
}

std::optional<Expr> Rewriter::exponential_split(const Expr& e) {
  const Call* exponential = call_of(e, Function::exp);
  if (exponential == nullptr) return std::nullopt;
  const Expr& x = exponential->arguments.front();
  if (const auto* sum = x.as<Add>()) {
    std::vector<Expr> factors;
    for (const Expr& term : sum->terms) factors.push_back(exp(term));
    return mul(std::move(factors));
  }
  return pick(2) == 0 ? pow(exp(x / Expr(2)), Expr(2)) : exp(x + Expr(1)) * exp(Expr(-1));
}

// Of log(x).
std::optional<Expr> Rewriter::split_log(const Expr& x) {
  if (const auto* product = x.as<Mul>(); product != nullptr && pick(2) == 0) {
    if (!std::ranges::all_of(product->factors, [&](const Expr& factor) { return shape_.positive(factor); }))
      return std::nullopt;
    std::vector<Expr> terms;
    for (const Expr& factor : product->factors) terms.push_back(log(factor));
    return add(std::move(terms));
  }
  switch (pick(4)) {
    case 0: {
      const Expr g = growing();
      return log(x * g) - log(g);
    }
    case 1:
      return Expr(2) * log(sqrt(x));
    case 2:
      return log(pow(x, Expr(3))) / Expr(3);
    default:
      if (x == Expr(1) + kN && shape_.first() >= 1) return log(kN) + log(Expr(1) + Expr(1) / kN);
      return -log(Expr(1) / x);
  }
}

std::optional<Expr> Rewriter::step(const Expr& e) {
  const auto named = [this](const char* name, std::optional<Expr> result) {
    if (result) steps_ += (steps_.empty() ? "" : ", ") + std::string(name);
    return result;
  };
  switch (pick(14)) {
    case 0: {
      const Expr z = growing();
      return named("x + z - z", Expr::raw(Add{{e, z, Expr::raw(Mul{{Expr(-1), z}})}}));
    }
    case 1: {
      const Expr g = growing();
      return named("x*g/g", Expr::raw(Mul{{e, g, Expr::raw(Pow{g, Expr(-1)})}}));
    }
    case 2: {
      const Expr g = Expr(1) + kN;
      return named("x*(1 + n)^2/(1 + 2n + n^2)", e * pow(g, Expr(2)) / (Expr(1) + Expr(2) * kN + kN * kN));
    }
    case 3:
    case 4:
      return named("expand", distributed(e));
    case 5:
      return named("regroup", regrouped(e));
    case 6:
    case 7:
      return named("x^a = exp(a log x)", power_as_exponential(e));
    case 8:
      return named("exp split", exponential_split(e));
    case 9:
    case 10:
      if (const Call* logarithm = call_of(e, Function::log))
        return named("log split", split_log(logarithm->arguments.front()));
      return std::nullopt;
    case 11:
      if (!shape_.positive(e)) return disguises_ ? named("log exp", log(exp(e))) : std::nullopt;
      switch (pick(3)) {
        case 0:
          return named("exp log", exp(log(e)));
        case 1:
          return named("sqrt of the square", sqrt(e * e));
        default:
          return named("root of the cube", pow(pow(e, Expr(3)), Expr(Rational(1, 3))));
      }
    case 12:
      if (!disguises_) return std::nullopt;
      switch (pick(3)) {
        case 0:
          return named("min(x, x + 1)", call(Function::min, {e, e + Expr(1)}));
        case 1:
          return named("if", branch(theory::Relation::less, kN, Expr(40), e, e));
        default:
          return named("floor of a fraction", e + floor(Expr(1) / (Expr(2) + kN)));
      }
    default:
      if (const Rational* number = e.number(); number != nullptr && !number->is_zero()) {
        const Expr three = sqrt(Expr(3));
        return named("hidden constant", e * (three - Expr(1)) * (three + Expr(1)) / Expr(2));
      }
      return std::nullopt;
  }
}

Expr Rewriter::somewhere(const Expr& e, bool& done) {
  const std::vector<Expr> parts = children(e);
  if (!parts.empty() && pick(3) != 0) {
    const std::size_t i = pick(parts.size());
    // exponents, conditions, bounds and indices stay as they are: integers must remain visible there
    const bool fixed = (e.as<Pow>() != nullptr && i == 1) || (e.as<If>() != nullptr && i < 2) ||
                       e.as<Sum>() != nullptr || e.as<TableAt>() != nullptr || e.as<CutEntropy>() != nullptr;
    if (!fixed) {
      std::vector<Expr> changed = parts;
      changed[i] = somewhere(parts[i], done);
      return done ? with_children(e, std::move(changed)) : e;
    }
  }
  if (const auto result = step(e)) {
    done = true;
    return *result;
  }
  return e;
}

Expr Rewriter::operator()(const Expr& e, bool disguises) {
  steps_.clear();
  disguises_ = disguises;
  Expr result = e;
  const std::size_t wanted = 1 + pick(4);
  std::size_t taken = 0;
  for (int attempt = 0; attempt < 40 && taken < wanted; ++attempt) {
    bool done = false;
    result = somewhere(result, done);
    if (done) ++taken;
  }
  return result;
}

theory::Encoding rewritten(const theory::Encoding& encoding, Rewriter& rewrite) {
  theory::Encoding result = encoding;
  result.bias = rewrite(encoding.bias, true);
  result.gain = rewrite(encoding.gain);
  const bool rotates = encoding.transform == theory::Transform::rotation ||
                       encoding.transform == theory::Transform::scaled_rotation;
  if (rotates) result.rotation.angle = rewrite(encoding.rotation.angle);
  if (encoding.transform == theory::Transform::scaled_rotation)
    result.rotation.scale = rewrite(encoding.rotation.scale);
  return result;
}

Shape shape_of(const theory::Encoding& encoding) {
  std::set<std::string> positive;
  std::set<std::string> nonnegative;
  for (const theory::Parameter& parameter : encoding.parameters) {
    for (const theory::Condition& condition : parameter.domain) {
      const bool above = condition.relation == theory::Relation::greater ||
                         condition.relation == theory::Relation::greater_equal;
      const bool below =
          condition.relation == theory::Relation::less || condition.relation == theory::Relation::less_equal;
      const Expr& large = below ? condition.right : condition.left;  // large > small, or large >= small
      const Rational* small = (below ? condition.left : condition.right).number();
      const auto* symbol = large.as<Symbol>();
      if ((!above && !below) || symbol == nullptr || symbol->name != parameter.name || small == nullptr ||
          small->sign() < 0)
        continue;
      const bool strict =
          condition.relation == theory::Relation::greater || condition.relation == theory::Relation::less;
      (strict || small->sign() > 0 ? positive : nonnegative).insert(parameter.name);
    }
  }
  return {encoding.first, std::move(positive), std::move(nonnegative)};
}

}  // namespace gpe::testing
