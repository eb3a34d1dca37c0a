// Pages of a cache, beside those that the keys touch, counted one by one.
#include "checks/stack/cache_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace gpe::checks {

TEST(KeysInPages, are_the_most_that_a_window_or_a_chunk_touches) {
  constexpr std::int64_t context = 40 * 41;  // a chunk begins at every place of a page that it can
  for (const bool chunked : {false, true}) {
    for (std::int64_t window = 1; window <= 40; ++window) {
      for (std::int64_t page = 1; page <= 40; ++page) {
        std::size_t most = 0;
        for (std::int64_t begin = 0; begin + window <= context; begin += chunked ? window : 1) {
          std::set<std::int64_t> pages;
          for (std::int64_t key = begin; key < begin + window; ++key) pages.insert(key / page);
          most = std::max(most, pages.size());
        }
        EXPECT_EQ(keys_in_pages(context * 100, window, chunked, page), static_cast<std::int64_t>(most) * page)
            << window << " " << page;
      }
    }
  }
  EXPECT_EQ(keys_in_pages(100, std::nullopt, false, 16), 112);
  EXPECT_EQ(keys_in_pages(100, 100, false, 16), 112);
}

}  // namespace gpe::checks
