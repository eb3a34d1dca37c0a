#include "theory/asymptotics/multiseries.h"

#include "theory/asymptotics/shifts_reduced.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/product_to_sum.h"
#include "theory/expression/expr_print.h"

namespace gpe::theory {

namespace {

constexpr int kZeroesBeforeProof = 4;  // cancelled terms in a row before a proof of zero is tried
constexpr int kZeroesBeforeGivingUp = 60;
constexpr int kDeepestChain = 40;

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
  const auto constants = [this, coefficient](int k) {
    const auto a = coefficient(k);
    return a ? constant(*a) : nullptr;
  };
  return compose_series(epsilon, constants, from);
}

Stream Multiseries::compose_series(const Stream& epsilon, const std::function<SeriesPtr(int)>& coefficient,
                                   int from) {
  return lazy([this, epsilon, coefficient, from]() -> std::shared_ptr<const StreamCell> {
    const SeriesPtr a = coefficient(from);
    if (!a) return nullptr;
    // Σ_{k>=from} a_k ε^{k-from} = a_from + ε·(the same from the next k); productive, as ε has negative
    // exponents
    return std::make_shared<const StreamCell>(
        StreamCell{{a, Form(0)}, product(epsilon, compose_series(epsilon, coefficient, from + 1))});
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
  if (cancels(to_form(expression, context_))) return true;
  const Expr reduced = with_shifts_reduced(expression, context_);
  return !reduced.same_object(expression) && cancels(to_form(reduced, context_));
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
