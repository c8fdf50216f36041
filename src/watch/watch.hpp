// SPDX-License-Identifier: BSD-3-Clause
// The watch: a thread that prints a line about a call that waits, and keeps this process's file of the roll-call. The
// thread calls no function of MPI.
#pragma once

#include "settings/options.hpp"
#include "watch/text.hpp"

namespace xredist::core {

/// Watches this process from now on, or changes the times and the folder of the watch. 0 seconds: stops. The thread
/// starts once and stays until the process ends. Without memory or a thread, the process is not watched.
void watch(const WatchOption& option, const Who& who) noexcept;

/// Tells the watch that the program has called MPI_Finalize. Waits, for a second at most, until the files of this
/// process are up to date.
void tell_watch_of_finalize() noexcept;
}  // namespace xredist::core
