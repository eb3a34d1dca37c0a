#include "theory/expression/expr.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>
#include <unordered_map>

#include "theory/expression/overloaded.h"
#include "theory/source/table.h"

namespace gpe::theory {

using namespace node;

namespace {

constexpr std::int64_t kSizeCap = std::int64_t{1} << 60;

std::size_t mix(std::size_t seed, std::size_t value) {
  return static_cast<std::size_t>((seed ^ value) * 0x9E3779B97F4A7C15ULL + (seed >> 29U));
}

std::uint64_t symbol_bit(std::string_view name) {
  return std::uint64_t{1} << (std::hash<std::string_view>{}(name) % 64);
}

}  // namespace

struct Expr::Cell {
  Node node;
  std::size_t hash = 0;
  std::int64_t size = 1;
  int depth = 1;
  std::uint64_t symbol_bits = 0;  // a symbol whose bit is clear does not occur
};

bool is_special(Function function) { return function >= Function::atan; }

std::string_view name_of(Function function) {
  static constexpr std::array<std::string_view, 12> names = {
      "log", "exp", "abs", "min", "max", "floor", "sin", "cos", "atan", "erfc", "lgamma", "polygamma"};
  return names.at(static_cast<std::size_t>(function));
}

bool satisfies(Relation relation, int sign) {
  switch (relation) {
    case Relation::less:
      return sign < 0;
    case Relation::less_equal:
      return sign <= 0;
    case Relation::greater:
      return sign > 0;
    case Relation::greater_equal:
      return sign >= 0;
    case Relation::equal:
      return sign == 0;
    case Relation::not_equal:
      return sign != 0;
  }
  return false;
}

Relation relation_of(int sign) {
  if (sign == 0) return Relation::equal;
  return sign < 0 ? Relation::less : Relation::greater;
}

std::string_view symbol_of(Relation relation) {
  static constexpr std::array<std::string_view, 6> symbols = {"<", "<=", ">", ">=", "==", "!="};
  return symbols.at(static_cast<std::size_t>(relation));
}

Expr Expr::raw(Node node) {
  auto cell = std::make_shared<Cell>();
  std::size_t hash = node.index() + 1;
  const auto leaf = [&](std::size_t value) { hash = mix(hash, value); };
  std::visit(Overloaded{
                 [&](const Number& number) { leaf(number.value.hash()); },
                 [&](const Symbol& symbol) {
                   leaf(std::hash<std::string>{}(symbol.name));
                   cell->symbol_bits |= symbol_bit(symbol.name);
                 },
                 [&](const Call& call) { leaf(static_cast<std::size_t>(call.function)); },
                 [&](const If& branch) { leaf(static_cast<std::size_t>(branch.relation)); },
                 [&](const Sum& sum) { leaf(std::hash<std::string>{}(sum.variable)); },
                 [&](const TableAt& at) { leaf(std::hash<const void*>{}(at.table.get())); },
                 [](const auto&) {},
             },
             node);
  cell->node = std::move(node);
  Expr result{std::shared_ptr<const Cell>(cell)};
  for (const Expr& child : children(result)) {
    hash = mix(hash, child.hash());
    cell->size = std::min(kSizeCap, cell->size + child.cell_->size);
    cell->depth = std::max(cell->depth, child.cell_->depth + 1);
    cell->symbol_bits |= child.cell_->symbol_bits;
  }
  cell->hash = hash;
  return result;
}

Expr::Expr(Rational value) : Expr(raw(Number{std::move(value)})) {}
Expr::Expr(std::int64_t value) : Expr(Rational(value)) {}
Expr::Expr(int value) : Expr(Rational(value)) {}
Expr Expr::symbol(std::string name) { return raw(Symbol{std::move(name)}); }
Expr Expr::pi() { return raw(Pi{}); }

const Node& Expr::node() const { return cell_->node; }
std::size_t Expr::hash() const { return cell_->hash; }
std::int64_t Expr::size() const { return cell_->size; }
int Expr::depth() const { return cell_->depth; }

const Rational* Expr::number() const {
  const auto* number = as<Number>();
  return number == nullptr ? nullptr : &number->value;
}

bool Expr::is_number(const Rational& value) const {
  const Rational* mine = number();
  return mine != nullptr && *mine == value;
}

bool Expr::mentions(std::string_view symbol) const {
  if ((cell_->symbol_bits & symbol_bit(symbol)) == 0) return false;
  if (const auto* leaf = as<Symbol>()) return leaf->name == symbol;
  if (const auto* sum = as<Sum>()) {
    return sum->low.mentions(symbol) || sum->high.mentions(symbol) ||
           (sum->variable != symbol && sum->body.mentions(symbol));
  }
  return std::ranges::any_of(children(*this), [&](const Expr& child) { return child.mentions(symbol); });
}

int compare_structure(const Expr& a, const Expr& b) {
  if (a.same_object(b)) return 0;
  const auto three_way = [](const auto& x, const auto& y) { return int{y < x} - int{x < y}; };
  if (a.node().index() != b.node().index()) return three_way(a.node().index(), b.node().index());
  int order = 0;
  if (const auto* number = a.as<Number>()) return three_way(number->value, b.as<Number>()->value);
  if (const auto* symbol = a.as<Symbol>()) return three_way(symbol->name, b.as<Symbol>()->name);
  if (const auto* call = a.as<Call>()) order = three_way(call->function, b.as<Call>()->function);
  if (const auto* branch = a.as<If>()) order = three_way(branch->relation, b.as<If>()->relation);
  if (const auto* sum = a.as<Sum>()) order = three_way(sum->variable, b.as<Sum>()->variable);
  if (const auto* at = a.as<TableAt>()) {
    order = three_way(at->table->name, b.as<TableAt>()->table->name);
    if (order == 0) order = three_way(at->table.get(), b.as<TableAt>()->table.get());
  }
  if (order != 0) return order;
  const std::vector<Expr> left = children(a);
  const std::vector<Expr> right = children(b);
  if (left.size() != right.size()) return three_way(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    order = compare_structure(left[i], right[i]);
    if (order != 0) return order;
  }
  return 0;
}

bool operator==(const Expr& a, const Expr& b) {
  return a.same_object(b) || (a.hash() == b.hash() && compare_structure(a, b) == 0);
}

Expr add(const std::vector<Expr>& terms) {
  std::vector<Expr> flat;
  Rational constant;
  const auto take = [&](const Expr& term) {
    if (const Rational* number = term.number()) {
      constant += *number;
    } else {
      flat.push_back(term);
    }
  };
  for (const Expr& term : terms) {
    if (const auto* inner = term.as<Add>()) {
      for (const Expr& child : inner->terms) take(child);
    } else {
      take(term);
    }
  }
  if (!constant.is_zero() || flat.empty()) flat.emplace_back(std::move(constant));
  return flat.size() == 1 ? flat.front() : Expr::raw(Add{std::move(flat)});
}

Expr mul(const std::vector<Expr>& factors) {
  std::vector<Expr> flat;
  Rational constant(1);
  const auto take = [&](const Expr& factor) {
    if (const Rational* number = factor.number()) {
      constant *= *number;
    } else {
      flat.push_back(factor);
    }
  };
  for (const Expr& factor : factors) {
    if (const auto* inner = factor.as<Mul>()) {
      for (const Expr& child : inner->factors) take(child);
    } else {
      take(factor);
    }
  }
  if (constant.is_zero()) return Expr(0);
  if (!constant.is_one() || flat.empty()) flat.insert(flat.begin(), Expr(std::move(constant)));
  return flat.size() == 1 ? flat.front() : Expr::raw(Mul{std::move(flat)});
}

Expr pow(const Expr& base, const Expr& exponent) {
  const Rational* power = exponent.number();
  if (power == nullptr) return Expr::raw(Pow{base, exponent});
  if (power->is_zero()) return Expr(1);
  if (power->is_one()) return base;
  const Rational* number = base.number();
  if (number != nullptr) {
    if (number->is_one()) return base;
    const auto small = power->to_int64();
    const bool defined = !number->is_zero() || power->sign() > 0;
    if (small && defined && *small < 4096 && *small > -4096 &&
        (*small == -1 || number->bits() * std::abs(*small) <= 4096)) {
      return Expr(number->pow(*small));
    }
  }
  if (const auto* inner = base.as<Pow>(); inner != nullptr && power->is_integer()) {
    if (const Rational* inner_power = inner->exponent.number()) {
      return pow(inner->base, Expr(*inner_power * *power));  // (x^a)^k = x^(a·k) for integer k
    }
  }
  return Expr::raw(Pow{base, exponent});
}

Expr operator+(const Expr& a, const Expr& b) { return add({a, b}); }
Expr operator-(const Expr& a, const Expr& b) { return add({a, -b}); }
Expr operator*(const Expr& a, const Expr& b) { return mul({a, b}); }
Expr operator/(const Expr& a, const Expr& b) { return mul({a, pow(b, Expr(-1))}); }
Expr operator-(const Expr& a) { return mul({Expr(-1), a}); }
Expr call(Function function, std::vector<Expr> arguments) {
  return Expr::raw(Call{function, std::move(arguments)});
}
Expr log(const Expr& x) { return x.is_number(1) ? Expr(0) : call(Function::log, {x}); }
Expr exp(const Expr& x) { return x.is_number(0) ? Expr(1) : call(Function::exp, {x}); }
Expr sqrt(const Expr& x) { return pow(x, Expr(Rational(1, 2))); }

Expr abs(const Expr& x) {
  if (const Rational* number = x.number()) return Expr(number->abs());
  return call(Function::abs, {x});
}

Expr floor(const Expr& x) {
  if (const Rational* number = x.number()) return Expr(number->floor());
  return call(Function::floor, {x});
}

Expr branch(Relation relation, const Expr& left, const Expr& right, const Expr& then, const Expr& otherwise) {
  return Expr::raw(If{relation, left, right, then, otherwise});
}

std::vector<Expr> children(const Expr& expression) {
  return std::visit(Overloaded{
                        [](const Add& sum) { return sum.terms; },
                        [](const Mul& product) { return product.factors; },
                        [](const Pow& power) {
                          return std::vector<Expr>{power.base, power.exponent};
                        },
                        [](const Call& call) { return call.arguments; },
                        [](const If& branch) {
                          return std::vector<Expr>{branch.left, branch.right, branch.then, branch.otherwise};
                        },
                        [](const Sum& sum) {
                          return std::vector<Expr>{sum.low, sum.high, sum.body};
                        },
                        [](const TableAt& at) { return std::vector<Expr>{at.index}; },
                        [](const CutEntropy& entropy) { return std::vector<Expr>{entropy.at}; },
                        [](const auto&) { return std::vector<Expr>{}; },
                    },
                    expression.node());
}

Expr with_children(const Expr& expression, std::vector<Expr> replacements) {
  assert(replacements.size() == children(expression).size());
  auto& r = replacements;
  return std::visit(Overloaded{
                        [&](const Add&) { return add(r); },
                        [&](const Mul&) { return mul(r); },
                        [&](const Pow& old) {  // 0^0 stays, but for x^j in the block j = 0
                          const bool nonzero = r[0].number() != nullptr && !r[0].is_number(0);
                          const bool stays = r[1].is_number(0) && !nonzero && !old.exponent.mentions("j");
                          return stays ? Expr::raw(Pow{r[0], r[1]}) : pow(r[0], r[1]);
                        },
                        [&](const Call& old) {
                          if (old.function == Function::abs) return abs(r[0]);
                          if (old.function == Function::floor) return floor(r[0]);
                          if (old.function == Function::exp) return exp(r[0]);
                          if (old.function == Function::log) return log(r[0]);
                          return call(old.function, std::move(r));
                        },
                        [&](const If& old) { return branch(old.relation, r[0], r[1], r[2], r[3]); },
                        [&](const Sum& old) {
                          return Expr::raw(Sum{old.variable, r[0], r[1], r[2]});
                        },
                        [&](const TableAt& old) {
                          return Expr::raw(TableAt{old.table, r[0]});
                        },
                        [&](const CutEntropy&) { return Expr::raw(CutEntropy{r[0]}); },
                        [&](const auto&) { return expression; },
                    },
                    expression.node());
}

Expr substitute(const Expr& expression, std::string_view symbol, const Expr& value) {
  if (!expression.mentions(symbol)) return expression;
  if (expression.as<Symbol>() != nullptr) return value;
  std::vector<Expr> parts = children(expression);
  const auto* sum = expression.as<Sum>();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (sum != nullptr && i == 2 && sum->variable == symbol) continue;  // bound, not free
    parts[i] = substitute(parts[i], symbol, value);
  }
  return with_children(expression, std::move(parts));
}

