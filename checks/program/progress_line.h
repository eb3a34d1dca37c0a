// One line on standard error that says how far long work is, where standard error is a terminal.
// Tests: tests/cli/output.cmake
#pragma once

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "theory/expression/printable.h"

namespace gpe::checks {

class ProgressLine {
 public:
  explicit ProgressLine(std::string program)
      : program_(std::move(program)), shown_(isatty(STDERR_FILENO) != 0) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }
  void show(const std::string& what) {
    if (!shown_) return;
    std::fprintf(stderr, "\r\033[K%s: %s", program_.c_str(), theory::printable(what).c_str());
    std::fflush(stderr);
    written_ = true;
  }
  /// "reading [########            ] 40 %, 6 s left", from two seconds after the first call about `what` on;
  /// nothing once all is done. What is left is an estimate, as if all parts took the same time.
  void show(const std::string& what, double part) {
    const auto now = std::chrono::steady_clock::now();
    if (what != what_) {
      begin_ = now;
      what_ = what;
      done_ = part;
    }
    if (part >= 1) return clear();
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    if (seconds < 2) return;
    std::string bar(20, ' ');
    bar.replace(0, static_cast<std::size_t>(20 * part), static_cast<std::size_t>(20 * part), '#');
    std::string left;
    if (part > done_)
      left =
          ", " + std::to_string(std::llround(std::ceil(seconds * (1 - part) / (part - done_)))) + " s left";
    show(what + " [" + bar + "] " + std::to_string(static_cast<int>(100 * part)) + " %" + left);
  }
  void clear() {
    if (written_) std::fputs("\r\033[K", stderr);
    written_ = false;
  }

 private:
  std::string program_;
  bool shown_;
  bool written_ = false;
  std::string what_;  ///< what a part was last shown of, since when, and from which part on
  std::chrono::steady_clock::time_point begin_;
  double done_ = 0;
};

}  // namespace gpe::checks
