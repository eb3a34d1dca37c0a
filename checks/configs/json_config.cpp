#include "checks/configs/json_config.h"
// Tests: tests/cli/configs.cmake, tests/fuzz/hugging_face_fuzz.cpp
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "checks/cli/read_json.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using nlohmann::json;
using theory::SpecError;

namespace {

constexpr std::size_t kMaxShown = 60;

std::string shown(const json& value) {
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= kMaxShown ? text : text.substr(0, kMaxShown) + "...";
}

std::string decimal(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

bool is_between(const json& value, double low, double high) {
  return value.is_number() && value.get<double>() >= low && value.get<double>() <= high;
}

// More than half of the letters, from both ends.
bool mostly_same(const std::string& one, const std::string& other) {
  const std::size_t shorter = std::min(one.size(), other.size());
  std::size_t before = 0, after = 0;
  while (before < shorter && one[before] == other[before]) ++before;
  while (after < shorter - before && one[one.size() - 1 - after] == other[other.size() - 1 - after]) ++after;
  return 2 * (before + after) > std::max(one.size(), other.size());
}

// Python's json writes NaN and Infinity, which are no JSON: here they are strings, which no number is.
std::string quoted(const std::string& text) {
  std::string result;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const std::string_view word : {"NaN", "-Infinity", "Infinity"}) {
      if (inside || text.compare(i, word.size(), word) != 0) continue;
      result.append("\"").append(word).append("\"");
      i += word.size();
    }
    if (i >= text.size()) break;
    if (text[i] == '"') inside = !inside;
    result += text[i];
    if (inside && text[i] == '\\' && i + 1 < text.size()) result += text[++i];
  }
  return result;
}

// Of a text that is JSON but for these words. The error is that of the text itself.
json read_python_json(const std::string& text, const std::string& source) {
  try {
    return read_json(text, source);
  } catch (const SpecError&) {
    try {
      return read_json(quoted(text), source);
    } catch (const SpecError&) {
    }
    throw;
  }
}

}  // namespace

JsonConfig::JsonConfig(const std::filesystem::path& file)
    : JsonConfig(theory::read_text_file(file), file.string()) {}

JsonConfig::JsonConfig(const std::string& text, const std::string& source) : source_(source) {
  json content = read_python_json(text, source_);
  if (!content.is_object()) throw SpecError(source_ + ": expected a JSON object");
  content_ = std::make_shared<const json>(std::move(content));
}

JsonConfig::JsonConfig(std::string source, std::string prefix, std::shared_ptr<const json> content,
                       std::shared_ptr<std::set<std::string>> asked)
    : source_(std::move(source)),
      prefix_(std::move(prefix)),
      content_(std::move(content)),
      asked_(std::move(asked)) {}

JsonConfig JsonConfig::with_content(json content) const {
  JsonConfig result = *this;
  result.content_ = std::make_shared<const json>(std::move(content));
  result.asked_ = std::make_shared<std::set<std::string>>();
  return result;
}

JsonConfig JsonConfig::with_origin(Origin origin) const {
  JsonConfig result = *this;
  result.origin_ = std::move(origin);
  return result;
}

JsonConfig JsonConfig::without(const Path& path) const { return renamed(path, ""); }

JsonConfig JsonConfig::renamed(const Path& path, const std::string& name) const {
  json content = *content_;
  json* home = &content;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) home = &home->at(path[i]);
  json value = std::move(home->at(path.back()));
  home->erase(path.back());
  if (!name.empty()) (*home)[name] = std::move(value);
  return with_content(std::move(content));
}

JsonConfig JsonConfig::patched(const JsonConfig& patch, const Path& place) const {
  json content = *content_;
  json* home = &content;
  for (const std::string& part : place) home = &home->at(part);
  home->merge_patch(*patch.content_);
  return with_content(std::move(content));
}

JsonConfig JsonConfig::with_defaults(const std::string& text) const {
  JsonConfig result = *this;
  result.defaults_ = std::make_shared<const json>(read_json(text, "defaults"));
  return result;
}

const json* JsonConfig::find(const std::string& key) const {
  asked_->insert(prefix_ + key);
  const auto stated = content_->find(key);
  if (stated != content_->end()) return stated->is_null() ? nullptr : &*stated;
  if (!defaults_) return nullptr;
  const auto by_default = defaults_->find(key);
  return by_default == defaults_->end() || by_default->is_null() ? nullptr : &*by_default;
}

bool JsonConfig::has(const std::string& key) const { return find(key) != nullptr; }

bool JsonConfig::states(const std::string& key) const {
  const auto found = content_->find(key);
  return found != content_->end() && !found->is_null();
}

void JsonConfig::fail(const std::string& key, const std::string& expected) const {
  const std::string where = source_ + ": key '" + prefix_ + key + "' ";
  if (!has(key)) {
    std::vector<std::string> like = keys();
    std::erase_if(like, [&](const std::string& other) { return !mostly_same(key, other); });
    throw SpecError(where + "is missing; expected " + expected + theory::did_you_mean(key, like));
  }
  throw SpecError(where + "is " + shown(*find(key)) + "; expected " + expected);
}

const json& JsonConfig::expect(const std::string& key, const std::string& expected) const {
  if (!has(key)) fail(key, expected);
  return *find(key);
}

