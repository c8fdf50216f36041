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

/// Tags of messages that are not of an exchange, and the first of those that are: above 9976, which BLACS's messages
/// between two processes have.
inline constexpr int withdrawal_tag = 10'000, survey_tag = 10'001, first_tag = 10'002;

/// All that a process needs in order to exchange with the others of a communicator.
class Channel {
 public:
  /// Whose communicator it is. With one of its own, messages of the library and of the program cannot meet, and
  /// processes tell each other when they fail.
  enum class Owner { channel, context };

  /// Local; `size`: of the communicator that open() will be given.
  Channel(Process& process, int size);
  /// With the options on which the processes have agreed. Allocates nothing.
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
  Options& options() { return options_; }  ///< a change is made by all processes alike, for plans to come

  /// Finds out who shares memory with whom, and how fast the network is; collective the first time. Plans that are
  /// made before that do without: a single small redistribution would take longer for it.
  const Links& explore(Turn& turn);
  bool explored() const { return explored_; }
  const Links& links() const { return links_; }
  /// What a neighbour shows of its memory.
  const std::byte* memory_of(int neighbour) const;

  Ledger& ledger() { return ledger_; }
  /// Tells a process that exchanges `first` to `last` with it are not carried out.
  void withdraw(int rank, Index first, Index last) noexcept;
  /// The receive of what other processes withdraw from. Whoever completes it calls heard().
  MPI_Request& withdrawal() { return withdrawal_; }
  void heard(const MPI_Status& status);
  /// Completes those that can be; where no exchange has the receive.
  void hear();

  /// The tag of messages of the k-th kind, of most_kinds, in exchange `number` with some process.
  int tag(Index number, int kind) const {
    return first_tag + static_cast<int>(number % tagged_numbers_) * most_kinds + kind;
  }
  static constexpr int most_kinds = 2 + 2 * most_slots;

 private:
  void listen();

  Process& process_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Owner owner_ = Owner::channel;
  int rank_ = 0, size_;
  Options options_;
  bool explored_ = false;
  Links links_;
  std::vector<const std::byte*> memory_;  // of links_.neighbours
  Ledger ledger_;
  Index refused_[2] = {};  // first and last, as another process says
  MPI_Request withdrawal_ = MPI_REQUEST_NULL;
  Index tagged_numbers_ = 1;
  bool withdrew_ = false;
};

/// The channel on a duplicate of `parent`, made once and freed with it. Collective over `parent` the first time, local
/// afterwards. Rank 0's options hold for all. Throws std::invalid_argument if one of them is bad,
/// OutOfMemorySomewhere: on all processes alike.
Channel& channel_of(MPI_Comm parent, Turn& turn);

/// A channel on the communicator of a BLACS context itself: a duplicate takes longer than a small redistribution. The
/// context outlives it, and the program ends where an exchange fails. Collective; throws as channel_of.
std::unique_ptr<Channel> channel_within(MPI_Comm context, Turn& turn);

}  // namespace xredist::core
