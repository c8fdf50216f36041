// SPDX-License-Identifier: BSD-3-Clause
// Memory that processes of one node share. Pieces are packed into it and unpacked from it, without a copy by MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// This process's segment of shared memory, and those of its neighbours that it has mapped; freed at MPI_Finalize.
/// On systems without memfd (other than Linux), and where limits do not allow it, there is none.
class Segments {
 public:
  /// The most bytes of a segment that may be used.
  static constexpr Index most_bytes = Index{2} << 20;

  /// Which process it is, and where its neighbours find its segment.
  struct Identity {
    std::uint64_t node, cookie;  ///< cookie 0: the process has no segment
    std::int32_t pid, file;
  };

  Segments() = default;
  ~Segments();
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  /// Makes the own segment at the first call.
  const Identity& identity();

  /// The first `bytes` of another process's segment, or nullptr if it cannot be mapped. Stays until MPI_Finalize.
  const std::byte* map(const Identity& other, Index bytes);

  /// The own segment's memory, for one user at a time: nullptr while another has it.
  std::byte* take();
  void give_back() { taken_ = false; }

 private:
  struct Mapping {
    std::uint64_t cookie;
    std::byte* memory;
    std::size_t length;
  };
  void make();

  Identity identity_{};
  bool made_ = false, taken_ = false;
  std::byte* own_ = nullptr;
  std::vector<Mapping> mapped_;
};

}  // namespace xredist::core
