// SPDX-License-Identifier: BSD-3-Clause
// What the watch learns from MPI: the rank of this process, and those of the processes of a channel.
#pragma once

#include <string_view>

#include "exchange/channel.hpp"
#include "exchange/progress.hpp"

namespace xredist::core {

/// Watches this process as the text of the option "watch" says. Does nothing if the text is invalid: the first process
/// of a communicator reports invalid options.
void watch_process(std::string_view text);

/// Watches this process if the first process of the channel has the option "watch", and this process has none. If the
/// first process is watched, all processes learn their ranks in MPI_COMM_WORLD, collectively.
void watch_channel(Channel& channel, bool first_is_watched, Progress& progress);

}  // namespace xredist::core
