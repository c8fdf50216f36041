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

// A duplicate on which this process has withdrawn is not freed: MPI may give its number to another communicator, and
// deliver there what nobody has received here.
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
#ifdef XREDIST_SIMULATED  // SimGrid deletes attributes when its processes are gone, and can cancel nothing then
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

// Few bytes, for which every process of the channel has a receive waiting.
void Channel::withdraw(int rank, Index first, Index last) noexcept {
  if (owner_ == Owner::context) return;
  withdrew_ = true;
  const Index range[] = {first, last};
  MPI_Send(range, 2, MPI_INT64_T, rank, withdrawal_tag, comm_);
  if (last == Ledger::for_ever) ledger_.refuse(rank, first, last);
}

namespace {

// What rank 0's environment says, which its sum with the others' zeros tells all, and whether all have memory.
struct Opening {
  Options options;
  Index bad_option = 0, no_room = 0;
};
using Numbers = std::array<Index, sizeof(Opening) / sizeof(Index)>;

// On rank 0; elsewhere zeros. `error`: what is wrong with the environment.
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

// Throws the same on all processes.
Options agreed_options(const Numbers& sum, const std::string& error, MPI_Comm comm, Turn& turn) {
  const auto opening = std::bit_cast<Opening>(sum);
  if (opening.no_room > 0) throw OutOfMemorySomewhere();
  if (opening.bad_option == 0) return opening.options;
  std::array<char, 256> text{};
  error.copy(text.data(), text.size() - 1);
  broadcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, comm, turn);
  throw std::invalid_argument(text.data());
}

// Says to the others, who are coming, where there is no memory.
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
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);  // whatever the program has set on its own
  try {
    made->open(comm, Channel::Owner::channel, agreed_options(numbers, error, comm, turn));
  } catch (...) {
    MPI_Comm_free(&comm);
    throw;
  }
  return process.attributes.attach(parent, std::move(made));
}

// Rank 0 speaks and nobody else: who lacks memory ends the program.
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
