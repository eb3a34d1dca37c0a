// What programs ask before they write a certificate: does the verifier accept it? It shares no code with what
// made it. Tests: tests/certificates/hypotheses_test.cpp
#pragma once

#include <limits>
#include <set>
#include <string>

#include "checks/certificate/write_certificates.h"

namespace gpe::checks {

/// Of a file with one certificate, or with several. @param seconds  of CPU time that each may take, within
/// the limits of a certificate
Answer ask_verifier(const std::string& file, double seconds = std::numeric_limits<double>::infinity());
/// Why the verifier does not show that a law, as it stands in certificates, has a value at every n for all
/// values that these parameters may have; empty where it does.
std::string why_undefined(const Json& law, const std::set<std::string>& free);

}  // namespace gpe::checks
