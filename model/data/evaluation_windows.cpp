#include "model/data/evaluation_windows.h"

#include "theory/source/spec_error.h"

namespace gpe::model {
namespace {

std::vector<Window> spread(const std::vector<Window>& all, std::size_t count) {
  if (all.size() <= count) return all;
  std::vector<Window> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

}  // namespace

std::vector<Window> document_windows(std::span<const Document> documents, std::size_t length,
                                     std::size_t count) {
  std::vector<Window> all;
  for (const Document& document : documents) {
    if (document.size() > length) all.push_back({document.begin, length});
  }
  return spread(all, count);
}

std::vector<Window> packed_windows(std::span<const Document> documents, std::size_t length, std::size_t count,
                                   const std::string& source) {
  const std::size_t size = documents.empty() ? 0 : documents.back().end;
  std::vector<Window> all;
  std::size_t free = 0;
  for (const Document& document : documents) {
    if (document.begin < free) continue;
    if (document.begin + length + 1 > size) break;
    all.push_back({document.begin, length});
    free = document.begin + length + 1;
  }
  if (all.empty()) {
    throw theory::SpecError(source + ": a window of " + std::to_string(length) + " needs " +
                            std::to_string(length + 1) + " tokens; there are " + std::to_string(size) +
                            "; expected shorter --lengths");
  }
  return spread(all, count);
}

}  // namespace gpe::model
