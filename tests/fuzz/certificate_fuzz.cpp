// Any bytes as a certificate: accepted, or refused with a message.
#include "checks/verifier/certificate.h"
#include "tests/fuzz/fuzzer.h"

void gpe::fuzz::read(std::string_view bytes) {
  try {
    const std::vector<verifier::Json> all =
        verifier::certificates_of(verifier::read_json(std::string(bytes)));
    // A hundredth of the budget: to be refused for its work takes seconds.
    for (const verifier::Json& one : all) verifier::check_certificate(one, {.times = 0.01});
  } catch (const verifier::NotShown& error) {
    require(*error.what() != '\0', "refused without a reason", bytes);
  } catch (const verifier::TooLong&) {
  }
}
