#include "checks/sweep/given_encoding.h"

#include <algorithm>

#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

GivenEncoding::GivenEncoding(std::vector<std::string> called, const theory::Encoding& encoding)
    : names(std::move(called)), parameters(theory::names_of(encoding.parameters)) {}

bool GivenEncoding::is_called(const std::string& prefix) const {
  return prefix.empty() || std::ranges::find(names, prefix) != names.end();
}

bool GivenEncoding::has(const std::string& prefix, const std::string& parameter) const {
  return is_called(prefix) && std::ranges::find(parameters, parameter) != parameters.end();
}

void require_parameter(const std::string& option, const std::string& prefix, const std::string& parameter,
                       const std::vector<GivenEncoding>& encodings) {
  std::vector<std::string> called;
  std::vector<std::string> known;
  for (const GivenEncoding& one : encodings) {
    if (one.has(prefix, parameter)) return;
    called.insert(called.end(), one.names.begin(), one.names.end());
    if (one.is_called(prefix)) known.insert(known.end(), one.parameters.begin(), one.parameters.end());
  }
  const bool named = std::ranges::any_of(encodings, [&](const auto& one) { return one.is_called(prefix); });
  const bool only_one = !prefix.empty() || encodings.size() == 1;
  std::string message = option + " " + (prefix.empty() ? "" : prefix + ".") + parameter + ": ";
  std::string rest;
  if (!named) {
    message += "no encoding given is called '" + prefix + "'";
  } else {
    const std::string& one = prefix.empty() ? encodings.front().names.back() : prefix;
    message += only_one ? one + " has no" : "no encoding given has a";
    message += " parameter '" + parameter + "'";
    if (only_one) rest = "; it has: " + theory::joined(known, ", ");
    if (known.empty()) rest = "; it has none";
  }
  throw theory::SpecError(message +
                          theory::did_you_mean(named ? parameter : prefix, named ? known : called, rest));
}

std::vector<theory::Override> overrides_of(const GivenEncoding& encoding,
                                           const std::vector<Assignment>& assignments) {
  std::vector<theory::Override> result;
  for (const Assignment& one : assignments) {
    if (!encoding.has(one.encoding, one.name)) continue;
    if (std::ranges::find(result, one.name, &theory::Override::name) != result.end())
      throw theory::SpecError("--set " + one.name + ": set twice");
    result.push_back({one.name, one.value});
  }
  return result;
}

void require_not_set(const VariedParameter& varied, const std::vector<theory::Override>& overrides) {
  if (std::ranges::find(overrides, varied.name, &theory::Override::name) != overrides.end())
    throw theory::SpecError("--vary " + varied.name + ": it is set or varied already");
}

}  // namespace gpe::checks
