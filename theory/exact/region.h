// Answers that depend on parameters: decide case by case, then say for which parameters a thing holds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "theory/exact/context.h"

namespace gpe::theory {

/// A decision that may hold, fail, or resist; `reason` is one sentence.
enum class Truth { holds, fails, undecided };
struct Decision {
  Truth truth = Truth::undecided;
  std::string reason;
};

/// The tree of cases that a decision went through. An inner node has a splitter and one branch for each sign
/// that it may take; together they cover every point of the parent (that is the completeness of the split).
struct CaseTree {
  Decision decision;  ///< leaves only
  Form splitter;      ///< inner nodes only
  struct Branch {
    int sign;
    std::vector<CaseTree> tree;  ///< exactly one
  };
  std::vector<Branch> branches;

  bool is_leaf() const { return branches.empty(); }
};

/// Runs `decide` under `context`, splitting whenever it asks for the sign of a parameter expression.
/// Undecided, Undefined and time-outs become leaves with a reason. At most `most_leaves` leaves, the rest
/// undecided.
CaseTree explore(const Context& context, const std::function<Decision(const Context&)>& decide,
                 int most_leaves = 200);

/// A conjunction of sign conditions, and a disjunction of those. No conjunct: never; one empty conjunct:
/// always.
using Conjunct = std::vector<Constraint>;
struct Region {
  std::vector<Conjunct> conjuncts;
  bool always() const { return conjuncts.size() == 1 && conjuncts.front().empty(); }
  bool never() const { return conjuncts.empty(); }
};

/// Where the decision has this truth value, in canonical form: implied conditions dropped, disjuncts ordered
/// by their number of equalities, then by `symbols` (the order of the file).
Region region_of(const CaseTree& tree, Truth truth, const Context& context,
                 const std::vector<std::string>& symbols);

/// "delta > 0, or delta = 0 and gamma > 0, or delta = gamma = 0 and beta > 1"; "always"; "never".
std::string to_text(const Region& region, const std::vector<std::string>& symbols);
/// "holds when beta > 1", "always holds", "never holds", of such a text, also when more follows it.
std::string holds_text(const std::string& region);

/// "beta > 1 + B": the condition solved for the first symbol that allows it.
std::string to_text(const Constraint& constraint, const std::vector<std::string>& symbols);

/// Whether the point (closed values of the symbols) lies in the region. @throws Undecided.
bool contains(const Region& region, const std::vector<std::pair<std::string, Form>>& point,
              const Context& context);

}  // namespace gpe::theory
