// Certificates of the engine, damages to them, and forgeries: for the tests, and in larger numbers for
// tests/bench.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "checks/verifier/certificate.h"

namespace gpe::testing {

using verifier::Json;

/// The certificates of a built-in encoding.
std::vector<Json> certificates_of(const std::string& encoding);

/// That of its numbers, with windows and reach.
Json number_certificate_of(const std::string& encoding);

/// Whether the verifier accepts it; every way of not accepting is a NotShown.
bool accepted(const Json& certificate);

/// Places of all values in a JSON document, objects and arrays included.
std::vector<Json::json_pointer> places(const Json& document);
/// The document with the value at one place replaced, removed, or added to, in the given way (0 …
/// damage_count - 1).
Json damaged(const Json& document, const Json::json_pointer& place, int way);
inline constexpr int damage_count = 12;
/// One of the certificates, and what is left of it after one to three random damages.
struct RandomDamage {
  const Json* original;
  Json changed;
};
RandomDamage random_damage(const std::vector<Json>& certificates, std::mt19937_64& random);

/// Whether an accepted, damaged certificate claims nothing false: it claims what the original does, or the
/// engine decides the changed law in the same way.
bool harmless(const Json& original, const Json& changed);

/// Claims that are false: the 92 answers of tests/cases/instances.csv, reversed, without a proof.
std::vector<Json> false_claims();
/// The claim with a proof that somebody who knows all rules might try.
Json forged(const Json& claim, std::mt19937_64& random);

}  // namespace gpe::testing
