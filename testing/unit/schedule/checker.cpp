// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/checker.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "random/random_traffic.hpp"

namespace xredist::testing {

using namespace core;
namespace {

std::string named(Coord p) { return text("(", p.row, ",", p.col, ")"); }

// Returns a number for each part of a message. Different sets of parts have different sums of these numbers.
std::uint64_t mark(const Message& m) {
  std::uint64_t x = 0;
  for (const Index part : {m.step, m.rows.begin, m.rows.end, m.cols.begin, m.cols.end}) {
    x = (x ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15u;
    x ^= x >> 29;
  }
  return x;
}

// The messages that one process sends, or receives. shared(peer) returns the rows and columns that it shares with
// `peer`, found by brute force; own(peer) returns whether `peer` is the process itself.
class List {
 public:
  List(std::string who, Index peer_rows, Index peer_cols, Index count, Ports ports)
      : who_(std::move(who)),
        rows_(peer_rows),
        cols_(peer_cols),
        count_(count),
        ports_(ports),
        moved_(as_size(peer_rows * peer_cols), 0) {}

  template <class Shared, class Own>
  std::string fault(const std::vector<Message>& messages, Shared shared, Own own) {
    Index last = -1;
    std::vector<Message> parts;
    for (const Message& m : messages) {
      if (!own(m.peer)) {
        if (m.step < 0 || m.step >= count_) return who_ + " step " + std::to_string(m.step) + " is not in the count";
        if (m.step < last) return who_ + " steps descend";
        if (m.step == last && ports_ == Ports::one) return who_ + " twice in step " + std::to_string(last);
        last = m.step;
      }
      if (m.peer.row < 0 || m.peer.row >= rows_ || m.peer.col < 0 || m.peer.col >= cols_)
        return who_ + " peer " + named(m.peer) + " is not in the grid";
      const auto [rows, cols] = shared(m.peer);
      if (!within(m.rows, rows) || !within(m.cols, cols))
        return who_ + " a part is not of the message of " + named(m.peer);
      moved_[place(m.peer)] += m.elements();
      if (m.elements() < rows * cols) parts.push_back(m);
    }
    for (Coord q{0, 0}; q.row < rows_; ++q.row)
      for (q.col = 0; q.col < cols_; ++q.col)
        if (const auto [rows, cols] = shared(q); moved_[place(q)] != rows * cols)
          return who_ + " " + std::to_string(moved_[place(q)]) + " elements with " + named(q) + ", should be " +
                 std::to_string(rows * cols);
    return overlap_of(std::move(parts));
  }

  std::size_t place(Coord q) const { return as_size(q.row * cols_ + q.col); }

 private:
  static bool within(const Interval& i, Index n) { return i.begin >= 0 && i.begin < i.end && i.end <= n; }

  // The lengths of the parts add up to the message, so consecutive parts leave nothing out.
  std::string overlap_of(std::vector<Message> parts) const {
    const auto key = [](const Message& m) { return std::tuple(m.peer.row, m.peer.col, m.rows.begin, m.cols.begin); };
    std::ranges::sort(parts, {}, key);
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const Message &x = parts[k - 1], &y = parts[k];
      if (x.peer != y.peer) continue;
      const auto same = [](const Interval& i, const Interval& j) { return i.begin == j.begin && i.end == j.end; };
      const bool rows_follow = x.rows.end == y.rows.begin && same(x.cols, y.cols);
      const bool cols_follow = x.cols.end == y.cols.begin && same(x.rows, y.rows);
      if (!rows_follow && !cols_follow) return who_ + " parts for " + named(x.peer) + " overlap or leave a gap";
    }
    return "";
  }

  std::string who_;
  Index rows_, cols_, count_;
  Ports ports_;
  std::vector<Index> moved_;
};

}  // namespace

bool same_process(const Traffic& traffic, const Ranks& ranks, Coord p, Coord q) {
  if (ranks.a.empty() || ranks.b.empty()) return false;
  return at(ranks.a, p.row * traffic.cols.a.procs + p.col) == at(ranks.b, q.row * traffic.cols.b.procs + q.col);
}

std::string fault_in(const Traffic& traffic, const Truth& truth, const Schedule& schedule, Ports ports,
                     const Ranks& ranks) {
  const Coord A{traffic.rows.a.procs, traffic.cols.a.procs}, B{traffic.rows.b.procs, traffic.cols.b.procs};
  const Index receivers = B.row * B.col;
  std::vector<std::uint64_t> marks(as_size(A.row * A.col * receivers), 0);
  for (const bool sending : {true, false}) {
    const Coord own = sending ? A : B, others = sending ? B : A;
    for (Coord x{0, 0}; x.row < own.row; ++x.row)
      for (x.col = 0; x.col < own.col; ++x.col) {
        const auto shared = [&](Coord y) {
          const auto& [p, q] = sending ? std::pair(x, y) : std::pair(y, x);
          return std::pair(truth.rows(p.row, q.row), truth.cols(p.col, q.col));
        };
        const auto own_message = [&](Coord y) {
          return sending ? same_process(traffic, ranks, x, y) : same_process(traffic, ranks, y, x);
        };
        const std::vector<Message> messages =
            sending ? sends_of(traffic, schedule, x) : receives_of(traffic, schedule, x);
        List list(text(sending ? "sender " : "receiver ", named(x), ":"), others.row, others.col, schedule.count,
                  ports);
        if (std::string fault = list.fault(messages, shared, own_message); !fault.empty()) return fault;
        for (const Message& m : messages) {
          const Coord p = sending ? x : m.peer, q = sending ? m.peer : x;
          at(marks, (p.row * A.col + p.col) * receivers + q.row * B.col + q.col) += sending ? mark(m) : -mark(m);
        }
      }
  }
  if (std::ranges::any_of(marks, [](std::uint64_t m) { return m != 0; })) return "senders and receivers disagree";
  return "";
}

std::vector<Index> longest_of_steps(const Traffic& traffic, const Schedule& schedule, const Ranks& ranks) {
  std::vector<Index> longest(as_size(schedule.count), 0);
  for (Index row = 0; row < traffic.rows.a.procs; ++row)
    for (Index col = 0; col < traffic.cols.a.procs; ++col)
      for (const Message& message : sends_of(traffic, schedule, {row, col})) {
        if (same_process(traffic, ranks, {row, col}, message.peer)) continue;
        Index& most = at(longest, message.step);
        most = std::max(most, message.elements());
      }
  return longest;
}

}  // namespace xredist::testing
