// Expressions: a closed, immutable tree with exact constants. Everything the project decides starts from one.
// Tests: tests/theory/expression/print_test.cpp, tests/theory/score/encodings_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "theory/source/rational.h"

namespace gpe::theory {

class Expr;
struct Table;  // theory/source/table.h

enum class Function { log, exp, abs, min, max, floor, sin, cos, atan, erfc, lgamma, polygamma };
enum class Relation { less, less_equal, greater, greater_equal, equal, not_equal };

/// atan, erfc, lgamma, polygamma: known by their values, derivatives and expansions, and by few identities.
bool is_special(Function function);
std::string_view name_of(Function function);    // "log"
std::string_view symbol_of(Relation relation);  // "<="
bool satisfies(Relation relation, int sign);    // whether a and b with this sign of a - b are so related
Relation relation_of(int sign);                 // of a and b with this sign of a - b: <, = or >

namespace node {
struct Number {
  Rational value;
};
struct Symbol {
  std::string name;
};
struct Pi {};
struct Add {
  std::vector<Expr> terms;
};  // two or more
struct Mul {
  std::vector<Expr> factors;
};           // two or more
struct Pow;  // base, exponent
struct Call {
  Function function;
  std::vector<Expr> arguments;
};                  // min and max take two or more, polygamma its order and x, others one
struct If;          // lazy
struct Sum;         // finite, bounds independent of n
struct TableAt;     // a column of numbers, indexed
struct CutEntropy;  // H(at)
}  // namespace node

using Node = std::variant<node::Number, node::Symbol, node::Pi, node::Add, node::Mul, node::Pow, node::Call,
                          node::If, node::Sum, node::TableAt, node::CutEntropy>;

/// A shared, immutable expression. Copying is cheap; equality is structural.
/// Subtraction, negation and division are written with -1 factors and -1 exponents; sqrt(x) is x^(1/2).
class Expr {
 public:
  Expr(Rational value);      // NOLINT: numbers are expressions
  Expr(std::int64_t value);  // NOLINT
  Expr(int value);           // NOLINT
  static Expr symbol(std::string name);
  static Expr pi();
  /// A node as given, with no rewriting at all (the parser's and the tests' way in).
  static Expr raw(Node node);

  const Node& node() const;
  template <class T>
  const T* as() const;
  /// The value when this is a literal number.
  const Rational* number() const;
  bool is_number(const Rational& value) const;

  std::size_t hash() const;
  /// Nodes counted as a tree, saturating; and the longest path to a leaf.
  std::int64_t size() const;
  int depth() const;
  /// True when the symbol occurs free.
  bool mentions(std::string_view symbol) const;
  bool same_object(const Expr& other) const { return cell_ == other.cell_; }
  const void* identity() const { return cell_.get(); }

  friend bool operator==(const Expr& a, const Expr& b);

 private:
  struct Cell;
  explicit Expr(std::shared_ptr<const Cell> cell) : cell_(std::move(cell)) {}
  std::shared_ptr<const Cell> cell_;
};

namespace node {
struct Pow {
  Expr base, exponent;
};
struct If {
  Relation relation;
  Expr left, right, then, otherwise;
};
struct Sum {
  std::string variable;
  Expr low, high, body;
};
struct TableAt {
  std::shared_ptr<const Table> table;
  Expr index;
};
struct CutEntropy {
  Expr at;
};
}  // namespace node

template <class T>
const T* Expr::as() const {
  return std::get_if<T>(&node());
}

/// A total order on structure (not on value), for canonical forms.
int compare_structure(const Expr& a, const Expr& b);

// Construction with exact, hypothesis-free folding of numbers, zeros and ones. x·0 becomes 0, so these are
// for expressions already known to be defined.
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);  // @pre b is not the literal 0
Expr operator-(const Expr& a);
Expr add(const std::vector<Expr>& terms);
Expr mul(const std::vector<Expr>& factors);
Expr pow(const Expr& base, const Expr& exponent);
Expr call(Function function, std::vector<Expr> arguments);
Expr log(const Expr& x);
Expr exp(const Expr& x);
Expr sqrt(const Expr& x);
Expr abs(const Expr& x);
Expr floor(const Expr& x);
Expr branch(Relation relation, const Expr& left, const Expr& right, const Expr& then, const Expr& otherwise);

/// The direct subexpressions, in order.
std::vector<Expr> children(const Expr& expression);
/// The same node over other children (as many as `children` gave), through the folding constructors.
Expr with_children(const Expr& expression, std::vector<Expr> replacements);
/// Replaces every free occurrence of a symbol.
Expr substitute(const Expr& expression, std::string_view symbol, const Expr& value);
/// Bottom-up rewriting: `step` sees each node after its children were rewritten. Shared nodes are done once.
Expr rewrite(const Expr& expression, const std::function<Expr(const Expr&)>& step);
/// Every free symbol, sorted, once each.
std::vector<std::string> free_symbols(const Expr& expression);

}  // namespace gpe::theory
