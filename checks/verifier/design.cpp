#include "checks/verifier/design.h"

#include <memory>

#include "checks/verifier/jet.h"
#include "checks/verifier/numbers.h"

namespace gpe::verifier {

namespace {

using Box = std::map<std::string, std::pair<Q, Q>>;
using Point = std::map<std::string, Q>;

struct Corner {
  Law law;
  Numbers numbers{law};
  bool infinite = false;
  explicit Corner(const Law& at) : law(at) {}
  bool ends_before(long n) const { return law.windowed && law.first + law.keys() - 1 < n; }
  const Sums& up_to(long n) { return numbers.up_to(ends_before(n) ? law.first + law.keys() - 1 : n); }
};

struct Requirement {  // quantity >= value (above), or <= value; strict: > or <
  std::string quantity, parameter;
  bool counts, above, strict;
  std::optional<Q> at;
  Q value;
  Requirement contrary() const {
    Requirement r = *this;
    r.above = !above, r.strict = !strict && !counts;
    if (counts) r.value += above ? -1 : 1;
    return r;
  }
};

// Proof D1 (docs/certificates.md): each free parameter makes -b grow, and grow more at larger n: 1; or the
// contrary: -1.
class Order {
 public:
  Order(const Box& box, std::map<std::string, int>& direction) : box_(box), direction_(direction) {}

  void read(const Constant& phi) {
    for (const auto& [powers, coefficient] : phi.terms) {
      Powers closed;
      const Atom* open = nullptr;
      bool free = false;
      for (const auto& [atom, exponent] : powers) {
        if (!atom->open)
          closed[atom] = exponent;
        else if (note(*atom.atom, exponent))
          free = true;
        else if (open != nullptr || exponent < 0 || (atom->kind == Atom::Kind::log && exponent != 1))
          throw NotShown("the order of the family, in " + text(phi));
        else
          open = atom.atom;
      }
      const bool inside = open != nullptr && open->kind == Atom::Kind::log && logarithm(open->of);
      if (!free && !inside) continue;  // the same at all parameters
      const bool rises = open == nullptr || inside ||
                         (open->kind == Atom::Kind::symbol && open->name == "n") ||
                         is_bernstein(Constant(Powers{{{open}, 1}}, 1), 0);
      if (!rises || !enclose(Constant(closed, coefficient)).nonnegative())
        throw NotShown("the order of the family, in " + text(phi));
    }
  }

 private:
  // Whether it is a free parameter, whose power grows or falls.
  bool note(const Atom& atom, const Q& exponent) {
    const auto at = atom.kind == Atom::Kind::symbol ? box_.find(atom.name) : box_.end();
    if (at == box_.end()) return false;
    int& known = direction_[atom.name];
    const int sign = sgn(exponent);
    if (known == -sign || at->second.first < 0 || (sign < 0 && at->second.first == 0))
      throw NotShown("the direction of " + atom.name);
    known = sign;
    return true;
  }
  // c + q·Π θ^a·n^p with c >= 1, q >= 0: whether there is such a θ.
  bool logarithm(const Constant& of) {
    Constant number;
    bool free = false;
    std::size_t others = 0;
    for (const auto& [powers, coefficient] : of.terms) {
      bool known = true, mine = false;
      for (const auto& [atom, exponent] : powers) {
        if (!atom->open) continue;
        known = false;
        if (note(*atom.atom, exponent))
          mine = true;
        else if (atom->kind != Atom::Kind::symbol || atom->name != "n" || exponent < 0)
          others = 9;
      }
      free = free || mine;
      if (known) number += Constant(powers, coefficient);
      others += !known;
      if (!known && coefficient < 0) others = 9;
    }
    if (free && (others != 1 || !(enclose(number) - Interval(1)).nonnegative()))
      throw NotShown("a logarithm of the family, of " + text(of));
    return free;
  }

