// Any bytes as a certificate: accepted with a claim, or refused with a message.
#include "checks/verifier/certificate.h"
#include "tests/fuzz/fuzzer.h"

void gpe::fuzz::read(std::string_view bytes) {
  try {
    const std::vector<verifier::Json> all =
        verifier::certificates_of(verifier::read_json(std::string(bytes)));
    verifier::spend(990000000);  // nearly all steps of a file: to be refused for its work takes minutes
    for (const verifier::Json& one : all)
      require(!verifier::check_certificate(one).empty(), "accepted without a claim", bytes);
  } catch (const verifier::NotShown& error) {
    require(*error.what() != '\0', "refused without a reason", bytes);
  } catch (const verifier::TooLong&) {
  }
}
