// SPDX-License-Identifier: BSD-3-Clause
// One end of an exchange's packets.
#pragma once

#include "exchange/packet_buffers.hpp"
#include "exchange/requests.hpp"
#include "exchange/slots.hpp"
#include "exchange/wire.hpp"

namespace xredist::core {

/// The objects that a sender or a receiver uses. All of them outlive it. Sender and receiver share them, except
/// `slots`: each has slots of its own.
struct ExchangeEnd {
  const Wire& wire;
  const Buffers& buffers;
  const Batch& batch;
  Requests& requests;
  Packer& packer;
  Slots& slots;
};

}  // namespace xredist::core
