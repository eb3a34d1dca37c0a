// Models and tokenizers as llama2.c (github.com/karpathy/llama2.c) has them: its files of version 0, and
// tokenizer.bin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "model/training/checkpoint.h"

namespace gpe::model {

/// Llama in float32: seven integers (width, inner width, layers, heads, key heads, vocabulary, context; the
/// vocabulary is negative when the classifier is not an embedding), then the weights in the order of run.c.
/// Queries and keys come in pairs (2j, 2j+1) there; their rows are put in the order that the encoding `rope`
/// has, which leaves every score as it was. A key head that serves several heads is written once for each.
/// @throws theory::SpecError  the file and its fault: unsupported sizes, NaN or an infinity with the tensor's
/// name, tables of angles that are not those of base 10000
LoadedModel read_llama2c(const std::filesystem::path& file, const theory::ConstantOracle& oracle);

/// tokenizer.bin (greatest length of a piece; of every piece its score, its length, its bytes) as a
/// tokenizer.json of the kind that Tokenizer::load calls Llama's. Token 1, with which texts begin there, is
/// called <|endoftext|>.
/// @param vocabulary  how many pieces the file has
/// @throws theory::SpecError  the file, and what in it is wrong
std::string llama2c_tokenizer(const std::filesystem::path& file, std::int64_t vocabulary);

}  // namespace gpe::model
