// The library's own communicator beside a user's.
#pragma once

#include <mpi.h>

#include <optional>

#include "exchange/neighbours.hpp"
#include "exchange/options.hpp"

namespace xredist {

/// A duplicate of a communicator, on which all data travel: messages of the library and of the
/// program cannot meet. One for each communicator, made once, freed with it.
class Channel {
 public:
  /// Collective over `parent`. Rank 0's options hold for all.
  explicit Channel(MPI_Comm parent);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  const Options& options() const { return options_; }
  Options& options() { return options_; }  ///< a change is made by all processes alike, for plans to come
  Neighbours& neighbours() { return *neighbours_; }
  const Neighbours& neighbours() const { return *neighbours_; }
  /// Of its own memory that a process may share with its neighbours; 0: all goes by messages.
  Index shared_bytes() const { return options_.shared != 0 ? neighbours_->bytes() : 0; }

  /// Whether large loads for others than neighbours wait for permits of their receivers (exchange.cpp).
  bool guards() const;
  /// Bytes that the network carries in 50 us, in which permits come and go; from its rate as measured.
  Index carried() const;

  /// Counts calls: true for every 64th. Its messages are sent synchronously, for MPI keeps small ones
  /// at a receiver that has not called yet: without it, a process that only sends could be any number of
  /// calls ahead, and fill the other's memory.
  bool next_call_synchronises();

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 0;
  Index calls_ = 0;
  Options options_;
  std::optional<Neighbours> neighbours_;
  double seconds_per_byte_ = 0;
};

/// Collective over `parent` the first time, local afterwards. Throws std::invalid_argument, on all
/// processes, if rank 0's environment holds a bad option.
Channel& channel_of(MPI_Comm parent);

}  // namespace xredist