  const Box& box_;
  std::map<std::string, int>& direction_;
};

class Design {
 public:
  Design(const Law& law, const Json& top) : law_(law) {
    const Json& claim = top["claim"];
    require_keys(claim, {"box", "content_bound", "requirements", "objective", "found"});
    for (const auto& [name, ends] : claim["box"].items())
      box_[name] = {rational(ends.at(0)), rational(ends.at(1))};
    std::set<std::string> free = top["free"];
    for (const Json& one : law.parameters()) free.erase(one["name"]);
    if (!free.empty() || top["free"].size() != box_.size() || box_.empty())
      throw NotShown("the box is not that of the free parameters");
    for (const std::string name : top["free"])
      if (!box_.contains(name) || box_[name].first > box_[name].second) throw NotShown("no box");
    const Q bound = rational(claim["content_bound"]);
    if (bound < 0) throw NotShown("a negative content bound");
    order(bound, std::set<std::string>(top["free"].begin(), top["free"].end()));
    require_keys(top["proof"], {"points"});
    for (const Json& one : top["proof"]["points"]) {
      require_keys(one, {"at", "direct", "order", "levels", "tail"});
      proofs_[point(one["at"])] = one;
    }
    for (const Json& one : claim["requirements"]) {
      require_keys(one, {"quantity", "at", "relation", "value"});
      requirements_.push_back(requirement(one, one["relation"], one["value"]));
    }
    const Json &objective = claim["objective"], &found = claim["found"];
    if (!objective.is_null()) {
      require_keys(objective, {"quantity", "at", "goal", "bound"});
      maximize_ = objective["goal"] == "maximize";
      if (!maximize_ && objective["goal"] != "minimize") throw NotShown("no goal");
      if (!objective["bound"].is_null())
        better_ = requirement(objective, maximize_ ? ">" : "<", objective["bound"]);
    }
    if (found.is_null() && better_) throw NotShown("a bound of what is not there");
    corner(box_, true).numbers.weight(law.first);  // -b is a Bernstein function, so all biases fall
    if (!found.is_null()) check_found(found, objective);
    if (found.is_null() || !objective.is_null())
      check_cases(top["cases"], box_);
    else if (!top["cases"].is_null())
      throw NotShown("cases without a claim");
  }

 private:
  static Q rational(const std::string& number) {
    const Calculus plain;
    return Evaluator(plain).rational(number);
  }
  Point point(const Json& values) const {
    Point result;
    for (const auto& [name, value] : values.items()) result[name] = rational(value);
    for (const auto& [name, ends] : box_)
      if (!result.contains(name)) throw NotShown("a point without " + name);
    return result.size() == box_.size() ? result : throw NotShown("a point of other parameters");
  }

  void order(const Q& bound, const std::set<std::string>& free) {
    Calculus cell;
    Evaluator e = law_.evaluator(cell, free);
    for (const auto& [name, ends] : box_) {
      direction_[name] = 0;
      cell.assume(cell.symbol(name) - Constant(ends.first), ">=");
      cell.assume(Constant(ends.second) - cell.symbol(name), ">=");
    }
    cell.assume(cell.symbol("n") - Constant(law_.first), ">=");
    e.names["n"] = cell.symbol("n"), e.names["$B"] = bound;
    const Form b = e("$b"), a = e("$a");
    if (law_.depends_on_length() || !b.constant() || !a.constant())
      throw NotShown("a bias or a content of another kind");
    amplitude_ = enclose(a.value());  // so it does not depend on n and the parameters
    Order(box_, direction_).read(-b.value());
    for (const auto& [name, ends] : box_) {
      if (!law_.windowed || !mentions(law_.formula("window"), name)) continue;
      if (law_.formula("window") != name || direction_[name] != 0)
        throw NotShown("the window is not a parameter alone");
      direction_[name] = -1, whole_ = name;
    }
  }

