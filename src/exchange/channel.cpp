#include "exchange/channel.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "exchange/attribute.hpp"

namespace xredist {
namespace {

// From this rate on (of bytes per second, 12 Gbit/s) permits cost more than they save: up to twice the time at 100
// Gbit/s and 5 us, simulated; and such networks hold senders back rather than to drop what ports cannot take.
constexpr double fast = 1.5e9;

// Seconds that a byte takes from a process to the one half of them further on, by the mean of their rates (one that is
// late for once matters little); 0 where these are neighbours. Once to connect, twice to measure. Collective; the
// same on all processes, which is why integers are summed.
double seconds_per_byte(MPI_Comm comm, const Neighbours& neighbours) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const auto far = [&](int other) { return other == rank || neighbours.contains(other) ? MPI_PROC_NULL : other; };
  const int to = far((rank + size / 2) % size), from = far((rank - size / 2 + size) % size);
  constexpr int bytes = 64'000;
  std::vector<std::byte> out(bytes), in(bytes);
  double seconds = 1;
  for (int i = 0; i < 3; ++i) {
    const double start = MPI_Wtime();
    MPI_Sendrecv(out.data(), bytes, MPI_BYTE, to, 0, in.data(), bytes, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE);
    if (i > 0) seconds = std::min(seconds, std::max(MPI_Wtime() - start, 1e-9));
  }
  Index rates[] = {0, 0};  // their sum, in bytes per second, and how many
  if (from != MPI_PROC_NULL) rates[0] = std::llround(bytes / seconds), rates[1] = 1;
  MPI_Allreduce(MPI_IN_PLACE, rates, 2, MPI_INT64_T, MPI_SUM, comm);
  return rates[1] > 0 ? static_cast<double>(rates[1]) / static_cast<double>(rates[0]) : 0;
}

}  // namespace

Channel::Channel(MPI_Comm parent) {
  MPI_Comm_dup(parent, &comm_);
  MPI_Comm_set_name(comm_, "xredist");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);  // whatever the program has set on its own
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);

  std::string error;
  struct {
    Options options;
    int error;  // length of its text
  } first{};
  if (rank_ == 0) first.options = options_from_environment(error);
  first.error = static_cast<int>(error.size());
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, comm_);
  options_ = first.options;
  if (first.error == 0) {
    neighbours_.emplace(comm_, options_.shared != 0);
    seconds_per_byte_ = neighbours_->everyone() ? 0 : seconds_per_byte(comm_, *neighbours_);
    if (options_.beta == 0) options_.beta = std::max<Index>(100, std::llround(1e12 * seconds_per_byte_));
    return;
  }
  error.resize(static_cast<std::size_t>(first.error));
  MPI_Bcast(error.data(), first.error, MPI_CHAR, 0, comm_);
  MPI_Comm_free(&comm_);
  throw std::invalid_argument(error);
}

Channel::~Channel() { MPI_Comm_free(&comm_); }

bool Channel::guards() const {
  return options_.permits == 2 || (options_.permits == 1 && fast * seconds_per_byte_ > 1);
}

Index Channel::carried() const { return seconds_per_byte_ > 0 ? std::llround(50e-6 / seconds_per_byte_) : 0; }

bool Channel::next_call_synchronises() { return ++calls_ % 64 == 0; }

Channel& channel_of(MPI_Comm parent) {
  if (Channel* channel = attached<Channel>(parent)) return *channel;
  return attach(parent, std::make_unique<Channel>(parent));
}

}  // namespace xredist
