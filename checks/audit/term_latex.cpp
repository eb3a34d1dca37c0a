#include "checks/audit/formula_latex.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "checks/audit/formula_text.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/text_list.h"

namespace gpe::checks {

namespace {

std::string name_latex(const std::string& name) { return "\\claimfn{" + escaped_latex(name) + "}"; }

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t i = 0; (i = text.find(from, i)) != std::string::npos; i += to.size())
    text.replace(i, from.size(), to);
}

// A fraction that reads better as a decimal: 2.325, not 93/40; but 1/100, 3/256.
std::string decimal_or_fraction(const theory::Rational& value, const std::string& otherwise) {
  constexpr std::size_t kPlaces = 12;
  const theory::Rational denominator = value.denominator();
  const theory::Rational shifted = value * theory::Rational(10).pow(kPlaces);
  const bool binary =
      theory::factor(denominator).size() == 1 && theory::factor(denominator)[0].base == theory::Rational(2);
  if (!shifted.is_integer() || denominator < theory::Rational(20) || binary ||
      value.numerator().abs().is_one())
    return otherwise;
  std::string digits = shifted.abs().str();
  if (digits.size() <= kPlaces) digits.insert(0, kPlaces + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - kPlaces);
  while (fraction.back() == '0') fraction.pop_back();
  return (value.sign() < 0 ? "-" : "") + digits.substr(0, digits.size() - kPlaces) + "." + fraction;
}

}  // namespace

std::string expression_latex(const theory::Expr& value) {
  std::string text = theory::to_latex(value);
  replace_all(text, "\\mathrm{eps}", "\\varepsilon");
  const std::string open = "\\tfrac{";
  for (std::size_t i = 0; (i = text.find(open, i)) != std::string::npos; ++i) {
    const std::size_t middle = text.find("}{", i);
    const std::size_t end = text.find('}', middle + 2);
    const auto numerator = theory::Rational::parse(text.substr(i + open.size(), middle - i - open.size()));
    const auto denominator = theory::Rational::parse(text.substr(middle + 2, end - middle - 2));
    if (!numerator || !denominator) continue;
    const std::string whole = text.substr(i, end + 1 - i);
    text.replace(i, whole.size(), decimal_or_fraction(*numerator / *denominator, whole));
  }
  constexpr int kZeros = 9;
  const std::string zeros(kZeros, '0');
  for (std::size_t i = 0; (i = text.find("1" + zeros, i)) != std::string::npos; ++i) {
    std::size_t end = i + 1;
    while (end < text.size() && text[end] == '0') ++end;
    text.replace(i, end - i, "10^{" + std::to_string(end - i - 1) + "}");
  }
  return text;
}

namespace {

// For an index: 1/16 on one line.
std::string flat_latex(const theory::Expr& value) {
  const theory::Rational* number = value.number();
  return number == nullptr ? expression_latex(value) : decimal_or_fraction(*number, number->str());
}

// Symbols where the field has one.
std::string quantity_name(const std::string& name) {
  static const std::map<std::string, std::string> known = {
      {"Z", "Z"},
      {"H", "H"},
      {"mean", "\\mathrm{E}\\,n"},
      {"Zleast", "Z^{\\min}"},
      {"Zmost", "Z^{\\max}"},
      {"Hleast", "H^{\\min}"},
      {"Hmost", "H^{\\max}"},
      {"bias", "b"},
      {"gain", "f"},
      {"norm", "w"},
      {"var", "\\mathrm{Var}"},
      {"limit", "\\lim"},
      {"limsup", "\\limsup"},
      {"within", "N"},
      {"literal", "N^{\\mathrm{lit}}"},
      {"window", "W"},
  };
  const auto found = known.find(name);
  return found == known.end() ? name_latex(name) : found->second;
}

// A term as it is written, with the operators of mathematics: nothing is multiplied out or turned round.
class WrittenTerm {
 public:
  explicit WrittenTerm(const ClaimTerm& term) : term_(term), text_(term.text) {}

  std::string latex() { return part({0, term_.text.size()}); }

 private:
  std::string part(Piece p) {
    std::string result;
    for (std::size_t i = p.begin; i < p.end;) {
      const char c = text_[i];
      if (is_name_start(c)) {
        result += named(i, p.end);
      } else if (is_digit(c)) {
        result += number(i, p.end);
      } else if (c == '^') {
        ++i;
        result += "^{" + exponent(i, p.end) + "}";
      } else if (c == '*') {
        ++i;
        while (i < p.end && text_[i] == ' ') ++i;
        result += i < p.end && is_digit(text_[i]) ? "\\cdot " : "\\,";
      } else {
        if (c != ' ' && c != '\n') result += c;
        ++i;
      }
    }
    return result;
  }

