#include "checks/report/svg_text.h"

#include <cstdio>

#include "theory/expression/printable.h"

namespace gpe::checks {

std::string svg_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string svg_text(const std::string& text) {
  std::string result;
  for (const char c : theory::printable_lines(text)) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string svg_text_at(double x, double y, const std::string& anchor, const std::string& text,
                        const std::string& more) {
  return "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" text-anchor=\"" + anchor + "\"" +
         more + ">" + svg_text(text) + "</text>\n";
}

}  // namespace gpe::checks