  Requirement requirement(const Json& one, const std::string& relation, const std::string& value) const {
    Requirement r;
    r.quantity = one["quantity"], r.above = relation[0] == '>', r.strict = relation.size() == 1;
    r.counts = r.quantity == "range" || r.quantity == "cache" || r.quantity == "reach";
    if (relation != "<=" && relation != ">=" && relation != "<" && relation != ">")
      throw NotShown("no relation");
    if (r.quantity == "Z") {
      if (relation != "<" || value != "infinity" || !one["at"].is_null())
        throw NotShown("Z is compared with infinity");
      return r;
    }
    r.value = rational(value);
    if (r.quantity == "parameter") {
      r.parameter = one["at"];
      if (!box_.contains(r.parameter)) throw NotShown("no parameter is called " + r.parameter);
      return r;
    }
    if (!one["at"].is_null()) r.at = rational(one["at"]);
    const bool entropy = r.quantity == "entropy", range = r.quantity == "range";
    if (!entropy && !r.counts) throw NotShown("no quantity is called " + r.quantity);
    if (entropy ? r.at && (r.at->get_den() != 1 || *r.at < 0 || *r.at > 1000000)
                : !r.at || *r.at <= 0 || (!range && *r.at >= 1))
      throw NotShown("no such " + r.quantity);
    if (r.counts && (r.value.get_den() != 1 || abs(r.value) > 1000000000)) throw NotShown("no whole number");
    if (r.counts && r.strict) {  // > v is >= v + 1
      r.value += r.above ? 1 : -1;
      r.strict = false;
    }
    return r;
  }

  Corner& corner(const Box& box, bool flat) {
    Point at;
    for (const auto& [name, ends] : box)
      at[name] = (direction_[name] >= 0) == flat ? ends.first : ends.second;
    std::unique_ptr<Corner>& known = corners_[at];
    if (!known) {
      Law law = law_;
      for (Json& one : law.json["parameters"])
        if (const auto value = at.find(one["name"]); value != at.end())
          one["value"] = value->second.get_str();
      known = std::make_unique<Corner>(law);
      if (known->law.windowed) {
        known->numbers.sum_up(nullptr);
      } else if (const auto proof = proofs_.find(at); proof != proofs_.end()) {
        known->infinite = proof->second["direct"].is_null();
        if (known->infinite)
          known->numbers.diverges(proof->second);
        else
          known->numbers.sum_up(proof->second);
      }
    }
    return *known;
  }

  // D2: every point of the box meets the requirement.
  void surely(const Requirement& r, const Box& box) {
    if (r.quantity == "parameter") {
      const auto& [low, high] = box.at(r.parameter);
      const Q over = r.above ? Q(low - r.value) : Q(r.value - high);
      return shown(r.strict ? over > 0 : over >= 0);
    }
    Corner &flat = corner(box, true), &steep = corner(box, false);
    Corner &worst = r.above ? steep : flat, &best = r.above ? flat : steep;
    if (r.quantity == "Z") return r.above ? shown(steep.infinite) : (flat.numbers.total(), void());
    const long first = law_.first;
    if (r.quantity == "entropy") {
      if (!r.at && worst.infinite) return shown(r.above);
      const Interval h = r.at ? worst.up_to(first + r.at->get_num().get_si()).entropy()
                              : worst.numbers.total().entropy(),
                     over = r.above ? h - r.value : Interval(r.value) - h;
      return shown(r.strict ? over.positive() : over.nonnegative());
    }
    const long value = r.value.get_num().get_si(), n = r.above ? value : value + 1;
    if (r.quantity == "range") {
      if (n < first) return shown(r.above);
      if (worst.ends_before(n)) return shown(!r.above);
      if (r.above)
        return shown(steep.numbers.bias_against(n, -*r.at, ">=") &&
                     flat.numbers.bias_against(first, *r.at, "<="));
      return shown(flat.numbers.bias_against(n, -*r.at, "<") ||
                   steep.numbers.bias_against(first, *r.at, ">"));
    }
    const Interval gain = exp(Interval(2) * amplitude_);
    if (r.quantity == "cache") {
      const long keys = r.above ? value - 1 : value, last = keys - 1 + first;
      if (keys < 1 || worst.ends_before(last + 1)) return shown(keys < 1 ? r.above : !r.above);
      if (worst.infinite) return shown(r.above);
      const Interval inside = worst.up_to(last).z,
                     excess = Interval(*r.at) * inside -
                              Interval(1 - *r.at) * gain * (worst.numbers.total().z - inside);
      return shown(r.above ? (-excess).positive() : excess.nonnegative());
    }
    if (n < first) return shown(r.above);
    if (worst.ends_before(n)) return shown(!r.above);
    if (best.infinite) return shown(!r.above);
    Interval others = (best.numbers.total().z - best.up_to(n).z) * inverse(best.numbers.weight(n));
    if (n > first) others += worst.up_to(n - 1).z * inverse(worst.numbers.weight(n));
    const Interval excess = Interval(1 - *r.at) * gain - Interval(*r.at) * others;
    shown(r.above ? excess.nonnegative() : (-excess).positive());
  }
  static void shown(bool condition) {
    if (!condition) throw NotShown("a bound over a box, or at the point found");
  }

