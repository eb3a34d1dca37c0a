#include "model/data/bus_error.h"
// Tests: tests/model/data/mapped_file_test.cpp
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "checks/cli/command_line.h"

namespace gpe::model {
namespace {

// A handler may take no lock and allocate nothing: places that are made beforehand, with their messages.
struct Place {
  std::atomic<const std::byte*> begin = nullptr;
  std::size_t size = 0;
  std::array<char, 512> message{};
};

std::array<Place, 64> places;
std::mutex writing;
struct sigaction handler_before;

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const auto* const at = static_cast<const std::byte*>(info->si_addr);
  for (const Place& place : places) {
    const std::byte* const begin = place.begin.load();
    if (begin == nullptr || at < begin || at >= begin + place.size) continue;
    const ssize_t ignored = write(STDERR_FILENO, place.message.data(), std::strlen(place.message.data()));
    _exit(ignored < 0 ? checks::kFailed : checks::kBadInput);
  }
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
    handler_before.sa_sigaction(signal, info, context);
  } else {  // none of ours: the instruction runs again, and meets what there was before
    sigaction(SIGBUS, &handler_before, nullptr);
  }
}

void handle_once() {
  static const bool done = [] {
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, &handler_before) == 0;
  }();
  static_cast<void>(done);
}

}  // namespace

bool watch(std::span<const std::byte> bytes, const std::filesystem::path& file) {
  handle_once();
  const std::scoped_lock lock(writing);
  const auto free = std::ranges::find_if(places, [](const Place& p) { return p.begin.load() == nullptr; });
  if (free == places.end()) return false;
  std::string name = file.string();
  std::ranges::replace_if(
      name, [](char c) { return c < ' ' || c > '~'; }, '?');
  std::snprintf(free->message.data(), free->message.size(),
                "%s: %.300s: was cut off while it was read; expected a file that stays as it is\n",
                program_invocation_short_name, name.c_str());
  free->size = bytes.size();
  free->begin = bytes.data();
  return true;
}

void unwatch(std::span<const std::byte> bytes) {
  const std::scoped_lock lock(writing);
  for (Place& place : places) {
    if (place.begin.load() == bytes.data()) place.begin = nullptr;
  }
}

}  // namespace gpe::model
