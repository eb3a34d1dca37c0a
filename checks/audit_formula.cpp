#include "checks/audit_formula.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "checks/encoding_library.h"
#include "theory/property.h"

namespace gpe::checks {

using theory::Expr;
using theory::ParseError;
using theory::Relation;

const std::vector<QuantityKind>& quantity_kinds() {
  static const std::vector<QuantityKind> kinds = {
      {"Z", "et?", false},
      {"H", "et?", false},
      {"mean", "et?", false},
      {"Zleast", "et", false},
      {"Zmost", "et", false},
      {"Hleast", "ett?", false},
      {"Hmost", "ett?", false},
      {"bias", "et?", false},
      {"gain", "et?", false},
      {"norm", "et?", false},
      {"parameter", "ew", false},
      {"var", "ett?", false},
      {"P", "ett?t?", false},
      {"within", "et", false},
      {"literal", "et", false},
      {"window", "ett", false},
      {"reach", "ett", false},
      {"selfreach", "ett", false},
      {"growth", "e", false},
      {"limit", "t", false},
      {"limsup", "t", false},
      {"sphere_tail", "tt", false},
      {"sphere_moment", "tt", false},
      {"choose", "tt", false},
      {"measured", "w+", false},
      {"summable", "t", true},
      {"bounded_above", "t", true},
      {"defined", "t", true},
      {"fits", "e", true},
      {"agree", "ttt", true},
      {"acyclic", "w+", true},
  };
  return kinds;
}

const Quantity* ClaimTerm::single() const {
  const auto* symbol = skeleton.as<theory::node::Symbol>();
  return symbol != nullptr && symbol->name == "_q0" && quantities.size() == 1 ? quantities.data() : nullptr;
}

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_word(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

const std::vector<std::string>& property_names() {
  static const std::vector<std::string> names = {"cn", "eb", "ldcp", "gps"};
  return names;
}

// A piece [begin, end) of the whole text; splitting keeps the places for messages.
class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& families,
         const std::vector<std::string>& encodings)
      : text_(text), families_(families), encodings_(encodings) {
    std::ranges::replace_if(
        text_, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (is_open(text_[i])) ++depth;
      if (is_close(text_[i]) && depth-- == 0)
        throw ParseError(i, i + 1, "a closing bracket without an opening one");
    }
    if (depth != 0) throw ParseError(text_.size(), text_.size(), "expected a closing bracket");
  }

  Formula whole() { return formula({0, text_.size()}); }

 private:
  struct Piece {
    std::size_t begin;
    std::size_t end;
  };

  static bool is_open(char c) { return c == '(' || c == '{'; }
  static bool is_close(char c) { return c == ')' || c == '}'; }

  Piece trimmed(Piece p) const {
    while (p.begin < p.end && text_[p.begin] == ' ') ++p.begin;
    while (p.end > p.begin && text_[p.end - 1] == ' ') --p.end;
    return p;
  }
  std::string str(Piece p) const {  // with single spaces
    p = trimmed(p);
    std::string result;
    for (std::size_t i = p.begin; i < p.end; ++i) {
      if (text_[i] != ' ' || result.back() != ' ') result += text_[i];
    }
    return result;
  }
  std::string_view view(Piece p) const { return std::string_view(text_).substr(p.begin, p.end - p.begin); }
  [[noreturn]] static void fail(Piece p, const std::string& message) {
    throw ParseError(p.begin, std::max(p.end, p.begin + 1), message);
  }

  bool word_at(std::size_t i, Piece p, std::string_view word) const {
    if (i + word.size() > p.end || text_.compare(i, word.size(), word) != 0) return false;
    if (!is_letter(word.front())) return true;
    return (i == p.begin || !is_word(text_[i - 1])) &&
           (i + word.size() == p.end || !is_word(text_[i + word.size()]));
  }
  static std::size_t after(std::size_t i, std::string_view word) { return i + word.size(); }

