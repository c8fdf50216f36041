// The orders in which Walker & Otto 1996 send blocks: r -> K r on P processes. P K small blocks are a superblock; of
// each a process holds K of them before and one large block of K slots after.
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

}  // namespace walker_otto
