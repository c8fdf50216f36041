// SPDX-License-Identifier: BSD-3-Clause
#include "pivots/line_exchange.hpp"

#include <algorithm>
#include <cstring>

namespace xredist::core {
namespace {

// A panel of the moved lines is packed before its first element is written. It stays in a second-level cache.
constexpr Index max_panel_bytes = Index{1} << 20;
// Elements that a process moves within its memory pass through a first-level cache.
constexpr Index max_scratch_bytes = Index{32} << 10;

// A line that this process shares with another one; its local index here.
struct SharedLine {
  Index line;
  int peer;
};

// The moves as one process sees them.
struct LocalMoves {
  Grouped<Index> sent, received;  // local indices of lines, by the other process
  std::vector<Index> from, to;    // moves within this process
};

LocalMoves local_moves(std::span<const LineMove> moves, const Axis& lines, int here) {
  LocalMoves local;
  std::vector<SharedLine> sent, received;
  for (const LineMove& move : moves) {
    const auto source = static_cast<int>(owner(lines, move.from)), target = static_cast<int>(owner(lines, move.to));
    if (source != here && target != here) continue;
    if (source == here && target == here) {
      local.from.push_back(local_count(lines, here, move.from));
      local.to.push_back(local_count(lines, here, move.to));
    } else if (source == here) {
      sent.push_back({local_count(lines, here, move.from), target});
    } else {
      received.push_back({local_count(lines, here, move.to), source});
    }
  }
  local.sent = Grouped<Index>(lines.procs, sent, &SharedLine::peer, &SharedLine::line);
  local.received = Grouped<Index>(lines.procs, received, &SharedLine::peer, &SharedLine::line);
  return local;
}

// Calls visit(place in the local array, place in a buffer without gaps) for the elements `part` of each line. Lines are
// visited along memory: one after the other if each is contiguous, otherwise element by element of all of them.
template <std::size_t Bytes, class Visit>
void for_elements(const LocalLines& local, std::span<const Index> lines, const Interval& part, std::byte* buffer,
                  Visit visit) {
  std::byte* const begin = local.data + part.begin * local.step;
  if (local.step == Bytes) {
    const std::size_t bytes = as_size(part.length()) * Bytes;
    for (const Index line : lines) {
      visit(begin + line * local.line_step, buffer, bytes);
      buffer += bytes;
    }
    return;
  }
  for (Index k = 0; k < part.length(); ++k)
    for (const Index line : lines) {
      visit(begin + line * local.line_step + k * local.step, buffer, Bytes);
      buffer += Bytes;
    }
}

struct Pack {
  void operator()(const std::byte* element, std::byte* buffer, std::size_t bytes) const {
    std::memcpy(buffer, element, bytes);
  }
};
struct Write {
  void operator()(std::byte* element, const std::byte* buffer, std::size_t bytes) const {
    std::memcpy(element, buffer, bytes);
  }
};

// A message that this process receives into its buffer.
struct Incoming {
  int source;
  std::byte* begin;
};

template <std::size_t Bytes>
class PanelExchange {
 public:
  PanelExchange(const LocalMoves& moves, const LocalLines& local, MPI_Comm comm, ExchangeMemory& memory)
      : moves_(moves), local_(local), comm_(comm), memory_(memory) {
    MPI_Comm_rank(comm, &here_);
    MPI_Comm_size(comm, &size_);
  }

  // `width`: the maximum of a panel's elements of each line.
  void reserve(Index width) {
    const Index lines = std::ssize(moves_.sent.values()) + std::ssize(moves_.received.values());
    const Index scratch = std::max(Index{Bytes} * std::ssize(moves_.from), scratch_bytes());
    const std::size_t bytes = as_size(lines * width) * Bytes + as_size(scratch);
    if (memory_.buffer.size() < bytes) memory_.buffer.resize(bytes);
    memory_.requests.reserve(2 * as_size(size_));
    incoming_.reserve(as_size(size_));
  }

  void run(const Interval& panel) {
    memory_.requests.clear();
    incoming_.clear();
    std::byte* buffer = memory_.buffer.data();
    buffer = receive(panel, buffer);
    buffer = send(panel, buffer);
    move_within(panel, buffer);
    unpack(panel);
  }

