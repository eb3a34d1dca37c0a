// Proofs as the objects "proof" of certificates. Tests: tests/certificates/library.cmake
#pragma once

#include "checks/certificate/proof_term.h"
#include "checks/report/json_number.h"

namespace gpe::checks {

Json proof_json(const ProofTerm& proof);
Json proof_json(const SumProof& proof);
Json threshold_json(const Threshold& threshold);

}  // namespace gpe::checks
