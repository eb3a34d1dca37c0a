#include "checks/configs/encoding_text.h"
// Tests: tests/cli/configs.cmake
#include <algorithm>

#include "theory/source/printable.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace {

using theory::quoted_toml;

std::string list_of(const std::vector<std::string>& values) {
  std::string result = "[";
  for (const std::string& value : values) result += (result.size() > 1 ? ", " : "") + quoted_toml(value);
  return result + "]";
}

std::string key(const std::string& name, const std::string& value) {
  return value.empty() ? "" : name + " = " + quoted_toml(value) + "\n";
}

}  // namespace

void EncodingText::parameter(const std::string& parameter, const theory::Rational& value,
                             const std::string& domain, const std::string& doc) {
  parameters.push_back({parameter, {value.str()}, domain, doc});
}

std::string EncodingText::score() const {
  const std::string gain = theory::joined(gains, "*");
  std::string text =
      "[score]\n" + key("gain", gain) + key("bias", bias) + key("window", window) + key("sink", sink);
  // The format caps the content before its gain, g·(c/g)·tanh(x/(c/g)) = c·tanh(g·x/c).
  if (!softcap.empty()) text += key("softcap", gain.empty() ? softcap : softcap + "/(" + gain + ")");
  if (angle.empty()) return text;
  text += key("transform", scale.empty() ? "rotation" : "scaled-rotation") + "\n[score.rotation]\n";
  text += key("angle", angle) + key("scale", scale);
  return text + (interleaved ? "layout = \"interleaved\"\n" : "");
}

std::string EncodingText::toml() const {
  std::string text =
      "schema = 1\n" + key("name", name) + key("title", title) + key("reference", reference) + "\n";
  if (!parameters.empty()) text += "[parameters]\n";
  for (const Parameter& one : parameters) {
    text += one.name + " = { default = " +
            (one.values.size() == 1 ? quoted_toml(one.values.front()) : list_of(one.values)) +
            (one.domain.empty() ? "" : ", domain = " + quoted_toml(one.domain)) +
            ", doc = " + quoted_toml(one.doc) + " }\n";
  }
  if (!parameters.empty()) text += "\n";
  if (!tables.empty()) text += "[tables]\n";
  for (const Table& table : tables) {
    std::vector<std::string> values;
    std::ranges::transform(table.values, std::back_inserter(values),
                           [](const theory::Rational& value) { return value.str(); });
    text +=
        table.name + " = { index = " + quoted_toml(table.index) + ", values = " + list_of(values) + " }\n";
  }
  if (!tables.empty()) text += "\n";
  return text + score();
}

}  // namespace gpe::checks
