// Evaluation windows begin with a document, lie inside the file and do not overlap.
#include "model/data/evaluation_windows.h"

#include <algorithm>

#include "theory/source/spec_error.h"

namespace gpe::model {
namespace evaluation_windows_test {

using Windows = std::vector<Window>;
const std::vector<Document> kDocuments = {{0, 3}, {3, 10}, {10, 12}, {12, 20}, {20, 26}};

TEST(EvaluationWindows, of_documents_need_their_length_and_the_end_token) {
  EXPECT_EQ(document_windows(kDocuments, 5, 9), (Windows{{3, 5}, {12, 5}, {20, 5}}));
  EXPECT_EQ(document_windows(kDocuments, 6, 9), (Windows{{3, 6}, {12, 6}}));
  EXPECT_EQ(document_windows(kDocuments, 8, 9), Windows{});
}

TEST(EvaluationWindows, packed_ones_begin_with_the_next_free_document) {
  EXPECT_EQ(packed_windows(kDocuments, 3, 9, "f"), (Windows{{0, 3}, {10, 3}, {20, 3}}));
  EXPECT_EQ(packed_windows(kDocuments, 11, 9, "f"), (Windows{{0, 11}, {12, 11}}));
  EXPECT_EQ(packed_windows(kDocuments, 25, 9, "f"), (Windows{{0, 25}}));
  try {
    packed_windows(kDocuments, 26, 9, "f");
    ADD_FAILURE();
  } catch (const theory::SpecError& error) {
    EXPECT_STREQ(error.what(), "f: a window of 26 needs 27 tokens; there are 26; expected shorter --lengths");
  }
  EXPECT_THROW(packed_windows({}, 1, 9, "f"), theory::SpecError);
}

TEST(EvaluationWindows, of_too_many_are_spread_evenly) {
  std::vector<Document> documents;
  for (std::size_t i = 0; i < 100; ++i) documents.push_back({10 * i, 10 * i + 10});
  EXPECT_EQ(document_windows(documents, 4, 4), (Windows{{0, 4}, {250, 4}, {500, 4}, {750, 4}}));
}

RC_GTEST_PROP(EvaluationWindows, packed_ones_fill_the_file_without_overlap, ()) {
  const auto sizes =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange(1, 12)));
  std::vector<Document> documents;
  std::size_t begin = 0;
  for (const std::size_t size : sizes) {
    documents.push_back({begin, begin + size});
    begin += size;
  }
  const auto length = *rc::gen::inRange<std::size_t>(1, 20);
  RC_PRE(length + 1 <= begin);
  const Windows windows = packed_windows(documents, length, 1000, "f");
  RC_ASSERT(!windows.empty());
  std::size_t free = 0;
  for (const Window& window : windows) {
    RC_ASSERT(window.begin >= free);
    RC_ASSERT(window.begin < free + 12);  // no whole document was left out
    RC_ASSERT(std::ranges::find(documents, window.begin, &Document::begin) != documents.end());
    free = window.begin + length + 1;
  }
  RC_ASSERT(free <= begin);
}

}  // namespace evaluation_windows_test
}  // namespace gpe::model
