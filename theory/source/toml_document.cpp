#include "theory/source/toml_document.h"

#include "theory/source/byte_order_mark.h"
#include "theory/source/unquoted_value.h"

namespace gpe::theory {

namespace {

// What the reader of TOML says somewhere, and what to do about it; {} is the name that it quotes.
constexpr std::pair<std::string_view, std::string_view> kAnswers[] = {
    {"cannot redefine", "'{}' is there already; expected each key and each table once"},
    {"control characters", "a text has a character that is not printed"},
    {"escape sequence", "a backslash begins an escape; write it twice, or the text in single quotes"},
    {"table header: expected ']'", "the bracket that closes the name of a table is missing"},
    {"expected '='", "expected '=' between a key and its value"},
    {"expected value", "the value is missing"},
    {"inline table: expected key or closing '}', saw '\\n'", "a table in braces ends on its line, with '}'"},
    {"inline table: expected comma", "expected a comma between two keys, or '}'"},
    {"array", "expected a comma between two values, or ']'"},
    {"expected a comment or whitespace", "expected the end of the line after a value"},
    {"root table", "expected a key, of a-z, 0-9, '_' and '-', or a table, as in [score]"},
};

std::string answer_to_reader(std::string_view said, bool at_end_of_line) {
  const bool string = said.find("string") != std::string_view::npos;
  if (string && (said.find("end-of-file") != std::string_view::npos ||
                 (at_end_of_line && said.find("control characters") != std::string_view::npos)))
    return "the quote that closes a text is missing";
  const std::size_t end = said.rfind('\''), begin = end == 0 ? end : said.rfind('\'', end - 1);
  for (const auto& [theirs, ours] : kAnswers) {
    if (said.find(theirs) == std::string_view::npos) continue;
    const std::size_t hole = ours.find("{}");
    if (hole == std::string_view::npos) return std::string(ours);
    return std::string(ours.substr(0, hole)) + std::string(said.substr(begin + 1, end - begin - 1)) +
           std::string(ours.substr(hole + 2));
  }
  const std::size_t colon = said.find(": ");  // "Error while parsing boolean: …"
  return "not TOML: " + std::string(colon == std::string_view::npos ? said : said.substr(colon + 2));
}

}  // namespace

SpecError toml_error(std::string_view source, std::string_view text, std::size_t line, std::size_t column,
                     std::string_view description) {
  std::string_view rest = without_mark(text);
  for (std::size_t i = 1; i < line; ++i) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  const std::string_view here = rest.substr(0, rest.find('\n'));
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto characters = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::ranges::count_if(here.substr(from, to - from), is_start));
  };
  std::size_t bytes = 0;  // of the line before the column, which counts characters
  for (std::size_t left = column; bytes < here.size(); ++bytes) {
    if (is_start(here[bytes]) && --left == 0) break;
  }
  const Unquoted value = unquoted_value(here, bytes);
  if (value.message.empty())
    return error_at(source, text, line, column, 1, answer_to_reader(description, bytes >= here.size()));
  return error_at(source, text, line, characters(0, value.begin) + 1,
                  std::max<std::size_t>(1, characters(value.begin, value.end)), value.message);
}

}  // namespace gpe::theory
