#include "checks/audit/formula_parse.h"
// Tests: tests/checks/audit/audit_formula_test.cpp, tests/fuzz/claims_fuzz.cpp
#include <algorithm>
#include <array>

#include "checks/audit/term.h"
#include "theory/properties/property.h"
#include "theory/source/nearest_name.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::ParseError;
using theory::Relation;

namespace {

const std::vector<std::string>& property_names() {
  static const std::vector<std::string> names = {"cn", "eb", "ldcp", "gps"};
  return names;
}

class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& families,
         const std::vector<std::string>& encodings)
      : text_(text), terms_(text_, encodings), families_(families) {}

  Formula whole() { return formula({0, text_.size()}); }

 private:
  Formula formula(TextSpan p) {
    p = text_.trimmed(p);
    if (p.begin == p.end) fail_at(p, "expected a statement");
    if (text_.word_at(p.begin, p, "for")) return quantified(p);
    for (const auto& [theirs, ours] : {std::pair("forall", "for all"), std::pair("exists", "for some")}) {
      const TextSpan word{p.begin, p.begin + std::string_view(theirs).size()};
      if (text_.word_at(p.begin, p, theirs))
        fail_at(word, std::string("write '") + ours + "' for '" + theirs + "'");
    }
    if (auto found = binary(p, "<=>", Formula::Kind::equivalence)) return *found;
    if (auto found = binary(p, "=>", Formula::Kind::implication)) return *found;
    if (auto found = several(p, "or", Formula::Kind::disjunction)) return *found;
    if (auto found = several(p, "and", Formula::Kind::conjunction)) return *found;
    Formula result;
    result.text = text_.str(p);
    if (text_.word_at(p.begin, p, "not")) {
      result.kind = Formula::Kind::negation;
      result.parts.push_back(formula({p.begin + 3, p.end}));
      return result;
    }
    if (text_[p.begin] == '(' && text_.closing(p.begin) == p.end - 1 && !is_term({p.begin + 1, p.end - 1}))
      return formula({p.begin + 1, p.end - 1});
    return atom(p);
  }

  // A bracket around a statement, or around part of a term?
  bool is_term(TextSpan p) const {
    for (const std::string_view sign : {"<", ">", "=", ":"}) {
      if (text_.split(p, sign).size() > 1) return false;
    }
    for (const std::string_view word : {"and", "or", "not", "for"}) {
      for (std::size_t i = p.begin; i < p.end; ++i) {
        if (text_.word_at(i, p, word)) return false;
      }
    }
    p = text_.trimmed(p);
    std::size_t i = p.begin;
    while (i < p.end && is_name_start(text_[i])) ++i;
    const std::string name = text_.substr(p.begin, i - p.begin);
    const bool property = std::ranges::find(property_names(), name) != property_names().end();
    const QuantityKind* kind = quantity_kind(name);
    return !property && (kind == nullptr || !kind->predicate);
  }

  std::optional<Formula> binary(TextSpan p, std::string_view sign, Formula::Kind kind) {
    const std::vector<TextSpan> pieces = text_.split(p, sign);
    if (pieces.size() == 1) return std::nullopt;
    Formula result;
    result.kind = kind;
    result.text = text_.str(p);
    result.parts = {formula(pieces[0]), formula({pieces[1].begin, p.end})};
    return result;
  }

  std::optional<Formula> several(TextSpan p, std::string_view word, Formula::Kind kind) {
    const std::vector<TextSpan> pieces = text_.split(p, word);
    if (pieces.size() == 1) return std::nullopt;
    Formula result;
    result.kind = kind;
    result.text = text_.str(p);
    for (const TextSpan& piece : pieces) result.parts.push_back(formula(piece));
    return result;
  }

  Formula quantified(TextSpan p) {
    static const std::array<std::pair<std::string_view, Formula::Kind>, 3> kinds = {
        {{"all", Formula::Kind::for_all},
         {"some", Formula::Kind::for_some},
         {"which", Formula::Kind::for_which}}};
    Formula result;
    result.text = text_.str(p);
    TextSpan rest = text_.trimmed({p.begin + 3, p.end});
    const auto* const found = std::ranges::find_if(
        kinds, [&](const auto& kind) { return text_.word_at(rest.begin, rest, kind.first); });
    if (found == kinds.end()) fail_at(rest, "expected 'for all', 'for some' or 'for which'");
    result.kind = found->second;
    rest.begin = rest.begin + found->first.size();
    const std::vector<TextSpan> parts = text_.split(rest, ":");
    if (parts.size() < 2) fail_at(p, "expected ':' between the variables and the statement about them");
    const std::vector<std::string> outer = terms_.bound.numbers;
    const std::vector<std::string> outer_encodings = terms_.bound.encodings;
    for (const TextSpan& piece : text_.split(parts[0], ","))
      result.bindings.push_back(binding(text_.trimmed(piece)));
    result.parts.push_back(formula({parts[1].begin, p.end}));
    terms_.bound.numbers = outer;
    terms_.bound.encodings = outer_encodings;
    return result;
  }

  Binding binding(TextSpan p) {
    Binding result;
    std::size_t i = p.begin;
    while (i < p.end && is_name_character(text_[i])) ++i;
    TextSpan rest = text_.trimmed({i, p.end});
    if (i > p.begin && text_.word_at(rest.begin, rest, "in")) {
      result.name = text_.substr(p.begin, i - p.begin);
      check_new(result.name, p);
      rest = text_.trimmed({rest.begin + 2, rest.end});
      if (rest.begin < rest.end && text_[rest.begin] == '{') {
        result.range = Binding::Range::list;
        for (const TextSpan& piece : text_.split({rest.begin + 1, rest.end - 1}, ","))
          result.list.push_back(terms_.expression(piece));
      } else if (const std::size_t dots = text_.find("..", rest.begin); dots < rest.end) {
        result.range = Binding::Range::integers;
        result.low = terms_.whole_number({rest.begin, dots});
        if (text_.trimmed({dots + 2, rest.end}).begin < rest.end)
          result.high = terms_.whole_number({dots + 2, rest.end});
      } else {
        result.range = Binding::Range::encodings;
        result.family = text_.str(rest);
        if (result.family != "library" && std::ranges::find(families_, result.family) == families_.end()) {
          fail_at(rest, "unknown family '" + result.family + "'" +
                            theory::did_you_mean(result.family, families_,
                                                 "; expected 'library' or one under [families]"));
        }
        terms_.bound.encodings.push_back(result.name);
        return result;
      }
      terms_.bound.numbers.push_back(result.name);
      return result;
    }
    // "0 < m <= 1": the first name that is new
    std::vector<std::string> candidates;
    for (i = p.begin; i < p.end;) {
      if (!is_name_start(text_[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < p.end && is_name_character(text_[end])) ++end;
      const std::string name = text_.substr(i, end - i);
      if (std::ranges::find(terms_.bound.numbers, name) == terms_.bound.numbers.end() &&
          (end == p.end || text_[end] != '(') && name != "pi")
        candidates.push_back(name);
      i = end;
    }
    if (candidates.empty())
      fail_at(p, "expected a new name with a condition ('m > 0') or a range ('n in 1..6')");
    result.name = candidates.front();
    check_new(result.name, p);
    terms_.bound.numbers.push_back(result.name);
    if (text_.str(p) == result.name) return result;  // any real number
    try {
      result.conditions = theory::parse_conditions(text_.view(p), terms_.number_scope());
    } catch (const ParseError& error) {
      throw ParseError(p.begin + error.begin, p.begin + error.end, error.what());
    }
    return result;
  }

  void check_new(const std::string& name, TextSpan p) const {
    if (name == "n") fail_at(p, "'n' is the distance inside bias(…) and limit(…); choose another name");
    if (name.front() == '_') fail_at(p, "'" + name + "' begins with '_'; a name begins with a letter");
    if (std::ranges::find(terms_.bound.numbers, name) != terms_.bound.numbers.end() ||
        std::ranges::find(terms_.bound.encodings, name) != terms_.bound.encodings.end())
      fail_at(p, "'" + name + "' is bound twice");
  }

  Formula atom(TextSpan p) {
    Formula result;
    result.text = text_.str(p);
    std::size_t i = p.begin;
    while (i < p.end && is_name_start(text_[i])) ++i;
    const std::string name = text_.substr(p.begin, i - p.begin);
    if (std::ranges::find(property_names(), name) != property_names().end()) return property(p, name, i);
    if (const QuantityKind* kind = quantity_kind(name); kind != nullptr && kind->predicate) {
      if (i >= p.end || text_[i] != '(' || text_.closing(i) != p.end - 1)
        fail_at(p, "expected " + name + "(…)");
      result.kind = Formula::Kind::predicate;
      result.quantity = terms_.quantity(name, p, {i + 1, p.end - 1});
      return result;
    }
    return comparison(p);
  }

  Formula property(TextSpan p, const std::string& name, std::size_t i) {
    Formula result;
    result.kind = Formula::Kind::property;
    result.text = text_.str(p);
    const std::size_t open = text_.find("(", i);
    if (open >= p.end || text_.closing(open) != p.end - 1)
      fail_at(p, "expected " + name + "(ENCODING) or " + name + "=READING(ENCODING)");
    const auto index = std::ranges::find(property_names(), name) - property_names().begin();
    const auto which = static_cast<theory::Property>(index);
    std::string reading(theory::usual_reading(which).name);
    if (text_[i] == '=') reading = text_.str({i + 1, open});
    if (theory::find_reading(which, reading) == nullptr) {
      std::vector<theory::Reading> its = theory::readings();
      std::erase_if(its, [&](const theory::Reading& one) { return one.property != which; });
      fail_at({i, open}, "unknown reading '" + reading + "' of " + name +
                             "; expected one of: " + theory::joined(its, ", ", &theory::Reading::name));
    }
    const std::vector<TextSpan> arguments = text_.split({open + 1, p.end - 1}, ",");
    result.quantity = terms_.quantity_of("et?", name, p, arguments);
    result.quantity.words = {reading};
    return result;
  }

  Formula comparison(TextSpan p) {
    static const std::array<std::pair<std::string_view, Relation>, 6> signs = {
        {{"<=", Relation::less_equal},
         {">=", Relation::greater_equal},
         {"!=", Relation::not_equal},
         {"<", Relation::less},
         {">", Relation::greater},
         {"=", Relation::equal}}};
    std::vector<TextSpan> sides;
    std::vector<Relation> relations;
    std::size_t depth = 0;
    std::size_t begin = p.begin;
    for (std::size_t i = p.begin; i < p.end; ++i) {
      if (is_open(text_[i])) ++depth;
      if (is_close(text_[i])) --depth;
      if (depth != 0) continue;
      for (const auto& [sign, relation] : signs) {
        if (!text_.word_at(i, p, sign)) continue;
        sides.push_back({begin, i});
        relations.push_back(relation);
        begin = i + sign.size();
        i = begin - 1;
        break;
      }
    }
    sides.push_back({begin, p.end});
    if (relations.empty()) fail_at(p, "expected a statement: a property, a predicate, or a comparison");
    Formula result;
    result.kind = Formula::Kind::conjunction;
    result.chain = true;
    result.text = text_.str(p);
    for (std::size_t i = 0; i < relations.size(); ++i) {
      Formula one;
      one.kind = Formula::Kind::comparison;
      one.relation = relations[i];
      one.terms = {terms_.term(sides[i]), terms_.term(sides[i + 1])};
      one.text = text_.str({sides[i].begin, sides[i + 1].end});
      result.parts.push_back(std::move(one));
    }
    return result.parts.size() == 1 ? result.parts.front() : result;
  }

  FormulaText text_;
  TermParser terms_;
  const std::vector<std::string>& families_;
};

}  // namespace

Formula parse_formula(const std::string& text, const std::vector<std::string>& families,
                      const std::vector<std::string>& encodings) {
  return Parser(text, families, encodings).whole();
}

}  // namespace gpe::checks
