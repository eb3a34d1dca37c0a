// The numbers and encodings of a claim: text -> ClaimTerm, ClaimQuantity, EncodingName.
#pragma once

#include "checks/audit/formula.h"
#include "checks/audit/formula_text.h"

namespace gpe::checks {

/// Names that are bound where a term stands.
struct BoundNames {
  std::vector<std::string> numbers;
  std::vector<std::string> encodings;
};

class TermParser {
 public:
  /// @param encodings  of the file
  TermParser(const FormulaText& text, const std::vector<std::string>& encodings)
      : text_(text), encodings_(encodings) {}

  BoundNames bound;

  /// All of these: @throws theory::ParseError.
  ClaimTerm term(TextSpan p);
  /// NAME(…) with what quantity_kind() says of NAME.
  ClaimQuantity quantity(const std::string& name, TextSpan whole, TextSpan inside);
  ClaimQuantity quantity_of(std::string_view takes, const std::string& name, TextSpan whole,
                            const std::vector<TextSpan>& arguments);
  /// An expression of bound numbers alone.
  theory::Expr expression(TextSpan p);
  std::int64_t whole_number(TextSpan p);
  theory::NameScope number_scope() const;

 private:
  EncodingName encoding(TextSpan p);

  const FormulaText& text_;
  const std::vector<std::string>& encodings_;
};

}  // namespace gpe::checks
