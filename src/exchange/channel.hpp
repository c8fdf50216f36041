// SPDX-License-Identifier: BSD-3-Clause
// The communicator on which exchanges travel.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exchange/ledger.hpp"
#include "exchange/progress.hpp"
#include "exchange/survey.hpp"
#include "plan/plan.hpp"
#include "settings/options.hpp"
#include "watch/watched.hpp"

namespace xredist::core {

/// Tag of withdrawals, and the first tag of messages of exchanges. The tag between the two is survey_tag (survey.cpp).
/// All are above 9976, the tag of BLACS's own point-to-point messages.
inline constexpr int withdrawal_tag = 10'000, first_tag = 10'002;

/// The state that a process keeps for exchanges with the others of a communicator.
class Channel {
 public:
  /// The owner of the communicator. If the channel owns it, messages of the library and of the program cannot meet, and
  /// processes tell each other when they fail.
  enum class Owner { channel, context };

  /// Makes a channel that open() completes. Local. `size`: size of the communicator.
  Channel(Host& host, int size);
  /// What the processes have agreed on before they open a channel.
  struct Agreement {
    Options options{};
    std::uint64_t key = 0;  ///< of no other channel of any of these processes
    ProcessesDigest processes{};
    std::optional<KnownSurvey> survey{};  ///< of these processes, if all of them know it
  };
  /// Takes the communicator. Allocates nothing.
  void open(MPI_Comm comm, Owner owner, Agreement agreed);
  /// Frees the communicator if the channel owns it. No exchange may be under way.
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  std::uint64_t key() const { return agreed_.key; }
  /// Returns the rank in MPI_COMM_WORLD of a process of the channel, or -1 if it is not known.
  int world_rank(int rank) const { return world_ranks_.empty() ? -1 : at(world_ranks_, rank); }
  /// `number`: of the communicator (Call).
  void set_world_ranks(std::vector<int> ranks, Index number) {
    world_ranks_ = std::move(ranks);
    communicator_ = number;
  }
  /// Adds the communicator to the facts about a call.
  void state_communicator(Call& call) const { call.processes = size_, call.communicator = communicator_; }

  /// Counts the call of this thread, and states its number to the watch, unless the call has a number. Does nothing
  /// without the watch.
  void state_call() {
    state_if_watched([&](Call& call) {
      if (call.number != 0) return;
      state_communicator(call);
      call.number = ++watched_calls_;
    });
  }
  SharedMemory& shared_memory() const { return host_.shared_memory; }

  const Options& options() const { return agreed_.options; }
  Options& options() { return agreed_.options; }  ///< all processes make the same changes; they hold for later plans

  /// Finds out which processes share memory, and how fast the network is. Collective the first time, local afterwards.
  /// Takes no messages if all processes know the survey of an earlier communicator of the same processes.
  /// Plans that are made earlier use the default links: exploring takes longer than a small redistribution.
  const Links& explore(Progress& progress);
  bool explored() const { return survey_ != nullptr; }
  const Links& links() const { return survey_ ? survey_->links : unexplored_links(); }
  /// Returns the grids with these ranks and numbers of columns, which later plans share.
  std::shared_ptr<Grids> grids(Grids::Ranks ranks_a, Index columns_a, Grids::Ranks ranks_b, Index columns_b) {
    return grids_.of(std::move(ranks_a), columns_a, std::move(ranks_b), columns_b, links().nodes, rank_);
  }
  /// Returns the memory of another process, or nullptr unless the process is a neighbour.
  const SharedMemory::Segment* memory_of(int rank) const;

  /// Returns a pointer that expires with the channel.
  std::weak_ptr<const void> life() const { return life_; }

  Ledger& ledger() { return ledger_; }
  const Ledger& ledger() const { return ledger_; }
  /// Tells a process that this one does not carry out exchange `number` with it (`permanent`: nor any later one).
  void withdraw(int rank, Index number, bool permanent) noexcept;
  /// Tells the peers of a plan in an exchange that this process cannot start.
  void withdraw(const Ledger::Entry& exchange, const Plan& plan) noexcept;
  /// Returns the posted receive of other processes' withdrawals. Exchanges poll this request with their own requests. A
  /// caller that completes the request calls on_withdrawal().
  MPI_Request& withdrawal() { return withdrawal_; }
  void on_withdrawal(const MPI_Status& status);
  /// Receives all withdrawals that have arrived, as far as there is memory to record them.
  void hear() {
    while (hear_one()) continue;
  }
  /// Makes room for the withdrawals of an exchange with `peers` peers, and of others that may arrive meanwhile. Throws
  /// std::bad_alloc.
  void make_room(std::size_t peers) {
    ledger_.reserve(peers);
    if (withdrew_ || ledger_.refuses_some()) [[unlikely]]
      hear_with_room(peers);
  }
  /// Lets MPI continue messages of all communicators, as every call of MPI that waits does.
  void let_mpi_continue() const;

  /// Returns the tag of messages of a kind in [0, max_kinds), in exchange `number` with some process. Numbers share a
  /// tag at a distance of 63 million exchanges (Open MPI), or of 669 at least. A failed exchange may leave messages
  /// that nobody receives, and the next exchange with their tag would receive them.
  int tag(Index number, int kind) const {
    return first_tag + static_cast<int>(number % tagged_numbers_) * max_kinds + kind;
  }
  static constexpr int max_kinds = 2 + static_cast<int>(max_slots);

 private:
  static const Links& unexplored_links();
  void listen();
  bool hear_one();
  void hear_with_room(std::size_t peers);

  struct Refusal {
    Index number, permanent;
  };

  Host& host_;
  std::shared_ptr<const void> life_ = std::make_shared<char>();
  MPI_Comm comm_ = MPI_COMM_NULL;
  Owner owner_ = Owner::channel;
  int rank_ = 0, size_;
  std::vector<int> world_ranks_{};  // by rank; empty: not known
  Index communicator_ = 0, watched_calls_ = 0;
  Agreement agreed_;
  std::shared_ptr<const Survey> survey_{};  // nullptr: not explored
  RecentGrids grids_;                       // with the nodes of the survey
  Ledger ledger_;
  Refusal refusal_{};  // as received from another process
  MPI_Request withdrawal_ = MPI_REQUEST_NULL;
  Index tagged_numbers_ = 1;
  bool withdrew_ = false;
};

}  // namespace xredist::core
