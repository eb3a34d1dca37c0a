// The algorithms of std::ranges that the verifier uses, for the standard library of emscripten 3.1 (libc++ 13), which has none of them. Included before
// every file of the page's build, and of no other.
#pragma once

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace std::ranges {

template <class R>
concept page_range = requires(R& r) {
  std::begin(r);
  std::end(r);
};

template <page_range R, class Test>
constexpr bool all_of(R&& r, Test test) {
  return std::all_of(std::begin(r), std::end(r), std::move(test));
}
template <page_range R, class Test>
constexpr bool any_of(R&& r, Test test) {
  return std::any_of(std::begin(r), std::end(r), std::move(test));
}
template <page_range R, class Test>
constexpr bool none_of(R&& r, Test test) {
  return std::none_of(std::begin(r), std::end(r), std::move(test));
}
template <class Iterator, class Test>
constexpr Iterator find_if(Iterator first, Iterator last, Test test) {
  return std::find_if(first, last, std::move(test));
}
template <page_range R, class T>
constexpr auto find(R&& r, const T& value) {
  return std::find(std::begin(r), std::end(r), value);
}

template <class T>
struct page_least_and_greatest {
  T min, max;
};
template <page_range R>
constexpr auto minmax(R&& r) {
  const auto found = std::minmax_element(std::begin(r), std::end(r));
  return page_least_and_greatest<std::decay_t<decltype(*found.first)>>{*found.first, *found.second};
}

}  // namespace std::ranges
