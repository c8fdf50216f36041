// SPDX-License-Identifier: BSD-3-Clause
// The communicator on which data travel.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "exchange/ledger.hpp"
#include "plan/links.hpp"
#include "plan/options.hpp"

namespace xredist::core {

struct Process;
class Turn;

/// Tags of messages that do not belong to an exchange, and the first tag of those that do. All are above 9976, the tag
/// of BLACS's own point-to-point messages.
inline constexpr int withdrawal_tag = 10'000, survey_tag = 10'001, first_tag = 10'002;

/// All that a process needs in order to exchange messages with the others of a communicator.
class Channel {
 public:
  /// Whose communicator it is. If it is the channel's own, messages of the library and of the program cannot meet, and
  /// processes tell each other when they fail.
  enum class Owner { channel, context };

  /// Local. `size`: that of the communicator that open() will be given.
  Channel(Process& process, int size);
  /// `options`: those on which the processes have agreed. Allocates nothing.
  void open(MPI_Comm comm, Owner owner, const Options& options);
  /// Completes what is under way on it.
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  Process& process() const { return process_; }

  const Options& options() const { return options_; }
  Options& options() { return options_; }  ///< all processes make the same changes; they hold for later plans

  /// Finds out which processes share memory and how fast the network is. Collective the first time, local afterwards.
  /// Plans that are made earlier do without: a single small redistribution would not pay for it.
  const Links& explore(Turn& turn);
  bool explored() const { return explored_; }
  const Links& links() const { return links_; }
  /// The memory that a neighbour shows.
  const std::byte* memory_of(int neighbour) const;

  /// Expires with the channel.
  std::weak_ptr<const void> life() const { return life_; }

  Ledger& ledger() { return ledger_; }
  /// Tells a process that this one does not carry out the exchanges number `first` to `last` with it.
  void withdraw(int rank, Index first, Index last) noexcept;
  /// The posted receive of other processes' withdrawals. Whoever completes it calls heard().
  MPI_Request& withdrawal() { return withdrawal_; }
  void heard(const MPI_Status& status);
  /// Takes in all withdrawals that have arrived, if no exchange has the receive.
  void hear();

  /// The tag of messages of a kind in [0, most_kinds), in exchange `number` with some process.
  int tag(Index number, int kind) const {
    return first_tag + static_cast<int>(number % tagged_numbers_) * most_kinds + kind;
  }
  static constexpr int most_kinds = 2 + 2 * most_slots;

 private:
  void listen();

  Process& process_;
  std::shared_ptr<const void> life_ = std::make_shared<char>();
  MPI_Comm comm_ = MPI_COMM_NULL;
  Owner owner_ = Owner::channel;
  int rank_ = 0, size_;
  Options options_;
  bool explored_ = false;
  Links links_;
  std::vector<const std::byte*> memory_;  // of links_.neighbours
  Ledger ledger_;
  Index refused_[2] = {};  // first and last, as received from another process
  MPI_Request withdrawal_ = MPI_REQUEST_NULL;
  Index tagged_numbers_ = 1;
  bool withdrew_ = false;
};

/// The channel on a duplicate of `parent`, made once and freed with it. Collective over `parent` the first time, local
/// afterwards. Rank 0's options hold for all. Throws BadOption if one of them is bad,
/// OutOfMemorySomewhere: on all processes alike.
Channel& channel_of(MPI_Comm parent, Turn& turn);

/// A channel on the communicator of a BLACS context itself: a duplicate takes longer than a small redistribution. The
/// context outlives it, and the program ends where an exchange fails. Collective; throws as channel_of.
std::unique_ptr<Channel> channel_within(MPI_Comm context, Turn& turn);

}  // namespace xredist::core
