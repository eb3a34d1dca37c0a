// Which pieces of a token file an evaluation reads: windows that begin where a document does.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/data/token_file.h"

namespace gpe::model {

/// Tokens [begin, begin + length + 1): `length` inputs, and as many targets one token further on.
struct Window {
  std::size_t begin = 0;
  std::size_t length = 0;
  friend bool operator==(const Window&, const Window&) = default;
};

/// One window from the beginning of each document that has length + 1 tokens, its end token among them. Of
/// more than `count`, those spread evenly over the file. None when no document is that long.
std::vector<Window> document_windows(std::span<const Document> documents, std::size_t length,
                                     std::size_t count);

/// Windows over documents that follow each other, joined by their end tokens: each begins with a document,
/// none overlap. Of more than `count`, those spread evenly over the file.
/// @throws theory::SpecError  naming `source`, when the file is shorter than one window
std::vector<Window> packed_windows(std::span<const Document> documents, std::size_t length, std::size_t count,
                                   const std::string& source);

}  // namespace gpe::model
