// The terms of a claim in mathematics mode.
#include "checks/audit/formula_latex.h"

#include <map>

#include "checks/audit/formula_text.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/tokens.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace {

std::string name_latex(const std::string& name) { return "\\claimfn{" + escaped_latex(name) + "}"; }

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

// Powers of ten from 10^9 on without their zeros.
std::string integer_latex(const theory::Rational& value) {
  constexpr std::size_t kZeros = 9;
  const std::string digits = value.str();
  const std::size_t zeros = digits.size() - 1 - digits.find_last_not_of('0');
  const bool is_power = digits.substr(0, digits.size() - zeros) == "1" && zeros >= kZeros;
  return is_power ? "10^{" + std::to_string(zeros) + "}" : digits;
}

std::string number_latex(const theory::Rational& value) {
  const std::string sign = value.sign() < 0 ? "-" : "";
  if (value.is_integer()) return sign + integer_latex(value.abs());
  return decimal_or_fraction(value, sign + "\\tfrac{" + integer_latex(value.numerator().abs()) + "}{" +
                                        integer_latex(value.denominator()) + "}");
}

}  // namespace

std::string expression_latex(const theory::Expr& value) {
  static const std::string name = "\\mathrm{eps}";
  std::string text = theory::to_latex(value, number_latex);
  for (std::size_t i = 0; (i = text.find(name, i)) != std::string::npos;)
    text.replace(i, name.size(), "\\varepsilon");
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
  explicit WrittenTerm(const ClaimTerm& term)
      : term_(term),
        tokens_(
            theory::tokenize(term.written, [](std::size_t begin, std::size_t end, const std::string& text) {
              fail_at({begin, end}, text);
            })) {}

  std::string latex() { return part(); }

 private:
  bool next_is(std::string_view sign) const { return tokens_[at_].text == sign; }
  bool accept(std::string_view sign) {
    const bool is = next_is(sign);
    if (is) ++at_;
    return is;
  }

  // Up to the comma or bracket that ends it.
  std::string part() {
    std::string result;
    bool after_sign = false;
    while (tokens_[at_].kind != Kind::end && !next_is(",") && !next_is(")")) {
      const bool sign = next_is("+") || next_is("-") || next_is("/");
      if (after_sign && accept("-")) {
        result += "(-" + power() + ")";
        after_sign = false;
      } else if (accept("*")) {
        result += tokens_[at_].kind == Kind::number || next_is("-") ? "\\cdot " : "\\,";
        after_sign = true;
      } else {
        result += sign ? value() : power();
        after_sign = sign;
      }
    }
    return result;
  }

  // A value, with its exponent.
  std::string power() {
    const bool divided = at_ > 0 && tokens_[at_ - 1].text == "/", number = tokens_[at_].kind == Kind::number;
    const std::string base = value();
    if (accept("^")) return closed(base) + "^{" + exponent() + "}";
    return divided && number ? closed(base) : base;
  }

  // With brackets where it has an exponent already: 2·10^3, e^x, and a sum.
  static std::string closed(const std::string& base) {
    const bool number = base[0] != '(' && base.find("\\cdot 10^{") != std::string::npos;
    return number || base.starts_with("e^{") || base.starts_with("\\sum") ? "(" + base + ")" : base;
  }

  std::string exponent() {
    if (accept("-")) return "-" + exponent();
    if (accept("+")) return exponent();
    const bool in_brackets = next_is("(");
    const std::string base = value();
    if (accept("^")) return closed(base) + "^{" + exponent() + "}";
    return in_brackets ? base.substr(1, base.size() - 2) : base;
  }

  // A number, a name with its arguments, what is in brackets; else the sign itself.
  std::string value() {
    const theory::Token token = tokens_[at_++];
    const std::string text(token.text);
    if (token.kind == Kind::number) return number(text);
    if (token.kind == Kind::name) return named(text);
    return text == "(" ? "(" + arguments().front() + ")" : text;
  }

  // After the bracket that opens, to behind the one that closes.
  std::vector<std::string> arguments() {
    std::vector<std::string> result;
    do result.push_back(part());
    while (accept(","));
    ++at_;
    return result;
  }

  static std::string number(const std::string& text) {
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string::npos) return text;
    return text.substr(0, e) + "\\cdot 10^{" + text.substr(e + (text[e + 1] == '+' ? 2 : 1)) + "}";
  }

  // A symbol, a quantity, or a function of its arguments.
  std::string named(const std::string& name) {
    if (name.starts_with(kQuantity))
      return quantity_latex(term_.quantities.at(std::stoul(name.substr(kQuantity.size()))));
    if (!next_is("(")) return name == "pi" ? "\\pi " : expression_latex(theory::Expr::symbol(name));
    const std::size_t begin = tokens_[at_++].begin;
    const std::vector<std::string> given = arguments();
    const bool is_short = tokens_[at_ - 1].begin - begin < kShort;
    if (name == "sqrt") return "\\sqrt{" + given[0] + "}";
    if (name == "exp" && is_short) return "e^{" + given[0] + "}";
    if (name == "abs") return "\\lvert " + given[0] + "\\rvert ";
    if (name == "floor") return "\\lfloor " + given[0] + "\\rfloor ";
    if (name == "sum") return "\\sum_{" + given[0] + "=" + given[1] + "}^{" + given[2] + "} " + given[3];
    const bool plain =
        name == "log" || name == "exp" || name == "cos" || name == "sin" || name == "max" || name == "min";
    return (plain ? "\\" + name : name_latex(name)) + "(" + theory::joined(given, ",\\, ") + ")";
  }

  using Kind = theory::Token::Kind;
  static constexpr std::size_t kShort = 20;
  const ClaimTerm& term_;
  std::vector<theory::Token> tokens_;
  std::size_t at_ = 0;
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

std::string quantity_latex(const ClaimQuantity& q) {
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
