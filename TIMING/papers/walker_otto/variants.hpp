// Walker & Otto's redistribution r -> K r in the variants that their figures 11 and 12 compare.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "orders.hpp"

namespace walker_otto {

struct Shape {
  int r, blocks;  ///< elements of a small block, small blocks of a process
  double pack;    ///< what packing and unpacking a byte take on a simulated process, seconds
};

/// This process's part of a vector of ints, before and after.
class Redistribution {
 public:
  Redistribution(const Growth& growth, const Shape& shape);

  /// One receive is posted, from whomever; a block is sent; the receive is waited for. K times. Relies on MPI to buffer
  /// the message: MPI_Send returns before it is received.
  void synchronised(const std::vector<int>& order);
  /// All K receives are posted first: buffers for as much as the process holds.
  void unsynchronised(const std::vector<int>& order);
  /// One MPI_Sendrecv a step; both orders are of one schedule.
  void sendrecv(const std::vector<int>& order, const std::vector<int>& receives);

  void clear();
  /// Whether each element is where it belongs.
  bool right() const;

 private:
  using Message = std::vector<int>;  ///< the number of the small block, then its elements of every superblock

  void pack(int block, Message& message) const;
  void unpack(const Message& message);
  int copies() const { return static_cast<int>(message_.size()); }

  const Growth growth_;
  const Shape shape_;
  const int superblocks_;
  int me_ = 0;
  Message message_, received_;
  std::vector<int> before_, after_;
};

/// Elements in all, of a process.
int elements(const Growth& growth, const Shape& shape);

}  // namespace walker_otto
