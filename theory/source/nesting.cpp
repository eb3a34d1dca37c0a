#include "theory/source/nesting.h"

#include <algorithm>

#include "theory/source/byte_place.h"

namespace gpe::theory {

namespace {

[[noreturn]] void fail_nested(std::string_view text, std::string_view source, std::size_t at) {
  throw error_at_byte(source, text, at, "brackets nested deeper than " + std::to_string(kMaxNested));
}

// Where a string that begins at `at` ends, after its last quote; a string of one line at the latest at the
// line's end.
std::size_t end_of_string(std::string_view text, std::size_t at, bool toml) {
  const char quote = text[at];
  const std::string triple(3, quote);
  const bool lines = toml && text.substr(at, 3) == triple;
  for (std::size_t i = at + (lines ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"')
      ++i;
    else if (lines && text.substr(i, 3) == triple)
      return i + 3;
    else if (!lines && (text[i] == quote || text[i] == '\n'))
      return i + 1;
  }
  return text.size();
}

}  // namespace

void require_shallow_toml(std::string_view text, std::string_view source) {
  int depth = 0;
  int dots = 0;  // since a key can have started
  for (std::size_t i = 0; i < text.size();) {
    switch (text[i]) {
      case '#':
        i = std::min(text.find('\n', i), text.size());
        continue;
      case '"':
      case '\'':
        i = end_of_string(text, i, true);
        continue;
      case '.':
        if (++dots >= kMaxKeyParts)
          throw error_at_byte(source, text, i,
                              "a key of more than " + std::to_string(kMaxKeyParts) + " parts");
        break;
      case '[':
      case '{':
        if (++depth > kMaxNested) fail_nested(text, source, i);
        dots = 0;
        break;
      case ']':
      case '}':
        depth = std::max(0, depth - 1);
        dots = 0;
        break;
      case '=':
      case ',':
      case '\n':
        dots = 0;
        break;
      default:
        break;
    }
    ++i;
  }
}

void require_shallow_json(std::string_view text, std::string_view source) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      i = end_of_string(text, i, false);
      continue;
    }
    if ((text[i] == '[' || text[i] == '{') && ++depth > kMaxNested) fail_nested(text, source, i);
    if (text[i] == ']' || text[i] == '}') depth = std::max(0, depth - 1);
    ++i;
  }
}

}  // namespace gpe::theory
