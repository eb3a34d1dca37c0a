#include "theory/expression/repairs.h"

#include <algorithm>
#include <cstddef>

namespace gpe::theory {

namespace {

class Formula {
 public:
  Formula(std::string_view text, const std::vector<Token>& tokens) : text_(text), tokens_(tokens) {}

  std::string_view word(std::size_t at) const { return tokens_[at].text; }
  bool is_comparison(std::size_t at) const {
    return tokens_[at].kind == Token::Kind::symbol &&
           std::string_view("< <= > >= = == !=").find(word(at)) != std::string_view::npos;
  }

  /// The first token behind the bracket or comma before `at`.
  std::size_t begin_of(std::size_t at) const {
    for (std::size_t depth = 0; at > 0; --at) {
      if (word(at - 1) == ")") ++depth;
      if (depth == 0 && (word(at - 1) == "(" || word(at - 1) == ",")) return at;
      if (word(at - 1) == "(") --depth;
    }
    return 0;
  }
  /// The bracket, comma or end behind `at`.
  std::size_t end_of(std::size_t at) const {
    for (std::size_t depth = 0; at + 1 < tokens_.size(); ++at) {
      if (word(at) == "(") ++depth;
      if (depth == 0 && (word(at) == ")" || word(at) == ",")) return at;
      if (word(at) == ")") --depth;
    }
    return at;
  }
  /// The first of these words from `from` to `to`, outside of brackets; `to` where there is none.
  std::size_t find(std::size_t from, std::size_t to, std::string_view wanted) const {
    std::size_t depth = 0;
    for (; from < to && (depth > 0 || word(from) != wanted); ++from) {
      if (word(from) == "(") ++depth;
      if (word(from) == ")") --depth;
    }
    return from;
  }
  std::string piece(std::size_t from, std::size_t to) const {
    return from >= to
               ? ""
               : std::string(text_.substr(tokens_[from].begin, tokens_[to - 1].end() - tokens_[from].begin));
  }

  /// "u if a < b else v" as if(a < b, u, v); whatever else is there, as it is; empty for half of one.
  std::string without_else(std::size_t from, std::size_t to) const {
    const std::size_t condition = find(from, to, "if");
    if (condition == to || word(condition + 1) == "(") return piece(from, to);
    return call_of_if(from, condition, to);
  }
  /// The same, where the word if is known to stand at `condition`.
  std::string call_of_if(std::size_t from, std::size_t condition, std::size_t to) const {
    const std::size_t otherwise = find(condition + 1, to, "else");
    std::size_t begin = condition + 1, end = otherwise;
    if (begin < end && word(begin) == "(" && end_of(begin + 1) + 1 == end) {
      ++begin;
      --end;
    }
    const std::string value = piece(from, condition), test = piece(begin, end);
    const std::string other = otherwise == to ? "" : without_else(otherwise + 1, to);
    if (value.empty() || test.empty() || other.empty()) return "";
    return "if(" + test + ", " + value + ", " + other + ")";
  }

 private:
  std::string_view text_;
  const std::vector<Token>& tokens_;
};

// A comparison that stands for 1 or 0: the whole formula, or one in brackets of its own.
std::string as_number(const Formula& formula, const std::vector<Token>& tokens, std::size_t at) {
  const std::size_t from = formula.begin_of(at), to = formula.end_of(at);
  const bool whole = from == 0 && to + 1 == tokens.size();
  const bool bracketed = from > 0 && formula.word(from - 1) == "(" && formula.word(to) == ")" &&
                         (from == 1 || tokens[from - 2].kind != Token::Kind::name);
  std::size_t comparisons = 0;
  for (std::size_t i = from; i < to; ++i) comparisons += formula.is_comparison(i) ? 1 : 0;
  if ((!whole && !bracketed) || comparisons > 1) return "";
  return "if(" + formula.piece(from, to) + ", 1, 0)";
}

}  // namespace

std::string instead_of_operator(std::string_view text, const std::vector<Token>& tokens, std::size_t at,
                                const std::function<bool(const std::string&)>& is_formula) {
  const Formula formula(text, tokens);
  const Token& token = tokens[at];
  if (token.text == "and") return "; if has one comparison: nest it, if(a < b, if(c < d, u, v), v)";
  if (token.text == "or") return "; if has one comparison: nest it, if(a < b, u, if(c < d, u, v))";
  if (formula.is_comparison(at)) {
    const std::string number = as_number(formula, tokens, at);
    return !number.empty() && is_formula(number) ? "; a comparison is not a number: write " + number : "";
  }
  if (token.text == "if" && at > 0) {
    constexpr std::size_t longest = 1000;  // tokens: each if inside is a recursion
    const std::string call =
        tokens.size() > longest ? "" : formula.call_of_if(formula.begin_of(at), at, formula.end_of(at));
    const bool good = !call.empty() && is_formula(call);
    return "; write " + (good ? call : "if(x < y, u, v) for a value that depends on a condition");
  }
  if (token.text == "else" || token.text == "not") return "";
  // Two values side by side are a product in print only.
  const bool product =
      at > 0 && (token.kind == Token::Kind::number || token.kind == Token::Kind::name || token.text == "(");
  return product ? "; write '*' to multiply" : "";
}

}  // namespace gpe::theory
