// The claim language as a tree: quantified statements about encodings, and comparisons of computed
// quantities.
//
//   for all A in scores: cn(A) => eb(A)
//   for all m > 0, beta > 0: H(ape(delta=m, gamma=0)) <= H(alibi)
//
// docs/audit.md is the reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "theory/expression/expr_parse.h"

namespace gpe::checks {

/// "ape(delta=m, heads=6)": a bound name, one of the file's encodings, or one of the library.
struct EncodingName {
  std::string name;
  std::vector<std::pair<std::string, theory::Expr>> settings;  ///< parameters, and d, h, heads, layer, layers
  std::string text;
};

struct ClaimQuantity;
/// With i behind it, the symbol of quantity i of a term: no name of a claim begins so.
constexpr std::string_view kQuantity = "_q";
/// An exact expression in which symbols stand for quantities.
struct ClaimTerm {
  theory::Expr skeleton = theory::Expr(0);
  std::string written;  ///< what the skeleton was read from, as long as the text in the claim
  std::vector<ClaimQuantity> quantities;
  std::string text;

  /// The one quantity that is all of the term, or nullptr.
  const ClaimQuantity* single() const;
};

/// "H(ape, 64)", "limit(bias(ape)/n)", "measured(perplexity, rope, 64)".
struct ClaimQuantity {
  std::string name;
  std::optional<EncodingName> encoding;
  std::vector<ClaimTerm> terms;
  std::vector<std::string> words;
  std::string text;
};

/// What a variable of a quantifier ranges over.
struct Binding {
  enum class Range { reals, integers, list, encodings };
  std::string name;
  Range range = Range::reals;
  std::vector<theory::Condition> conditions;  ///< reals
  std::int64_t low = 0;                       ///< integers
  std::optional<std::int64_t> high;           ///< integers; none: no end
  std::vector<theory::Expr> list;             ///< list
  std::string family;                         ///< encodings
};

struct Formula {
  enum class Kind {
    property,     ///< "ldcp=weight(alibi)": quantity.name is "ldcp", words[0] the reading
    predicate,    ///< "summable(-2*log(n))", "defined(literal(ape, 1))"
    comparison,   ///< term, relation, term
    negation,     ///< parts[0]
    conjunction,  ///< parts
    disjunction,  ///< parts
    implication,  ///< parts[0] => parts[1]
    equivalence,  ///< parts[0] <=> parts[1]
    for_all,      ///< bindings: parts[0]
    for_some,     ///< bindings: parts[0]
    for_which     ///< bindings: parts[0]; asks for the region; outermost only
  };
  Kind kind = Kind::comparison;
  std::vector<Formula> parts;
  std::vector<Binding> bindings;
  ClaimQuantity quantity;
  std::vector<ClaimTerm> terms;
  theory::Relation relation = theory::Relation::equal;
  bool chain = false;  ///< a conjunction written as "a < b <= c"
  std::string text;
};

/// Names of quantities and predicates with what they take (docs/audit.md): e an encoding, t a term, w words.
struct QuantityKind {
  std::string_view name;
  std::string_view takes;  ///< "et?": an encoding and perhaps a term
  bool predicate;
};
/// nullptr where there is none of the name.
const QuantityKind* quantity_kind(std::string_view name);

}  // namespace gpe::checks
