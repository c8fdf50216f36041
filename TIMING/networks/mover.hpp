// What is timed: the library with each of its algorithms, and what others do on the same network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "local.hpp"

namespace networks {

class Mover {
 public:
  virtual ~Mover() = default;
  /// Collective over MPI_COMM_WORLD.
  virtual void move() = 0;
  /// Whether the contents arrive; else only as many bytes travel.
  virtual bool moves_contents() const { return true; }
};

/// The names that make_mover takes: the library's algorithms, then the baselines.
std::vector<std::string> movers();

/// Collective. Nothing where the algorithm is not defined for the case.
std::unique_ptr<Mover> make_mover(const std::string& name, const Case& c, Local& a, Local& b);

/// Bytes alone, without packing, in the order of ScaLAPACK's routine ("scalapack"): the lower of a pair sends first,
/// each waits for one receive at a time; all messages at once in order of rank ("at-once"); "alltoallv".
std::unique_ptr<Mover> make_baseline(const std::string& name, const Case& c);

}  // namespace networks
