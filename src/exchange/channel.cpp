// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/channel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "exchange/collectives.hpp"
#include "exchange/errors.hpp"
#include "exchange/process.hpp"
#include "exchange/survey.hpp"

namespace xredist::core {
namespace {

Index tag_bound(MPI_Comm comm) {
  int* bound = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &bound, &found);
  return found ? *bound : 32767;  // the least that MPI promises
}

}  // namespace

Channel::Channel(Process& process, int size) : process_(process), size_(size), ledger_(size) {}

void Channel::open(MPI_Comm comm, Owner owner, const Options& options) {
  comm_ = comm;
  owner_ = owner;
  options_ = options;
  MPI_Comm_rank(comm_, &rank_);
  tagged_numbers_ = (tag_bound(comm_) - first_tag) / most_kinds;
  listen();
}

// A duplicate on which this process has withdrawn is not freed: messages may be left on it that nobody receives, and
// MPI could deliver them on another communicator to which it gives the same number.
Channel::~Channel() {
  if (comm_ == MPI_COMM_NULL) return;
  Turn turn;
  process_.queue.leave(*this, turn);
  if (withdrawal_ != MPI_REQUEST_NULL) {
    MPI_Cancel(&withdrawal_);
    MPI_Wait(&withdrawal_, MPI_STATUS_IGNORE);
  }
  if (owner_ == Owner::channel && !withdrew_) MPI_Comm_free(&comm_);
}

const Links& Channel::explore(Turn& turn) {
  if (explored_) return links_;
  Survey survey = survey_of(comm_, options_.shared != 0, turn);
  links_ = std::move(survey.links);
  memory_ = std::move(survey.memory);
  explored_ = true;
  return links_;
}

const std::byte* Channel::memory_of(int neighbour) const {
  const auto found = std::ranges::lower_bound(links_.neighbours, neighbour);
  return memory_[static_cast<std::size_t>(found - links_.neighbours.begin())];
}

void Channel::listen() {
#ifdef XREDIST_SIMULATED  // SimGrid deletes attributes after its processes have ended, and cannot cancel requests then
  return;
#endif
  if (owner_ == Owner::channel && size_ > 1)
    MPI_Irecv(refused_, 2, MPI_INT64_T, MPI_ANY_SOURCE, withdrawal_tag, comm_, &withdrawal_);
}

void Channel::heard(const MPI_Status& status) {
  ledger_.refuse(status.MPI_SOURCE, refused_[0], refused_[1]);
  listen();
}

void Channel::hear() {
  MPI_Status status;
  for (int completed = 0; withdrawal_ != MPI_REQUEST_NULL;) {
    MPI_Test(&withdrawal_, &completed, &status);
    if (!completed) return;
    heard(status);
  }
}

// Does not block: the message is short, and every process of the channel has a receive posted for it.
void Channel::withdraw(int rank, Index first, Index last) noexcept {
  if (owner_ == Owner::context) return;
  withdrew_ = true;
  const Index range[] = {first, last};
  MPI_Send(range, 2, MPI_INT64_T, rank, withdrawal_tag, comm_);
  if (last == Ledger::for_ever) ledger_.refuse(rank, first, last);
}

namespace {

// What the processes tell each other when a channel is made: rank 0 its options, each whether it has memory. The sum
// over all processes tells all of them, because the others' options are zeros.
struct Opening {
  Options options;
  Index bad_option = 0, no_room = 0;
};
using Numbers = std::array<Index, sizeof(Opening) / sizeof(Index)>;

// `error`: what is wrong with the environment, on rank 0.
Numbers opening_of(bool root, bool room, std::string& error) {
  Opening opening{};
  if (root) try {
      opening.options = options_from_environment(error);
      opening.bad_option = !error.empty();
    } catch (const std::bad_alloc&) {
      room = false;
    }
  Numbers numbers = root ? std::bit_cast<Numbers>(opening) : Numbers{};
  numbers.back() = !room;
  return numbers;
}

// Throws on all processes or on none.
Options agreed_options(const Numbers& sum, const std::string& error, MPI_Comm comm, Turn& turn) {
  const auto opening = std::bit_cast<Opening>(sum);
  if (opening.no_room > 0) throw OutOfMemorySomewhere();
  if (opening.bad_option == 0) return opening.options;
  std::array<char, 256> text{};
  error.copy(text.data(), text.size() - 1);
  broadcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, comm, turn);
  throw BadOption(text.data());
}

// Returns nullptr if there is no memory: the other processes have to be told, and wait for that.
std::unique_ptr<Channel> try_to_make(MPI_Comm comm, Process& process) try {
  int size = 1;
  MPI_Comm_size(comm, &size);
  process.attributes.reserve<Channel>();
  return std::make_unique<Channel>(process, size);
} catch (const std::bad_alloc&) {
  return nullptr;
}

bool is_root(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == 0;
}

}  // namespace

Channel& channel_of(MPI_Comm parent, Turn& turn) {
  Process& process = turn.process();
  if (Channel* channel = process.attributes.find<Channel>(parent)) return *channel;
  auto made = try_to_make(parent, process);
  std::string error;
  Numbers numbers = opening_of(is_root(parent), made != nullptr, error);
  MPI_Comm comm = duplicate(parent, numbers, turn);
  MPI_Comm_set_name(comm, "xredist");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);  // whatever handler the program has set on the parent
  try {
    const Options options = agreed_options(numbers, error, comm, turn);  // throws if nothing was made
    made->open(comm, Channel::Owner::channel, options);
  } catch (...) {
    MPI_Comm_free(&comm);
    throw;
  }
  return process.attributes.attach(parent, std::move(made));
}

// A broadcast by rank 0 is enough: a process that lacks memory ends the program.
std::unique_ptr<Channel> channel_within(MPI_Comm context, Turn& turn) {
  int size = 1;
  MPI_Comm_size(context, &size);
  auto made = std::make_unique<Channel>(turn.process(), size);
  std::string error;
  Numbers numbers = opening_of(is_root(context), true, error);
  broadcast(numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, context, turn);
  made->open(context, Channel::Owner::context, agreed_options(numbers, error, context, turn));
  return made;
}

}  // namespace xredist::core
