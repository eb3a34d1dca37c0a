// What encoding variables range over: members with parameters left open, small ones first.
#pragma once

#include "checks/audit/scope.h"

namespace gpe::checks {

/// A symbol without a value, and what is known of it.
struct OpenNumber {
  std::string name;
  bool integer = false;
  std::int64_t low = 0;              ///< integers
  std::optional<std::int64_t> high;  ///< integers
};

struct FamilyMember {
  std::string name;  ///< "alibi"; empty for sums of terms, which are named by their bias
  theory::ScoreFunction law;
  std::shared_ptr<const theory::Encoding> encoding;  ///< of the law, with text
  std::vector<OpenNumber> open;
  std::vector<theory::Condition> conditions;
};

/// Of a family of the file, or softmax_library_names() for "library". Sums of terms come by their number of
/// terms, then in the order of the lists. @throws theory::SpecError.
std::vector<FamilyMember> family_members(const std::string& family, const AuditScope& scope);

/// "A(n) = -log(n + 2) - 2*log(log(n + 2))", "alibi with m = 1".
std::string describe_member(const FamilyMember& member, const theory::ScoreFunction& closed,
                            const std::vector<std::pair<std::string, theory::Rational>>& values);

}  // namespace gpe::checks
