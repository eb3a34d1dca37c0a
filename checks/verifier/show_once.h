// What was shown once, or not, is not looked at again. Tests: tests/certificates/hypotheses_test.cpp
#pragma once

#include <exception>
#include <map>
#include <string>

#include "checks/verifier/interval.h"

namespace gpe::verifier {

/// Calls `show`, or throws again what it threw the first time for this text, and counts its work again.
template <class Show>
void show_once(const std::string& what, const Show& show) {
  thread_local std::map<std::string, std::pair<std::size_t, std::exception_ptr>> all;  // steps; why not
  if (all.size() > 16) all.clear();
  if (const auto known = all.find(what); known != all.end()) {
    spend(known->second.first);
    if (known->second.second) std::rethrow_exception(known->second.second);
    return;
  }
  const std::size_t before = spent();
  std::exception_ptr why;
  try {
    show();
  } catch (const NotShown&) {
    why = std::current_exception();
  }
  all[what] = {spent() - before, why};
  if (why) std::rethrow_exception(why);
}

}  // namespace gpe::verifier
