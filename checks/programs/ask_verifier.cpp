#include "checks/programs/ask_verifier.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/verifier/certificate.h"
#include "checks/verifier/defined.h"
#include "checks/verifier/one_law.h"

namespace gpe::checks {

Answer ask_verifier(const std::string& file, double seconds) {
  if (file.size() > verifier::Limits::kFileBytes)
    return {Answer::Kind::not_followed,
            "it has more than " + std::to_string(verifier::Limits::kFileBytes) + " bytes"};
  const verifier::Limits limits{.seconds = std::min(seconds, verifier::Limits().seconds)};
  try {
    verifier::begin(limits);
    for (const auto& one : verifier::certificates_of(verifier::read_json(file)))
      verifier::check_certificate(one, limits);
    return {Answer::Kind::proved, ""};
  } catch (const verifier::TooLong& error) {
    return {Answer::Kind::not_followed, error.what()};
  } catch (const verifier::NotFollowed& error) {
    return {Answer::Kind::not_followed, error.what()};
  } catch (const std::exception& error) {
    return {Answer::Kind::refused, error.what()};
  }
}

std::string why_undefined(const Json& json, const std::set<std::string>& free) {
  verifier::begin();
  verifier::forget_atoms();
  try {
    const verifier::Json checked = verifier::read_json(json.dump());
    verifier::require_form(checked, "#/$defs/law");
    const verifier::ScoreFunction law(checked);
    const verifier::Calculus cell = free.empty() ? verifier::Calculus() : verifier::cell_of(law, free);
    verifier::require_defined(law, cell, free);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace gpe::checks
