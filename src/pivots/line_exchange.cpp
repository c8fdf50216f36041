// SPDX-License-Identifier: BSD-3-Clause
#include "pivots/line_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "layout/grouped.hpp"

namespace xredist::core {
namespace {

// A panel of the moved lines is packed before its first element is written. It stays in a second-level cache.
constexpr Index max_panel_bytes = Index{1} << 20;

// Elements of two lines that are interchanged before the next two lines are, as LAPACK's DLASWP does.
constexpr Index elements_at_once = 32;

// Interchanges from the prefetch of a line to its own. P?LASWP on one process takes 0.85 to 0.9 of the time with it.
constexpr std::size_t swaps_ahead = 2;

// A line that this process shares with another one: its offset in the local array (bytes).
struct SharedLine {
  Index offset;
  int peer;
};

// Returns interchanges, in their order, that carry out moves inside this process. Lines whose new elements come from
// another process have any elements afterwards. Takes O(n log n) for n moves.
std::vector<LineSwap> swaps_of(std::vector<LineMove> moves) {
  std::ranges::sort(moves, {}, &LineMove::to);
  const std::size_t none = moves.size();
  std::vector<std::size_t> next(moves.size(), none);  // the move to the line from which a move is
  std::vector<bool> follows(moves.size(), false), done(moves.size(), false);
  for (std::size_t k = 0; k < moves.size(); ++k) {
    const auto found = std::ranges::lower_bound(moves, moves[k].from, {}, &LineMove::to);
    if (found == moves.end() || found->to != moves[k].from) continue;
    next[k] = static_cast<std::size_t>(found - moves.begin());
    follows[next[k]] = true;
  }
  std::vector<LineSwap> swaps;
  swaps.reserve(moves.size());
  const auto follow = [&](std::size_t k) {
    for (; k != none && !done[k]; k = next[k]) {
      done[k] = true;
      if (next[k] == none || !done[next[k]]) swaps.push_back({moves[k].to, moves[k].from});
    }
  };
  for (std::size_t k = 0; k < moves.size(); ++k)
    if (!follows[k]) follow(k);
  for (std::size_t k = 0; k < moves.size(); ++k) follow(k);  // cycles
  return swaps;
}

// The moves as one process sees them, by the offsets of lines in the local array (bytes).
struct LocalMoves {
  Grouped<Index> sent, received;  // by the other process
  std::vector<LineSwap> within;   // moves inside this process
};

// The process that holds a line, and the local index of the line there.
struct Place {
  int process;
  Index line;
};
template <class Number>
Place place_among(const Axis& lines, Index line) {
  const auto block = static_cast<Number>(lines.block()), procs = static_cast<Number>(lines.procs);
  const auto index = static_cast<Number>(line), number = index / block;
  return {static_cast<int>((number + static_cast<Number>(lines.source())) % procs),
          static_cast<Index>(number / procs * block + index % block)};
}
// A division of 32 bits is faster than one of 64 bits.
Place place_of(const Axis& lines, Index line) {
  constexpr Index max_short = 0x7FFF'FFFF;
  return line <= max_short && lines.block() <= max_short ? place_among<std::uint32_t>(lines, line)
                                                         : place_among<std::uint64_t>(lines, line);
}

LocalMoves local_moves(std::span<const LineMove> moves, const Axis& lines, Index line_step, int here) {
  LocalMoves local;
  std::vector<SharedLine> sent, received;
  std::vector<LineMove> within;
  for (const LineMove& move : moves) {
    const Place from = place_of(lines, move.from), to = place_of(lines, move.to);
    if (from.process == here && to.process == here) {
      within.push_back({to.line * line_step, from.line * line_step});
    } else if (from.process == here) {
      sent.push_back({from.line * line_step, to.process});
    } else if (to.process == here) {
      received.push_back({to.line * line_step, from.process});
    }
  }
  local.sent = Grouped<Index>(lines.procs, sent, &SharedLine::peer, &SharedLine::offset);
  local.received = Grouped<Index>(lines.procs, received, &SharedLine::peer, &SharedLine::offset);
  local.within = swaps_of(std::move(within));
  return local;
}

// Calls visit(place in the local array, place in a buffer without gaps) for the elements `part` of each line. Lines are
// visited along memory: one after the other if each is contiguous, otherwise element by element of all of them, where
// the next ones are fetched meanwhile.
template <std::size_t Bytes, class Byte, class Visit>
void for_elements(const LocalLines& local, std::span<const Index> lines, const Interval& part, Byte* buffer,
                  Visit visit) {
  std::byte* const begin = local.data + part.begin * local.step;
  if (local.step == Bytes) {
    const std::size_t bytes = as_size(part.length()) * Bytes;
    for (const Index line : lines) {
      visit(begin + line, buffer, bytes);
      buffer += bytes;
    }
    return;
  }
  for (Index k = 0; k < part.length(); ++k) {
    std::byte* const element = begin + k * local.step;
    std::byte* const next = k + 1 < part.length() ? element + local.step : element;
    for (const Index line : lines) {
      __builtin_prefetch(next + line, 1);
      visit(element + line, buffer, Bytes);
      buffer += Bytes;
    }
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

template <std::size_t Bytes>
void swap_elements(std::span<const LineSwap> swaps, const LocalLines& local, const Interval& part) {
  std::byte* const begin = local.data + part.begin * local.step;
  if (local.step == Bytes) {
    const Index bytes = part.length() * Index{Bytes};
    for (const LineSwap& swap : swaps)
      std::swap_ranges(begin + swap.line, begin + swap.line + bytes, begin + swap.other);
    return;
  }
  for (Index done = 0; done < part.length(); done += elements_at_once) {
    std::byte* const first = begin + done * local.step;
    std::byte* const end = first + std::min(elements_at_once, part.length() - done) * local.step;
    for (std::size_t k = 0; k < swaps.size(); ++k) {
      const LineSwap& swap = swaps[k];
      const LineSwap& later = swaps[std::min(k + swaps_ahead, swaps.size() - 1)];
      for (std::byte* element = first; element != end; element += local.step) {
        __builtin_prefetch(element + later.other, 1);
        std::array<std::byte, Bytes> of_line, of_other;
        std::memcpy(&of_line, element + swap.line, Bytes), std::memcpy(&of_other, element + swap.other, Bytes);
        std::memcpy(element + swap.line, &of_other, Bytes), std::memcpy(element + swap.other, &of_line, Bytes);
      }
    }
  }
}

// A message that this process receives into its buffer.
struct Incoming {
  int source;
  const std::byte* begin;
};

template <std::size_t Bytes>
class PanelExchange {
 public:
  // `width`: the maximum of a panel's elements of each line. `bytes`: of such a panel on all processes together.
  PanelExchange(const LocalMoves& moves, const LocalLines& local, LineProcesses& processes, ExchangeMemory& memory,
                Index width, Index bytes)
      : moves_(moves),
        local_(local),
        processes_(processes),
        memory_(memory),
        may_share_(bytes <= SharedMemory::max_bytes) {
    Index lines = 0;
    for (int rank = 0; rank < processes.size(); ++rank)
      lines +=
          (shows_to(rank) ? 0 : std::ssize(moves.sent[rank])) + (sees(rank) ? 0 : std::ssize(moves.received[rank]));
    const std::size_t needed = as_size(lines * width) * Bytes;
    if (memory_.buffer.size() < needed) memory_.buffer.resize(needed);
    memory_.requests.reserve(2 * as_size(processes.size()));
    incoming_.reserve(as_size(processes.size()));
    shown_.reserve(as_size(processes.size()));
  }

  void run(const Interval& panel) {
    memory_.requests.clear(), incoming_.clear(), shown_.clear();
    std::byte* buffer = memory_.buffer.data();
    buffer = receive(panel, buffer);
    send(panel, buffer);
    swap_elements<Bytes>(moves_.within, local_, panel);
    read_shown(panel);
    unpack(panel);
  }

 private:
  bool shows_to(int target) const { return may_share_ && processes_.shows_to(target); }
  bool sees(int source) const { return may_share_ && processes_.sees(source); }
  int peer(int distance) const { return (processes_.rank() + distance) % processes_.size(); }
  static int message_bytes(std::span<const Index> lines, const Interval& panel) {
    return static_cast<int>(std::ssize(lines) * panel.length() * Index{Bytes});
  }

  std::byte* receive(const Interval& panel, std::byte* buffer) {
    for (int distance = 1; distance < processes_.size(); ++distance) {
      const int source = peer(processes_.size() - distance);
      const std::span<const Index> lines = moves_.received[source];
      if (lines.empty()) continue;
      if (sees(source)) {
        shown_.push_back(source);
        continue;
      }
      const int bytes = message_bytes(lines, panel);
      incoming_.push_back({source, buffer});
      MPI_Irecv(buffer, bytes, MPI_BYTE, source, 0, processes_.comm(), &memory_.requests.emplace_back());
      buffer += bytes;
    }
    return buffer;
  }

  void send(const Interval& panel, std::byte* buffer) {
    std::byte* const shared = may_share_ ? processes_.memory() : nullptr;
    Index used = 0;  // bytes of the shared memory
    for (int distance = 1; distance < processes_.size(); ++distance) {
      const int target = peer(distance);
      const std::span<const Index> lines = moves_.sent[target];
      if (lines.empty()) continue;
      const int bytes = message_bytes(lines, panel);
      if (shows_to(target)) {
        for_elements<Bytes>(local_, lines, panel, shared + used, Pack{});
        processes_.show(target, used);
        used += bytes;
        continue;
      }
      for_elements<Bytes>(local_, lines, panel, buffer, Pack{});
      MPI_Isend(buffer, bytes, MPI_BYTE, target, 0, processes_.comm(), &memory_.requests.emplace_back());
      buffer += bytes;
    }
  }

  void read_shown(const Interval& panel) {
    while (!shown_.empty()) {
      const std::size_t left = shown_.size();
      std::erase_if(shown_, [&](int source) {
        const std::byte* const packed = processes_.shown_by(source);
        if (packed == nullptr) return false;
        for_elements<Bytes>(local_, moves_.received[source], panel, packed, Write{});
        processes_.have_read(source);
        return true;
      });
      if (shown_.size() == left) processes_.let_others_continue();
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
  LineProcesses& processes_;
  ExchangeMemory& memory_;
  const bool may_share_;
  std::vector<Incoming> incoming_{};
  std::vector<int> shown_{};  // the processes whose lines this process reads in their memory
};

template <std::size_t Bytes>
void exchange(std::span<const LineMove> all, const LocalMoves& moves, const LocalLines& local, LineProcesses& processes,
              ExchangeMemory& memory) {
  const Index bytes = std::ssize(all) * Index{Bytes};  // equal on all processes
  const Index width = std::min(local.elements, std::max(Index{1}, max_panel_bytes / bytes));
  PanelExchange<Bytes> panels(moves, local, processes, memory, width, bytes * width);
  for (Index begin = 0; begin < local.elements; begin += width)
    panels.run({begin, std::min(local.elements, begin + width)});
}

}  // namespace

void swap_lines(std::span<const LineSwap> swaps, const LocalLines& local) {
  const Interval all{0, local.elements};
  switch (local.element_bytes) {
    case 4: return swap_elements<4>(swaps, local, all);
    case 8: return swap_elements<8>(swaps, local, all);
    default: return swap_elements<16>(swaps, local, all);
  }
}

void move_lines(std::span<const LineMove> moves, const Axis& lines, const LocalLines& local, LineProcesses& processes,
                ExchangeMemory& memory) {
  if (moves.empty() || local.elements == 0) return;
  processes.meet();
  const LocalMoves mine = local_moves(moves, lines, local.line_step, processes.rank());
  switch (local.element_bytes) {
    case 4: return exchange<4>(moves, mine, local, processes, memory);
    case 8: return exchange<8>(moves, mine, local, processes, memory);
    default: return exchange<16>(moves, mine, local, processes, memory);
  }
}

}  // namespace xredist::core
