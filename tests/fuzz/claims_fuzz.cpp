// Any bytes as a file of claims: claims with names that files can have, or a SpecError with a message.
#include "checks/audit/claim_file.h"
#include "tests/fuzz/fuzzer.h"

void gpe::fuzz::read(std::string_view bytes) {
  refusal("input", [&] {
    for (const checks::Claim& claim : checks::parse_claims(std::string(bytes), "input").claims) {
      require(!claim.id.empty() && claim.id.find_first_of("/\\{}\n") == std::string::npos,
              "a name that files cannot have", claim.id);
      require(claim.statement == theory::printable(claim.statement, claim.statement.size()),
              "a statement that is not printable", claim.statement);
    }
  });
}
