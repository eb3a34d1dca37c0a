#include "checks/audit/term.h"

#include <algorithm>

#include "checks/configs/encoding_library.h"
#include "theory/expression/nearest_name.h"

namespace gpe::checks {

using theory::Expr;
using theory::ParseError;

theory::NameScope TermParser::number_scope() const {
  theory::NameScope scope;
  scope.names = bound.numbers;
  return scope;
}

std::int64_t TermParser::whole_number(Piece p) {
  const Expr value = expression(p);
  const auto whole = value.number() == nullptr ? std::nullopt : value.number()->to_int64();
  if (!whole) fail_at(p, "expected a whole number");
  return *whole;
}

Expr TermParser::expression(Piece p) {
  p = text_.trimmed(p);
  try {
    return theory::parse_expression(text_.view(p), number_scope());
  } catch (const ParseError& error) {
    throw ParseError(p.begin + error.begin, p.begin + error.end, error.what());
  }
}

// The text with every quantity replaced by its symbol goes to the expression parser.
ClaimTerm TermParser::term(Piece p) {
  p = text_.trimmed(p);
  ClaimTerm result;
  result.text = text_.str(p);
  std::string skeleton;
  std::vector<std::size_t> place;  // of each character of the skeleton
  for (std::size_t i = p.begin; i < p.end;) {
    if (!is_name_start(text_[i]) || (i > p.begin && is_name_character(text_[i - 1]))) {
      place.push_back(i);
      skeleton += text_[i++];
      continue;
    }
    std::size_t end = i;
    while (end < p.end && is_name_character(text_[end])) ++end;
    const std::string name = text_.substr(i, end - i);
    const auto kind =
        std::ranges::find_if(quantity_kinds(), [&](const QuantityKind& k) { return k.name == name; });
    const bool is_quantity = end < p.end && text_[end] == '(' && kind != quantity_kinds().end();
    if (is_quantity && kind->predicate) fail_at({i, end}, name + " is a statement, not a number");
    std::string replacement = name;
    if (is_quantity) {
      const std::size_t close = text_.closing(end);
      result.quantities.push_back(quantity(name, {i, close + 1}, {end + 1, close}));
      replacement = "_q" + std::to_string(result.quantities.size() - 1);
      end = close + 1;
    }
    for (std::size_t k = 0; k < replacement.size(); ++k) place.push_back(is_quantity ? i : i + k);
    skeleton += replacement;
    i = end;
  }
  place.push_back(p.end);
  theory::NameScope scope = number_scope();
  scope.names.emplace_back("n");
  for (std::size_t i = 0; i < result.quantities.size(); ++i) scope.names.push_back("_q" + std::to_string(i));
  try {
    result.skeleton = theory::parse_expression(skeleton, scope);
  } catch (const ParseError& error) {
    throw ParseError(place[std::min(error.begin, place.size() - 1)],
                     place[std::min(error.end, place.size() - 1)], error.what());
  }
  return result;
}

Quantity TermParser::quantity(const std::string& name, Piece whole, Piece inside) {
  const auto kind =
      std::ranges::find_if(quantity_kinds(), [&](const QuantityKind& k) { return k.name == name; });
  return quantity_of(kind->takes, name, whole, text_.split(inside, ","));
}

Quantity TermParser::quantity_of(std::string_view takes, const std::string& name, Piece whole,
                                 const std::vector<Piece>& arguments) {
  Quantity result;
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
      const Piece argument = text_.trimmed(arguments[next++]);
      if (argument.begin == argument.end) fail_at(whole, name + ": an argument is empty");
      if (type == 'e') result.encoding = encoding(argument);
      if (type == 't') result.terms.push_back(term(argument));
      if (type == 'w') result.words.push_back(text_.str(argument));
    } while (how == '+' && next < arguments.size());
  }
  if (next != arguments.size()) fail_at(arguments[next], name + ": too many arguments");
  return result;
}

EncodingName TermParser::encoding(Piece p) {
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
              "unknown encoding '" + result.name + "'" + theory::did_you_mean(result.name, known));
    }
  }
  if (end == p.end) return result;
  if (is_bound) fail_at(p, "'" + result.name + "' is bound: it takes no settings");
  if (text_.closing(end) != p.end - 1) fail_at(p, "expected ENCODING(NAME=VALUE, …)");
  for (const Piece& piece : text_.split({end + 1, p.end - 1}, ",")) {
    const std::vector<Piece> sides = text_.split(piece, "=");
    if (sides.size() != 2) fail_at(piece, "expected NAME=VALUE");
    result.settings.emplace_back(text_.str(sides[0]), expression(sides[1]));
  }
  return result;
}

}  // namespace gpe::checks
