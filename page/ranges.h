// The algorithms of std::ranges that the programs use, for the standard library of emscripten 3.1 (libc++
// 13), which has none of them. Included before every file of the page's build, and of no other.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

namespace std::ranges {

template <class R>
concept page_range = requires(R& r) {
  std::begin(r);
  std::end(r);
};
struct page_same {
  template <class T>
  constexpr T&& operator()(T&& value) const noexcept {
    return std::forward<T>(value);
  }
};
// Of an element's projection.
template <class Test, class P>
constexpr auto page_tested(Test& test, P& p) {
  return [&](auto&& x) -> bool { return std::invoke(test, std::invoke(p, x)); };
}
template <class Test, class P>
constexpr auto page_compared(Test& test, P& p) {
  return [&](auto&& x, auto&& y) -> bool { return std::invoke(test, std::invoke(p, x), std::invoke(p, y)); };
}

template <page_range R, class Test, class P = page_same>
constexpr bool all_of(R&& r, Test test, P p = {}) {
  return std::all_of(std::begin(r), std::end(r), page_tested(test, p));
}
template <page_range R, class Test, class P = page_same>
constexpr bool any_of(R&& r, Test test, P p = {}) {
  return std::any_of(std::begin(r), std::end(r), page_tested(test, p));
}
template <page_range R, class Test, class P = page_same>
constexpr bool none_of(R&& r, Test test, P p = {}) {
  return std::none_of(std::begin(r), std::end(r), page_tested(test, p));
}
template <class Iterator, class Test>
constexpr bool all_of(Iterator first, Iterator last,
                      Test test) requires std::input_or_output_iterator<Iterator> {
  return std::all_of(first, last, std::move(test));
}
template <class Iterator, class Test>
constexpr bool any_of(Iterator first, Iterator last,
                      Test test) requires std::input_or_output_iterator<Iterator> {
  return std::any_of(first, last, std::move(test));
}
template <class Iterator, class Test>
constexpr bool none_of(Iterator first, Iterator last,
                       Test test) requires std::input_or_output_iterator<Iterator> {
  return std::none_of(first, last, std::move(test));
}
template <page_range R, class Test, class P = page_same>
constexpr auto count_if(R&& r, Test test, P p = {}) {
  return std::count_if(std::begin(r), std::end(r), page_tested(test, p));
}
template <page_range R, class T>
constexpr auto count(R&& r, const T& value) {
  return std::count(std::begin(r), std::end(r), value);
}
template <page_range R, class Test, class P = page_same>
constexpr auto find_if(R&& r, Test test, P p = {}) {
  return std::find_if(std::begin(r), std::end(r), page_tested(test, p));
}
template <std::input_or_output_iterator Iterator, class Test>
constexpr Iterator find_if(Iterator first, Iterator last, Test test) {
  return std::find_if(first, last, std::move(test));
}
template <page_range R, class T, class P = page_same>
constexpr auto find(R&& r, const T& value, P p = {}) {
  return std::find_if(std::begin(r), std::end(r), [&](auto&& x) { return std::invoke(p, x) == value; });
}
template <std::input_or_output_iterator Iterator, class T, class P = page_same>
constexpr Iterator find(Iterator first, Iterator last, const T& value, P p = {}) {
  return std::find_if(first, last, [&](auto&& x) { return std::invoke(p, x) == value; });
}
template <page_range A, page_range B, class Test = std::equal_to<>>
constexpr bool equal(A&& a, B&& b, Test test = {}) {
  return std::equal(std::begin(a), std::end(a), std::begin(b), std::end(b), std::move(test));
}
template <page_range R, class Less = std::less<>, class P = page_same>
constexpr void sort(R&& r, Less less = {}, P p = {}) {
  std::sort(std::begin(r), std::end(r), page_compared(less, p));
}
template <page_range R, class Less = std::less<>, class P = page_same>
void stable_sort(R&& r, Less less = {}, P p = {}) {
  std::stable_sort(std::begin(r), std::end(r), page_compared(less, p));
}
template <page_range R, class Less = std::less<>, class P = page_same>
constexpr auto min_element(R&& r, Less less = {}, P p = {}) {
  return std::min_element(std::begin(r), std::end(r), page_compared(less, p));
}
template <page_range R, class Less = std::less<>, class P = page_same>
constexpr auto max_element(R&& r, Less less = {}, P p = {}) {
  return std::max_element(std::begin(r), std::end(r), page_compared(less, p));
}
template <page_range R, class Test>
constexpr auto adjacent_find(R&& r, Test test) {
  return std::adjacent_find(std::begin(r), std::end(r), std::move(test));
}
template <page_range R, class T, class Less = std::less<>, class P = page_same>
constexpr auto lower_bound(R&& r, const T& value, Less less = {}, P p = {}) {
  return std::lower_bound(std::begin(r), std::end(r), value, [&](auto&& x, auto&& bound) {
    return std::invoke(less, std::invoke(p, x), bound);
  });
}
template <page_range R, class Out, class F>
constexpr void transform(R&& r, Out out, F f) {
  std::transform(std::begin(r), std::end(r), std::move(out), [&](auto&& x) { return std::invoke(f, x); });
}
template <page_range R, class T>
constexpr void replace(R&& r, const T& from, const T& to) {
  std::replace(std::begin(r), std::end(r), from, to);
}
template <page_range R, class F>
constexpr void for_each(R&& r, F f) {
  std::for_each(std::begin(r), std::end(r), [&](auto&& x) { std::invoke(f, x); });
}
template <page_range R, class Out>
constexpr void move(R&& r, Out out) {
  std::move(std::begin(r), std::end(r), std::move(out));
}
template <page_range R, class Out, class Test>
constexpr void copy_if(R&& r, Out out, Test test) {
  std::copy_if(std::begin(r), std::end(r), std::move(out), std::move(test));
}

template <class A, class B>
struct page_places {
  A in1;
  B in2;
};
template <page_range A, page_range B>
constexpr auto mismatch(A&& a, B&& b) {
  const auto [one, two] = std::mismatch(std::begin(a), std::end(a), std::begin(b), std::end(b));
  return page_places<std::decay_t<decltype(one)>, std::decay_t<decltype(two)>>{one, two};
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
