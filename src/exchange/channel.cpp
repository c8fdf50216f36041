#include "exchange/channel.hpp"

#include <memory>
#include <stdexcept>
#include <string>

#include "exchange/attribute.hpp"

namespace xredist {

Channel::Channel(MPI_Comm parent) {
  MPI_Comm_dup(parent, &comm_);
  MPI_Comm_set_name(comm_, "xredist");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);  // whatever the program has set on its own
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);

  std::string error;
  if (rank_ == 0) options_ = options_from_environment(error);
  int length = static_cast<int>(error.size());
  MPI_Bcast(&options_, sizeof options_, MPI_BYTE, 0, comm_);
  MPI_Bcast(&length, 1, MPI_INT, 0, comm_);
  if (length == 0) {
    neighbours_.emplace(comm_, options_.shared != 0);
    return;
  }
  error.resize(static_cast<std::size_t>(length));
  MPI_Bcast(error.data(), length, MPI_CHAR, 0, comm_);
  MPI_Comm_free(&comm_);
  throw std::invalid_argument(error);
}

Channel::~Channel() { MPI_Comm_free(&comm_); }

bool Channel::next_call_synchronises() { return ++calls_ % 64 == 0; }

Channel& channel_of(MPI_Comm parent) {
  if (Channel* channel = attached<Channel>(parent)) return *channel;
  return attach(parent, std::make_unique<Channel>(parent));
}

}  // namespace xredist
