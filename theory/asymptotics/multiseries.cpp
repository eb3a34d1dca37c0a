#include "theory/asymptotics/multiseries.h"

#include <algorithm>
#include <cassert>

#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::theory {

namespace {

constexpr int kZeroesBeforeProof = 4;  // cancelled terms in a row before a proof of zero is tried
constexpr int kZeroesBeforeGivingUp = 60;
constexpr int kDeepestChain = 40;

Stream lazy(std::function<std::shared_ptr<const StreamCell>()> compute) {
  return std::make_shared<LazyStream>(LazyStream{std::move(compute), nullptr});
}

Stream ended() { return std::make_shared<LazyStream>(LazyStream{nullptr, nullptr}); }

Stream cons(SeriesTerm term, Stream next) {
  return std::make_shared<LazyStream>(
      LazyStream{nullptr, std::make_shared<const StreamCell>(StreamCell{std::move(term), std::move(next)})});
}

bool is_constant(const SeriesPtr& f) { return f->head == nullptr; }
bool is_exact_zero(const SeriesPtr& f) { return is_constant(f) && f->constant.is_zero(); }
bool is_exact_one(const SeriesPtr& f) { return is_constant(f) && f->constant.is_rational(1); }

}  // namespace

Multiseries::Multiseries(const Context& context) : context_(context) {
  scale_.push_back(std::make_unique<Generator>(Generator{Expr::symbol(kIndex), nullptr, 0, 0}));
}

SeriesPtr Multiseries::constant(const Form& value) const {
  return std::make_shared<const Series>(Series{to_expr(value), nullptr, value, nullptr});
}

SeriesPtr Multiseries::make(Expr expression, const Generator* head, Stream terms) const {
  return std::make_shared<const Series>(Series{std::move(expression), head, {}, std::move(terms)});
}

SeriesPtr Multiseries::generator_power(const Generator* generator, const Form& exponent) {
  if (exponent.is_zero()) return constant(1);
  return make(theory::pow(generator->expression, to_expr(exponent)), generator,
              cons({constant(1), exponent}, ended()));
}

SeriesPtr Multiseries::index() { return generator_power(chain_generator(0), 1); }
SeriesPtr Multiseries::iterated_log(int k) { return generator_power(chain_generator(k), 1); }

std::shared_ptr<const StreamCell> Multiseries::force(const Stream& stream) const {
  if (stream->compute) {
    context_.check_time();
    stream->value = stream->compute();
    stream->compute = nullptr;
  }
  return stream->value;
}

Stream Multiseries::merge(const Stream& s, const Stream& t) {
  return lazy([this, s, t]() -> std::shared_ptr<const StreamCell> {
    const auto a = force(s);
    if (!a) return force(t);
    const auto b = force(t);
    if (!b) return a;
    const int order = context_.compare(a->term.exponent, b->term.exponent);
    if (order > 0) return std::make_shared<const StreamCell>(StreamCell{a->term, merge(a->next, t)});
    if (order < 0) return std::make_shared<const StreamCell>(StreamCell{b->term, merge(s, b->next)});
    // A sum that cancels stays in the list as a zero: trim counts those.
    return std::make_shared<const StreamCell>(StreamCell{
        {add(a->term.coefficient, b->term.coefficient), a->term.exponent}, merge(a->next, b->next)});
  });
}

Stream Multiseries::scale(const Stream& s, const SeriesPtr& coefficient, const Form& exponent) {
  return lazy([this, s, coefficient, exponent]() -> std::shared_ptr<const StreamCell> {
    const auto a = force(s);
    if (!a) return nullptr;
    return std::make_shared<const StreamCell>(
        StreamCell{{multiply(coefficient, a->term.coefficient), a->term.exponent + exponent},
                   scale(a->next, coefficient, exponent)});
  });
}

Stream Multiseries::product(const Stream& s, const Stream& t) {
  return lazy([this, s, t]() -> std::shared_ptr<const StreamCell> {
    const auto a = force(s);
    if (!a) return nullptr;
    const auto b = force(t);
    if (!b) return nullptr;
    return std::make_shared<const StreamCell>(
        StreamCell{{multiply(a->term.coefficient, b->term.coefficient), a->term.exponent + b->term.exponent},
                   merge(scale(b->next, a->term.coefficient, a->term.exponent), product(a->next, t))});
  });
}

