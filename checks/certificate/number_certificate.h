// Certificates of numbers: sums, entropy, windows, reach and local ranges, where docs/certificates.md has
// rules for them. Tests: tests/certificates/library.cmake, tests/certificates/hypotheses_test.cpp
#pragma once

#include "checks/certificate/proof_term.h"
#include "checks/report/json_number.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// The numbers of the report that verify-certificate can prove: those without content, and windows and reach
/// under a bound; null when there are none.
Json number_certificate(const EncodingReport& report, const ReportOptions& options,
                        const theory::Context& context);

/// Whether side·e is a number plus a Bernstein function of n (docs/certificates.md, R1), of at least 0 but
/// for the number when it stands inside of another function (`inner`). @param number  gains the number, side
/// included
bool is_bernstein(const theory::Expr& e, const theory::Expr& side, const theory::Context& context, bool inner,
                  theory::Expr& number);

/// How Z and H of a law without content are enclosed to about `digits` digits (R2). Where b is not of the
/// kind R1, more than `direct` terms one by one. Nothing when no bound of the tail is found, or it is too far
/// out. @pre Z < ∞, and there is no window
/// @throws theory::Undecided, theory::Undefined
std::optional<SumProof> summation_proof(const theory::ScoreFunction& law, int digits, int direct, int order,
                                        const theory::Context& context);
/// The same for the corners of a design.
std::optional<SumProof> design_sum_proof(const theory::ScoreFunction& law, const theory::Context& context);
/// That Z = ∞; nothing when no such proof is found. @throws the same
std::optional<SumProof> divergence_proof(const theory::ScoreFunction& law, const theory::Context& context);

}  // namespace gpe::checks