  static bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

  std::string number(std::size_t& i, std::size_t end) const {
    const std::size_t begin = i;
    while (i < end && (is_digit(text_[i]) || text_[i] == '.')) ++i;
    std::string result = text_.substr(begin, i - begin);
    if (i + 1 >= end || text_[i] != 'e' || !(is_digit(text_[i + 1]) || text_[i + 1] == '-')) return result;
    const std::size_t power = ++i;
    while (i < end && (is_digit(text_[i]) || text_[i] == '-')) ++i;
    return result + "\\cdot 10^{" + text_.substr(power, i - power) + "}";
  }

  std::string exponent(std::size_t& i, std::size_t end) {
    std::string sign;
    while (i < end && (text_[i] == ' ' || text_[i] == '-')) {
      if (text_[i++] == '-') sign = "-";
    }
    if (i < end && text_[i] == '(') {
      const std::size_t close = text_.closing(i);
      const std::string inside = part({i + 1, close});
      i = close + 1;
      return sign + inside;
    }
    return sign + (i < end && is_name_start(text_[i]) ? named(i, end) : number(i, end));
  }

  // A symbol, a quantity, or a function of its arguments.
  std::string named(std::size_t& i, std::size_t end) {
    const std::size_t begin = i;
    while (i < end && is_name_character(text_[i])) ++i;
    const std::string name = text_.substr(begin, i - begin);
    if (i == end || text_[i] != '(')
      return name == "pi" ? "\\pi " : expression_latex(theory::Expr::symbol(name));
    const std::size_t open = i;
    const std::size_t close = text_.closing(open);
    i = close + 1;
    const auto known =
        std::ranges::find_if(quantity_kinds(), [&](const QuantityKind& kind) { return kind.name == name; });
    if (known != quantity_kinds().end()) return quantity_latex(term_.quantities.at(next_++));
    std::vector<std::string> arguments;
    for (const Piece& piece : text_.split({open + 1, close}, ",")) arguments.push_back(part(piece));
    if (name == "sqrt") return "\\sqrt{" + arguments.at(0) + "}";
    if (name == "exp" && close - open < kShort) return "e^{" + arguments.at(0) + "}";
    if (name == "abs") return "\\lvert " + arguments.at(0) + "\\rvert ";
    if (name == "floor") return "\\lfloor " + arguments.at(0) + "\\rfloor ";
    if (name == "sum" && arguments.size() == 4)
      return "\\sum_{" + arguments[0] + "=" + arguments[1] + "}^{" + arguments[2] + "} " + arguments[3];
    const bool plain =
        name == "log" || name == "exp" || name == "cos" || name == "sin" || name == "max" || name == "min";
    return (plain ? "\\" + name : name_latex(name)) + "(" + theory::joined(arguments, ",\\, ") + ")";
  }

  static constexpr std::size_t kShort = 20;
  const ClaimTerm& term_;
  FormulaText text_;
  std::size_t next_ = 0;
};

}  // namespace

std::string encoding_latex(const EncodingName& encoding) {
  std::string text = name_latex(encoding.name);
  if (encoding.name.size() == 1) text = encoding.name;  // a variable
  if (encoding.settings.empty()) return text;
  return text + "_{" +
         theory::joined(encoding.settings, ",\\,",
                        [](const auto& one) {
                          return expression_latex(theory::Expr::symbol(one.first)) + "{=}" +
                                 flat_latex(one.second);
                        }) +
         "}";
}

std::string quantity_latex(const Quantity& q) {
  if (q.name == "choose") return "\\binom{" + term_latex(q.terms[0]) + "}{" + term_latex(q.terms[1]) + "}";
  std::string arguments = q.encoding ? encoding_latex(*q.encoding) : "";
  for (const ClaimTerm& term : q.terms) arguments += (arguments.empty() ? "" : ",\\, ") + term_latex(term);
  for (const std::string& word : q.words) {
    std::string text = escaped_latex(word);
    if (const std::size_t arrow = word.find("<-"); arrow != std::string::npos) {
      text = escaped_latex(word.substr(0, arrow)) + "$\\leftarrow$" + escaped_latex(word.substr(arrow + 2));
    }
    arguments += (arguments.empty() ? "" : ",\\,\\allowbreak ") + ("\\text{" + text + "}");
  }
  return quantity_name(q.name) + "(" + arguments + ")";
}

std::string term_latex(const ClaimTerm& term) { return WrittenTerm(term).latex(); }

}  // namespace gpe::checks