Stream Multiseries::compose(const Stream& epsilon, const std::function<std::optional<Form>(int)>& coefficient,
                            int from) {
  return lazy([this, epsilon, coefficient, from]() -> std::shared_ptr<const StreamCell> {
    const auto a = coefficient(from);
    if (!a) return nullptr;
    // Σ_{k>=from} a_k ε^{k-from} = a_from + ε·(the same from the next k); productive, as ε has negative
    // exponents
    return std::make_shared<const StreamCell>(
        StreamCell{{constant(*a), Form(0)}, product(epsilon, compose(epsilon, coefficient, from + 1))});
  });
}

SeriesPtr Multiseries::add(const SeriesPtr& f, const SeriesPtr& g) {
  if (is_exact_zero(f)) return g;
  if (is_exact_zero(g)) return f;
  if (is_constant(f) && is_constant(g)) return constant(f->constant + g->constant);
  const Expr sum = f->expression + g->expression;
  if (f->head == g->head) return make(sum, f->head, merge(f->terms, g->terms));
  const bool f_leads = !is_constant(f) && (is_constant(g) || f->head->position < g->head->position);
  const SeriesPtr& large = f_leads ? f : g;
  const SeriesPtr& small = f_leads ? g : f;
  return make(sum, large->head, merge(large->terms, cons({small, Form(0)}, ended())));
}

SeriesPtr Multiseries::multiply(const SeriesPtr& f, const SeriesPtr& g) {
  if (is_exact_zero(f) || is_exact_one(g)) return f;
  if (is_exact_zero(g) || is_exact_one(f)) return g;
  if (is_constant(f) && is_constant(g)) return constant(f->constant * g->constant);
  const Expr expression = f->expression * g->expression;
  if (f->head == g->head) return make(expression, f->head, product(f->terms, g->terms));
  const bool f_leads = !is_constant(f) && (is_constant(g) || f->head->position < g->head->position);
  const SeriesPtr& large = f_leads ? f : g;
  const SeriesPtr& small = f_leads ? g : f;
  return make(expression, large->head, scale(large->terms, small, Form(0)));
}

SeriesPtr Multiseries::scaled(const SeriesPtr& f, const Form& factor) {
  return multiply(constant(factor), f);
}

bool Multiseries::provably_zero(const Expr& expression) const {
  return cleared(to_form(expression, context_)).is_zero();
}

bool Multiseries::is_zero(const SeriesPtr& f) {
  if (is_constant(f)) return context_.is_zero(f->constant);
  return !trim(f);
}

std::optional<Multiseries::Trimmed> Multiseries::trim(const SeriesPtr& f) {
  Stream stream = f->terms;
  for (int zeroes = 0;; ++zeroes) {
    const auto cell = force(stream);
    if (!cell) return std::nullopt;
    if (!is_zero(cell->term.coefficient))
      return Trimmed{cell->term.coefficient, cell->term.exponent, cell->next};
    stream = cell->next;
    if (zeroes == kZeroesBeforeProof && provably_zero(f->expression)) return std::nullopt;
    if (zeroes == kZeroesBeforeGivingUp) {
      throw Undecided("cannot decide whether " + to_text(f->expression) +
                      " is zero near infinity: its first " + std::to_string(zeroes) + " terms cancel");
    }
  }
}

std::optional<Leading> Multiseries::leading(const SeriesPtr& f) {
  Leading result;
  SeriesPtr at = f;
  while (!is_constant(at)) {
    const auto trimmed = trim(at);
    if (!trimmed) return std::nullopt;
    if (!context_.is_zero(trimmed->exponent))
      result.monomial.powers.emplace_back(at->head, trimmed->exponent);
    at = trimmed->coefficient;
  }
  if (context_.is_zero(at->constant)) return std::nullopt;
  result.coefficient = at->constant;
  return result;
}

int Multiseries::sign(const SeriesPtr& f) {
  const auto lead = leading(f);
  return lead ? context_.sign(lead->coefficient) : 0;
}

