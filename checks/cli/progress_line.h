// One line on standard error that says how far long work is, where standard error is a terminal.
// Tests: tests/cli/progress_test.py
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace gpe::checks {

class ProgressLine {
 public:
  explicit ProgressLine(std::string program);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  void show(const std::string& what);
  /// "reading [########            ] 40 %, 6 s left", from two seconds after the first call about `what` on,
  /// and again each second, whether or not another part is done; nothing once all is done. What is left is an
  /// estimate, as if all parts took the same time; before the first part is done, how long it has taken.
  void show(const std::string& what, double part);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void write(const std::string& text);
  void write_part();
  void erase();
  void tick();

  std::string program_;
  bool shown_;
  bool written_ = false;
  std::string what_;         ///< what a part was last shown of; empty: nothing is under way
  Clock::time_point begin_;  ///< of it
  Clock::time_point last_;   ///< when its part was last told
  double first_ = 0;         ///< its part at the beginning
  double part_ = 0;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread ticking_;
};

}  // namespace gpe::checks
