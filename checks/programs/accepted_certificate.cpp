#include "checks/programs/accepted_certificate.h"

#include "checks/verifier/certificate.h"

namespace gpe::checks {

void require_accepted(const std::string& file, const std::string& certificate) {
  try {
    for (const auto& one : verifier::certificates_of(verifier::read_json(certificate)))
      verifier::check_certificate(one);
  } catch (const verifier::NotShown& error) {
    throw std::runtime_error(
        file + " is not written: verify-certificate would refuse it, which is an error of this program: " +
        error.what());
  }
}

}  // namespace gpe::checks