Size Multiseries::size(const SeriesPtr& f, Leading* lead) {
  if (is_constant(f)) {
    if (context_.is_zero(f->constant)) return Size::infinitesimal;
    if (lead != nullptr) *lead = {f->constant, {}};
    return Size::finite;
  }
  Stream stream = f->terms;
  for (int zeroes = 0;; ++zeroes) {
    const auto cell = force(stream);
    if (!cell) return Size::infinitesimal;
    const int exponent_sign = context_.sign(cell->term.exponent);
    if (exponent_sign < 0) return Size::infinitesimal;  // and so is all that follows
    if (exponent_sign == 0) return size(cell->term.coefficient, lead);
    if (auto first = leading(cell->term.coefficient)) {
      if (lead != nullptr) {
        first->monomial.powers.insert(first->monomial.powers.begin(), {f->head, cell->term.exponent});
        *lead = std::move(*first);
      }
      return Size::infinite;
    }
    stream = cell->next;
    if (zeroes == kZeroesBeforeProof && provably_zero(f->expression)) return Size::infinitesimal;
    if (zeroes == kZeroesBeforeGivingUp) {
      throw Undecided("cannot decide whether " + to_text(f->expression) + " is zero near infinity");
    }
  }
}

int Multiseries::compare(const Monomial& a, const Monomial& b) const {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.powers.size() || k < b.powers.size()) {
    const int left = i < a.powers.size() ? a.powers[i].first->position : static_cast<int>(scale_.size());
    const int right = k < b.powers.size() ? b.powers[k].first->position : static_cast<int>(scale_.size());
    Form difference;
    if (left <= right) difference = difference + a.powers[i++].second;
    if (right <= left) difference = difference - b.powers[k++].second;
    if (const int sign = context_.sign(difference); sign != 0) return sign;
  }
  return 0;
}

Expr Multiseries::expression(const Monomial& monomial) const {
  Form product(1);
  for (const auto& [generator, exponent] : monomial.powers) {
    // exp(h)^e as exp(e·h), so that it is brought to normal form
    const auto* power = generator->expression.as<node::Call>();
    const bool exponential = power != nullptr && power->function == Function::exp;
    product = product * (exponential ? context_.exp(exponent * to_form(power->arguments.front(), context_))
                                     : context_.pow(to_form(generator->expression, context_), exponent));
  }
  return to_expr(product);
}

const Generator* Multiseries::chain_generator(int k) {
  for (const auto& generator : scale_) {
    if (generator->chain == k) return generator.get();
  }
  if (k > kDeepestChain) throw Undecided("more than 40 nested logarithms");
  const Generator* above = chain_generator(k - 1);
  // Every generator so far grows faster than any power of the new logarithm, so it comes last.
  scale_.push_back(std::make_unique<Generator>(Generator{theory::log(above->expression), nullptr, k, 0}));
  renumber();
  return scale_.back().get();
}

void Multiseries::renumber() {
  for (std::size_t i = 0; i < scale_.size(); ++i) scale_[i]->position = static_cast<int>(i);
}

SeriesPtr Multiseries::log_of(const Generator* generator) {
  if (generator->log) return generator->log;
  return iterated_log(generator->chain + 1);
}

Multiseries::Parts Multiseries::parts(const SeriesPtr& f) {
  Parts result{{}, constant(0), ended()};
  Stream stream = f->terms;
  for (int steps = 0;; ++steps) {
    const auto cell = force(stream);
    if (!cell) return result;
    const int exponent_sign = context_.sign(cell->term.exponent);
    if (exponent_sign < 0) {
      result.small = stream;
      return result;
    }
    if (exponent_sign == 0) {
      result.middle = cell->term.coefficient;
      result.small = cell->next;
      return result;
    }
    if (!is_zero(cell->term.coefficient)) result.large.push_back(cell->term);
    stream = cell->next;
    if (steps == kZeroesBeforeGivingUp) {
      throw Undecided("more than 60 growing terms in the expansion of " + to_text(f->expression));
    }
  }
}

SeriesPtr Multiseries::exp(const SeriesPtr& f) {
  if (is_constant(f)) return constant(context_.exp(f->constant));
  const Parts split = parts(f);
  SeriesPtr result = constant(1);
  Expr remaining = f->expression;
  if (!split.large.empty()) {
    std::vector<Expr> sum;
    Stream terms = ended();
    for (auto it = split.large.rbegin(); it != split.large.rend(); ++it) {
      sum.push_back(it->coefficient->expression * theory::pow(f->head->expression, to_expr(it->exponent)));
      terms = cons(*it, terms);
    }
    const SeriesPtr large = make(theory::add(sum), f->head, terms);
    remaining = remaining - large->expression;
    result = exp_large(large);
  }
  if (!is_exact_zero(split.middle)) {
    remaining = remaining - split.middle->expression;
    result = multiply(result, exp(split.middle));
  }
  if (force(split.small)) {
    const auto inverse_factorial = [](int k) {
      Rational factorial(1);
      for (int i = 2; i <= k; ++i) factorial *= Rational(i);
      return std::optional<Form>(Form(factorial.inverse()));
    };
    result =
        multiply(result, make(theory::exp(remaining), f->head, compose(split.small, inverse_factorial, 0)));
  }
  return result;
}

