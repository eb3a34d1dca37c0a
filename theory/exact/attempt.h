// Not known, as a value: the result of a computation, or the reason why it has none. Exceptions that end a
// decision without an answer become values here; code that can continue without an answer asks here instead
// of catching.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "theory/exact/decision.h"

namespace gpe::theory {

/// Why there is no value.
struct NotKnown {
  enum class End { undecided, time_up, undefined, split };
  End end = End::undecided;
  std::string text;
  Form open;  ///< whose sign is open; of `split` only

  std::string reason() const;
  /// Passes it on. @throws TimeUp for time_up; Undecided with the reason for every other end.
  [[noreturn]] void raise() const;
};
/// Undefined and TimeUp are told apart, every other error is `undecided`.
NotKnown not_known(const std::runtime_error& error);
NotKnown not_known(const SplitRequest& request);

/// A value, or the reason why there is none.
template <class T>
class Attempt {
 public:
  Attempt(T value) : outcome_(std::in_place_index<0>, std::move(value)) {}
  Attempt(NotKnown why) : outcome_(std::in_place_index<1>, std::move(why)) {}

  explicit operator bool() const { return outcome_.index() == 0; }
  /// @pre there is a value
  const T& operator*() const { return std::get<0>(outcome_); }
  const T* operator->() const { return &std::get<0>(outcome_); }
  /// @pre there is none
  const NotKnown& why() const { return std::get<1>(outcome_); }
  std::string reason() const { return why().reason(); }

  T value_or(T other) && { return *this ? std::get<0>(std::move(outcome_)) : std::move(other); }
  /// The value, or what `other` makes of the reason.
  template <class Other>
  T or_else(const Other& other) && {
    return *this ? std::get<0>(std::move(outcome_)) : T(other(reason()));
  }
  /// The value. @throws what NotKnown::raise throws.
  T or_raise() && {
    if (!*this) why().raise();
    return std::get<0>(std::move(outcome_));
  }
  /// The value or nothing, where the reason is not needed.
  std::optional<T> if_known() && {
    return *this ? std::optional<T>(std::get<0>(std::move(outcome_))) : std::nullopt;
  }

 private:
  std::variant<T, NotKnown> outcome_;
};

/// What `work` returns (std::monostate for void), or why it ended with one of the exceptions named, Undecided
/// where none is; every other exception passes. TimeUp is an Undecided.
template <class End = Undecided, class... Others, class Work>
auto attempt(const Work& work) {
  using Returned = std::decay_t<std::invoke_result_t<const Work&>>;
  using Result = Attempt<std::conditional_t<std::is_void_v<Returned>, std::monostate, Returned>>;
  try {
    if constexpr (sizeof...(Others) > 0) {
      return attempt<Others...>(work);
    } else if constexpr (std::is_void_v<Returned>) {
      work();
      return Result(std::monostate{});
    } else {
      return Result(work());
    }
  } catch (const End& end) {
    return Result(not_known(end));
  }
}

/// The same, but TimeUp passes.
template <class... Ends, class Work>
auto attempt_in_time(const Work& work) {
  auto result = attempt<Ends...>(work);
  if (!result && result.why().end == NotKnown::End::time_up) result.why().raise();
  return result;
}

}  // namespace gpe::theory
