#include "checks/verifier/design.h"
// Tests: tests/certificates/design_test.cpp, tests/certificates/forged_designs.py
#include <memory>

#include "checks/verifier/defined.h"
#include "checks/verifier/design_terms.h"
#include "checks/verifier/jet.h"
#include "checks/verifier/order.h"
#include "checks/verifier/region.h"

namespace gpe::verifier {

namespace {

class Design {
 public:
  Design(const ScoreFunction& law, const Json& top) : law_(with_twins(law, top["proof"])) {
    const Json& claim = top["claim"];
    for (const auto& [name, ends] : claim["box"].items()) box_[name] = {rational(ends[0]), rational(ends[1])};
    std::set<std::string> free = top["free"];
    for (const Json& one : law.parameters()) free.erase(one["name"]);
    if (!free.empty() || top["free"].size() != box_.size())
      throw NotShown("the box is not that of the free parameters");
    for (const std::string name : top["free"])
      if (!box_.contains(name) || box_[name].first > box_[name].second) throw NotShown("no box");
    for (const auto& [name, ends] : box_) places_[name] = name;
    for (const auto& [twin, name] : top["proof"]["twins"].items())
      if (!box_.contains(places_[twin] = name.get<std::string>()))
        throw NotShown("a twin of what is not free");
    bound_ = rational(claim["content_bound"]);
    try {
      order(law_.first);
    } catch (const NotShown&) {  // n^θ: from 1 on, and b(0) = 0
      if (law_.first > 0) throw;
      order(1);
    }
    for (const Json& one : top["proof"]["points"]) proofs_[point(one["at"], places_)] = one;
    for (const Json& one : claim["requirements"])
      requirements_.push_back(requirement(one, one["relation"], one["value"]));
    const Json &objective = claim["objective"], &found = claim["found"];
    if (!objective.is_null()) {
      maximize_ = objective["goal"] == "maximize";
      if (!objective["bound"].is_null())
        better_ = requirement(objective, maximize_ ? ">" : "<", objective["bound"]);
    }
    if (found.is_null() && better_) throw NotShown("a bound of what is not there");
    if (!found.is_null()) check_found(found, objective);
    if (!top["cases"].is_null()) check_cases(top["cases"], box_);
  }

 private:
  static Q rational(const std::string& number) { return Evaluator(Calculus()).rational(number); }
  // The law with names of their own for some places of parameters in its bias.
  static ScoreFunction with_twins(const ScoreFunction& law, const Json& proof) {
    if (proof["bias"].is_null()) return law;
    Json all = law.json;
    const std::string bias = proof["bias"];
    std::string word, plain;
    for (const char c : bias + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
        continue;
      }
      plain += (proof["twins"].contains(word) ? proof["twins"][word].get<std::string>() : word) + c;
      word = "";
    }
    if (plain != law.formula("bias") + " " || mentions(bias, "sum")) throw NotShown("another bias");
    all["bias"] = bias;
    for (const auto& [twin, name] : proof["twins"].items())
      all["parameters"].push_back({{"name", twin}, {"value", "0"}, {"domain", nullptr}});
    return ScoreFunction(all);
  }

  template <class Names>
  static Point point(const Json& values, const Names& names) {
    Point result;
    for (const auto& [name, value] : values.items()) result[name] = rational(value);
    for (const auto& [name, of] : names)
      if (!result.contains(name)) throw NotShown("a point without " + name);
    return result.size() == names.size() ? result : throw NotShown("a point of other parameters");
  }

