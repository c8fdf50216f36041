#include <mpi.h>

#include <cstddef>
#include <stdexcept>

#include "mover.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/papers/papers.hpp"

namespace networks {
namespace {

struct Message {
  Index step;
  int peer, bytes, offset;
};

// What this process sends or receives without itself, in the order of `schedule`.
std::vector<Message> messages_of(const std::vector<xredist::core::Message>& all, Index npcol, int me, int& total) {
  std::vector<Message> result;
  total = 0;
  for (const xredist::core::Message& message : all) {
    const int peer = static_cast<int>(message.peer.row * npcol + message.peer.col);
    if (peer == me) continue;
    const int bytes = static_cast<int>(message.elements() * static_cast<Index>(sizeof(double)));
    result.push_back({message.step, peer, bytes, total});
    total += bytes;
  }
  return result;
}

class Baseline : public Mover {
 public:
  Baseline(const Case& c, const xredist::core::Schedule& schedule) {
    MPI_Comm_rank(MPI_COMM_WORLD, &me_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    const xredist::core::Traffic traffic = c.traffic();
    int out = 0, in = 0;
    if (me_ < c.a.processes())
      sends_ = messages_of(sends_of(traffic, schedule, {me_ / c.a.npcol, me_ % c.a.npcol}), c.b.npcol, me_, out);
    if (me_ < c.b.processes())
      receives_ = messages_of(receives_of(traffic, schedule, {me_ / c.b.npcol, me_ % c.b.npcol}), c.a.npcol, me_, in);
    out_.resize(static_cast<std::size_t>(out));
    in_.resize(static_cast<std::size_t>(in));
  }
  bool moves_contents() const override { return false; }

 protected:
  MPI_Request send(const Message& m) {
    MPI_Request request;
    MPI_Isend(out_.data() + m.offset, m.bytes, MPI_BYTE, m.peer, 0, MPI_COMM_WORLD, &request);
    return request;
  }

  int me_ = 0, size_ = 0;
  std::vector<Message> sends_, receives_;
  std::vector<std::byte> out_, in_;
};

// A round of the reference schedule is two steps, the lower of a pair sends in the first. A send is not waited
// for until the end: the routine's sends are of packed copies.
class Scalapack : public Baseline {
 public:
  explicit Scalapack(const Case& c) : Baseline(c, xredist::core::reference_schedule(c.traffic())) {}
  void move() override {
    std::vector<MPI_Request> requests;
    for (std::size_t s = 0, r = 0; s < sends_.size() || r < receives_.size();) {
      if (r == receives_.size() || (s < sends_.size() && sends_[s].step < receives_[r].step)) {
        requests.push_back(send(sends_[s++]));
      } else {
        const Message& m = receives_[r++];
        MPI_Recv(in_.data() + m.offset, m.bytes, MPI_BYTE, m.peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
};

class AtOnce : public Baseline {
 public:
  explicit AtOnce(const Case& c) : Baseline(c, xredist::core::rank_schedule(c.traffic())) {}
  void move() override {
    std::vector<MPI_Request> requests(receives_.size());
    for (std::size_t r = 0; r < receives_.size(); ++r)
      MPI_Irecv(in_.data() + receives_[r].offset, receives_[r].bytes, MPI_BYTE, receives_[r].peer, 0, MPI_COMM_WORLD,
                &requests[r]);
    for (const Message& m : sends_) requests.push_back(send(m));
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
};

class Alltoallv : public Baseline {
 public:
  explicit Alltoallv(const Case& c) : Baseline(c, xredist::core::rank_schedule(c.traffic())) {
    fill(sends_, send_counts_, send_offsets_);
    fill(receives_, receive_counts_, receive_offsets_);
  }
  void move() override {
    MPI_Alltoallv(out_.data(), send_counts_.data(), send_offsets_.data(), MPI_BYTE, in_.data(), receive_counts_.data(),
                  receive_offsets_.data(), MPI_BYTE, MPI_COMM_WORLD);
  }

 private:
  void fill(const std::vector<Message>& messages, std::vector<int>& counts, std::vector<int>& offsets) {
    counts.resize(static_cast<std::size_t>(size_));
    offsets.resize(static_cast<std::size_t>(size_));
    for (const Message& m : messages) {
      counts[static_cast<std::size_t>(m.peer)] = m.bytes;
      offsets[static_cast<std::size_t>(m.peer)] = m.offset;
    }
  }
  std::vector<int> send_counts_, send_offsets_, receive_counts_, receive_offsets_;
};

}  // namespace

std::unique_ptr<Mover> make_baseline(const std::string& name, const Case& c) {
  if (name == "scalapack") return std::make_unique<Scalapack>(c);
  if (name == "at-once") return std::make_unique<AtOnce>(c);
  if (name == "alltoallv") return std::make_unique<Alltoallv>(c);
  throw std::invalid_argument("no such algorithm: " + name);
}

}  // namespace networks
