#include "theory/exact/region.h"

#include <algorithm>
#include <utility>

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

namespace {

CaseTree leaf(Truth truth, std::string reason) {
  CaseTree tree;
  tree.decision = {truth, std::move(reason)};
  return tree;
}

CaseTree explore_within(const Context& context, const std::function<Decision(const Context&)>& decide,
                        int& leaves_left) {
  if (--leaves_left < 0) return leaf(Truth::undecided, "too many cases");
  CaseTree tree;
  auto tried = attempt<Undecided, Undefined, SplitRequest>([&] { return decide(context); });
  if (tried) {
    tree.decision = *tried;
    return tree;
  }
  if (tried.why().end != NotKnown::End::split) {
    const bool undefined = tried.why().end == NotKnown::End::undefined;
    return leaf(Truth::undecided, (undefined ? "undefined near infinity: " : "") + tried.reason());
  }
  tree.splitter = tried.why().open;
  const SignSet possible = context.constraints().signs(tree.splitter);
  for (const int sign : {-1, 0, 1}) {
    if (!possible.has(sign)) continue;
    Context branch = context;
    const auto possible_here = attempt<Undefined>([&] {
      return branch.constraints().add({tree.splitter, relation_of(sign)});
    });
    if (!possible_here) {  // another condition has no value then
      tree.branches.push_back({sign, {leaf(Truth::undecided, possible_here.reason())}});
      continue;
    }
    if (!*possible_here) continue;
    if (!branch.constraints().signs(tree.splitter).single()) {
      return leaf(Truth::undecided, "the sign of " + to_text(tree.splitter) + " stays open when assumed");
    }
    tree.branches.push_back({sign, {explore_within(branch, decide, leaves_left)}});
  }
  if (tree.branches.empty()) return leaf(Truth::undecided, "contradictory assumptions");
  return tree;
}

// Which signs an atom allows, as a bit mask: 1 negative, 2 zero, 4 positive.
Relation relation_for_mask(int mask) {
  switch (mask) {
    case 1:
      return Relation::less;
    case 2:
      return Relation::equal;
    case 3:
      return Relation::less_equal;
    case 4:
      return Relation::greater;
    case 5:
      return Relation::not_equal;
    default:
      return Relation::greater_equal;
  }
}

bool same_conjuncts(const std::vector<Conjunct>& a, const std::vector<Conjunct>& b) {
  return std::ranges::equal(a, b, [](const Conjunct& x, const Conjunct& y) {
    return std::ranges::equal(x, y, [](const Constraint& p, const Constraint& q) {
      return p.relation == q.relation && p.form == q.form;
    });
  });
}

std::vector<Conjunct> collect(const CaseTree& tree, Truth truth) {
  if (tree.is_leaf()) {
    if (tree.decision.truth == truth) return {Conjunct{}};
    return {};
  }
  struct Group {
    int mask;
    std::vector<Conjunct> inner;
  };
  std::vector<Group> groups;  // branches with the same answer belong together
  int all = 0;
  for (const CaseTree::Branch& branch : tree.branches) {
    const int bit = 1 << (branch.sign + 1);
    all |= bit;
    std::vector<Conjunct> inner = collect(branch.tree.front(), truth);
    const auto found =
        std::ranges::find_if(groups, [&](const Group& group) { return same_conjuncts(group.inner, inner); });
    if (found == groups.end()) {
      groups.push_back({bit, std::move(inner)});
    } else {
      found->mask |= bit;
    }
  }
  std::vector<Conjunct> result;
  for (Group& group : groups) {
    for (Conjunct& conjunct : group.inner) {
      if (group.mask != all) {
        conjunct.insert(conjunct.begin(), Constraint{tree.splitter, relation_for_mask(group.mask)});
      }
      result.push_back(std::move(conjunct));
    }
  }
  return result;
}

bool implied(const Constraint& atom, const Conjunct& others, std::size_t skip, const Context& context) {
  Constraints assumptions = context.constraints();
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i != skip && !assumptions.add(others[i])) return false;
  }
  const SignSet signs = assumptions.signs(atom.form);
  switch (atom.relation) {
    case Relation::less:
      return !signs.zero && !signs.positive;
    case Relation::less_equal:
      return !signs.positive;
    case Relation::greater:
      return !signs.zero && !signs.negative;
    case Relation::greater_equal:
      return !signs.negative;
    case Relation::equal:
      return !signs.negative && !signs.positive;
    case Relation::not_equal:
      return !signs.zero;
  }
  return false;
}

// The place of the symbol that comes first in file order.
std::size_t first_symbol(const Constraint& atom, const std::vector<std::string>& symbols) {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (atom.form.mentions(symbols[i])) return i;
  }
  return symbols.size();
}

// A sum with its positive terms first.
std::string sum_text(const Form& form) {
  std::vector<Expr> positive;
  std::vector<Expr> negative;
  for (const Term& term : form.terms()) {
    (term.coefficient.sign() > 0 ? positive : negative).push_back(to_expr(Form::of_terms({term})));
  }
  positive.insert(positive.end(), negative.begin(), negative.end());
  if (positive.empty()) return "0";
  return to_text(positive.size() == 1 ? positive.front() : Expr::raw(node::Add{positive}));
}

struct Solved {
  std::string left;
  Relation relation;
  std::string right;
};

Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::less:
      return Relation::greater;
    case Relation::less_equal:
      return Relation::greater_equal;
    case Relation::greater:
      return Relation::less;
    case Relation::greater_equal:
      return Relation::less_equal;
    default:
      return relation;
  }
}