  void check_found(const Json& found, const Json& objective) {
    require_keys(found, {"parameters", "value"});
    const Point at = point(found["parameters"]);
    Box alone;
    for (const auto& [name, value] : at) {
      alone[name] = {value, value};
      if (value < box_[name].first || value > box_[name].second) throw NotShown("a point outside of the box");
    }
    for (const Json& one : law_.parameters())
      if (const auto mine = at.find(one["name"]); mine != at.end() && rational(one["value"]) != mine->second)
        throw NotShown("the law is that of another point");
    for (const Requirement& r : requirements_) surely(r, alone);
    if (objective.is_null() != found["value"].is_null()) throw NotShown("a value without an objective");
    if (!objective.is_null()) surely(requirement(objective, maximize_ ? ">=" : "<=", found["value"]), alone);
  }

  void check_cases(const Json& tree, const Box& box) {
    if (corners_.size() > 64) corners_.clear(), start_afresh();
    if (tree.contains("split")) {
      require_keys(tree, {"split", "at", "below", "above"});
      const std::string name = tree["split"];
      const Q at = rational(tree["at"]), above = name == whole_ ? Q(at + 1) : at;
      Box below = box, rest = box;
      if (!box.contains(name) || at < box.at(name).first || above > box.at(name).second ||
          (name == whole_ && at.get_den() != 1))
        throw NotShown("no such split");
      below[name].second = at, rest[name].first = above;
      check_cases(tree["below"], below);
      return check_cases(tree["above"], rest);
    }
    require_keys(tree, {"excluded_by"});
    const auto by = static_cast<std::size_t>(count(tree["excluded_by"]));
    if (by > requirements_.size() || (by == requirements_.size() && !better_))
      throw NotShown("no such requirement");
    surely((by < requirements_.size() ? requirements_[by] : *better_).contrary(), box);
  }

  const Law& law_;
  Box box_;
  std::map<std::string, int> direction_;  // -b grows with the parameter: 1; falls: -1
  std::string whole_;                     // the parameter that is the window
  Interval amplitude_;                    // |f| w B
  std::vector<Requirement> requirements_;
  std::optional<Requirement> better_;  // than the bound
  bool maximize_ = false;
  std::map<Point, Json> proofs_;  // of the sums
  std::map<Point, std::unique_ptr<Corner>> corners_;
};

}  // namespace

std::string check_design(const Law& law, const Json& top) {
  const Design proved(law, top);
  const Json &claim = top["claim"], &objective = claim["objective"];
  const std::string all = claim["requirements"].dump(), box = " of the box " + claim["box"].dump();
  const std::string found =
      claim["found"].is_null() ? "" : claim["found"]["parameters"].dump() + " meets " + all;
  if (found.empty()) return "no point" + box + " meets " + all;
  if (objective.is_null()) return found;
  return found + ", with " + objective["quantity"].dump() + " = " + claim["found"]["value"].dump() +
         (objective["bound"].is_null()
              ? ""
              : ", and no point" + box + " that does is better than " + objective["bound"].dump());
}

}  // namespace gpe::verifier