// exp(p) for p → ±∞ whose every term grows.
SeriesPtr Multiseries::exp_large(const SeriesPtr& p) {
  const auto lead = leading(p);
  if (!lead) return constant(1);
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const Generator* generator = scale_[i].get();
    const bool last_of_chain = generator->log == nullptr && generator->chain >= 0 && i + 1 == scale_.size();
    if (last_of_chain) break;  // p, built from generators this large, outgrows its logarithm
    const SeriesPtr logarithm = log_of(generator);
    const auto other = leading(logarithm);
    assert(other);
    if (compare(lead->monomial, other->monomial) != 0) continue;
    // the same comparability class: exp(p) = b^c · exp(p - c·log b)
    const Form ratio = lead->coefficient * context_.pow(other->coefficient, Rational(-1));
    const SeriesPtr rest = subtract(p, scaled(logarithm, ratio));
    return multiply(generator_power(generator, ratio), exp(rest));
  }
  const int direction = context_.sign(lead->coefficient);
  const Generator* generator = generator_for(direction > 0 ? p : scaled(p, Form(-1)), lead->monomial);
  return generator_power(generator, Form(direction));
}

const Generator* Multiseries::generator_for(const SeriesPtr& logarithm, const Monomial& size) {
  std::size_t place = 0;
  while (place < scale_.size()) {
    const Generator* generator = scale_[place].get();
    if (generator->log == nullptr && place + 1 == scale_.size()) break;
    const auto other = leading(log_of(generator));
    if (compare(size, other->monomial) > 0) break;
    ++place;
  }
  const auto at = scale_.begin() + static_cast<std::ptrdiff_t>(place);
  const auto inserted = scale_.insert(
      at, std::make_unique<Generator>(Generator{theory::exp(logarithm->expression), logarithm, -1, 0}));
  const Generator* result = inserted->get();
  renumber();
  return result;
}

namespace {

// ε in base·(1 + ε): the rest of a trimmed series over its first term, as an expression.
Expr relative_rest(const Expr& whole, const Expr& first) { return whole / first; }

}  // namespace

SeriesPtr Multiseries::log(const SeriesPtr& f) {
  if (is_constant(f)) {
    if (context_.sign(f->constant) <= 0) throw Undefined("log of " + to_text(f->constant));
    return constant(context_.log(f->constant));
  }
  const auto first = trim(f);
  if (!first) throw Undefined("log of zero: " + to_text(f->expression));
  const SeriesPtr coefficient_log = log(first->coefficient);
  SeriesPtr result = coefficient_log;
  const Expr lead =
      first->coefficient->expression * theory::pow(f->head->expression, to_expr(first->exponent));
  if (!first->exponent.is_zero()) {
    result = add(scaled(log_of(f->head), first->exponent), result);
  }
  if (force(first->rest)) {
    const SeriesPtr inverse = power(first->coefficient, Form(-1));
    const Stream epsilon = scale(first->rest, inverse, -first->exponent);
    const auto alternating = [](int k) {
      return std::optional<Form>(k == 0 ? Form(0) : Form(Rational(k % 2 == 1 ? 1 : -1, k)));
    };
    result =
        add(make(theory::log(relative_rest(f->expression, lead)), f->head, compose(epsilon, alternating, 0)),
            result);
  }
  return result;
}

