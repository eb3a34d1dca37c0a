// Checks a certificate: what it claims, of what, and whether its proof proves it.
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

/// The certificates of a file: the only one, or those of a list. @throws NotShown  for another form
std::vector<Json> certificates_of(const Json& file);
/// @throws NotShown  at the first step that does not follow; NotFollowed where it may be right; TooLong
void check_certificate(const Json& given, const Limits& limits = {});

}  // namespace gpe::verifier
