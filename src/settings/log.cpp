// SPDX-License-Identifier: BSD-3-Clause
#include "settings/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string_view>

#include "settings/held_signals.hpp"

namespace xredist::core {
namespace {

// Nothing is constructed or destroyed: messages may come before and after the lives of static objects.
constinit std::mutex mutex;
constinit char place[4096] = {};  // empty until it is known

void set(std::string_view name) { std::fill(std::copy(name.begin(), name.end(), place), std::end(place), '\0'); }

bool fits(std::string_view name) { return !name.empty() && name.size() < sizeof place; }

// Opens the file for one line: there are few lines, and programs fork, abort, and close what is not theirs.
int open_place(const char* name) {
  if (name == std::string_view("stderr")) return STDERR_FILENO;
  if (name == std::string_view("none")) return open("/dev/null", O_WRONLY | O_CLOEXEC);
  return open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

// Writes a line by one call, so that the lines of several processes do not mix.
void write_line(const char* line, std::size_t length) {
  const HeldSignals held;
  int file = open_place(place);
  if (file < 0) {
    dprintf(STDERR_FILENO, "xredist: %s cannot be written: messages go to stderr\n", place);
    set("stderr");
    file = STDERR_FILENO;
  }
  [[maybe_unused]] const auto written = write(file, line, length);  // there is no other place to report a failure
  if (file != STDERR_FILENO) close(file);
}

}  // namespace

bool set_log(const char* name) noexcept {
  const std::scoped_lock lock(mutex);
  if (!fits(name)) return false;
  const int file = open_place(name);
  if (file < 0) return false;
  if (file != STDERR_FILENO) close(file);
  set(name);
  return true;
}

void write_log(const char* format, ...) noexcept {
  const std::scoped_lock lock(mutex);
  if (*place == '\0') {
    const char* name = std::getenv("XREDIST_LOG");
    set(name != nullptr && fits(name) ? name : "stderr");
  }
  char line[2048] = "xredist: ";
  const std::size_t begun = std::char_traits<char>::length(line), room = sizeof line - begun - 1;
  va_list arguments;
  va_start(arguments, format);
  const int wanted = std::vsnprintf(line + begun, room, format, arguments);
  va_end(arguments);
  const std::size_t length = begun + std::min(static_cast<std::size_t>(std::max(wanted, 0)), room - 1);
  line[length] = '\n';
  write_line(line, length + 1);
}

}  // namespace xredist::core
