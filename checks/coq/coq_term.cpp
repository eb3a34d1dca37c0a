#include "checks/coq/coq_term.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "theory/expression/any_part.h"
#include "theory/source/table.h"

namespace gpe::checks {

using namespace theory::node;
using theory::Expr;
using theory::Function;
using theory::Rational;
using theory::Relation;

bool is_product(const Pow& power) {
  const Rational* exponent = power.exponent.number();
  return exponent != nullptr && exponent->is_integer() && exponent->abs() <= Rational(64);
}

namespace {

// As tightly as Coq's own levels: sums 50, products 40, signs 35, powers 30.
enum Precedence { kSum, kProduct, kSign, kPower, kWord };

struct Printed {
  std::string text;
  Precedence precedence;
};

Printed print(const Expr& e);

std::string at_least(const Expr& e, Precedence needed) {
  Printed printed = print(e);
  return printed.precedence >= needed ? printed.text : "(" + printed.text + ")";
}

Printed applied(const std::string& function, const std::vector<Expr>& arguments) {
  std::string text = function;
  for (const Expr& argument : arguments) text += " " + at_least(argument, kWord);
  return {text, kPower};
}

Printed print_number(const Rational& value) {
  if (value.sign() < 0) return {"- " + at_least(Expr(-value), kPower), kSign};
  if (value.is_integer()) return {value.str(), kWord};
  return {value.numerator().str() + " / " + value.denominator().str(), kProduct};
}

Printed print_sum(const Add& sum) {
  std::string text = at_least(sum.terms.front(), kProduct);
  for (std::size_t i = 1; i < sum.terms.size(); ++i) {
    const Expr& term = sum.terms[i];
    text +=
        is_negated(term) ? " - " + at_least(without_sign(term), kProduct) : " + " + at_least(term, kProduct);
  }
  return {text, kSum};
}

bool is_reciprocal(const Expr& e) {
  const auto* power = e.as<Pow>();
  return power != nullptr && power->exponent.is_number(-1);
}

Printed print_product(const Mul& product) {
  const auto& factors = product.factors;
  const bool negated = factors.front().is_number(-1);
  const std::size_t first = negated ? 1 : 0;
  std::string text = negated ? "- " + at_least(factors[1], kPower) : at_least(factors[0], kProduct);
  for (std::size_t i = first + 1; i < factors.size(); ++i)
    text += is_reciprocal(factors[i]) ? " / " + at_least(factors[i].as<Pow>()->base, kSign)
                                      : " * " + at_least(factors[i], kSign);
  return {text, negated && factors.size() == 2 ? kSign : kProduct};
}

Printed print_power(const Pow& power) {
  if (const Rational* exponent = power.exponent.number()) {
    if (is_product(power)) {
      if (exponent->sign() < 0)
        return {"/ " + at_least(theory::pow(power.base, Expr(-*exponent)), kPower), kSign};
      return {at_least(power.base, kWord) + " ^ " + exponent->str(), kPower};
    }
    if (*exponent == Rational(1, 2)) return applied("sqrt", {power.base});
  }
  return applied("power", {power.base, power.exponent});
}

Printed print_call(const Call& call) {
  static constexpr std::array<std::pair<Function, const char*>, 8> names = {{{Function::log, "ln"},
                                                                             {Function::exp, "exp"},
                                                                             {Function::abs, "Rabs"},
                                                                             {Function::min, "Rmin"},
                                                                             {Function::max, "Rmax"},
                                                                             {Function::floor, "floor"},
                                                                             {Function::sin, "sin"},
                                                                             {Function::cos, "cos"}}};
  if (theory::is_special(call.function)) throw NotExported(std::string(name_of(call.function)));
  const char* name = std::ranges::find(names, call.function, [](const auto& p) { return p.first; })->second;
  Printed result = applied(name, {call.arguments.front()});
  if (call.arguments.size() > 1) {
    result = applied(name, {call.arguments[0], call.arguments[1]});
    for (std::size_t i = 2; i < call.arguments.size(); ++i)
      result = {std::string(name) + " (" + result.text + ") " + at_least(call.arguments[i], kWord), kPower};
  }
  return result;
}

Printed print_if(const If& branch) {
  std::string decided, then = at_least(branch.then, kSum), otherwise = at_least(branch.otherwise, kSum);
  const std::string left = at_least(branch.left, kWord), right = at_least(branch.right, kWord);
  using enum Relation;
  switch (branch.relation) {
    case less:
      decided = "Rlt_dec " + left + " " + right;
      break;
    case less_equal:
      decided = "Rle_dec " + left + " " + right;
      break;
    case greater:
      decided = "Rlt_dec " + right + " " + left;
      break;
    case greater_equal:
      decided = "Rle_dec " + right + " " + left;
      break;
    case equal:
      decided = "Req_EM_T " + left + " " + right;
      break;
    case not_equal:
      decided = "Req_EM_T " + left + " " + right;
      std::swap(then, otherwise);
  }
  return {"(if " + decided + " then " + then + " else " + otherwise + ")", kWord};
}

// sum(k, 3, 7, u(k)) is the sum of u(INR k + 3) for k = 0 ... 4.
Printed print_finite_sum(const Sum& sum) {
  const Rational *low = sum.low.number(), *high = sum.high.number();
  if (low == nullptr || high == nullptr || *high < *low) throw NotExported("a sum with open bounds");
  const std::string name = coq_name(sum.variable);
  const Expr index = Expr::symbol("INR " + name);  // printed as it stands
  const Expr shifted = low->is_zero() ? index : Expr::raw(Add{{index, sum.low}});
  return {"sum_f_R0 (fun " + name + " => " + coq_term(theory::substitute(sum.body, sum.variable, shifted)) +
              ") " + (*high - *low).str(),
          kPower};
}

Printed print(const Expr& e) {
  if (const Rational* number = e.number()) return print_number(*number);
  if (const auto* symbol = e.as<Symbol>()) {
    if (symbol->name == "n" || symbol->name == "L" || symbol->name == "j")
      return {"INR " + symbol->name, kPower};
    if (symbol->name.find(' ') != std::string::npos) return {symbol->name, kPower};  // a term of Coq already
    return {coq_name(symbol->name), kWord};
  }
  if (e.as<Pi>() != nullptr) return {"PI", kWord};
  if (const auto* sum = e.as<Add>()) return print_sum(*sum);
  if (const auto* product = e.as<Mul>()) return print_product(*product);
  if (const auto* power = e.as<Pow>()) return print_power(*power);
  if (const auto* call = e.as<Call>()) return print_call(*call);
  if (const auto* branch = e.as<If>()) return print_if(*branch);
  if (const auto* sum = e.as<Sum>()) return print_finite_sum(*sum);
  if (const auto* entry = e.as<TableAt>()) return applied(coq_name(entry->table->name), {entry->index});
  throw NotExported("H(n)");
}

}  // namespace

std::string coq_condition(const theory::Condition& condition) {
  std::string relation(symbol_of(condition.relation));
  if (condition.relation == Relation::not_equal) relation = "<>";
  if (condition.relation == Relation::equal) relation = "=";
  return coq_term(condition.left) + " " + relation + " " + coq_term(condition.right);
}

namespace {

bool is_choice(const Expr& e) {
  const auto* call = e.as<Call>();
  return call != nullptr && (call->function == Function::min || call->function == Function::max);
}

bool is_wave_of_n(const Expr& e) {
  const auto* call = e.as<Call>();
  return call != nullptr && (call->function == Function::sin || call->function == Function::cos) &&
         theory::varies(e);
}

bool is_power_of_n(const Expr& e) {  // of a parameter, as a^(-n)
  const auto* power = e.as<Pow>();
  return power != nullptr && theory::varies(power->exponent) && power->base.number() == nullptr;
}

}  // namespace

void require_plain_size(const Expr& gain) {
  theory::rewrite(gain, [](const Expr& part) {
    const auto* call = part.as<Call>();
    if (is_wave_of_n(part) && coq_term(call->arguments.front()).find("PI") == std::string::npos)
      throw NotExported("a gain with sin or cos");
    if (call != nullptr && call->function == Function::exp && theory::any_part(part, is_choice))
      throw NotExported("a gain with a choice in an exponent");
    if (part.as<Add>() != nullptr && theory::any_part(part, is_power_of_n))
      throw NotExported("a gain in which a power of n stands in a sum");
    return part;
  });
}

void require_still_size(const Expr& gain) {
  if (theory::any_part(gain, is_wave_of_n))
    throw NotExported("a gain that is constant by algebra, which Coq's tactics do not see");
}

void require_plain_fall(const Expr& bias) {
  static constexpr std::array<std::string_view, 3> falls = {"INR n", "ln (1 + INR n)", "sqrt (INR n)"};
  const auto* sum = bias.as<Add>();
  bool alike = sum != nullptr && sum->terms.size() == falls.size();
  for (std::size_t i = 0; alike && i < falls.size(); ++i) {
    const Expr size = is_negated(sum->terms[i]) ? without_sign(sum->terms[i]) : Expr(0);
    const auto* product = size.as<Mul>();
    alike = product != nullptr && product->factors.size() == 2 && !theory::varies(product->factors[0]) &&
            coq_term(product->factors[1]) == falls[i];
  }
  if (!alike) throw NotExported("turns by the entropy of a bias that is not like that of APE");
}

bool is_negated(const Expr& e) {
  if (const Rational* number = e.number()) return number->sign() < 0;
  const auto* product = e.as<Mul>();
  const Rational* lead = product == nullptr ? nullptr : product->factors.front().number();
  return lead != nullptr && lead->sign() < 0;
}

Expr without_sign(const Expr& e) {
  if (const Rational* number = e.number()) return Expr(-*number);
  std::vector<Expr> factors = e.as<Mul>()->factors;
  const Rational lead = -*factors.front().number();
  if (!lead.is_one()) {
    factors.front() = Expr(lead);
  } else {
    factors.erase(factors.begin());
    if (factors.size() == 1) return factors.front();
  }
  return Expr::raw(Mul{std::move(factors)});
}

std::string coq_term(const Expr& expression) { return print(expression).text; }
std::string coq_argument(const Expr& expression) { return at_least(expression, kWord); }

std::string word_of(const std::string& name) {
  std::string text;
  for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
}

std::string coq_name(const std::string& parameter) {
  static constexpr std::array<std::string_view, 79> taken = {
      "as",         "at",        "cofix",    "else",     "end",      "exists",   "exists2",  "fix",
      "for",        "forall",    "fun",      "if",       "in",       "let",      "match",    "mod",
      "return",     "then",      "using",    "where",    "with",     "Prop",     "SProp",    "Set",
      "Type",       "INR",       "IZR",      "PI",       "R",        "Rabs",     "Rmax",     "Rmin",
      "Rlt_dec",    "Rle_dec",   "Req_EM_T", "cos",      "exp",      "floor",    "identity", "ln",
      "n",          "L",         "j",        "plain",    "power",    "rotation", "sin",      "sqrt",
      "sum_f_R0",   "windowed",  "True",     "False",    "not",      "iter",     "table",    "large",
      "logs",       "last",      "width",    "gain",     "bias",     "nat",      "H",        "list",
      "both_sides", "both_ways", "gates",    "query",    "gated",    "within",   "holds",    "every",
      "contents",   "content",   "capped",   "Z_finite", "H_finite", "tanh",     "tending"};
  // those of hypotheses are the names that an export gives to its own
  static constexpr std::array<std::string_view, 5> hypotheses = {"domain_", "split_", "width_", "B_",
                                                                 "capped_"};
  const bool hides =
      std::ranges::any_of(hypotheses, [&](std::string_view name) { return parameter.starts_with(name); });
  const bool free = std::ranges::find(taken, parameter) == taken.end() && !hides && !parameter.ends_with("_");
  return free ? parameter : parameter + "_";
}

}  // namespace gpe::checks
