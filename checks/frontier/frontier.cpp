#include "checks/frontier/frontier.h"

#include <flint.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "theory/source/spec_error.h"

namespace gpe::checks {

Gain gain_option(const std::string& option, const std::string& text) {
  for (const Gain gain : {Gain::range, Gain::window, Gain::mean, Gain::beyond}) {
    if (text == name_of(gain)) return gain;
  }
  throw theory::SpecError(option + ": '" + text + "' is not known; expected range, window, mean or beyond");
}

std::string name_of(Gain gain) {
  switch (gain) {
    case Gain::range:
      return "range";
    case Gain::window:
      return "window";
    case Gain::mean:
      return "mean";
    case Gain::beyond:
      return "beyond";
  }
  return "";
}

void compute(std::vector<FrontierPoint>& points, const TradeOffOptions& options,
             const theory::Context& context, unsigned threads,
             const std::function<void(std::size_t)>& progress) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> failed(points.size());
  const auto work = [&](bool says) {
    for (std::size_t i = next++; i < points.size(); i = next++) {
      if (says) progress(i);
      try {
        points[i].numbers = trade_off(points[i].law, options, context);
      } catch (...) {
        failed[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads && i < points.size(); ++i) {
    others.emplace_back([&] {
      work(false);
      flint_cleanup();  // what the library keeps for this thread
    });
  }
  work(true);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failed) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace gpe::checks