namespace {

Expr rewrite_shared(const Expr& expression, const std::function<Expr(const Expr&)>& step,
                    std::unordered_map<const void*, Expr>& done) {
  if (const auto found = done.find(expression.identity()); found != done.end()) return found->second;
  std::vector<Expr> parts = children(expression);
  bool changed = false;
  for (Expr& part : parts) {
    Expr next = rewrite_shared(part, step, done);
    changed = changed || !next.same_object(part);
    part = std::move(next);
  }
  const Expr result = step(changed ? with_children(expression, std::move(parts)) : expression);
  done.emplace(expression.identity(), result);
  return result;
}

void collect_symbols(const Expr& expression, std::set<std::string>& out) {
  if (const auto* symbol = expression.as<Symbol>()) {
    out.insert(symbol->name);
    return;
  }
  if (const auto* sum = expression.as<Sum>()) {
    std::set<std::string> body;
    collect_symbols(sum->body, body);
    body.erase(sum->variable);
    out.merge(body);
    collect_symbols(sum->low, out);
    collect_symbols(sum->high, out);
    return;
  }
  for (const Expr& child : children(expression)) collect_symbols(child, out);
}

}  // namespace

Expr rewrite(const Expr& expression, const std::function<Expr(const Expr&)>& step) {
  std::unordered_map<const void*, Expr> done;
  return rewrite_shared(expression, step, done);
}

std::vector<std::string> free_symbols(const Expr& expression) {
  std::set<std::string> names;
  collect_symbols(expression, names);
  return {names.begin(), names.end()};
}

}  // namespace gpe::theory
