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

namespace xredist {
namespace {

Index tag_bound(MPI_Comm comm) {
  int* bound = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &bound, &found);
  return found ? *bound : 32767;  // the least that MPI promises
}

}  // namespace

Channel::Channel(Process& process, int size) : process_(process), size_(size), ledger_(size) {}

void Channel::open(MPI_Comm duplicate, const Options& options) {
  comm_ = duplicate;
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
  if (!withdrew_) MPI_Comm_free(&comm_);
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
  if (size_ > 1)
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
  withdrew_ = true;
  const Index range[] = {first, last};
  MPI_Send(range, 2, MPI_INT64_T, rank, withdrawal_tag, comm_);
  if (last == Ledger::for_ever) ledger_.refuse(rank, first, last);
}

namespace {

// What rank 0's environment says: what one reduction tells all, together with whether all have memory. Throws the same
// on all processes.
Options agreed_options(MPI_Comm comm, bool room, Turn& turn) {
  struct Opening {
    Options options;
    Index bad_option = 0, no_room = 0;
  } opening;
  std::array<char, 256> error{};
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) try {
      std::string text;
      opening.options = options_from_environment(text);
      opening.bad_option = !text.empty();
      text.copy(error.data(), error.size() - 1);
    } catch (const std::bad_alloc&) {
      room = false;
    }
  std::array<Index, sizeof(Opening) / sizeof(Index)> values{};
  if (rank == 0) values = std::bit_cast<decltype(values)>(opening);
  values.back() = !room;
  reduce(values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, comm, turn);
  opening = std::bit_cast<Opening>(values);
  if (opening.no_room > 0) throw OutOfMemorySomewhere();
  if (opening.bad_option == 0) return opening.options;
  broadcast(error.data(), static_cast<int>(error.size()), MPI_CHAR, comm, turn);
  throw std::invalid_argument(error.data());
}

}  // namespace

Channel& channel_of(MPI_Comm parent, Turn& turn) {
  Process& process = turn.process();
  if (Channel* channel = process.attributes.find<Channel>(parent)) return *channel;
  std::unique_ptr<Channel> made;
  try {
    int size = 1;
    MPI_Comm_size(parent, &size);
    made = std::make_unique<Channel>(process, size);
    process.attributes.reserve<Channel>();
  } catch (const std::bad_alloc&) {
    made.reset();  // said to the others, who are coming
  }
  MPI_Comm comm = duplicate(parent, turn);
  MPI_Comm_set_name(comm, "xredist");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);  // whatever the program has set on its own
  try {
    const Options options = agreed_options(comm, made != nullptr, turn);
    made->open(comm, options);
  } catch (...) {
    MPI_Comm_free(&comm);
    throw;
  }
  return process.attributes.attach(parent, std::move(made));
}

}  // namespace xredist
