#include "theory/expression/expr_parse.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "theory/expression/functions.h"
#include "theory/expression/habits.h"
#include "theory/expression/repairs.h"
#include "theory/expression/tokens.h"
#include "theory/expression/whole_number.h"
#include "theory/source/nearest_name.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

using namespace node;

namespace {

std::string behind(std::string_view answer) {
  return answer.empty() ? std::string() : "; " + std::string(answer);
}

std::optional<Relation> relation_of(std::string_view text) {
  if (text == "<") return Relation::less;
  if (text == "<=") return Relation::less_equal;
  if (text == ">") return Relation::greater;
  if (text == ">=") return Relation::greater_equal;
  if (text == "=" || text == "==") return Relation::equal;
  if (text == "!=") return Relation::not_equal;
  return std::nullopt;
}

// What is assumed of parameters is split into cases: each condition may double them.
constexpr std::size_t kMaxConditions = 64;

void refuse(std::size_t begin, std::size_t end, const std::string& message) {
  throw ParseError(begin, end, message);
}

class Parser {
 public:
  Parser(std::string_view text, const NameScope& scope)
      : text_(text),
        tokens_(tokenize(text, refuse)),
        scope_(scope),
        names_(scope.names.begin(), scope.names.end()) {}

  Expr whole_expression() {
    Expr result = sum();
    expect_end("an operator");
    return result;
  }

  std::vector<Condition> whole_conditions() {
    std::vector<Condition> result;
    for (;;) {
      Expr left = sum();
      do {
        const Relation relation = expect_relation();
        Expr right = sum();
        if (result.size() == kMaxConditions)
          fail(peek(), "more than " + std::to_string(kMaxConditions) + " conditions");
        result.push_back({relation, left, right});
        left = right;
      } while (relation_of(peek().text));
      if (peek().kind != Token::Kind::name || peek().text != "and") break;
      ++at_;
    }
    expect_end("a comparison or 'and'");
    return result;
  }

 private:
  // Counts how deep the reader itself is, so that "((((…" ends in a message and not in a crash.
  struct Nesting {
    explicit Nesting(Parser& parser) : owner(parser) {
      if (++owner.nesting_ > 4 * owner.scope_.max_depth) owner.too_deep();
    }
    ~Nesting() { --owner.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    Parser& owner;
  };

