#include "exchange/exchange.hpp"

#include <array>
#include <atomic>
#include <cstdint>

#include "exchange/attribute.hpp"

namespace xredist {
namespace {

// The pieces of a list of messages, in the order of the list.
class Stream {
 public:
  Stream(const Plan& plan, const std::vector<Transfer>& transfers, bool sending)
      : plan_(plan), transfers_(transfers), sending_(sending) {}

  struct Item {
    const Transfer* transfer;
    Piece piece;
  };

  std::optional<Item> next() {
    for (;; ++at_, pieces_.reset()) {
      if (at_ == transfers_.size()) return std::nullopt;
      const Transfer& t = transfers_[at_];
      if (!pieces_) {
        const Coord p = sending_ ? *plan_.in_a : t.peer, q = sending_ ? t.peer : *plan_.in_b;
        pieces_.emplace(plan_.matter, p, q, t.rows, t.cols, plan_.piece_bytes);
      }
      if (const auto piece = pieces_->next()) return Item{&t, *piece};
    }
  }

 private:
  const Plan& plan_;
  const std::vector<Transfer>& transfers_;
  bool sending_;
  std::size_t at_ = 0;
  std::optional<Pieces> pieces_;
};

// The local rows (columns) that the submatrix reaches over on process p.
Interval local_range(const Axis& axis, Index p, Index n) {
  return {local_count(axis, p, axis.first), local_count(axis, p, axis.first + n)};
}

// Whether the own part of B shares memory with that of A. Two parts of one array, side by side or
// one below the other, do not.
bool overlap_in_memory(const Plan& plan, ConstArray a, Array b) {
  const Traffic& t = plan.matter.traffic;
  const Interval rows_a = local_range(t.rows.a, plan.in_a->row, t.rows.n), cols_a = local_range(t.cols.a, plan.in_a->col, t.cols.n);
  const Interval rows_b = local_range(t.rows.b, plan.in_b->row, t.rows.n), cols_b = local_range(t.cols.b, plan.in_b->col, t.cols.n);
  const Index bytes = plan.matter.bytes;
  const auto at = [&](const std::byte* data, Index i, Index j, Index ld) {
    return reinterpret_cast<std::intptr_t>(data) + (i + j * ld) * bytes;
  };
  const auto a_begin = at(a.data, rows_a.begin, cols_a.begin, a.ld), a_end = at(a.data, rows_a.end, cols_a.end - 1, a.ld);
  const auto b_begin = at(b.data, rows_b.begin, cols_b.begin, b.ld), b_end = at(b.data, rows_b.end, cols_b.end - 1, b.ld);
  if (a_begin >= b_end || b_begin >= a_end) return false;
  if (a.ld != b.ld) return true;
  // Columns repeat every ld elements: B's rows against A's, in bytes modulo that.
  const auto column = static_cast<std::intptr_t>(a.ld * bytes);
  const std::intptr_t ahead = ((b_begin - a_begin) % column + column) % column;
  return ahead < (rows_a.end - rows_a.begin) * bytes || ahead + (rows_b.end - rows_b.begin) * bytes > column;
}

// Requests [0, slots) are receives, [slots, 2 slots) sends; each has its part of the buffer. A piece for
// a neighbour is packed into the slot of the sender's shared memory: what is sent is a notice, the number
// of the slot, and what the sender waits for is an empty answer with that tag, when the piece has been
// unpacked. Requests [2 slots, 3 slots) are of the notices. Every process takes its messages in the order of the schedule, `slots` pieces at a time. That cannot
// deadlock: of the pieces not yet delivered, the first one in the schedule has all earlier ones of
// its sender and of its receiver behind it, so both have it under way.
class Exchange {
 public:
  Exchange(const Plan& plan, Channel& channel, Workspace& space, ConstArray a, Array b)
      : plan_(plan), comm_(channel.comm()), synchronous_(channel.next_call_synchronises()), neighbours_(channel.neighbours()), space_(space), a_(a), b_(b),
        sends_(plan, plan.sends, true), receives_(plan, plan.receives, false),
        slots_(static_cast<std::size_t>(plan.slots)) {
    if (!plan.sends.empty() || !plan.receives.empty()) buffer_ = space.reserve(2 * plan.slots * plan.piece_bytes);
    space.requests.assign(3 * slots_, MPI_REQUEST_NULL);
    space.notices.resize(2 * slots_);
    space.completed.resize(space.requests.size());
    if (plan.own_rows == 0) return;
    if (overlap_in_memory(plan, a, b))
      copy_own_aside();
    else
      own_.emplace(own_pieces(own_piece));
  }

  void run() {
    for (std::size_t s = 0; s < slots_; ++s) receive(s);
    for (std::size_t s = 0; s < slots_; ++s) send(s);
    // The own part is copied while messages are under way, a piece between two looks at them.
    bool copying = own_.has_value();
    for (;;) {
      if (copying) copying = copy_own();
      int count = 0;
      const int all = static_cast<int>(space_.requests.size());
      (copying ? MPI_Testsome : MPI_Waitsome)(all, space_.requests.data(), &count, space_.completed.data(),
                                              MPI_STATUSES_IGNORE);
      if (count == MPI_UNDEFINED) {
        if (!copying) return;
        continue;
      }
      for (int c = 0; c < count; ++c) finish(static_cast<std::size_t>(space_.completed[static_cast<std::size_t>(c)]));
    }
  }

 private:
  // A strip of the own part: large enough to make looking at messages cheap.
  static constexpr Index own_piece = Index{1} << 20;