  void order(long from) {
    Calculus cell;
    std::set<std::string> free;
    Box places;
    direction_.clear();
    content_direction_.clear();
    for (const auto& [place, name] : places_) {
      free.insert(place);
      places[place] = box_[name];
      direction_[place] = content_direction_[place] = 0;
      cell.assume(cell.symbol(place) - Constant(box_[name].first), ">=");
      cell.assume(Constant(box_[name].second) - cell.symbol(place), ">=");
    }
    Evaluator e = law_.evaluator(cell, free);
    for (const Json& one : law_.parameters()) check_domain(cell, e, one);
    require_defined(law_, cell, free);
    e.names["n"] = cell.symbol("n");
    e.names["$B"] = bound_;
    cell.assume(cell.symbol("n") - Constant(law_.first), ">=");
    const Form a = e("$a");  // at all distances
    cell.assume(cell.symbol("n") - Constant(from), ">=");
    const Form b = e("$b");
    if (law_.depends_on_length() || !b.constant() || !a.constant())
      throw NotShown("a bias or a content of another kind");
    Order bias(places, direction_);
    bias.read(-b.value());
    falls_ = bias.falls;
    std::string inside;  // of brackets, or in any power: an unknown does not say by what it was chosen
    int depth = law_.formula("bias").find('^') == std::string::npos ? 0 : 1;
    for (const char c : law_.formula("bias")) {
      depth += (c == '(') - (c == ')');
      inside += depth > 0 ? c : ' ';
    }
    for (const auto& [place, ends] : places)
      if (bias.unknown && mentions(inside, place)) throw NotShown("a bias that chooses by " + place);
    Order(places, content_direction_).read_content(a.value());
    e.names["n"] = law_.first;
    rises_first_ = from != law_.first;  // perhaps, from 0 to n = 1
    if (rises_first_ && !e("$b").zero()) throw NotShown("the bias is not 0 at n = 0");
    for (const auto& [name, ends] : box_) {
      if (!law_.windowed || !mentions(law_.formula("window"), name)) continue;
      if (law_.formula("window") != name || direction_[name] != 0)
        throw NotShown("the window is not a parameter alone");
      direction_[name] = -1;
      whole_ = name;
    }
  }

  Requirement requirement(const Json& one, const std::string& relation, const std::string& value) const {
    Requirement r;
    r.quantity = one["quantity"];
    r.above = relation[0] == '>';
    r.strict = relation.size() == 1;
    r.counts = r.quantity == "range" || r.quantity == "cache" || r.quantity == "reach";
    if (r.quantity == "Z") return r;
    r.value = rational(value);
    if (r.quantity == "parameter") {
      r.parameter = one["at"];
      if (!box_.contains(r.parameter)) throw NotShown("no parameter is called " + r.parameter);
      return r;
    }
    if (!one["at"].is_null()) r.at = rational(one["at"]);
    const bool entropy = r.quantity == "entropy", range = r.quantity == "range";
    if (entropy ? r.at && (r.at->get_den() != 1 || *r.at < 0 || *r.at > 1000000)
                : *r.at <= 0 || (!range && *r.at >= 1))
      throw NotShown("no such " + r.quantity);
    if (r.counts && (r.value.get_den() != 1 || abs(r.value) > 1000000000)) throw NotShown("no whole number");
    if (r.counts && r.strict) {  // > v is >= v + 1
      r.value += r.above ? 1 : -1;
      r.strict = false;
    }
    return r;
  }

