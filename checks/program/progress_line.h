// One line on standard error that says how far long work is, where standard error is a terminal.
#pragma once

#include <unistd.h>

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
  /// "reading 40 %"; nothing once all is done.
  void show(const std::string& what, double part) {
    if (part < 1) return show(what + " " + std::to_string(static_cast<int>(100 * part)) + " %");
    clear();
  }
  void clear() {
    if (written_) std::fputs("\r\033[K", stderr);
    written_ = false;
  }

 private:
  std::string program_;
  bool shown_;
  bool written_ = false;
};

}  // namespace gpe::checks
