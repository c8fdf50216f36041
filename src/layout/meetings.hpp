// SPDX-License-Identifier: BSD-3-Clause
// Who shares elements with whom along an axis, without how many.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/overlap.hpp"

namespace xredist::core {

/// Finds the receivers that a sender meets. Of CYCLIC axes, walks the sender's blocks until it has met all of them.
class Meetings {
 public:
  /// The overlap must live as long.
  explicit Meetings(const Overlap& o);

  /// In ascending order; valid until the next call.
  const std::vector<int>& of(Index p);

 private:
  struct Place {
    int q;       ///< process of B
    Index into;  ///< its block
  };
  Place place(Index k) const;
  Place next(Place at) const;
  void meet(Place at, Index length);
  void read();

  const Overlap& o_;
  Place turn_{};
  std::vector<std::uint64_t> bits_;
  std::vector<int> met_;
};

}  // namespace xredist::core
