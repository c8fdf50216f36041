// SPDX-License-Identifier: BSD-3-Clause
// The contenders that pack all elements, exchange messages and unpack, as programs do without such a library.
#include <mpi.h>

#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "drivers/contender.hpp"
#include "schedule/algorithm.hpp"

namespace drivers {
namespace {

namespace core = xredist::core;

// Returns owner(k) of each index k; -1 for an index outside the submatrix.
template <class Owner>
std::vector<Index> owners(const std::vector<Index>& indices, Index length, Owner owner) {
  std::vector<Index> result(indices);
  for (Index& k : result) k = k < 0 || k >= length ? -1 : owner(k);
  return result;
}

// One direction: the elements of a matrix that move, column by column, to or from ranks of the other matrix; for each
// rank, the number of elements and their offset in the buffer.
struct Side {
  const Local& own;
  const Matrix& other;
  core::Region region;
  Index m;
  int bytes;
  std::vector<Index> rows, cols;
  std::vector<int> counts, begins;
  std::unique_ptr<std::byte[]> buffer;

  Side(const Stage& stage, const Local& o, const Matrix& x)
      : own(o),
        other(x),
        region(region_of(stage.c)),
        m(stage.c.m),
        bytes(stage.element.bytes),
        rows(owners(own.rows, m, [&x](Index k) { return row_owner(x, x.i - 1 + k); })),
        cols(owners(own.cols, stage.c.n, [&x](Index k) { return col_owner(x, x.j - 1 + k); })),
        counts(as_size(stage.size())),
        begins(counts.size()) {
    walk([&](std::size_t rank, std::byte*) { ++counts[rank]; });
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    const auto total = as_size(begins.back() + counts.back());
    buffer = std::make_unique_for_overwrite<std::byte[]>(total * as_size(bytes));
  }

  std::byte* at(int begin) const { return buffer.get() + Index{begin} * bytes; }

  template <class Visit>
  void walk(Visit visit) const {
    for (std::size_t l = 0; l < cols.size(); ++l) {
      if (cols[l] < 0) continue;
      const core::Interval moved = rows_of(region, own.cols[l], m);
      std::byte* element = own.at(l, bytes);
      for (std::size_t k = 0; k < rows.size(); ++k, element += bytes)
        if (own.rows[k] >= moved.begin && own.rows[k] < moved.end)
          visit(as_size(other.rank_at(rows[k], cols[l])), element);
    }
  }

  // Copies all elements to the buffer, or from it. Both sides walk in the same order, so elements travel without their
  // indices.
  template <int size, bool packs>
  void copied() const {
    std::vector<std::byte*> next;
    for (const int begin : begins) next.push_back(at(begin));
    walk([&](std::size_t rank, std::byte* element) {
      std::memcpy(packs ? next[rank] : element, packs ? element : next[rank], size);
      next[rank] += size;
    });
  }
  template <bool packs>
  void copy() const {
    if (bytes == 4) copied<4, packs>();
    if (bytes == 8) copied<8, packs>();
    if (bytes == 16) copied<16, packs>();
  }
};

// The packed elements of both directions, and what sends them.
struct Packed {
  MPI_Comm comm;
  int me = 0;
  MPI_Datatype type{};
  Side out, in;

