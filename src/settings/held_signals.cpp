// SPDX-License-Identifier: BSD-3-Clause
#include "settings/held_signals.hpp"

#include <array>
#include <cerrno>

namespace xredist::core {
namespace {

constexpr std::array held_back{SIGXFSZ, SIGPIPE};

}  // namespace

HeldSignals::HeldSignals() noexcept {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : held_back) sigaddset(&set, signal);
  sigpending(&pending_);
  pthread_sigmask(SIG_BLOCK, &set, &mask_);
}

// A signal that has come since is that of a write, which the system sends to the thread itself: it is taken.
HeldSignals::~HeldSignals() {
  const int before = errno;
  sigset_t now;
  sigpending(&now);
  for (const int signal : held_back) {
    if (sigismember(&now, signal) != 1 || sigismember(&pending_, signal) == 1) continue;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    int taken = 0;
    sigwait(&one, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  errno = before;
}

}  // namespace xredist::core
