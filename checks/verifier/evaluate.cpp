#include "checks/verifier/evaluate.h"

#include <algorithm>
#include <cctype>

namespace gpe::verifier {

namespace {

bool in_word(const std::string& text, std::size_t i) {
  return std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_' || text[i] == '$';
}

}  // namespace

Form natural_part(const Form& f) {
  const auto natural = [](const Q& exponent) { return exponent >= 0 && exponent.get_den() == 1; };
  Form result;
  for (const auto& [growth, c] : f.terms)
    for (const auto& [powers, q] : c.terms)
      if (growth == scaled(single(1), growth.at(1)) && natural(growth.at(1)) && q.get_den() == 1 &&
          std::ranges::all_of(powers, [&](const auto& power) {
            return among("n n'", power.first->name) && natural(power.second);
          }))
        result += Form(growth, Constant(powers, q));
  return result;
}

bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if ((at == 0 || !in_word(text, at - 1)) && !in_word(text, at + name.size())) return true;
  return false;
}

bool among(const std::string& list, const std::string& word) {
  return word.find(' ') == std::string::npos &&
         (" " + list + " ").find(" " + word + " ") != std::string::npos;
}

bool is_reserved(const std::string& name) {
  return among("n L d j h heads layer layers pi H B alpha if sum and sqrt log exp abs sin cos floor min max",
               name);
}

bool Evaluator::next(const char* token) {
  const std::string wanted = token;
  if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
  const std::size_t from = at_;
  for (at_ += wanted.size(); at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0;)
    ++at_;
  spend(1 + (at_ - from) / 16);
  return true;
}

void Evaluator::expect(const char* token) {
  if (!next(token))
    throw NotShown("'" + text_.substr(0, 80) + "', character " + std::to_string(at_ + 1) + ": expected " +
                   token);
}

std::string Evaluator::word() {
  std::size_t end = at_;
  while (in_word(text_, end)) ++end;
  const std::string result = text_.substr(at_, end - at_);
  next(result.c_str());
  return result;
}

// 12, 0.125, .5, 1e-6
Q Evaluator::number() {
  std::size_t end = at_;
  const auto digits = [&] {
    std::string result;
    while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end])) != 0)
      result += text_[end++];
    return result.empty() || result.size() > 20000 ? (expect("digits"), result) : result;
  };
  std::string all = text_[end] == '.' ? "0" : digits();
  long exponent = 0;
  if (text_[end] == '.') {
    const std::string fraction = (++end, digits());
    all += fraction;
    exponent = -static_cast<long>(fraction.size());
  }
  if (text_[end] == 'e' || text_[end] == 'E') {
    const bool minus = text_[++end] == '-';
    if (minus || text_[end] == '+') ++end;
    const std::string power = digits();
    if (power.size() > 4) throw NotFollowed("an exponent of more than 4 digits");
    exponent += (minus ? -1 : 1) * std::stol(power);
  }
  next(text_.substr(at_, end - at_).c_str());
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  Q result = exponent < 0 ? Q(mpz_class(all, 10), scale) : Q(mpz_class(all, 10) * scale);
  result.canonicalize();
  return result;
}

std::string Evaluator::relation() {
  for (const char* known : {"<=", ">=", "!=", "==", "<", ">", "="})
    if (next(known)) return known;
  return "";
}

Form Evaluator::operator()(const std::string& text) {
  const auto only = conditions("0 = " + text);
  if (only.size() != 1) throw NotShown("'" + text.substr(0, 80) + "' is a condition");
  return only[0].first * -1;
}

void Evaluator::read(const std::string& text) {
  ++skipped_;
  (*this)(text);
  --skipped_;
}

Q Evaluator::rational(const std::string& text) {
  const Form result = (*this)(text);
  if (!result.constant() || !result.value().constant())
    throw NotShown("'" + text + "' is not a rational number");
  return result.value().value();
}

std::vector<std::pair<Form, std::string>> Evaluator::conditions(const std::string& text, Calculus* cell) {
  const std::string outer = text_;
  const std::size_t outer_at = at_;
  std::vector<std::pair<Form, std::string>> result;
  text_ = text;
  at_ = 0;
  do {
    next("");
    Form left = sum();
    std::string how = relation();
    if (how.empty()) expect("a comparison");
    for (; !how.empty(); how = relation()) {
      const Form right = sum();
      result.emplace_back(left - right, how);
      if (cell != nullptr) cell->assume(left - right, how);
      left = right;
    }
  } while (mentions(text_.substr(at_, 4), "and") && next("and"));
  if (at_ != text_.size()) expect("the end");
  text_ = outer;
  at_ = outer_at;
  return result;
}

Form Evaluator::sum() {
  Form result = product();
  for (bool plus = next("+"); plus || next("-"); plus = next("+"))
    result = plus ? result + product() : result - product();
  return result;
}