  explicit Packed(const Stage& stage)
      : comm(stage.comm()), out(stage, stage.a, stage.c.b), in(stage, stage.b, stage.c.a) {
    MPI_Comm_rank(comm, &me);
    MPI_Type_contiguous(out.bytes, MPI_BYTE, &type);
    MPI_Type_commit(&type);
  }
  ~Packed() { MPI_Type_free(&type); }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  MPI_Request send(int peer, int begin, int count) const {
    MPI_Request request;
    MPI_Isend(out.at(begin), count, type, peer, 0, comm, &request);
    return request;
  }
  void copy_own() const {
    std::memcpy(in.at(at(in.begins, me)), out.at(at(out.begins, me)), as_size(Index{at(out.counts, me)} * out.bytes));
  }
};

// Returns the contender that packs, calls `exchange` with the packed elements and `more`, and unpacks.
template <class More, class Exchange>
Contender packed(const std::string& name, const Stage& stage, More more, Exchange exchange) {
  if (elements_of(stage.c) > std::numeric_limits<int>::max()) return {name, "more elements than an int counts"};
  return {name, {}, [&stage, more, exchange]() -> Call {
            const auto x = std::make_shared<Packed>(stage);
            return {[x, exchange, made = more(*x)] {
              x->out.copy<true>();
              exchange(*x, made);
              x->in.copy<false>();
            }};
          }};
}

void wait_for(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

// A message, or a part of one, as elements of the buffer.
struct Part {
  int peer, begin, count;
};

// At most one part in each direction.
struct Step {
  std::optional<Part> sent, received;
};
using Steps = std::map<Index, Step>;

// Inserts the parts of one direction. Parts of a message follow each other in the buffer, on both sides in the order of
// their steps.
void put(Steps& steps, const std::vector<core::Message>& messages, const Side& side, int me,
         std::optional<Part> Step::*place) {
  std::vector<int> next = side.begins;
  for (const core::Message& message : messages) {
    const int peer = side.other.rank_at(message.peer.row, message.peer.col),
              count = static_cast<int>(message.elements());
    if (peer == me) continue;
    if (std::exchange(steps[message.step].*place, Part{peer, at(next, peer), count}))
      throw std::invalid_argument("no proper schedule: two messages in a step");
    at(next, peer) += count;
  }
}

Steps steps_of(const Stage& stage, const Packed& x, const core::Schedule& schedule) {
  Steps steps;
  const core::Traffic traffic = traffic_of(stage.c);
  if (const auto p = coord_of(stage.c.a, x.me)) put(steps, sends_of(traffic, schedule, *p), x.out, x.me, &Step::sent);
  if (const auto q = coord_of(stage.c.b, x.me))
    put(steps, receives_of(traffic, schedule, *q), x.in, x.me, &Step::received);
  return steps;
}

void receive(const Packed& x, const Part& part) {
  MPI_Recv(x.in.at(part.begin), part.count, x.type, part.peer, 0, x.comm, MPI_STATUS_IGNORE);
}

// Runs the order of ScaLAPACK's routine. A round of the reference schedule is two steps; the lower of a pair sends in
// the first. All sends complete at the end, because the routine sends packed copies.
void exchange_as_scalapack(const Packed& x, const Steps& steps) {
  std::vector<MPI_Request> requests;
  for (const auto& [number, step] : steps) {
    if (step.received) receive(x, *step.received);
    if (step.sent) requests.push_back(x.send(step.sent->peer, step.sent->begin, step.sent->count));
  }
  x.copy_own();
  wait_for(requests);
}

// Runs one step after the other on each process, without barriers.
void exchange_in_steps(const Packed& x, const Steps& steps) {
  for (const auto& [number, step] : steps) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (step.sent) request = x.send(step.sent->peer, step.sent->begin, step.sent->count);
    if (step.received) receive(x, *step.received);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  x.copy_own();
}

constexpr const char* rectangles_only = "its messages are rectangles";

constexpr auto nothing = [](const Packed&) { return nullptr; };

}  // namespace

Contender alltoallv(const Stage& stage) {
  return packed("alltoallv", stage, nothing, [](const Packed& x, std::nullptr_t) {
    MPI_Alltoallv(x.out.buffer.get(), x.out.counts.data(), x.out.begins.data(), x.type, x.in.buffer.get(),
                  x.in.counts.data(), x.in.begins.data(), x.type, x.comm);
  });
}

Contender at_once(const Stage& stage) {
  return packed("at-once", stage, nothing, [](const Packed& x, std::nullptr_t) {
    std::vector<MPI_Request> requests;
    const int size = static_cast<int>(x.in.counts.size());
    for (int peer = 0; peer < size; ++peer)
      if (peer != x.me && at(x.in.counts, peer) > 0)
        MPI_Irecv(x.in.at(at(x.in.begins, peer)), at(x.in.counts, peer), x.type, peer, 0, x.comm,
                  &requests.emplace_back());
    for (int peer = 0; peer < size; ++peer)
      if (peer != x.me && at(x.out.counts, peer) > 0)
        requests.push_back(x.send(peer, at(x.out.begins, peer), at(x.out.counts, peer)));
    x.copy_own();
    wait_for(requests);
  });
}

Contender scalapack_order(const Stage& stage) {
  if (stage.c.trapezoid) return {"scalapack-order", rectangles_only};
  const auto steps = [&stage](const Packed& x) { return steps_of(stage, x, reference_schedule(traffic_of(stage.c))); };
  return packed("scalapack-order", stage, steps, exchange_as_scalapack);
}

Contender step_by_step(const Stage& stage, const std::string& algorithm) {
  const std::string name = "steps:" + algorithm;
  if (stage.c.trapezoid) return {name, rectangles_only};
  const auto schedule = core::find_algorithm(algorithm)->make(traffic_of(stage.c), {2e-6, 8e-10}, {});
  if (!schedule) return {name, "not defined"};
  const auto steps = [&stage, schedule](const Packed& x) { return steps_of(stage, x, *schedule); };
  return packed(name, stage, steps, exchange_in_steps);
}

}  // namespace drivers
