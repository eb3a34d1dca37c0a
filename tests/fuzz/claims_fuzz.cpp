// Any bytes as a file of claims: claims with names that files can have, or a SpecError with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "checks/audit/file.h"
#include "theory/expression/printable.h"
#include "theory/expression/spec_error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpe;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    for (const checks::Claim& claim : checks::parse_claims(text, "input").claims) {
      if (claim.id.empty() || claim.id.find_first_of("/\\{}\n") != std::string::npos) std::abort();
      if (claim.statement != theory::printable(claim.statement, claim.statement.size())) std::abort();
    }
  } catch (const theory::SpecError& error) {
    if (theory::printable_message(error.what()).empty()) std::abort();
  }
  return 0;
}