Form Evaluator::product() {
  Form result = factor();
  for (bool times = next("*"); times || next("/"); times = next("*")) {
    const Form right = factor();
    if (skipped_ > 0) continue;
    result = calculus.trimmed(result * (times ? right : calculus.power(right, -1)));
    if (!times) result = calculus.narrowed(result);
  }
  return result;
}

Form Evaluator::factor() {
  if (++depth_ > 400) expect("less nesting");
  const bool minus = next("-");
  const bool sign = minus || next("+");
  Form result = sign ? factor() : atom();
  if (minus) result = -result;
  if (!sign && next("^")) {
    const std::size_t begin = at_;
    const Form exponent = factor();
    const bool negative = result.constant() && result.value().constant() && result.value().value() < 0;
    const bool turns = negative && is_whole(text_.substr(begin, at_ - begin));  // (-c)^k = c^k cos(pi k)
    if (skipped_ == 0)
      result = turns ? calculus.power(-result, exponent) * wave(atom_pi() * exponent, false)
                     : calculus.power(result, exponent);
  }
  --depth_;
  return result;
}

Form Evaluator::atom() {
  if (next("(")) {
    const Form result = sum();
    expect(")");
    return result;
  }
  if (at_ < text_.size() && (text_[at_] == '.' || std::isdigit(static_cast<unsigned char>(text_[at_])) != 0))
    return {number()};
  const std::string name = word();
  if (next("(")) {
    Form result;
    if (name == "if")
      result = branch();
    else if (name == "sum" || name == "$largest")
      result = series(name == "$largest");
    else
      result = name == "$with" ? with() : call(name);
    expect(")");
    return result;
  }
  if (name == "pi") return {atom_pi()};
  if (texts.contains(name)) return skipped_ > 0 ? Form() : (*this)(texts.at(name));
  if (name == "H" || !names.contains(name)) expect("a known name before");
  return names.at(name);
}

Form Evaluator::branch() {
  const Form left = sum();
  const std::string how = relation();
  if (how.empty()) expect("a comparison");
  const Form f = left - sum();
  expect(",");
  const bool taken = skipped_ > 0 || calculus.follows(f, how),
             left_out = skipped_ == 0 && !taken && calculus.follows(f, contrary(how));
  skipped_ += left_out;
  const bool open = skipped_ == 0 && !taken && !left_out;
  if (in_parts && open && f.constant() && !any_atom(f.value(), is_unknown)) throw OpenCondition{f, how};
  const Form yes = sum();
  expect(",");
  skipped_ += taken - left_out;
  const Form no = sum();
  skipped_ -= taken;
  if (taken) return yes;
  return left_out ? no : Calculus::between(yes, no);
}

// sum(k, low, high, term), $largest(k, low, high, term)
Form Evaluator::series(bool largest) {
  const std::string variable = word();
  const bool taken = is_reserved(variable) || names.contains(variable) || tables.contains(variable);
  if (variable.empty() || std::isdigit(static_cast<unsigned char>(variable[0])) != 0 || (taken && !largest))
    expect("a new name before");
  expect(",");
  const auto before = names;
  names.erase("n");  // bounds do not mention it
  names.erase("L");
  const Form low = sum();
  expect(",");
  const Form high = sum();
  expect(",");
  const std::size_t body = at_;
  names = before;
  names[variable] = 0;
  spend(names.size());
  ++skipped_;
  sum();
  --skipped_;
  names = before;
  if (skipped_ > 0) return {};
  const std::size_t end = at_;
  if (!low.constant() || !high.constant() || !low.value().constant() || !high.value().constant())
    expect("whole bounds");
  Q k = low.value().value(), top = high.value().value();
  if (k.get_den() != 1 || top.get_den() != 1 || top - k > 20000) expect("whole bounds");
  std::vector<Form> terms;
  for (; k <= top; ++k) {
    names[variable] = k;
    at_ = body;
    terms.push_back(sum());
  }
  names = before;
  at_ = end;
  if (largest) return calculus.largest(terms);
  Form result;
  for (const Form& term : terms) result = calculus.narrowed(calculus.trimmed(result + term));
  return result;
}

// $with(n, value, formula): the formula where n has the value
Form Evaluator::with() {
  const std::string name = word();
  expect(",");
  const Form value = sum();
  if (!names.contains(name)) expect("a known name before");
  const Form before = names.at(name);
  expect(",");
  names[name] = value;
  const Form result = sum();
  names[name] = before;
  return result;
}

