// Memory that processes of one node share: pieces are packed into it and unpacked out of it, without a
// copy by MPI on the way.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout/axis.hpp"

namespace xredist {

/// The processes of a communicator that are on this one's node. On systems without memfd (other than
/// Linux), where a process may not open another's files, and where it is not wanted: nobody.
class Neighbours {
 public:
  /// Collective over comm; `wanted` is the same on all processes.
  Neighbours(MPI_Comm comm, bool wanted);

  /// Bytes of its own memory that each process may use, the same on all processes; 0 where no two
  /// share a node. A process sees its neighbours' memory in its own resident size, so the more there
  /// are, the less each takes.
  Index bytes() const { return bytes_; }
  std::byte* own() const { return own_; }

  /// Whether the communicator is of one node and all share; the same on all processes.
  bool everyone() const { return everyone_; }
  bool contains(int rank) const { return find(rank) != nullptr; }
  /// The memory of a neighbour, mapped at first use.
  const std::byte* memory_of(int rank);

 private:
  struct Neighbour {
    int rank;
    std::int32_t pid, file;
    std::uint64_t cookie;
    const std::byte* memory = nullptr;
  };
  const Neighbour* find(int rank) const;

  std::vector<Neighbour> neighbours_;  // by rank
  std::byte* own_ = nullptr;
  Index bytes_ = 0;
  bool everyone_ = false;
};

}  // namespace xredist
