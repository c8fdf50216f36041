// Walker & Otto's redistribution r -> K r on P processes, in the orders and variants that their figures 11 and 12
// compare. P K small blocks are a superblock; of each a process holds K of them before and one large block of K slots
// after.
#pragma once

#include <vector>

namespace walker_otto {

struct Growth {
  int P, K;

  int holder(int block) const { return block % P; }       ///< of a small block of the superblock, before
  int held(int block) const { return block / P; }         ///< and which of its K it is
  int destination(int block) const { return block / K; }  ///< after
  int slot(int block) const { return block % K; }
};

/// The small block that process p sends in each of K steps. Their own number by number (equation 2): in the first step
/// most send to process 0.
std::vector<int> simple_order(const Growth& g, int p);

/// The same shuffled, each process for itself.
std::vector<int> random_order(const Growth& g, int p, unsigned seed);

/// No two processes send to the same one in a step (equations 7 to 10).
std::vector<int> optimal_order(const Growth& g, int p);

/// What process q receives in each step of the optimal order (equation 11).
std::vector<int> optimal_receives(const Growth& g, int q);

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

}  // namespace walker_otto