  const Token& peek() const { return tokens_[at_]; }
  bool next_is(std::string_view symbol) const {
    return peek().kind == Token::Kind::symbol && peek().text == symbol;
  }
  bool accept(std::string_view symbol) {
    if (!next_is(symbol)) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(const Token& token, const std::string& message) const {
    throw ParseError(token.begin, std::max(token.end(), token.begin + 1), message);
  }
  [[noreturn]] void unexpected(const std::string& expected) const {
    const bool ends = peek().kind == Token::Kind::end;
    const std::string found = ends ? "the end" : "'" + std::string(peek().text) + "'";
    const bool operators = scope_.repairs && expected.starts_with("an operator");
    const auto parses = [&](const std::string& formula) { return is_formula(formula, scope_); };
    const std::string advice = operators ? instead_of_operator(text_, tokens_, at_, parses) : "";
    fail(peek(), "found " + found + " where " + expected + " was expected" + advice);
  }
  [[noreturn]] void too_deep() const {
    fail(peek(), "expression nested deeper than " + std::to_string(scope_.max_depth));
  }

  void expect(std::string_view symbol, const std::string& expected) {
    if (!accept(symbol)) unexpected(expected);
  }
  void expect_end(const std::string& otherwise) {
    if (peek().kind != Token::Kind::end) unexpected(otherwise + " or the end");
  }
  Relation expect_relation() {
    const auto relation = peek().kind == Token::Kind::symbol ? relation_of(peek().text) : std::nullopt;
    if (!relation) unexpected("a comparison (< <= > >= == !=)");
    ++at_;
    return *relation;
  }

  // Every node passes here: the size limits hold at each step, so no input grows past them.
  // The text, with an expression in place of x.
  Expr filled(std::string_view text, const Expr& x, const Token& at) {
    NameScope inner;
    inner.names = {"x"};
    inner.max_nodes = scope_.max_nodes;
    inner.max_depth = scope_.max_depth;
    Parser parser(text, inner);
    parser.x_ = x;
    parser.variables_ = variables_;
    try {
      return parser.whole_expression();
    } catch (const ParseError& error) {  // larger or deeper than may be
      fail(at, error.what());
    }
  }
  Expr made(Node node) {
    Expr result = Expr::raw(std::move(node));
    if (result.size() > scope_.max_nodes)
      fail(peek(), "expression larger than " + std::to_string(scope_.max_nodes) + " nodes");
    if (result.depth() > scope_.max_depth) too_deep();
    return result;
  }

  // What is printed is read again: a number of so many bits has at most 20,000 digits.
  static bool is_readable(const Rational& value) {
    return std::max(value.numerator().bits(), value.denominator().bits()) <= 66438;
  }
  // x + y and x·y keep their terms as written; only literals next to each other at the start are folded.
  Expr add_raw(const Expr& a, const Expr& b) {
    std::vector<Expr> terms;
    append(terms, a, a.as<Add>() == nullptr ? nullptr : &a.as<Add>()->terms);
    append(terms, b, b.as<Add>() == nullptr ? nullptr : &b.as<Add>()->terms);
    if (terms[0].number() != nullptr && terms[1].number() != nullptr) {
      const Rational folded = *terms[0].number() + *terms[1].number();
      if (is_readable(folded)) {
        if (terms.size() == 2) return Expr(folded);
        terms.erase(terms.begin());
        terms[0] = Expr(folded);
      }
    }
    return made(Add{std::move(terms)});
  }
  Expr multiply_raw(const Expr& a, const Expr& b) {
    if (a.is_number(1)) return b;
    std::vector<Expr> factors;
    append(factors, a, a.as<Mul>() == nullptr ? nullptr : &a.as<Mul>()->factors);
    append(factors, b, b.as<Mul>() == nullptr ? nullptr : &b.as<Mul>()->factors);
    if (factors[0].number() != nullptr && factors[1].number() != nullptr) {
      const Rational folded = *factors[0].number() * *factors[1].number();
      if (is_readable(folded) || factors[0].number()->abs().is_one() || factors[1].number()->abs().is_one()) {
        factors.erase(factors.begin());
        factors[0] = Expr(folded);
        if (factors.size() > 1 && folded.is_one()) factors.erase(factors.begin());
        if (factors.size() == 1) return factors[0];
      }
    }
    return made(Mul{std::move(factors)});
  }
  static void append(std::vector<Expr>& out, const Expr& whole, const std::vector<Expr>* parts) {
    if (parts == nullptr) {
      out.push_back(whole);
    } else {
      out.insert(out.end(), parts->begin(), parts->end());
    }
  }
  Expr power_raw(const Expr& base, const Expr& exponent, const Token& at) {
    const Rational* b = base.number();
    const Rational* e = exponent.number();
    if (b != nullptr && e != nullptr) {
      if (b->is_zero() && e->sign() < 0) fail(at, "division by zero");
      const auto power = e->to_int64();
      if (power && *power >= -4096 && *power <= 4096 &&
          (std::abs(*power) <= 1 || b->bits() * std::abs(*power) <= 4096) && !(b->is_zero() && *power == 0)) {
        return Expr(b->pow(*power));
      }
    }
    if (b != nullptr && e == nullptr && b->sign() < 0 &&
        is_whole(exponent, variables_)) {  // (-c)^k = c^k cos(pi k)
      const Expr sign = made(Call{Function::cos, {multiply_raw(Expr::pi(), exponent)}});
      return b->abs().is_one() ? sign : multiply_raw(made(Pow{Expr(b->abs()), exponent}), sign);
    }
    return made(Pow{base, exponent});
  }
  Expr negate(const Expr& x) { return multiply_raw(Expr(-1), x); }

  Expr sum() {
    const Nesting guard(*this);
    Expr result = product();
    for (;;) {
      if (accept("+")) {
        result = add_raw(result, product());
      } else if (accept("-")) {
        result = add_raw(result, negate(product()));
      } else {
        return result;
      }
    }
  }

  Expr product() {
    Expr result = signed_power();
    for (;;) {
      const Token operation = peek();
      if (accept("*")) {
        result = multiply_raw(result, signed_power());
      } else if (accept("/")) {
        result = multiply_raw(result, power_raw(signed_power(), Expr(-1), operation));
      } else {
        return result;
      }
    }
  }

  Expr signed_power() {
    const Nesting guard(*this);
    if (accept("-")) return negate(signed_power());
    if (accept("+")) return signed_power();
    Expr base = atom();
    const Token operation = peek();
    if (!accept("^")) return base;
    return power_raw(base, signed_power(), operation);  // right to left, and tighter than unary minus
  }

  Expr atom() {
    const Token token = peek();
    if (token.kind == Token::Kind::number) {
      ++at_;
      const auto value = Rational::parse(token.text);
      if (!value) fail(token, "number with more than 20000 digits");
      return Expr(*value);
    }
    if (accept("(")) {
      Expr result = sum();
      expect(")", "an operator or ')'");
      return result;
    }
    if (token.kind == Token::Kind::name) {
      ++at_;
      return next_is("(") ? applied(token) : named(token);
    }
    unexpected("a number, a name, '-' or '('");
  }

  Expr named(const Token& token) {
    const std::string name(token.text);
    if (name == "pi") return Expr::pi();
    if (name == "x" && x_) return *x_;
    if (names_.contains(name)) return Expr::symbol(name);
    if (theory::named(functions(), name) != nullptr || theory::named(written_out(), name) != nullptr)
      fail(token, "function '" + name + "' needs its argument: " + name + "(…)");
    if (scope_.tables.contains(name)) fail(token, "table '" + name + "' needs its index: " + name + "(…)");
    std::vector<std::string> candidates(names_.begin(), names_.end());
    candidates.emplace_back("pi");
    if (names_.contains("none") && (name == "inf" || name == "infinity"))
      fail(token, "unknown name '" + name + "'; for heads that see all keys, the window is none");
    if (const auto answer = answer_to(Habit::name, name); !answer.empty())
      fail(token, "unknown name '" + name + "'" + behind(answer));
    fail(token, "unknown name '" + name + "'" + hint(name, candidates));
  }

  std::string hint(std::string_view name, const std::vector<std::string>& candidates) const {
    return did_you_mean(name, candidates, "; known here: " + joined(candidates, ", "));
  }

  Expr applied(const Token& token) {
    const std::string name(token.text);
    ++at_;  // (
    if (name == "if") return conditional();
    if (name == "sum") return finite_sum(token);
    if (name == "H") return entropy(token);
    if (const auto table = scope_.tables.find(name); table != scope_.tables.end()) {
      Expr index = sum();
      expect(")", "an operator or ')' (a table has one index)");
      return made(TableAt{table->second, index});
    }
    if (name == "sqrt") {
      Expr argument = sum();
      expect(")", "an operator or ')' (sqrt has one argument)");
      return made(Pow{argument, Expr(Rational(1, 2))});
    }
    if (const auto* text = theory::named(written_out(), name); text != nullptr && !names_.contains(name)) {
      const Expr argument = sum();
      expect(")", "an operator or ')' (" + name + " has one argument)");
      for (const auto& [known, function] : functions()) {  // what is printed is read again
        if (is_special(function) && text->find(known) != std::string::npos &&
            (names_.contains(known) || scope_.tables.contains(known)))
          fail(token, name + " is written with " + known + ", which is a parameter or a table here");
      }
      return filled(*text, argument, token);
    }
    if (const Function* function = theory::named(functions(), name);
        function != nullptr && !names_.contains(name)) {
      std::vector<Expr> arguments = {sum()};
      while (accept(",")) arguments.push_back(sum());
      const bool several = arguments.size() > 1 || takes_several(*function);
      expect(")", several ? "an operator, ',' or ')'" : "an operator or ')'");
      if (const std::string fault = fault_of(*function, arguments); !fault.empty()) fail(token, fault);
      if (*function == Function::floor && is_whole(arguments.front(), variables_)) return arguments.front();
      return made(Call{*function, std::move(arguments)});
    }
    std::vector<std::string> candidates = {"sqrt", "if", "sum"};
    for (const auto& [known, unused] : functions()) candidates.push_back(known);
    for (const auto& [known, unused] : written_out()) candidates.emplace_back(known);
    for (const auto& [table, unused] : scope_.tables) candidates.push_back(table);
    if (names_.contains(name)) fail(token, "'" + name + "' is not a function; write '*' to multiply");
    const auto answer = answer_to(Habit::function, name);
    fail(token,
         "unknown function '" + name + "'" + (answer.empty() ? hint(name, candidates) : behind(answer)));
  }

  Expr conditional() {
    Expr left = sum();
    const Relation relation = expect_relation();
    Expr right = sum();
    expect(",", "an operator or ','");
    Expr then = sum();
    expect(",", "an operator or ',' (if takes a condition and two values)");
    Expr otherwise = sum();
    expect(")", "an operator or ')'");
    return made(If{relation, left, right, then, otherwise});
  }

  Expr finite_sum(const Token& token) {
    const Token variable = peek();
    if (variable.kind != Token::Kind::name) unexpected("the summation variable");
    const std::string name(variable.text);
    if (names_.contains(name) || name == "pi" || name == "H") {
      fail(variable, "summation variable '" + name + "' already has a meaning here; choose another name");
    }
    ++at_;
    expect(",", "',' after the summation variable");
    Expr low = sum();
    expect(",", "an operator or ',' before the upper bound");
    Expr high = sum();
    if (low.mentions("n") || high.mentions("n")) fail(token, "the bounds of a sum must not depend on n");
    expect(",", "an operator or ',' before the summand");
    names_.insert(name);
    variables_.insert(name);
    Expr body = sum();
    names_.erase(name);
    variables_.erase(name);
    expect(")", "an operator or ')'");
    return made(Sum{name, low, high, body});
  }

  Expr entropy(const Token& token) {
    if (!scope_.no_cut_entropy.empty()) fail(token, scope_.no_cut_entropy);
    Expr at = sum();
    expect(")", "an operator or ')'");
    if (!(at == Expr::symbol("n"))) fail(token, "H takes n itself: H(n)");
    return made(CutEntropy{at});
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  const NameScope& scope_;
  std::set<std::string> names_;
  std::set<std::string> variables_;  // of the sums around
  std::optional<Expr> x_;            // what it stands for in a function that is written out
  int nesting_ = 0;
};

}  // namespace

Expr parse_expression(std::string_view text, const NameScope& scope) {
  return Parser(text, scope).whole_expression();
}

std::vector<Condition> parse_conditions(std::string_view text, const NameScope& scope) {
  return Parser(text, scope).whole_conditions();
}

}  // namespace gpe::theory
