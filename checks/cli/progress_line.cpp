#include "checks/cli/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "checks/cli/typed_name.h"
#include "theory/source/printable.h"

namespace gpe::checks {

namespace {

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

ProgressLine::ProgressLine(std::string program)
    : program_(typed_name(std::move(program))), shown_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    erase();
  }
  end_.notify_all();
  if (ticking_.joinable()) ticking_.join();
}

void ProgressLine::show(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_.clear();
  write(what);
}

void ProgressLine::show(const std::string& what, double part) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  last_ = Clock::now();
  part_ = part;
  if (what != what_) {
    begin_ = last_;
    what_ = what;
    first_ = part;
  }
  if (part >= 1) {
    what_.clear();
    erase();
  } else {
    write_part();
    if (!ticking_.joinable()) ticking_ = std::thread([this] { tick(); });
  }
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  what_.clear();
  erase();
}

void ProgressLine::write(const std::string& text) {
  if (!shown_) return;
  std::fprintf(stderr, "\r\033[K%s: %s", program_.c_str(), theory::printable(text).c_str());
  std::fflush(stderr);
  written_ = true;
}

void ProgressLine::write_part() {
  const Clock::time_point now = Clock::now();
  const double taken = seconds(now - begin_);
  if (taken < 2) return;
  std::string bar(20, ' ');
  bar.replace(0, static_cast<std::size_t>(20 * part_), static_cast<std::size_t>(20 * part_), '#');
  std::string time = "for " + std::to_string(std::llround(taken)) + " s";
  if (part_ > first_) {
    const double whole = seconds(last_ - begin_) * (1 - part_) / (part_ - first_);
    time = std::to_string(std::llround(std::max(1.0, std::ceil(whole - seconds(now - last_))))) + " s left";
  }
  write(what_ + " [" + bar + "] " + std::to_string(static_cast<int>(100 * part_)) + " %, " + time);
}

void ProgressLine::erase() {
  if (written_) std::fputs("\r\033[K", stderr);
  written_ = false;
}

void ProgressLine::tick() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; })) {
    if (!what_.empty()) write_part();
  }
}

}  // namespace gpe::checks