  // Where all the directions say: at the low ends, or the high ones where the parameter makes it less.
  Corner& corner(const Box& box, bool flat) { return corner(box, direction_, flat); }
  Corner& corner(const Box& box, const std::map<std::string, int>& direction, bool least) {
    Point at;
    for (const auto& [place, sign] : direction) {
      const auto& [low, high] = box.at(places_.at(place));
      at[place] = sign == 0 || (sign > 0) == least ? low : high;
    }
    std::unique_ptr<Corner>& known = corners_[at];
    if (!known) {
      ScoreFunction law = law_;
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

  // Σ e^(b + side·a) over n <= last: b at one corner, a at another.
  static Interval up_to(Corner& at, Corner& content, const Q& bound, int side, long last) {
    const Constant& a = content.numbers.content(bound);
    if (!any_atom(a, is_open)) return at.up_to(last).z * exp(Interval(side) * enclose(a));
    std::vector<Interval>& sums = at.with[{&content, side}];
    last = at.kept(last);
    if (last - at.law.first > 100000) throw NotFollowed("too many distances");
    for (long n = at.law.first + static_cast<long>(sums.size()); n <= last; ++n)
      sums.push_back((sums.empty() ? Interval() : sums.back()) +
                     exp(Interval(side) * jet(a, Q(n), 1)[0] - at.numbers.score(n)));
    return last < at.law.first ? Interval() : sums[static_cast<std::size_t>(last - at.law.first)];
  }
  // Over n > last; one by one up to `to`, where a stays between a(to + 1) and 0 beyond it.
  static Interval beyond(Corner& at, Corner& content, const Q& bound, int side, long last, long to) {
    const Constant& a = content.numbers.content(bound);
    if (!any_atom(a, is_open))
      return (at.numbers.total().z - at.up_to(last).z) * exp(Interval(side) * enclose(a));
    const Interval end = jet(a, Q(to + 1), 1)[0] * Interval(0, 1);
    return up_to(at, content, bound, side, to) - up_to(at, content, bound, side, last) +
           (at.numbers.total().z - at.up_to(to).z) * exp(Interval(side) * end);
  }
  // Whether excess(to) >= 0, or < 0, with more and more terms one by one.
  template <class Excess>
  static void settled(long n, bool at_least, const Excess& excess) {
    for (long to = std::max(n, 64L); to <= 100000; to *= 2) {
      const Interval over = excess(to);
      if (over.nonnegative() || (-over).positive()) return shown(over.nonnegative() == at_least);
    }
    throw NotFollowed("a sum that more than 100000 distances decide");
  }

  // Of the tokens up to `last` (or all), -b between those at the corners: Σ φ e^-φ term by term until φ >= 1.
  static Interval entropy_between(Corner& flat, Corner& steep, const std::optional<long>& last) {
    long end = last ? *last : flat.numbers.far() - 1;
    while (!last && end > flat.law.first && (flat.numbers.score(end) - Interval(1)).nonnegative()) --end;
    const auto hull = [](const Interval& a, const Interval& b) { return a + (b - a) * Interval(0, 1); };
    const auto sums = [&](Corner& at) { return last ? at.up_to(end) : at.numbers.total(); };
    shown(end >= flat.law.first && !flat.ends_before(end) && !steep.ends_before(end) &&
          (last || !flat.law.windowed));
    Interval s;
    if (!last)
      s = hull(steep.numbers.total().s - steep.up_to(end).s, flat.numbers.total().s - flat.up_to(end).s);
    for (long n = flat.law.first; n <= end; ++n) {
      const Interval low = flat.numbers.score(n), high = steep.numbers.score(n);
      s += hull(low, high) * hull(exp(-low), exp(-high));
    }
    const Interval z = hull(sums(flat).z, sums(steep).z);
    return log(z) + s * inverse(z);
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
    const bool falls =
        (falls_ && (!rises_first_ || flat.numbers.bias_against(1, 0, "<="))) || flat.numbers.bernstein();
    if (r.quantity == "entropy") {
      if (!r.at && worst.infinite && falls) return shown(r.above);
      const auto last = r.at ? std::optional(first + r.at->get_num().get_si()) : std::nullopt;
      Interval h;
      if (!falls)
        h = entropy_between(flat, steep, last);
      else
        h = last ? worst.up_to(*last).entropy() : worst.numbers.total().entropy();
      const Interval over = r.above ? h - r.value : Interval(r.value) - h;
      const bool met = r.strict ? over.positive() : over.nonnegative();
      if (!met && !(-over).positive()) throw NotFollowed("an entropy, as sharply as it is seen");
      return shown(met);
    }
    const long value = r.value.get_num().get_si(), asked = r.above ? value : value + 1;
    const long n = std::max(asked, first);  // of range and reach: they are distances, or -1: none
    if (asked < 0 && r.quantity != "cache") return shown(r.above);
    if (r.quantity == "range") {
      if (worst.ends_before(n)) return shown(!r.above);
      shown(falls || n <= 100000);
      for (long m = falls ? n : first; m <= n; ++m) {  // where b falls, the ends say it
        const long top = falls ? first : m;
        const bool inside = steep.numbers.bias_against(m, -*r.at, ">=") &&
                            flat.numbers.bias_against(top, *r.at, "<="),
                   outside = flat.numbers.bias_against(m, -*r.at, "<") ||
                             steep.numbers.bias_against(top, *r.at, ">");
        if (r.above ? !inside : outside) return shown(!r.above);
      }
      return shown(r.above);
    }
    Corner& content = corner(box, content_direction_, r.above);
    if (r.quantity == "cache") {
      const long keys = r.above ? value - 1 : value, last = keys - 1 + first;
      if (keys < 1 || worst.ends_before(last + 1)) return shown(keys < 1 ? r.above : !r.above);
      if (worst.infinite) return shown(r.above);
      return settled(last, !r.above, [&](long to) {
        return Interval(*r.at) * up_to(worst, content, bound_, -1, last) -
               Interval(1 - *r.at) * beyond(worst, content, bound_, 1, last, to);
      });
    }
    if (worst.ends_before(n) || best.infinite) return shown(!r.above);
    shown(r.above || falls);
    settled(n, r.above, [&](long to) {
      Interval others = beyond(best, content, bound_, -1, n, to) * inverse(best.numbers.weight(n));
      if (n > first) others += up_to(worst, content, bound_, -1, n - 1) * inverse(worst.numbers.weight(n));
      return Interval(1 - *r.at) * exp(jet(content.numbers.content(bound_), Q(n), 1)[0]) -
             Interval(*r.at) * others;
    });
  }
  static void shown(bool condition) {
    if (!condition) throw NotShown("a bound over a box, or at the point found");
  }

  void check_found(const Json& found, const Json& objective) {
    const Point at = point(found["parameters"], box_);
    Box alone;
    for (const auto& [name, value] : at) {
      alone[name] = {value, value};
      if (value < box_[name].first || value > box_[name].second) throw NotShown("a point outside of the box");
    }
    for (const Json& one : law_.parameters())
      if (const auto mine = at.find(one["name"]); mine != at.end() && rational(one["value"]) != mine->second)
        throw NotShown("the law is that of another point");
    for (const Requirement& r : requirements_) surely(r, alone);
    if (!objective.is_null()) surely(requirement(objective, maximize_ ? ">=" : "<=", found["value"]), alone);
  }

  void check_cases(const Json& tree, const Box& box) {
    if (corners_.size() > 64) {
      corners_.clear();
      forget_atoms();
    }
    if (tree.contains("split")) {
      const std::string name = tree["split"];
      const Q at = rational(tree["at"]), above = name == whole_ ? Q(at + 1) : at;
      Box below = box, rest = box;
      if (!box.contains(name) || at < box.at(name).first || above > box.at(name).second ||
          (name == whole_ && at.get_den() != 1))
        throw NotShown("no such split");
      below[name].second = at;
      rest[name].first = above;
      check_cases(tree["below"], below);
      return check_cases(tree["above"], rest);
    }
    const std::size_t by = tree["excluded_by"];
    if (by > requirements_.size() || (by == requirements_.size() && !better_))
      throw NotShown("no such requirement");
    surely((by < requirements_.size() ? requirements_[by] : *better_).contrary(), box);
  }

  const ScoreFunction law_;  // with twins
  Box box_;
  std::map<std::string, std::string> places_;                 // parameters and twins: whose interval it is
  std::map<std::string, int> direction_, content_direction_;  // -b, a grows with the parameter: 1; falls: -1
  bool falls_ = false;                                        // b, everywhere in the box, where D1 reads it
  bool rises_first_ = false;                                  // perhaps: D1 reads b from n = 1 on
  std::string whole_;                                         // the parameter that is the window
  Q bound_;                                                   // B
  std::vector<Requirement> requirements_;
  std::optional<Requirement> better_;  // than the bound
  bool maximize_ = false;
  std::map<Point, Json> proofs_;  // of the sums
  std::map<Point, std::unique_ptr<Corner>> corners_;
};

}  // namespace

void check_design(const ScoreFunction& law, const Json& top) { Design(law, top); }

}  // namespace gpe::verifier
