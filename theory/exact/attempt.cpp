#include "theory/exact/attempt.h"

#include "theory/exact/form_text.h"

namespace gpe::theory {

std::string NotKnown::reason() const {
  return end == End::split ? "the sign of " + to_text(open) + " is left open" : text;
}

void NotKnown::raise() const {
  if (end == End::time_up) throw TimeUp();
  throw Undecided(reason());
}

NotKnown not_known(const std::runtime_error& error) {
  using enum NotKnown::End;
  if (dynamic_cast<const TimeUp*>(&error) != nullptr) return {time_up, error.what(), {}};
  return {dynamic_cast<const Undefined*>(&error) != nullptr ? undefined : undecided, error.what(), {}};
}

NotKnown not_known(const SplitRequest& request) { return {NotKnown::End::split, "", request.form}; }

}  // namespace gpe::theory
