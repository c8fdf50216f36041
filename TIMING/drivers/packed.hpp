// SPDX-License-Identifier: BSD-3-Clause
// The packed elements of a redistribution: what the contenders have in common that pack all elements, exchange messages
// and unpack, as programs do without such a library.
#pragma once

#include <mpi.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "drivers/contender.hpp"

namespace drivers {

namespace core = xredist::core;

/// One direction: the elements of a matrix that move, column by column, to or from ranks of the other matrix; for each
/// rank, the number of elements and their offset in the buffer. The arguments must outlive it.
struct Side {
  const Local& own;
  const Matrix& other;
  core::Region region;
  Index m;
  int bytes;
  std::vector<Index> rows, cols;  ///< grid row (column) of the other matrix that owns each local row (column), or -1
  std::vector<int> counts, begins;
  std::unique_ptr<std::byte[]> buffer;

  Side(const Case& c, int element_bytes, int ranks, const Local& o, const Matrix& x);

  std::byte* at(int begin) const { return buffer.get() + Index{begin} * bytes; }

  /// Calls visit(rank, element) with each element, in the same order on both sides.
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

  /// Copy all elements to the buffer, and from it. Both sides walk in the same order, so elements travel without their
  /// indices.
  void pack() const;
  void unpack() const;
};

/// The packed elements of both directions, and what sends them.
struct Packed {
  MPI_Comm comm;
  int me = 0;
  MPI_Datatype type{};  ///< an element
  Side out, in;

  explicit Packed(const Stage& stage) : Packed(stage, stage.c, stage.a, stage.b) {}
  /// For another case of the same processes; the arguments must outlive it.
  Packed(const Stage& stage, const Case& c, const Local& a, const Local& b);
  ~Packed() { MPI_Type_free(&type); }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;

  MPI_Request send(int peer, int begin, int count, int tag = 0) const {
    MPI_Request request;
    MPI_Isend(out.at(begin), count, type, peer, tag, comm, &request);
    return request;
  }
  void copy_own() const {
    std::memcpy(in.at(at(in.begins, me)), out.at(at(out.begins, me)), as_size(Index{at(out.counts, me)} * out.bytes));
  }
};

/// Returns the contender that packs, calls `exchange` with the packed elements and `more`, and unpacks.
template <class More, class Exchange>
Contender packed(const std::string& name, const Stage& stage, More more, Exchange exchange) {
  if (elements_of(stage.c) > std::numeric_limits<int>::max()) return {name, "more elements than an int counts"};
  return {name, {}, [&stage, more, exchange]() -> Call {
            const auto x = std::make_shared<Packed>(stage);
            return {[x, exchange, made = more(*x)] {
              x->out.pack();
              exchange(*x, made);
              x->in.unpack();
            }};
          }};
}

inline void wait_for(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace drivers