  // The places of `separator` outside brackets and outside the body of a quantifier.
  std::vector<Piece> split(Piece p, std::string_view separator) const {
    std::vector<Piece> pieces;
    std::size_t depth = 0;
    std::size_t begin = p.begin;
    for (std::size_t i = p.begin; i < p.end; ++i) {
      if (is_open(text_[i])) ++depth;
      if (is_close(text_[i])) --depth;
      if (depth != 0) continue;
      if (word_at(i, p, "for") && is_letter(separator.front())) break;
      if (!is_letter(separator.front()) && separator != ":" && separator != "," && word_at(i, p, "for"))
        break;
      if (!word_at(i, p, separator)) continue;
      if (separator == "=>" && i > p.begin && text_[i - 1] == '<') continue;
      pieces.push_back({begin, i});
      begin = after(i, separator);
      i = begin - 1;
    }
    pieces.push_back({begin, p.end});
    return pieces;
  }

  Formula formula(Piece p) {
    p = trimmed(p);
    if (p.begin == p.end) fail(p, "expected a statement");
    if (word_at(p.begin, p, "for")) return quantified(p);
    if (auto found = binary(p, "<=>", Formula::Kind::equivalence)) return *found;
    if (auto found = binary(p, "=>", Formula::Kind::implication)) return *found;
    if (auto found = several(p, "or", Formula::Kind::disjunction)) return *found;
    if (auto found = several(p, "and", Formula::Kind::conjunction)) return *found;
    Formula result;
    result.text = str(p);
    if (word_at(p.begin, p, "not")) {
      result.kind = Formula::Kind::negation;
      result.parts.push_back(formula({p.begin + 3, p.end}));
      return result;
    }
    if (text_[p.begin] == '(' && closing(p.begin) == p.end - 1 && !is_term({p.begin + 1, p.end - 1}))
      return formula({p.begin + 1, p.end - 1});
    return atom(p);
  }

  // A bracket around a statement, or around part of a term?
  bool is_term(Piece p) const {
    for (const std::string_view sign : {"<", ">", "=", ":"}) {
      if (split(p, sign).size() > 1) return false;
    }
    for (const std::string_view word : {"and", "or", "not", "for"}) {
      for (std::size_t i = p.begin; i < p.end; ++i) {
        if (word_at(i, p, word)) return false;
      }
    }
    p = trimmed(p);
    std::size_t i = p.begin;
    while (i < p.end && is_letter(text_[i])) ++i;
    const std::string name = text_.substr(p.begin, i - p.begin);
    const bool property = std::ranges::find(property_names(), name) != property_names().end();
    return !property && !std::ranges::any_of(quantity_kinds(), [&](const QuantityKind& kind) {
      return kind.predicate && kind.name == name;
    });
  }

  std::optional<Formula> binary(Piece p, std::string_view sign, Formula::Kind kind) {
    const std::vector<Piece> pieces = split(p, sign);
    if (pieces.size() == 1) return std::nullopt;
    Formula result;
    result.kind = kind;
    result.text = str(p);
    result.parts = {formula(pieces[0]), formula({pieces[1].begin, p.end})};
    return result;
  }

  std::optional<Formula> several(Piece p, std::string_view word, Formula::Kind kind) {
    const std::vector<Piece> pieces = split(p, word);
    if (pieces.size() == 1) return std::nullopt;
    Formula result;
    result.kind = kind;
    result.text = str(p);
    for (const Piece& piece : pieces) result.parts.push_back(formula(piece));
    return result;
  }

