#include "checks/report/selected.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "checks/report/report_cells.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Property;

namespace {

struct Name {
  std::string name;
  Selected meaning;
};

std::string plain(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return text;
}

std::vector<Name> properties() {
  std::vector<Name> result;
  for (const Property one :
       {Property::convergent_normalization, Property::entropy_boundedness, Property::ldcp, Property::gps}) {
    result.push_back({std::string(theory::short_name_of(one)), {one, ""}});
    result.push_back({std::string(theory::name_of(one)), {one, ""}});
    result.push_back({plain(std::string(title_of(one))), {one, ""}});
  }
  return result;
}

std::vector<Name> readings() {
  std::vector<Name> result;
  for (const theory::Reading& one : theory::readings())
    result.push_back({std::string(one.name), {one.property, std::string(one.name)}});
  return result;
}

// What `word` names, or else what it begins.
std::vector<Selected> meanings(const std::vector<Name>& names, const std::string& word) {
  std::vector<Selected> exact, started;
  const auto add = [](std::vector<Selected>& to, const Selected& one) {
    const bool known = std::ranges::any_of(to, [&](const Selected& other) {
      return other.property == one.property && other.reading == one.reading;
    });
    if (!known) to.push_back(one);
  };
  for (const auto& [name, meaning] : names) {
    if (name == word) add(exact, meaning);
    if (!word.empty() && name.starts_with(word)) add(started, meaning);
  }
  return exact.empty() ? started : exact;
}

const auto kText = [](const Selected& one) {
  const std::string property(theory::short_name_of(one.property));
  return one.reading.empty() ? property : property + "=" + one.reading;
};

}  // namespace

Selected select_property(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  std::vector<Name> known = properties();
  if (equals == std::string::npos) std::ranges::move(readings(), std::back_inserter(known));
  std::vector<Selected> found = meanings(known, plain(name));
  if (found.empty())
    throw theory::SpecError(option + ": unknown property '" + name + "'; expected cn, eb, ldcp or gps");
  if (found.size() > 1)
    throw theory::SpecError(option + ": '" + name +
                            "' means several; expected one of: " + theory::joined(found, ", ", kText));
  if (equals == std::string::npos) return found.front();
  const Property property = found.front().property;
  std::vector<Name> its = readings();
  std::erase_if(its, [&](const Name& one) { return one.meaning.property != property; });
  const std::string reading = text.substr(equals + 1);
  found = meanings(its, plain(reading));
  if (found.size() != 1)
    throw theory::SpecError(option + ": " + name + " has no reading '" + reading +
                            "'; expected one of: " + theory::joined(its, ", ", &Name::name));
  return found.front();
}

}  // namespace gpe::checks
