#include "checks/programs/ask_verifier.h"

#include "checks/verifier/certificate.h"

namespace gpe::checks {

Answer ask_verifier(const std::string& file) {
  try {
    for (const auto& one : verifier::certificates_of(verifier::read_json(file)))
      verifier::check_certificate(one);
    return {Answer::Kind::proved, ""};
  } catch (const verifier::NotFollowed& error) {
    return {Answer::Kind::not_followed, error.what()};
  } catch (const std::exception& error) {
    return {Answer::Kind::refused, error.what()};
  }
}

}  // namespace gpe::checks
