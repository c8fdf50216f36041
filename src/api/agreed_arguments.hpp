// SPDX-License-Identifier: BSD-3-Clause
// Arguments that all processes of a communicator compare if the option "check" asks for the comparison.
#pragma once

#include <mpi.h>

#include "api/compare.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/same_call.hpp"
#include "exchange/channels.hpp"

namespace xredist::core {

/// Compares the arguments that list() returns after it has checked them. All processes throw the same failure, also if
/// they are in different functions. Collective over the channel.
template <class List>
void compare_arguments(const char* function, const Channel& channel, Progress& progress, const List& list) {
  demand_same_function(function, channel.comm(), progress);
  agreed_values(attempt(list), channel.comm(), progress);
}

/// Returns the options of a plan. check(): throws the error of an argument of this process, or returns the text of the
/// plan's own options. Unless the option "check" is local, compares the arguments that list() returns. Collective then,
/// and the first time.
template <class Check, class List>
Options agreed_options(const char* function, Channel& channel, const LibraryLock& lock, const Check& check,
                       const List& list) {
  channel.explore(lock->progress);
  const Options& of_channel = channel.options();
  Options options;
  const auto checked = [&] { options = options_of(check(), of_channel); };
  if (of_channel.check == Options::Check::local) return checked(), options;
  compare_arguments(function, channel, lock->progress, [&] {
    checked();
    return list();
  });
  return options;
}

/// Checks the arguments of a function that needs no other process: check() throws their error. Local, unless comm has a
/// channel whose option "check" is not local: then compares the arguments that list() returns. Without a channel the
/// processes have not agreed on their options, and nothing is compared.
template <class Check, class List>
void check_arguments(const char* function, MPI_Comm comm, const Check& check, const List& list) {
  LibraryLock lock;
  Channel* const channel = known_channel(comm, lock);
  if (channel == nullptr || channel->options().check == Options::Check::local) return check();
  channel->explore(lock->progress);
  compare_arguments(function, *channel, lock->progress, [&] {
    check();
    return list();
  });
}

}  // namespace xredist::core