  std::byte* part(std::size_t slot) { return buffer_ + static_cast<Index>(slot) * plan_.piece_bytes; }

  // Small pieces travel faster in a message than through a notice and its answer.
  static constexpr Index least_shared = 4000;

  Index bytes_of(const Stream::Item& item) const {
    return item.piece.rows.count * item.piece.cols.count * plan_.matter.bytes;
  }
  bool shared(const Stream::Item& item) const {
    return bytes_of(item) > least_shared && neighbours_.contains(item.transfer->rank);
  }

  void receive(std::size_t slot) {
    const auto item = receives_.next();
    if (!item) return;
    arriving_[slot] = *item;
    const Index bytes = bytes_of(*item);
    if (shared(*item))
      MPI_Irecv(&space_.notices[slot], 1, MPI_INT, item->transfer->rank, tag, comm_, &space_.requests[slot]);
    else
      MPI_Irecv(part(slot), static_cast<int>(bytes), MPI_BYTE, item->transfer->rank, tag, comm_, &space_.requests[slot]);
  }

  void send(std::size_t slot) {
    const auto item = sends_.next();
    if (!item) return;
    const int rank = item->transfer->rank;
    const bool by_notice = shared(*item);
    std::byte* buffer = by_notice ? neighbours_.own() + static_cast<Index>(slot) * plan_.piece_bytes : part(slots_ + slot);
    const Index bytes = space_.packer.pack(plan_.matter, *plan_.in_a, item->transfer->peer, item->piece, a_, buffer);
    if (by_notice) return give_notice(slot, rank);
    (synchronous_ ? MPI_Issend : MPI_Isend)(buffer, static_cast<int>(bytes), MPI_BYTE, rank, tag, comm_,
              &space_.requests[slots_ + slot]);
  }

  void give_notice(std::size_t slot, int rank) {
    std::atomic_thread_fence(std::memory_order_release);
    const int number = static_cast<int>(slot);
    MPI_Irecv(nullptr, 0, MPI_BYTE, rank, answer_tag + number, comm_, &space_.requests[slots_ + slot]);
    MPI_Request& notice = space_.requests[2 * slots_ + slot];
    MPI_Wait(&notice, MPI_STATUS_IGNORE);  // the last one of this slot has been answered
    space_.notices[slots_ + slot] = number;
    MPI_Isend(&space_.notices[slots_ + slot], 1, MPI_INT, rank, tag, comm_, &notice);
  }

  void finish(std::size_t request) {
    if (request >= 2 * slots_) return;
    if (request >= slots_) return send(request - slots_);
    const Stream::Item& item = arriving_[request];
    const int rank = item.transfer->rank;
    const bool by_notice = shared(item);
    const int number = space_.notices[request];
    std::atomic_thread_fence(std::memory_order_acquire);
    const std::byte* piece = by_notice ? neighbours_.memory_of(rank) + number * plan_.piece_bytes : part(request);
    space_.packer.unpack(plan_.matter, item.transfer->peer, *plan_.in_b, item.piece, piece, b_);
    if (by_notice) {
      MPI_Request answer;
      MPI_Isend(nullptr, 0, MPI_BYTE, rank, answer_tag + number, comm_, &answer);
      MPI_Request_free(&answer);
    }
    receive(request);
  }

  bool copy_own() {
    const auto piece = own_->next();
    if (piece) space_.packer.copy(plan_.matter, *plan_.in_a, *plan_.in_b, *piece, a_, b_);
    return piece.has_value();
  }

  Pieces own_pieces(Index limit) const {
    return {plan_.matter, *plan_.in_a, *plan_.in_b, {0, plan_.own_rows}, {0, plan_.own_cols}, limit};
  }

  // A and B share memory: the own part goes through a copy of its own size.
  void copy_own_aside() {
    std::vector<std::byte> copy(static_cast<std::size_t>(plan_.own_rows * plan_.own_cols * plan_.matter.bytes));
    std::byte* at = copy.data();
    Pieces from = own_pieces(own_piece);
    while (const auto piece = from.next()) at += space_.packer.pack(plan_.matter, *plan_.in_a, *plan_.in_b, *piece, a_, at);
    at = copy.data();
    Pieces to = own_pieces(own_piece);
    while (const auto piece = to.next()) at += space_.packer.unpack(plan_.matter, *plan_.in_a, *plan_.in_b, *piece, at, b_);
  }

  static constexpr int tag = 0, answer_tag = 1;

  const Plan& plan_;
  MPI_Comm comm_;
  bool synchronous_;
  Neighbours& neighbours_;
  Workspace& space_;
  ConstArray a_;
  Array b_;
  Stream sends_, receives_;
  std::byte* buffer_ = nullptr;
  std::size_t slots_;
  std::array<Stream::Item, most_slots> arriving_;
  std::optional<Pieces> own_;
};

}  // namespace

std::byte* Workspace::reserve(Index bytes) {
  if (bytes > size_) {
    memory_.reset();
    size_ = 0;
    memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
    size_ = bytes;
  }
  return memory_.get();
}

Workspace& workspace() {
  if (Workspace* space = attached<Workspace>(MPI_COMM_SELF)) return *space;
  return attach(MPI_COMM_SELF, std::make_unique<Workspace>());
}

void execute(const Plan& plan, Channel& channel, Workspace& space, ConstArray a, Array b) {
  if (!plan.in_a && !plan.in_b) return;
  Exchange(plan, channel, space, a, b).run();
}

}  // namespace xredist
