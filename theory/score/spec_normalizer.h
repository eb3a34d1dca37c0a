// `normalizer` under [score] of an encoding file: how scores become weights.
#pragma once

#include "theory/score/encoding.h"
#include "theory/source/toml_keys.h"

namespace gpe::theory {

/// Reads the key, a name or a table, where it is there.
/// @param constant  the names that a parameter of the normalizer may mention
/// @param elsewhere  what to do with a key that does not stand where it may
/// @throws SpecError  also for scores about which nothing is proved with such a normalizer
void read_normalizer(const TomlSource& toml, const toml::table& score, const NameScope& constant,
                     Encoding& encoding, std::string (*elsewhere)(std::string_view));

}  // namespace gpe::theory