 private:
  // Short pieces of contiguous lines would be slower than a larger buffer.
  Index scratch_bytes() const { return local_.step == Bytes ? max_panel_bytes : max_scratch_bytes; }
  int peer(int distance) const { return (here_ + distance) % size_; }
  static int message_bytes(std::span<const Index> lines, const Interval& panel) {
    return static_cast<int>(std::ssize(lines) * panel.length() * Index{Bytes});
  }

  std::byte* receive(const Interval& panel, std::byte* buffer) {
    for (int distance = 1; distance < size_; ++distance) {
      const int source = peer(size_ - distance);
      const std::span<const Index> lines = moves_.received[source];
      if (lines.empty()) continue;
      const int bytes = message_bytes(lines, panel);
      incoming_.push_back({source, buffer});
      MPI_Irecv(buffer, bytes, MPI_BYTE, source, 0, comm_, &memory_.requests.emplace_back());
      buffer += bytes;
    }
    return buffer;
  }

  std::byte* send(const Interval& panel, std::byte* buffer) {
    for (int distance = 1; distance < size_; ++distance) {
      const int target = peer(distance);
      const std::span<const Index> lines = moves_.sent[target];
      if (lines.empty()) continue;
      for_elements<Bytes>(local_, lines, panel, buffer, Pack{});
      const int bytes = message_bytes(lines, panel);
      MPI_Isend(buffer, bytes, MPI_BYTE, target, 0, comm_, &memory_.requests.emplace_back());
      buffer += bytes;
    }
    return buffer;
  }

  void move_within(const Interval& panel, std::byte* scratch) {
    if (moves_.from.empty()) return;
    const Index bytes = std::ssize(moves_.from) * Index{Bytes};
    const Index width = std::max(Index{1}, scratch_bytes() / bytes);
    for (Index begin = panel.begin; begin < panel.end; begin += width) {
      const Interval part{begin, std::min(panel.end, begin + width)};
      for_elements<Bytes>(local_, moves_.from, part, scratch, Pack{});
      for_elements<Bytes>(local_, moves_.to, part, scratch, Write{});
    }
  }

  void unpack(const Interval& panel) {
    for (std::size_t left = incoming_.size(); left > 0; --left) {
      int number = 0;
      MPI_Waitany(static_cast<int>(incoming_.size()), memory_.requests.data(), &number, MPI_STATUS_IGNORE);
      const Incoming& message = at(incoming_, number);
      for_elements<Bytes>(local_, moves_.received[message.source], panel, message.begin, Write{});
    }
    MPI_Waitall(static_cast<int>(memory_.requests.size()), memory_.requests.data(), MPI_STATUSES_IGNORE);
  }

  const LocalMoves& moves_;
  const LocalLines& local_;
  MPI_Comm comm_;
  ExchangeMemory& memory_;
  std::vector<Incoming> incoming_{};
  int here_ = 0, size_ = 0;
};

template <std::size_t Bytes>
void exchange(std::span<const LineMove> all, const LocalMoves& moves, const LocalLines& local, MPI_Comm comm,
              ExchangeMemory& memory) {
  const Index bytes = std::ssize(all) * Index{Bytes};  // equal on all processes
  const Index width = std::min(local.elements, std::max(Index{1}, max_panel_bytes / bytes));
  PanelExchange<Bytes> panels(moves, local, comm, memory);
  panels.reserve(width);
  for (Index begin = 0; begin < local.elements; begin += width)
    panels.run({begin, std::min(local.elements, begin + width)});
}

}  // namespace

void move_lines(std::span<const LineMove> moves, const Axis& lines, const LocalLines& local, MPI_Comm comm,
                ExchangeMemory& memory) {
  if (moves.empty() || local.elements == 0) return;
  int here = 0;
  MPI_Comm_rank(comm, &here);
  const LocalMoves mine = local_moves(moves, lines, here);
  switch (local.element_bytes) {
    case 4: return exchange<4>(moves, mine, local, comm, memory);
    case 8: return exchange<8>(moves, mine, local, comm, memory);
    default: return exchange<16>(moves, mine, local, comm, memory);
  }
}

}  // namespace xredist::core