std::int64_t JsonConfig::integer(const std::string& key, std::int64_t low, std::int64_t high) const {
  const std::string expected = "an integer from " + std::to_string(low) + " to " + std::to_string(high);
  const json& value = expect(key, expected);
  const bool beyond =
      value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high);
  if (!value.is_number_integer() || beyond) fail(key, expected);
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) fail(key, expected);
  return number;
}

double JsonConfig::number(const std::string& key, double low, double high) const {
  const std::string expected = "a number from " + decimal(low) + " to " + decimal(high);
  const json& value = expect(key, expected);
  if (!is_between(value, low, high)) fail(key, expected);
  return value.get<double>();
}

theory::Rational JsonConfig::exact(const std::string& key, double low, double high) const {
  number(key, low, high);
  return *theory::Rational::parse(find(key)->dump());
}

std::vector<theory::Rational> JsonConfig::exact_list(const std::string& key, double low, double high) const {
  const std::string expected = "a list of numbers from " + decimal(low) + " to " + decimal(high);
  const json& values = expect(key, expected);
  if (!values.is_array() || values.empty()) fail(key, expected);
  std::vector<theory::Rational> result;
  for (const json& value : values) {
    if (!is_between(value, low, high)) fail(key, expected);
    result.push_back(*theory::Rational::parse(value.dump()));
  }
  return result;
}

std::vector<std::string> JsonConfig::texts(const std::string& key, std::size_t count) const {
  const std::string expected = "a list of " + std::to_string(count) + " strings";
  const json& values = expect(key, expected);
  if (!values.is_array() || values.size() != count) fail(key, expected);
  std::vector<std::string> result;
  for (const json& value : values) {
    if (!value.is_string()) fail(key, expected);
    result.push_back(value.get<std::string>());
  }
  return result;
}

std::vector<std::string> JsonConfig::texts(const std::string& key) const {
  const json& values = expect(key, "a list of strings");
  if (!values.is_array() || values.empty()) fail(key, "a list of strings");
  return texts(key, values.size());
}

std::vector<std::int64_t> JsonConfig::integers(const std::string& key, std::size_t count) const {
  const std::string expected = "a list of " + std::to_string(count) + " whole numbers";
  const json& values = expect(key, expected);
  if (!values.is_array() || values.size() < count) fail(key, expected);
  std::vector<std::int64_t> result;
  for (const json& value : values) {
    if (!value.is_number_unsigned()) fail(key, expected);
    result.push_back(value.get<std::int64_t>());
  }
  return result;
}

bool JsonConfig::is_null(const std::string& key) const {
  const auto stated = content_->find(key);
  if (stated != content_->end()) return stated->is_null();
  return defaults_ && defaults_->contains(key) && (*defaults_)[key].is_null();
}

bool JsonConfig::is_text(const std::string& key, const std::string& value) const {
  return has(key) && *find(key) == value;
}

bool JsonConfig::is_object(const std::string& key) const { return has(key) && find(key)->is_object(); }

bool JsonConfig::is_list(const std::string& key) const { return has(key) && find(key)->is_array(); }

bool JsonConfig::flag(const std::string& key) const {
  const json& value = expect(key, "true or false");
  if (!value.is_boolean()) fail(key, "true or false");
  return value.get<bool>();
}

std::string JsonConfig::text(const std::string& key) const {
  const json& value = expect(key, "a string");
  if (!value.is_string()) fail(key, "a string");
  return value.get<std::string>();
}

std::string JsonConfig::text(const std::string& key, const std::vector<std::string>& allowed) const {
  std::string expected = theory::joined(allowed, ", ");
  if (allowed.size() > 1) expected = "one of " + expected;
  const json& value = expect(key, expected);
  if (!value.is_string() || std::ranges::find(allowed, value.get<std::string>()) == allowed.end())
    fail(key, expected);
  return value.get<std::string>();
}

JsonConfig JsonConfig::object(const std::string& key) const {
  const json& value = expect(key, "an object");
  if (!value.is_object()) fail(key, "an object");
  const bool own = content_->contains(key);
  return {source_, prefix_ + key + ".", std::shared_ptr<const json>(own ? content_ : defaults_, &value),
          asked_};
}

std::optional<JsonConfig> JsonConfig::stated_or_default(const std::string& key) const {
  if (has(key)) return object(key);
  if (!defaults_ || !defaults_->contains(key)) return std::nullopt;
  return JsonConfig(source_, prefix_ + key + ".", std::shared_ptr<const json>(defaults_, &(*defaults_)[key]),
                    asked_);
}

std::optional<JsonConfig> JsonConfig::stated_object(const std::string& key) const {
  const auto found = content_->find(key);
  if (found == content_->end() || !found->is_object()) return std::nullopt;
  return JsonConfig(source_, prefix_ + key + ".", std::shared_ptr<const json>(content_, &*found),
                    std::make_shared<std::set<std::string>>());
}

std::vector<std::string> JsonConfig::asked_inside(const std::string& around) const {
  std::vector<std::string> result;
  for (const std::string& key : *asked_) {
    if (key.starts_with(around) && key.find('.', around.size()) == std::string::npos)
      result.push_back(key.substr(around.size()));
  }
  return result;
}

std::vector<std::string> JsonConfig::keys() const {
  std::vector<std::string> result;
  for (const auto& [key, value] : content_->items()) result.push_back(key);
  return result;
}

}  // namespace gpe::checks