  std::size_t closing(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t i = open;; ++i) {
      if (is_open(text_[i])) ++depth;
      if (is_close(text_[i]) && --depth == 0) return i;
    }
  }

  Formula quantified(Piece p) {
    static const std::array<std::pair<std::string_view, Formula::Kind>, 3> kinds = {
        {{"all", Formula::Kind::for_all},
         {"some", Formula::Kind::for_some},
         {"which", Formula::Kind::for_which}}};
    Formula result;
    result.text = str(p);
    Piece rest = trimmed({p.begin + 3, p.end});
    const auto* const found =
        std::ranges::find_if(kinds, [&](const auto& kind) { return word_at(rest.begin, rest, kind.first); });
    if (found == kinds.end()) fail(rest, "expected 'for all', 'for some' or 'for which'");
    result.kind = found->second;
    rest.begin = after(rest.begin, found->first);
    const std::vector<Piece> parts = split(rest, ":");
    if (parts.size() < 2) fail(p, "expected ':' between the variables and the statement about them");
    const std::vector<std::string> outer = numbers_;
    const std::vector<std::string> outer_encodings = bound_;
    for (const Piece& piece : split(parts[0], ",")) result.bindings.push_back(binding(trimmed(piece)));
    result.parts.push_back(formula({parts[1].begin, p.end}));
    numbers_ = outer;
    bound_ = outer_encodings;
    return result;
  }

  Binding binding(Piece p) {
    Binding result;
    std::size_t i = p.begin;
    while (i < p.end && is_word(text_[i])) ++i;
    Piece rest = trimmed({i, p.end});
    if (i > p.begin && word_at(rest.begin, rest, "in")) {
      result.name = text_.substr(p.begin, i - p.begin);
      check_new(result.name, p);
      rest = trimmed({rest.begin + 2, rest.end});
      if (rest.begin < rest.end && text_[rest.begin] == '{') {
        result.range = Binding::Range::list;
        for (const Piece& piece : split({rest.begin + 1, rest.end - 1}, ","))
          result.list.push_back(expression(piece));
      } else if (const std::size_t dots = text_.find("..", rest.begin); dots < rest.end) {
        result.range = Binding::Range::integers;
        result.low = whole_number({rest.begin, dots});
        if (trimmed({dots + 2, rest.end}).begin < rest.end) result.high = whole_number({dots + 2, rest.end});
      } else {
        result.range = Binding::Range::encodings;
        result.family = str(rest);
        if (result.family != "library" && std::ranges::find(families_, result.family) == families_.end()) {
          const std::string nearest = theory::nearest_name(result.family, families_);
          fail(rest, "unknown family '" + result.family + "'" +
                         (nearest.empty() ? "; expected 'library' or one under [families]"
                                          : "; did you mean '" + nearest + "'?"));
        }
        bound_.push_back(result.name);
        return result;
      }
      numbers_.push_back(result.name);
      return result;
    }
    // "0 < m <= 1": the first name that is new
    std::vector<std::string> candidates;
    for (i = p.begin; i < p.end;) {
      if (!is_letter(text_[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < p.end && is_word(text_[end])) ++end;
      const std::string name = text_.substr(i, end - i);
      if (std::ranges::find(numbers_, name) == numbers_.end() && (end == p.end || text_[end] != '(') &&
          name != "pi")
        candidates.push_back(name);
      i = end;
    }
    if (candidates.empty())
      fail(p, "expected a new name with a condition ('m > 0') or a range ('n in 1..6')");
    result.name = candidates.front();
    check_new(result.name, p);
    numbers_.push_back(result.name);
    if (str(p) == result.name) return result;  // any real number
    try {
      result.conditions = theory::parse_conditions(view(p), number_scope());
    } catch (const ParseError& error) {
      throw ParseError(p.begin + error.begin, p.begin + error.end, error.what());
    }
    return result;
  }

  void check_new(const std::string& name, Piece p) const {
    if (name == "n") fail(p, "'n' is the distance inside bias(…) and limit(…); choose another name");
    if (std::ranges::find(numbers_, name) != numbers_.end() ||
        std::ranges::find(bound_, name) != bound_.end())
      fail(p, "'" + name + "' is bound twice");
  }

  theory::NameScope number_scope() const {
    theory::NameScope scope;
    scope.names = numbers_;
    return scope;
  }
  std::int64_t whole_number(Piece p) {
    const Expr value = expression(p);
    const auto whole = value.number() == nullptr ? std::nullopt : value.number()->to_int64();
    if (!whole) fail(p, "expected a whole number");
    return *whole;
  }
  Expr expression(Piece p) {
    p = trimmed(p);
    try {
      return theory::parse_expression(view(p), number_scope());
    } catch (const ParseError& error) {
      throw ParseError(p.begin + error.begin, p.begin + error.end, error.what());
    }
  }

  Formula atom(Piece p) {
    Formula result;
    result.text = str(p);
    std::size_t i = p.begin;
    while (i < p.end && is_letter(text_[i])) ++i;
    const std::string name = text_.substr(p.begin, i - p.begin);
    if (std::ranges::find(property_names(), name) != property_names().end()) return property(p, name, i);
    const auto kind =
        std::ranges::find_if(quantity_kinds(), [&](const QuantityKind& k) { return k.name == name; });
    if (kind != quantity_kinds().end() && kind->predicate) {
      if (i >= p.end || text_[i] != '(' || closing(i) != p.end - 1) fail(p, "expected " + name + "(…)");
      result.kind = Formula::Kind::predicate;
      result.quantity = quantity(name, p, {i + 1, p.end - 1});
      return result;
    }
    return comparison(p);
  }

  Formula property(Piece p, const std::string& name, std::size_t i) {
    Formula result;
    result.kind = Formula::Kind::property;
    result.text = str(p);
    const std::size_t open = text_.find('(', i);
    if (open >= p.end || closing(open) != p.end - 1)
      fail(p, "expected " + name + "(ENCODING) or " + name + "=READING(ENCODING)");
    static const std::vector<std::string_view> defaults = {"every-content", "limit", "weight", "vector"};
    const auto index = std::ranges::find(property_names(), name) - property_names().begin();
    std::string reading(defaults[static_cast<std::size_t>(index)]);
    if (text_[i] == '=') reading = str({i + 1, open});
    const auto which = static_cast<theory::Property>(index);
    if (theory::find_reading(which, reading) == nullptr) {
      std::string known;
      for (const theory::Reading& one : theory::readings()) {
        if (one.property == which) known += (known.empty() ? "" : ", ") + std::string(one.name);
      }
      fail({i, open}, "unknown reading '" + reading + "' of " + name + "; expected one of: " + known);
    }
    const std::vector<Piece> arguments = split({open + 1, p.end - 1}, ",");
    result.quantity = quantity_of("et?", name, p, arguments);
    result.quantity.words = {reading};
    return result;
  }

  Formula comparison(Piece p) {
    static const std::array<std::pair<std::string_view, Relation>, 6> signs = {
        {{"<=", Relation::less_equal},
         {">=", Relation::greater_equal},
         {"!=", Relation::not_equal},
         {"<", Relation::less},
         {">", Relation::greater},
         {"=", Relation::equal}}};
    std::vector<Piece> sides;
    std::vector<Relation> relations;
    std::size_t depth = 0;
    std::size_t begin = p.begin;
    for (std::size_t i = p.begin; i < p.end; ++i) {
      if (is_open(text_[i])) ++depth;
      if (is_close(text_[i])) --depth;
      if (depth != 0) continue;
      for (const auto& [sign, relation] : signs) {
        if (!word_at(i, p, sign)) continue;
        sides.push_back({begin, i});
        relations.push_back(relation);
        begin = after(i, sign);
        i = begin - 1;
        break;
      }
    }
    sides.push_back({begin, p.end});
    if (relations.empty()) fail(p, "expected a statement: a property, a predicate, or a comparison");
    Formula result;
    result.kind = Formula::Kind::conjunction;
    result.chain = true;
    result.text = str(p);
    for (std::size_t i = 0; i < relations.size(); ++i) {
      Formula one;
      one.kind = Formula::Kind::comparison;
      one.relation = relations[i];
      one.terms = {term(sides[i]), term(sides[i + 1])};
      one.text = str({sides[i].begin, sides[i + 1].end});
      result.parts.push_back(std::move(one));
    }
    return result.parts.size() == 1 ? result.parts.front() : result;
  }

  // The text with every quantity replaced by its symbol goes to the expression parser.
  ClaimTerm term(Piece p) {
    p = trimmed(p);
    ClaimTerm result;
    result.text = str(p);
    std::string skeleton;
    std::vector<std::size_t> place;  // of each character of the skeleton
    for (std::size_t i = p.begin; i < p.end;) {
      if (!is_letter(text_[i]) || (i > p.begin && is_word(text_[i - 1]))) {
        place.push_back(i);
        skeleton += text_[i++];
        continue;
      }
      std::size_t end = i;
      while (end < p.end && is_word(text_[end])) ++end;
      const std::string name = text_.substr(i, end - i);
      const auto kind =
          std::ranges::find_if(quantity_kinds(), [&](const QuantityKind& k) { return k.name == name; });
      const bool is_quantity = end < p.end && text_[end] == '(' && kind != quantity_kinds().end();
      if (is_quantity && kind->predicate) fail({i, end}, name + " is a statement, not a number");
      std::string replacement = name;
      if (is_quantity) {
        const std::size_t close = closing(end);
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
    for (std::size_t i = 0; i < result.quantities.size(); ++i)
      scope.names.push_back("_q" + std::to_string(i));
    try {
      result.skeleton = theory::parse_expression(skeleton, scope);
    } catch (const ParseError& error) {
      throw ParseError(place[std::min(error.begin, place.size() - 1)],
                       place[std::min(error.end, place.size() - 1)], error.what());
    }
    return result;
  }

  Quantity quantity(const std::string& name, Piece whole, Piece inside) {
    const auto kind =
        std::ranges::find_if(quantity_kinds(), [&](const QuantityKind& k) { return k.name == name; });
    return quantity_of(kind->takes, name, whole, split(inside, ","));
  }

  Quantity quantity_of(std::string_view takes, const std::string& name, Piece whole,
                       const std::vector<Piece>& arguments) {
    Quantity result;
    result.name = name;
    result.text = str(whole);
    std::size_t next = 0;
    for (std::size_t i = 0; i < takes.size(); ++i) {
      const char type = takes[i];
      const char how = i + 1 < takes.size() ? takes[i + 1] : ' ';
      if (how == '?' || how == '+') ++i;
      if (next == arguments.size()) {
        if (how == '?') continue;
        fail(whole, name + ": too few arguments");
      }
      do {
        const Piece argument = trimmed(arguments[next++]);
        if (argument.begin == argument.end) fail(whole, name + ": an argument is empty");
        if (type == 'e') result.encoding = encoding(argument);
        if (type == 't') result.terms.push_back(term(argument));
        if (type == 'w') result.words.push_back(str(argument));
      } while (how == '+' && next < arguments.size());
    }
    if (next != arguments.size()) fail(arguments[next], name + ": too many arguments");
    return result;
  }

  EncodingName encoding(Piece p) {
    EncodingName result;
    result.text = str(p);
    std::size_t end = p.begin;
    while (end < p.end && text_[end] != '(') ++end;
    result.name = str({p.begin, end});
    const bool bound = std::ranges::find(bound_, result.name) != bound_.end();
    if (!bound && std::ranges::find(encodings_, result.name) == encodings_.end()) {
      std::vector<std::string> known = library_names();
      if (std::ranges::find(known, result.name) == known.end()) {
        known.insert(known.end(), bound_.begin(), bound_.end());
        known.insert(known.end(), encodings_.begin(), encodings_.end());
        const std::string nearest = theory::nearest_name(result.name, known);
        fail({p.begin, end}, "unknown encoding '" + result.name + "'" +
                                 (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
      }
    }
    if (end == p.end) return result;
    if (bound) fail(p, "'" + result.name + "' is bound: it takes no settings");
    if (closing(end) != p.end - 1) fail(p, "expected ENCODING(NAME=VALUE, …)");
    for (const Piece& piece : split({end + 1, p.end - 1}, ",")) {
      const std::vector<Piece> sides = split(piece, "=");
      if (sides.size() != 2) fail(piece, "expected NAME=VALUE");
      result.settings.emplace_back(str(sides[0]), expression(sides[1]));
    }
    return result;
  }

  std::string text_;
  const std::vector<std::string>& families_;
  const std::vector<std::string>& encodings_;
  std::vector<std::string> numbers_;
  std::vector<std::string> bound_;
};

}  // namespace

Formula parse_formula(const std::string& text, const std::vector<std::string>& families,
                      const std::vector<std::string>& encodings) {
  return Parser(text, families, encodings).whole();
}

}  // namespace gpe::checks
