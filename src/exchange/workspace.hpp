// Memory of exchanges.
#pragma once

#include <mpi.h>

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "exchange/packing.hpp"
#include "exchange/stream.hpp"

namespace xredist {

/// Says how much memory was wanted.
struct OutOfMemory : std::bad_alloc {
  explicit OutOfMemory(Index bytes) : text("out of memory: " + std::to_string(bytes) + " bytes wanted") {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

/// Where a shared load is, in the sender's memory.
struct Notice {
  int slot, bytes;
};

/// What a slot for incoming loads holds.
struct Arriving {
  Load load;
  Notice notice;
};

/// What a slot for outgoing loads holds.
struct Leaving {
  Load load;
  int bytes;  ///< as packed
  Notice notice;
  bool permitted;
  int place;  ///< the receiver's slot, which its permit names
};

/// Memory that exchanges work in, kept from one to the next: freed and faulted in anew it would
/// cost more than a small exchange itself. One for each process.
class Workspace {
 public:
  /// Makes room for slots in either direction and, together, for `bytes` of their contents, which this returns.
  std::byte* reserve(std::size_t slots, Index bytes);

  Packer packer;
  std::vector<MPI_Request> requests;  ///< none, four for each slot
  std::vector<int> completed;
  std::vector<MPI_Status> statuses;
  std::vector<Arriving> arriving;
  std::vector<Leaving> leaving;

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index size_ = 0;
};

}  // namespace xredist
