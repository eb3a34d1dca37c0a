// What was shown once, or not, is not looked at again. Tests: tests/certificates/hypotheses_test.cpp
#pragma once

#include <exception>
#include <map>
#include <string>

#include "checks/verifier/interval.h"

namespace gpe::verifier {

/// Calls `show`, or throws again what it threw the first time for this text; but for TooLong, which says
/// something of the certificate that asked.
template <class Show>
void show_once(const std::string& what, const Show& show) {
  thread_local std::map<std::string, std::exception_ptr> known;  // why it is not shown, or nothing
  if (known.size() > 16) known.clear();
  if (!known.contains(what)) {
    std::exception_ptr why;
    try {
      show();
    } catch (const TooLong&) {
      throw;
    } catch (const NotShown&) {
      why = std::current_exception();
    }
    known.emplace(what, why);
  }
  if (known.at(what)) std::rethrow_exception(known.at(what));
}

}  // namespace gpe::verifier
