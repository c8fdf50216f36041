// SPDX-License-Identifier: BSD-3-Clause
// One outcome on all processes of a communicator.
#pragma once

#include "api/errors.hpp"
#include "exchange/channels.hpp"

namespace xredist::core {

/// Takes the code of this process, whose sentence xredist_error() has. If any process has another code than
/// XREDIST_SUCCESS, all processes throw the same CodedError: that of the lowest of these ranks. Collective.
void demand_on_all(int code, const Channel& channel);

/// Runs `body` on this process. All processes return, or throw the same CodedError. Collective.
template <class Body>
void together(const Channel& channel, Body body) {
  demand_on_all(coded(body), channel);
}

/// Broadcasts a value from rank 0.
template <class Value>
void broadcast_value(Value& value, const Channel& channel) {
  static_assert(std::is_trivially_copyable_v<Value>);
  LibraryLock lock;
  broadcast(&value, static_cast<int>(sizeof value), MPI_BYTE, channel.comm(), lock->progress);
}

}  // namespace xredist::core
