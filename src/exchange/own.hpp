// SPDX-License-Identifier: BSD-3-Clause
// The message of a process to itself.
#pragma once

#include <optional>

#include "plan/loads.hpp"
#include "plan/packing.hpp"
#include "plan/plan.hpp"

namespace xredist::core {

/// Copies the elements that stay on this process from A to B, piece by piece. If the arrays overlap in memory, all of
/// them are copied at once, through a buffer of their size.
class OwnMessage {
 public:
  OwnMessage(const Job& job, Packer& packer);

  bool done() const { return !next_; }
  /// Copies a piece; there is one, unless it is done.
  void step();
  const Job& job() const { return job_; }

 private:
  Pieces pieces() const;
  void copy_aside();

  Job job_;
  Packer& packer_;
  std::optional<Pieces> pieces_;
  std::optional<Piece> next_;
};

}  // namespace xredist::core
