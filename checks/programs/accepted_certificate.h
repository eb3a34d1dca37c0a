// What programs ask before they write a certificate: does the verifier accept it? It shares no code with what
// made it.
#pragma once

#include <string>

namespace gpe::checks {

/// @throws std::runtime_error  when the verifier refuses the certificate: an error of this program, exit 1
void require_accepted(const std::string& file, const std::string& certificate);

}  // namespace gpe::checks
