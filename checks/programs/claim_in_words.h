// What a certificate claims, in a few words. It says nothing about whether that is proved.
// Tests: tests/cli/certificates.cmake
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

/// "alibi, cn every-content, |c| <= 1: holds for m > 0", of a certificate that was accepted.
std::string claim_in_words(const Json& certificate);

}  // namespace gpe::verifier