SeriesPtr Multiseries::power(const SeriesPtr& base, const Form& exponent) {
  if (exponent.is_zero()) return constant(1);
  if (exponent.is_rational(1)) return base;
  const Rational* rational = exponent.rational();
  if (is_constant(base)) {
    if (rational == nullptr || !rational->is_integer()) {
      if (context_.sign(base->constant) < 0) {
        throw Undefined("a negative number under a fractional power: " + to_text(base->constant));
      }
    }
    return constant(context_.pow(base->constant, exponent));
  }
  if (rational != nullptr && rational->is_integer() && rational->sign() > 0 && *rational <= Rational(4)) {
    SeriesPtr result = base;
    for (Rational k(1); k < *rational; k += Rational(1)) result = multiply(result, base);
    return result;
  }
  const auto first = trim(base);
  const Expr whole = theory::pow(base->expression, to_expr(exponent));
  if (!first) {
    if (context_.sign(exponent) > 0) return constant(0);
    throw Undefined("division by zero: " + to_text(base->expression));
  }
  const SeriesPtr outer =
      multiply(power(first->coefficient, exponent), generator_power(base->head, first->exponent * exponent));
  if (!force(first->rest)) return outer;
  const SeriesPtr inverse = power(first->coefficient, Form(-1));
  const Stream epsilon = scale(first->rest, inverse, -first->exponent);
  const auto binomial = [exponent](int k) -> std::optional<Form> {
    Form result(1);
    for (int i = 0; i < k; ++i) result = result * (exponent - Form(i)) * Form(Rational(1, i + 1));
    if (result.is_zero()) return std::nullopt;
    return result;
  };
  const Expr lead =
      first->coefficient->expression * theory::pow(base->head->expression, to_expr(first->exponent));
  const SeriesPtr tail = make(theory::pow(relative_rest(base->expression, lead), to_expr(exponent)),
                              base->head, compose(epsilon, binomial, 0));
  return multiply(outer, tail);
}

SeriesPtr Multiseries::power(const SeriesPtr& base, const SeriesPtr& exponent) {
  if (is_constant(exponent)) return power(base, exponent->constant);
  return exp(multiply(exponent, log(base)));
}

SeriesPtr Multiseries::sin(const SeriesPtr& f) { return circular(f, true); }
SeriesPtr Multiseries::cos(const SeriesPtr& f) { return circular(f, false); }

// With f = c + ε:  sin f = sin c · cos ε + cos c · sin ε,  cos f = cos c · cos ε - sin c · sin ε.
SeriesPtr Multiseries::circular(const SeriesPtr& f, bool sine) {
  if (is_constant(f)) return constant(sine ? theory::sin(f->constant) : theory::cos(f->constant));
  const Parts split = parts(f);
  if (!split.large.empty()) throw Undecided("sin or cos of an unbounded function");
  const auto taylor = [](bool odd) {
    return [odd](int k) {
      if ((k % 2 == 1) != odd) return std::optional<Form>(Form(0));
      Rational factorial(1);
      for (int i = 2; i <= k; ++i) factorial *= Rational(i);
      return std::optional<Form>(Form(factorial.inverse() * Rational((k / 2) % 2 == 0 ? 1 : -1)));
    };
  };
  const Expr small = f->expression - split.middle->expression;
  const SeriesPtr sin_small =
      make(call(Function::sin, {small}), f->head, compose(split.small, taylor(true), 0));
  const SeriesPtr cos_small =
      make(call(Function::cos, {small}), f->head, compose(split.small, taylor(false), 0));
  const SeriesPtr sin_middle = circular(split.middle, true);
  const SeriesPtr cos_middle = circular(split.middle, false);
  if (sine) return add(multiply(sin_middle, cos_small), multiply(cos_middle, sin_small));
  return subtract(multiply(cos_middle, cos_small), multiply(sin_middle, sin_small));
}

std::vector<std::pair<Form, Monomial>> Multiseries::first_terms(const SeriesPtr& f, int count) {
  std::vector<std::pair<Form, Monomial>> result;
  if (is_constant(f)) {
    if (!context_.is_zero(f->constant)) result.push_back({f->constant, {}});
    return result;
  }
  Stream stream = f->terms;
  for (int zeroes = 0; static_cast<int>(result.size()) < count;) {
    const auto cell = force(stream);
    if (!cell) break;
    auto inner = first_terms(cell->term.coefficient, count - static_cast<int>(result.size()));
    const bool zero_exponent = context_.is_zero(cell->term.exponent);
    for (auto& [coefficient, monomial] : inner) {
      if (!zero_exponent) monomial.powers.insert(monomial.powers.begin(), {f->head, cell->term.exponent});
      result.emplace_back(coefficient, std::move(monomial));
    }
    stream = cell->next;
    if (!inner.empty()) continue;
    if (++zeroes == kZeroesBeforeProof) {  // perhaps the terms so far are all there is
      Expr rest = f->expression;
      for (const auto& [coefficient, monomial] : result)
        rest = rest - to_expr(coefficient) * expression(monomial);
      if (provably_zero(rest)) break;
    }
    if (zeroes > kZeroesBeforeGivingUp) break;
  }
  return result;
}

}  // namespace gpe::theory
