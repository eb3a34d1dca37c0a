// The form of certificates, docs/certificate.schema.json: it is checked before anything is read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpe::verifier {

using Json = nlohmann::json;

/// Whether readers may recurse: no text of ours has many brackets in one another, or dots in one key.
bool is_shallow(const std::string& text, std::size_t most_dots);
/// @throws NotShown  for what is no JSON, or has a key twice
Json read_json(const std::string& text);
/// @param part  of the schema: "" for a file, "#/$defs/law"
/// @throws NotShown  with the first place that has another form
void require_form(const Json& value, const std::string& part);

}  // namespace gpe::verifier
