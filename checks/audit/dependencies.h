// What the verdict of a reading rests on: verdicts about properties, numbers, and what has no certificate.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "theory/properties/property.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// An encoding as a certificate names it: its formulas as text, the values of its parameters, and what is
/// open.
struct ClaimSubject {
  std::shared_ptr<const theory::Encoding> encoding;
  theory::Setting setting;
  std::vector<theory::Override> values;  ///< that are not the encoding's own; closed
  std::vector<std::string> open;         ///< parameters without a value

  std::string key() const;  ///< the same for the same law
};

/// A property that the engine decided, for all values of what is open.
struct UsedVerdict {
  ClaimSubject subject;
  const theory::Reading* reading;
  theory::Expr bound;  ///< a number, or a symbol: then for every B > 0
  std::string text;    ///< "cn(alibi)"

  std::string key() const;
};

/// A number of a closed law, of a kind that docs/certificates.md has rules for.
struct UsedNumber {
  ClaimSubject subject;
  std::string quantity;  ///< Z, H, within, literal, window, reach or selfreach
  std::vector<theory::Rational> arguments;
  std::string text;
  int digits;  ///< that the verdict needed

  std::string key() const;
};

/// Each once, in the order of the computation.
class ClaimDependencies {
 public:
  void add(UsedVerdict verdict);
  void add(UsedNumber number);
  /// A statement or number that no certificate covers.
  void add(const std::string& text);
  void add(const ClaimDependencies& other);

  const std::vector<UsedVerdict>& verdicts() const { return verdicts_; }
  const std::vector<UsedNumber>& numbers() const { return numbers_; }
  const std::vector<std::string>& others() const { return others_; }

 private:
  std::vector<UsedVerdict> verdicts_;
  std::vector<UsedNumber> numbers_;
  std::vector<std::string> others_;
  std::set<std::string> known_;
};

}  // namespace gpe::checks
