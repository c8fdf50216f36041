// SPDX-License-Identifier: BSD-3-Clause
// The pipelined exchange of Prylli & Tourancheau 1996, section 2.2: in each step a process receives a small packet
// while it packs the next one and unpacks the one before.
#include <algorithm>

#include "drivers/scheduled.hpp"

namespace drivers {
namespace {

constexpr int packet_bytes = 1 << 14;

// The local rows and columns that this process shares with another one.
struct Shared {
  std::vector<Index> rows, cols;

  Shared() = default;
  Shared(const Side& side, core::Coord peer) {
    for (std::size_t k = 0; k < side.rows.size(); ++k)
      if (side.rows[k] == peer.row) rows.push_back(static_cast<Index>(k));
    for (std::size_t l = 0; l < side.cols.size(); ++l)
      if (side.cols[l] == peer.col) cols.push_back(static_cast<Index>(l));
  }
};

// Elements of the buffer, and among those of the two processes.
struct Packet {
  int peer, number, begin, count;
  Index first;
};

// One direction of a step.
struct Packets {
  std::vector<Packet> all;

  Packets(const Side& side, const std::vector<Part>& parts) {
    const int most = packet_bytes / side.bytes;
    for (const Part& part : parts)
      for (int k = 0; k < part.count; k += most)
        all.push_back({part.peer, part.number, part.begin + k, std::min(most, part.count - k),
                       part.begin + k - at(side.begins, part.peer)});
  }
};

class Pipeline {
 public:
  Pipeline(const Stage& stage, const core::Schedule& schedule) : x_(stage) {
    for (const auto& [number, step] : steps_of(stage.c, x_, schedule)) {
      sends_.emplace_back(x_.out, step.sent);
      receives_.emplace_back(x_.in, step.received);
    }
    for (const auto& [side, all] : {std::pair(&x_.out, &out_), std::pair(&x_.in, &in_)}) {
      all->resize(side->counts.size());
      for (int rank = 0; rank < stage.size(); ++rank)
        if (const auto coord = coord_of(side->other, rank); coord && at(side->counts, rank) > 0)
          at(*all, rank) = Shared(*side, *coord);
    }
    whole_ = Packet{x_.me, 0, at(x_.out.begins, x_.me), at(x_.out.counts, x_.me), 0};
  }

  void run() const {
    for (std::size_t k = 0; k < sends_.size(); ++k) run_step(sends_[k].all, receives_[k].all);
    if (whole_.count == 0) return;
    copy<true>(whole_);
    x_.copy_own();
    Packet own = whole_;
    own.begin = at(x_.in.begins, x_.me);
    copy<false>(own);
  }

 private:
  void run_step(const std::vector<Packet>& sent, const std::vector<Packet>& received) const {
    std::vector<MPI_Request> sends;
    for (std::size_t k = 0; k < std::max(sent.size(), received.size()); ++k) {
      MPI_Request arrival = MPI_REQUEST_NULL;
      if (k < received.size())
        MPI_Irecv(x_.in.at(received[k].begin), received[k].count, x_.type, received[k].peer, received[k].number,
                  x_.comm, &arrival);
      if (k < sent.size()) {
        copy<true>(sent[k]);
        sends.push_back(x_.send(sent[k].peer, sent[k].begin, sent[k].count, sent[k].number));
      }
      if (k > 0 && k - 1 < received.size()) copy<false>(received[k - 1]);
      MPI_Wait(&arrival, MPI_STATUS_IGNORE);
    }
    if (!received.empty() && received.size() >= sent.size()) copy<false>(received.back());
    wait_for(sends);
  }

  // Packs a packet, or unpacks it: column by column, as Side::walk visits elements.
  template <bool packs>
  void copy(const Packet& packet) const {
    const Side& side = packs ? x_.out : x_.in;
    const Shared& shared = at(packs ? out_ : in_, packet.peer);
    const auto rows = static_cast<Index>(shared.rows.size());
    std::byte* buffer = side.at(packet.begin);
    Index row = packet.first % rows;
    for (Index col = packet.first / rows, left = packet.count; left > 0; ++col, row = 0) {
      std::byte* const column = side.own.at(as_size(at(shared.cols, col)), side.bytes);
      for (; row < rows && left > 0; ++row, --left, buffer += side.bytes) {
        std::byte* const element = column + at(shared.rows, row) * side.bytes;
        std::memcpy(packs ? buffer : element, packs ? element : buffer, as_size(Index{side.bytes}));
      }
    }
  }

  Packed x_;
  std::vector<Packets> sends_, receives_;  // of each step
  std::vector<Shared> out_, in_;           // with each rank
  Packet whole_{};                         // the message to oneself
};

}  // namespace

Contender pipelined(const Stage& stage, const std::string& name, const core::Schedule& schedule) {
  if (elements_of(stage.c) > std::numeric_limits<int>::max()) return {name, "more elements than an int counts"};
  return {name, {}, [&stage, schedule]() -> Call {
            return {[pipeline = std::make_shared<const Pipeline>(stage, schedule)] { pipeline->run(); }};
          }};
}

}  // namespace drivers
