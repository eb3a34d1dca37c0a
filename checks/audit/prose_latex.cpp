// Sentences and code of a report in LaTeX. Tests: tests/cli/hostile_text.cmake, tests/cli/audit.cmake
#include <algorithm>
#include <cctype>
#include <map>

#include "checks/audit/formula_latex.h"
#include "checks/audit/formula_text.h"

namespace gpe::checks {

namespace {

const std::vector<std::string>& greek_names() {
  static const std::vector<std::string> names = {"alpha", "beta",  "gamma", "delta", "lambda",
                                                 "theta", "sigma", "rho",   "eps"};
  return names;
}

bool is_greek(const std::string& word) {
  return std::ranges::find(greek_names(), word) != greek_names().end();
}

// A letter or name inside mathematics.
std::string word_latex(const std::string& word) {
  if (word == "eps") return "\\varepsilon ";
  if (word == "sum" || word == "log") return "\\" + word + " ";
  if (is_greek(word)) return "\\" + word + " ";
  return word.size() > 2 ? "\\mathrm{" + word + "}" : word;
}

std::string words_latex(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end == i) {
      result += text[i] == '*' ? "\\," : std::string(1, text[i]);
      ++i;
      continue;
    }
    result += word_latex(text.substr(i, end - i));
    i = end;
  }
  return result;
}

struct Scripted {
  std::size_t end;  // where it starts when there is nothing
  std::string latex;
};

// "H_L", "e^-m", "n^(1+eps)", "theta_i": one base with one index or exponent.
Scripted scripted(const std::string& text, std::size_t begin) {
  std::size_t i = begin;
  while (i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0) ++i;
  const std::string base = text.substr(begin, i - begin);
  const bool after_bracket = base.empty() && begin > 0 && text[begin - 1] == ')' && text[i] == '^';
  if ((base.empty() && !after_bracket) || base.size() > 5 || i + 1 >= text.size() ||
      (text[i] != '^' && text[i] != '_'))
    return {begin, ""};
  const char sign = text[i++];
  const bool symbol = base.size() <= 2 || base == "sum" || base == "log" || is_greek(base);
  if (sign == '_' && !symbol) return {begin, ""};  // a name of code
  std::size_t end = i;
  std::string script;
  if (text[i] == '(' || text[i] == '{') {
    for (int depth = 0; end < text.size(); ++end) {
      if (is_open(text[end])) ++depth;
      if (is_close(text[end]) && --depth == 0) break;
    }
    if (end == text.size()) return {begin, ""};
    script = text.substr(i + 1, end - i - 1);
    ++end;
  } else {
    if (text[end] == '-') ++end;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '*'))
      ++end;
    script = text.substr(i, end - i);
  }
  const bool call = end < text.size() && text[end] == '(';  // 2^sqrt(4)
  if (script.empty() || call || script.find_first_of("^_{}\\$&#%") != std::string::npos) return {begin, ""};
  return {end, "$" + word_latex(base) + sign + "{" + words_latex(script) + "}$"};
}

// A Greek letter written out, as a word of its own.
Scripted greek_word(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  const std::string word = text.substr(begin, end - begin);
  if (!is_greek(word)) return {begin, ""};
  return {end, "$" + word_latex(word) + "$"};
}

}  // namespace

std::string prose_latex(const std::string& text) {
  static const std::vector<std::pair<std::string, std::string>> signs = {{"<=>", "$\\Leftrightarrow$"},
                                                                         {"=>", "$\\Rightarrow$"},
                                                                         {"<=", "$\\le$"},
                                                                         {">=", "$\\ge$"},
                                                                         {"->", "$\\to$"},
                                                                         {"~", "$\\sim$"},
                                                                         {"|", "$|$"},
                                                                         {"<", "$<$"},
                                                                         {">", "$>$"}};
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool starts = i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0;
    Scripted found = starts ? scripted(text, i) : Scripted{i, ""};
    if (found.end == i && starts) found = greek_word(text, i);
    if (found.end > i) {
      result += found.latex;
      i = found.end;
      continue;
    }
    const auto sign = std::ranges::find_if(
        signs, [&](const auto& one) { return text.compare(i, one.first.size(), one.first) == 0; });
    if (sign != signs.end()) {
      result += sign->second;
      i += sign->first.size();
      continue;
    }
    std::size_t length = 1;  // whole characters
    while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xC0U) == 0x80U)
      ++length;
    result += escaped_latex(text.substr(i, length));
    i += length;
  }
  return result;
}

std::string code_latex(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += escaped_latex(std::string(1, c));
    if (c == ',' || c == '(' || c == '/') result += "\\allowbreak{}";
  }
  return "\\texttt{" + result + "}";
}

}  // namespace gpe::checks
