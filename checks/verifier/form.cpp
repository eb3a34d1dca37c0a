#include "checks/verifier/form.h"
// Tests: tests/certificates/forms.py
#include <regex.h>
#include <algorithm>
#include <set>

#include "checks/verifier/certificate_schema.h"
#include "checks/verifier/interval.h"

namespace gpe::verifier {

namespace {

const Json& schema_at(const std::string& reference) {  // "#/$defs/law"
  static const Json all = Json::parse(kCertificateSchema);
  return reference.empty() ? all : all.at(Json::json_pointer(reference.substr(1)));
}

// What stands under the key; null, which asks for nothing, where there is none.
const Json& under(const Json& object, const char* key) {
  static const Json nothing;
  return object.contains(key) ? object[key] : nothing;
}

// Neither 1.0 nor true is 1.
bool contains(const Json& values, const Json& value) {
  return std::ranges::any_of(values,
                             [&](const Json& one) { return one.type() == value.type() && one == value; });
}

bool is_of(const Json& types, const Json& value) {
  return contains(types, value.is_number_integer() ? "integer" : value.type_name());
}

// The schema's patterns mean the same in POSIX; no text has a NUL byte (read_json).
bool matches(const std::string& pattern, const std::string& text) {
  static std::map<std::string, regex_t> known;
  const auto [found, is_new] = known.try_emplace(pattern);
  if (is_new) regcomp(&found->second, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  return regexec(&found->second, text.c_str(), 0, nullptr, 0) == 0;
}

std::string brief(const Json& value) {
  const std::string text = value.dump();
  return text.size() > 100 ? text.substr(0, 100) + "..." : text;
}

std::string wrong(const Json& schema, const Json& value, const std::string& place);

// Of alternatives the first that has the type of the value and, of objects, agrees with the first key that it
// requires; if there is none, what they ask of this key.
Json chosen(const Json& alternatives, const Json& value) {
  Json types = Json::array(), required = Json::array(), words = Json::array();
  std::string key;
  for (const Json& one : alternatives) {
    const Json& alternative = one.contains("$ref") ? schema_at(one["$ref"]) : one;
    const Json& type = under(alternative, "type");
    for (const Json& name : type) types.push_back(name);
    if (!type.is_null() && !is_of(type, value)) continue;
    if (!value.is_object() || !alternative.contains("required")) return one;
    key = alternative["required"][0];
    const Json& asked = under(under(alternative, "properties"), key.c_str());
    if (value.contains(key) && wrong(asked, value[key], "").empty()) return one;
    required = Json::array({key});
    for (const Json& word : under(asked, "enum")) words.push_back(word);
  }
  return {{"type", types}, {"required", required}, {"properties", {{key, {{"enum", words}}}}}};
}

// What is wrong with a value, and where; or nothing.
std::string wrong(const Json& schema, const Json& value, const std::string& place) {
  if (!schema.is_object()) return schema == false ? place + ": unknown key" : "";
  std::string found;
  const auto inner = [&](const Json& part, const Json& of, const std::string& where) {
    if (found.empty()) found = wrong(part, of, where);
  };
  const auto check = [&](const char* keyword, const char* words, const auto& fits) {
    const Json& said = under(schema, keyword);
    if (found.empty() && !said.is_null() && !fits(said))
      found = place + ": " + brief(value) + ", expected " + words + brief(said);
  };
  const auto bounds = [&](const char* least, const char* most, const Json& size) {
    check(least, "at least ", [&](double bound) { return size.get<double>() >= bound; });
    check(most, "at most ", [&](double bound) { return size.get<double>() <= bound; });
  };
  if (schema.contains("$ref")) inner(schema_at(schema["$ref"]), value, place);
  check("type", "a value of type ", [&](const Json& types) { return types.empty() || is_of(types, value); });
  check("enum", "one of ", [&](const Json& values) { return contains(values, value); });
  if (value.is_number_integer()) bounds("minimum", "maximum", value);
  if (value.is_string()) {
    bounds("minLength", "maxLength", std::string(value).size());
    check("pattern", "a text like ", [&](const std::string& pattern) { return matches(pattern, value); });
  }
  if (value.is_array()) {
    bounds("minItems", "maxItems", value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      inner(under(schema, "items"), value[i], place + "/" + std::to_string(i));
    check("uniqueItems", "unique items: ", [&](const Json&) {  // the only such lists are of names
      return std::set<std::string>(value.begin(), value.end()).size() == value.size();
    });
  }
  if (value.is_object()) {
    bounds("minProperties", "maxProperties", value.size());
    for (const Json& key : under(schema, "required"))
      if (found.empty() && !value.contains(key)) found = place + ": there is no key " + key.dump();
    for (const auto& [key, part] : value.items()) {
      inner(under(schema, "propertyNames"), key, place);
      const Json& known = under(schema, "properties");
      inner(known.contains(key) ? known[key] : under(schema, "additionalProperties"), part,
            place + "/" + key);
    }
  }
  for (const Json& part : under(schema, "allOf")) inner(part, value, place);
  if (found.empty() && schema.contains("oneOf")) inner(chosen(schema["oneOf"], value), value, place);
  return found;
}

}  // namespace

bool is_shallow(const std::string& text, std::size_t most_dots) {
  std::size_t depth = 0, dots = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == '.') ++dots;
    if (c == '\n' || c == '=' || c == ',') dots = 0;
    if (depth > 300 || dots > most_dots) return false;
  }
  return true;
}

Json read_json(const std::string& text) {
  if (text.find_first_of({"$\0", 2}) != std::string::npos || text.find("\\u") != std::string::npos)
    throw NotShown("a certificate has no $, no \\u and no NUL byte");
  if (!is_shallow(text, text.size())) throw NotShown("the file is nested too deeply");
  try {
    Json result = Json::parse(text);
    if (std::ranges::count(text, ':') != std::ranges::count(result.dump(), ':'))
      throw NotShown("duplicate key");
    return result;
  } catch (const Json::exception& error) {
    throw NotShown("no JSON:" + std::string(std::strchr(error.what(), ' ')));  // after "[json.exception.…]"
  }
}

void require_form(const Json& value, const std::string& part) {
  const std::string found = wrong(schema_at(part), value, "");
  if (!found.empty()) throw NotShown("form: " + (found[0] == ':' ? "/" + found : found));
}

}  // namespace gpe::verifier
