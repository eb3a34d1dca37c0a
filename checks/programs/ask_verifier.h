// What programs ask before they write a certificate: does the verifier accept it? It shares no code with what
// made it. Tests: tests/certificates/hypotheses_test.cpp
#pragma once

#include <string>

#include "checks/certificate/write_certificates.h"

namespace gpe::checks {

/// Of a file with one certificate, or with several.
Answer ask_verifier(const std::string& file);

}  // namespace gpe::checks
