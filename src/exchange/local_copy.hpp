// SPDX-License-Identifier: BSD-3-Clause
// The elements that stay on this process.
#pragma once

#include <span>

#include "plan/packets.hpp"

namespace xredist::core {

/// Copies the elements that stay on this process, packet by packet. They may take longer than the messages of a round,
/// and continue in the next one.
class LocalCopy {
 public:
  /// The arguments outlive the object. The cursor may still be in an earlier exchange, which is dropped.
  LocalCopy(const Batch& batch, Packer& packer, PacketCursor& packets)
      : batch_(batch), packer_(packer), packets_(packets) {
    close();
  }

  /// Starts with the transfers of a round, which must stay where they are until done(). If there are some, finishes
  /// those of earlier rounds at once. If two arrays overlap in memory, copies all elements
  /// at once; those of the two through a buffer of their size.
  void open(std::span<const Transfer> copies);
  void close() { packets_.close(); }

  bool done() const { return packets_.done(); }
  /// Copies a packet. Must not be called when done.
  void step();
  /// Copies all packets that are left.
  void finish() {
    while (!done()) step();
  }
  /// Returns whether elements of a job have not been copied yet.
  bool has_more_of(int job) const { return packets_.has_more_of(job); }

 private:
  bool overlaps(const Transfer& copy) const;
  void copy_aside(const Transfer& transfer);

  const Batch& batch_;
  Packer& packer_;
  PacketCursor& packets_;
};

}  // namespace xredist::core
