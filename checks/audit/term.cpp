#include "checks/audit/term.h"
// Tests: tests/checks/audit/audit_formula_test.cpp
#include <algorithm>

#include "checks/configs/encoding_library.h"
#include "theory/source/nearest_name.h"

namespace gpe::checks {

using theory::Expr;
using theory::ParseError;

theory::NameScope TermParser::number_scope() const {
  theory::NameScope scope;
  scope.names = bound.numbers;
  return scope;
}

std::int64_t TermParser::whole_number(TextSpan p) {
  const Expr value = expression(p);
  const auto whole = value.number() == nullptr ? std::nullopt : value.number()->to_int64();
  if (!whole) fail_at(p, "expected a whole number");
  return *whole;
}

namespace {

/// @param begin  of the text in the claim's
Expr parsed(std::string_view text, std::size_t begin, const theory::NameScope& scope) {
  try {
    return theory::parse_expression(text, scope);
  } catch (const ParseError& error) {
    throw ParseError(begin + error.begin, begin + error.end, error.what());
  }
}

}  // namespace

Expr TermParser::expression(TextSpan p) {
  p = text_.trimmed(p);
  return parsed(text_.view(p), p.begin, number_scope());
}

// The text with a symbol in the place of every quantity goes to the expression parser.
ClaimTerm TermParser::term(TextSpan p) {
  constexpr std::size_t kMaxQuantities = 100;  // a symbol is no longer than the shortest, "Z(A)"
  p = text_.trimmed(p);
  theory::NameScope scope = number_scope();
  scope.names.emplace_back("n");
  ClaimTerm result;
  result.text = text_.str(p);
  result.written = text_.view(p);
  for (std::size_t i = p.begin; i < p.end;) {
    std::size_t end = i;
    while (end < p.end && is_name_character(text_[end])) ++end;
    const std::string name = text_.substr(i, end - i);
    const QuantityKind* kind = end < p.end && text_[end] == '(' ? quantity_kind(name) : nullptr;
    if (name.starts_with(kQuantity)) fail_at({i, end}, "unknown name '" + name + "'");
    if (kind == nullptr) {
      i = std::max(end, i + 1);
      continue;
    }
    if (kind->predicate) fail_at({i, end}, name + " is a statement, not a number");
    const TextSpan whole{i, text_.closing(end) + 1};
    if (result.quantities.size() == kMaxQuantities)
      fail_at(whole, "more than " + std::to_string(kMaxQuantities) + " quantities in one number");
    std::string symbol = std::string(kQuantity) + std::to_string(result.quantities.size());
    scope.names.push_back(symbol);
    symbol.resize(whole.end - whole.begin, ' ');
    result.written.replace(whole.begin - p.begin, symbol.size(), symbol);
    result.quantities.push_back(quantity(name, whole, {end + 1, whole.end - 1}));
    i = whole.end;
  }
  result.skeleton = parsed(result.written, p.begin, scope);
  return result;
}

ClaimQuantity TermParser::quantity(const std::string& name, TextSpan whole, TextSpan inside) {
  return quantity_of(quantity_kind(name)->takes, name, whole, text_.split(inside, ","));
}

ClaimQuantity TermParser::quantity_of(std::string_view takes, const std::string& name, TextSpan whole,
                                      const std::vector<TextSpan>& arguments) {
  ClaimQuantity result;
  result.name = name;
  result.text = text_.str(whole);
  std::size_t next = 0;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    const char type = takes[i];
    const char how = i + 1 < takes.size() ? takes[i + 1] : ' ';
    if (how == '?' || how == '+') ++i;
    if (next == arguments.size()) {
      if (how == '?') continue;
      fail_at(whole, name + ": too few arguments");
    }
    do {
      const TextSpan argument = text_.trimmed(arguments[next++]);
      if (argument.begin == argument.end) fail_at(whole, name + ": an argument is empty");
      if (type == 'e') result.encoding = encoding(argument);
      if (type == 't') result.terms.push_back(term(argument));
      if (type == 'w') result.words.push_back(text_.str(argument));
    } while (how == '+' && next < arguments.size());
  }
  if (next != arguments.size()) fail_at(arguments[next], name + ": too many arguments");
  return result;
}

EncodingName TermParser::encoding(TextSpan p) {
  EncodingName result;
  result.text = text_.str(p);
  std::size_t end = p.begin;
  while (end < p.end && text_[end] != '(') ++end;
  result.name = text_.str({p.begin, end});
  const bool is_bound = std::ranges::find(bound.encodings, result.name) != bound.encodings.end();
  if (!is_bound && std::ranges::find(encodings_, result.name) == encodings_.end()) {
    std::vector<std::string> known = library_names();
    if (std::ranges::find(known, result.name) == known.end()) {
      known.insert(known.end(), bound.encodings.begin(), bound.encodings.end());
      known.insert(known.end(), encodings_.begin(), encodings_.end());
      fail_at({p.begin, end},
              "unknown encoding '" + result.name + "'" +
                  theory::did_you_mean(result.name, known,
                                       "; expected a built-in name, one under [encodings], or, with "
                                       "--claim, that of the file given"));
    }
  }
  if (end == p.end) return result;
  if (is_bound) fail_at(p, "'" + result.name + "' is bound: it takes no settings");
  if (text_.closing(end) != p.end - 1) fail_at(p, "expected ENCODING(NAME=VALUE, …)");
  for (const TextSpan& piece : text_.split({end + 1, p.end - 1}, ",")) {
    const std::vector<TextSpan> sides = text_.split(piece, "=");
    if (sides.size() != 2) fail_at(piece, "expected NAME=VALUE");
    result.settings.emplace_back(text_.str(sides[0]), expression(sides[1]));
  }
  return result;
}

}  // namespace gpe::checks