// Without whole turns, which integers x do not feel; then known, or only bounded.
Form Evaluator::wave(const Form& angle, bool sine) {
  const Form turn(2 * atom_pi());
  const Form rest = angle - turn * natural_part(angle * calculus.power(turn, -1));
  const Form quarters = rest * calculus.power(turn, -1) * 4;
  if (quarters.constant() && quarters.value().constant() && quarters.value().value().get_den() == 1) {
    const mpz_class k = quarters.value().value().get_num() + (sine ? -1 : 0);  // sin x = cos(x - π/2)
    const mpz_class way = k - 4 * floor(Q(k) / 4);
    if (way % 2 != 0) return Form(0);
    return Form(way == 0 ? 1 : -1);
  }
  const std::string name = (sine ? "sin(" : "cos(") + text(rest) + ")";
  waves[name] = rest;
  return {verifier::atom(Atom::Kind::error, name)};
}

// Whether it is a whole number where n is, as its text shows it: sums and products of such, of floors too.
bool Evaluator::is_whole(const std::string& index) const {
  spend(index.size() / 16);
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] == '/' || index[i] == '.' || index[i] == '^') return false;
    std::size_t end = i;
    while (in_word(index, end)) ++end;
    if (end == i) continue;
    const std::string name = index.substr(i, end - i);
    const bool digits = name.find_first_not_of("0123456789") == std::string::npos, call = index[end] == '(';
    if (name == "floor" && call)
      for (int open = 1; open > 0 && ++end < index.size();) open += (index[end] == '(') - (index[end] == ')');
    const auto value = names.find(name);
    const bool number = value != names.end() && value->second.constant() &&
                        value->second.value().constant() && value->second.value().value().get_den() == 1;
    if (!digits && !(call ? among("floor if min max", name) : number || among("n L", name))) return false;
    i = end - 1;
  }
  return true;
}

// An entry; where the index is only bounded, something between the least and the largest.
Form Evaluator::look_up(const Table& table, const Form& index) {
  const Form from_first = index - table.first;
  const Form from_last = from_first - Q(static_cast<long>(table.values.size()) - 1);
  const bool number = from_first.constant() && from_first.value().constant();
  if (number && from_first.value().value().get_den() != 1) expect("a whole index before");
  if (table.constant && calculus.nonnegative(from_last)) return {table.values.back()};
  if (!calculus.nonnegative(from_first) || (!table.constant && !calculus.nonnegative(-from_last)))
    throw NotFollowed("an index that may lie outside of its table");
  if (number) return {table.values[from_first.value().value().get_num().get_ui()]};
  spend(table.values.size());
  const auto [least, most] = std::ranges::minmax(table.values);
  return Calculus::between(least, most);
}

Form Evaluator::call(const std::string& name) {
  const std::size_t begin = at_;
  std::vector<Form> given = {sum()};
  while (next(",")) given.push_back(sum());
  static const std::map<std::string, std::string> bases = {{"asin", "atan"},        {"acos", "atan"},
                                                           {"erf", "erfc"},         {"gamma", "lgamma"},
                                                           {"factorial", "lgamma"}, {"digamma", "polygamma"}};
  const auto base = bases.find(name);  // what it is written with
  const bool free = !tables.contains(name) && !names.contains(name) &&
                    (base == bases.end() || !names.contains(base->second));
  const bool ordered = name == "polygamma",
             written = free && is_function(name) && given.size() == 1U + ordered;
  if (!tables.contains(name) && !written && !among("sqrt log exp abs sin cos floor min max H $iter", name))
    expect("a known function before");
  if (name == "H" && !names.contains("H")) expect("a known entropy before");
  if (skipped_ > 0) return {};
  Form x = given[0];
  if (written) return ordered ? polygamma(x, given[1]) : written_out(name, x);
  const bool extreme = name == "min" || name == "max";
  if (extreme == (given.size() == 1)) expect("another number of arguments before");
  if (name == "sqrt") return calculus.power(x, Q(1, 2));
  if (name == "log") return calculus.log(x);
  if (name == "exp") return calculus.exp(x);
  if (name == "abs") return calculus.larger(x, -x);
  if (name == "sin" || name == "cos") return wave(x, name == "sin");
  if (name == "floor") return natural_part(x) + calculus.floor(x - natural_part(x));
  if (name == "$iter") {  // log^k(x)
    const bool known =
        x.constant() && x.value().constant() && x.value().value() >= 0 && x.value().value() < 10;
    if (!known || x.value().value().get_den() != 1) expect("a count before");
    return {single(x.value().value().get_num().get_ui() + 1), 1};
  }
  if (name == "H") return names.contains("n") && x == names.at("n") ? names.at("H") : (expect("n itself"), x);
  if (!extreme && !(x.constant() && x.value().constant()) && !is_whole(text_.substr(begin, at_ - begin)))
    expect("a whole index before");
  if (!extreme) return look_up(tables.at(name), x);
  for (const Form& other : given)
    x = name == "max" ? calculus.larger(x, other) : -calculus.larger(-x, -other);
  return x;
}

}  // namespace gpe::verifier