Solved solved(const Constraint& atom, const std::vector<std::string>& symbols) {
  for (const std::string& symbol : symbols) {
    if (!atom.form.mentions(symbol)) continue;
    const TermList terms = atom.form.terms();
    for (const Term& term : terms) {
      if (term.powers.size() != 1 || term.powers[0].kernel->kind != Kernel::Kind::symbol ||
          term.powers[0].kernel->name != symbol || !term.powers[0].exponent.is_one()) {
        continue;
      }
      const Form rest = atom.form - Form(term.coefficient) * Form::symbol(symbol);
      if (rest.mentions(symbol)) continue;
      const Relation relation = term.coefficient.sign() > 0 ? atom.relation : mirrored(atom.relation);
      return {symbol, relation, sum_text(Form(-term.coefficient.inverse()) * rest)};
    }
  }
  // Not linear in any symbol: the terms with kernels against the constant.
  Rational constant;
  for (const Term& term : atom.form.terms()) {
    if (term.powers.empty()) constant = term.coefficient;
  }
  Form rest = atom.form - Form(constant);
  Relation relation = atom.relation;
  if (!rest.is_zero() && rest.terms().front().coefficient.sign() < 0) {
    rest = -rest;
    constant = -constant;
    relation = mirrored(relation);
  }
  return {sum_text(rest), relation, Form(-constant).rational()->str()};
}

std::string relation_text(Relation relation) {
  return relation == Relation::equal ? "=" : std::string(symbol_of(relation));
}

std::string conjunct_text(const Conjunct& conjunct, const std::vector<std::string>& symbols) {
  // delta = 0 and gamma = 0 reads delta = gamma = 0
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> equalities;  // right side → "a = b"
  std::vector<std::string> others;
  for (const Constraint& atom : conjunct) {
    const Solved one = solved(atom, symbols);
    if (one.relation != Relation::equal) {
      others.push_back(one.left + " " + relation_text(one.relation) + " " + one.right);
      continue;
    }
    const auto found = std::ranges::find_if(equalities, [&](const auto& e) { return e.first == one.right; });
    if (found == equalities.end()) {
      equalities.emplace_back(one.right, one.left);
    } else {
      found->second += " = " + one.left;
    }
  }
  for (const auto& [right, left] : equalities) parts.push_back(left + " = " + right);
  parts.insert(parts.end(), others.begin(), others.end());
  return joined(parts, " and ");
}

}  // namespace

CaseTree explore(const Context& context, const std::function<Decision(const Context&)>& decide,
                 int most_leaves) {
  int leaves_left = most_leaves;
  return explore_within(context, decide, leaves_left);
}

Region region_of(const CaseTree& tree, Truth truth, const Context& context,
                 const std::vector<std::string>& symbols) {
  Region region{collect(tree, truth)};
  for (Conjunct& conjunct : region.conjuncts) {
    for (std::size_t i = conjunct.size(); i-- > 0;) {
      if (context.budget().is_over()) break;  // true as it stands, only longer
      if (implied(conjunct[i], conjunct, i, context)) {
        conjunct.erase(conjunct.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    std::ranges::stable_sort(conjunct, [&](const Constraint& a, const Constraint& b) {
      const bool a_equal = a.relation == Relation::equal;
      const bool b_equal = b.relation == Relation::equal;
      if (a_equal != b_equal) return a_equal;
      return first_symbol(a, symbols) < first_symbol(b, symbols);
    });
  }
  const auto equalities = [](const Conjunct& conjunct) {
    return std::ranges::count_if(conjunct, [](const Constraint& c) { return c.relation == Relation::equal; });
  };
  std::ranges::stable_sort(region.conjuncts, [&](const Conjunct& a, const Conjunct& b) {
    if (equalities(a) != equalities(b)) return equalities(a) < equalities(b);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const std::size_t left = first_symbol(a[i], symbols);
      const std::size_t right = first_symbol(b[i], symbols);
      if (left != right) return left < right;
    }
    return a.size() < b.size();
  });
  return region;
}

std::string to_text(const Constraint& constraint, const std::vector<std::string>& symbols) {
  const Solved one = solved(constraint, symbols);
  return one.left + " " + relation_text(one.relation) + " " + one.right;
}

std::string to_text(const Region& region, const std::vector<std::string>& symbols) {
  if (region.never()) return "never";
  if (region.always()) return "always";
  return joined(region.conjuncts, ", or ",
                [&](const Conjunct& conjunct) { return conjunct_text(conjunct, symbols); });
}

std::string holds_text(const std::string& region) {
  for (const std::string word : {"always", "never"}) {
    if (region == word || region.starts_with(word + ";")) return word + " holds" + region.substr(word.size());
  }
  return "holds when " + region;
}

bool contains(const Region& region, const std::vector<std::pair<std::string, Form>>& point,
              const Context& context) {
  const auto holds = [&](const Constraint& atom) {
    Form value = atom.form;
    for (const auto& [symbol, number] : point) value = substitute(value, symbol, number);
    return satisfies(atom.relation, context.sign(value));
  };
  // log(a - 1) > 0 says nothing where a > 1 beside it fails
  const auto all_hold = [&](const Conjunct& conjunct) {
    std::optional<NotKnown> open;
    for (const Constraint& atom : conjunct) {
      const auto one = attempt<Undecided, Undefined>([&] { return holds(atom); });
      if (one && !*one) return false;
      if (!one) open = one.why();
    }
    if (open) open->raise();
    return true;
  };
  return std::ranges::any_of(region.conjuncts, all_hold);
}

}  // namespace gpe::theory
