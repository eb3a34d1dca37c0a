// The score function of a certificate, as its file says it. Tests: tests/certificates/library.cmake
#pragma once

#include "checks/report/json_number.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// The law as its file says it, with the values of the parameters in use.
Json law_json(const EncodingReport& report);

}  // namespace gpe::checks
