// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <cstring>
#include <limits>
#include <numeric>

#include "drivers/stage.hpp"

namespace drivers {
namespace {

// Returns owner(k) of each index k; -1 for an index outside the submatrix.
template <class Owner>
std::vector<Index> owners(const std::vector<Index>& indices, Index length, Owner owner) {
  std::vector<Index> result;
  for (const Index k : indices) result.push_back(k < 0 || k >= length ? -1 : owner(k));
  return result;
}

// One direction: the elements of a matrix that move, column by column, to or from ranks of the other matrix; for each
// rank, the number of elements and their offset in the buffer.
struct Side {
  const Local& own;
  const Matrix& other;
  xredist::core::Region region;
  Index m;
  int bytes;
  std::vector<Index> rows, cols;
  std::vector<int> counts, begins;
  std::unique_ptr<std::byte[]> buffer;

  Side(const Case& c, const Local& o, const Matrix& x, int size, int b)
      : own(o),
        other(x),
        region(region_of(c)),
        m(c.m),
        bytes(b),
        rows(owners(own.rows, c.m, [&x](Index k) { return row_owner(x, x.i - 1 + k); })),
        cols(owners(own.cols, c.n, [&x](Index k) { return col_owner(x, x.j - 1 + k); })),
        counts(as_size(size)),
        begins(counts.size()) {
    walk([&](std::size_t rank, std::byte*) { ++counts[rank]; });
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    const auto total = as_size(begins.back() + counts.back());
    buffer = std::make_unique_for_overwrite<std::byte[]>(total * as_size(bytes));
  }

  template <class Visit>
  void walk(Visit visit) const {
    for (std::size_t l = 0; l < cols.size(); ++l) {
      if (cols[l] < 0) continue;
      const xredist::core::Interval moved = rows_of(region, own.cols[l], m);
      std::byte* element = own.at(l, bytes);
      for (std::size_t k = 0; k < rows.size(); ++k, element += bytes)
        if (own.rows[k] >= moved.begin && own.rows[k] < moved.end)
          visit(as_size(other.rank_at(rows[k], cols[l])), element);
    }
  }

  // Copies all elements. Both sides walk in the same order, so elements travel without their indices.
  template <int size, class Copy>
  void each(Copy copy) const {
    std::vector<std::byte*> at;
    for (const int begin : begins) at.push_back(buffer.get() + Index{begin} * size);
    walk([&](std::size_t rank, std::byte* element) {
      copy(element, at[rank]);
      at[rank] += size;
    });
  }
};

template <int bytes>
struct Exchange {
  MPI_Comm comm;
  MPI_Datatype type;
  Side sent, received;

  Exchange(const Case& c, const Stage& stage, int size)
      : comm(stage.comm()), sent(c, stage.a, c.b, size, bytes), received(c, stage.b, c.a, size, bytes) {
    MPI_Type_contiguous(bytes, MPI_BYTE, &type);
    MPI_Type_commit(&type);
  }
  ~Exchange() { MPI_Type_free(&type); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void run() {
    sent.each<bytes>([](std::byte* element, std::byte* at) { std::memcpy(at, element, bytes); });
    MPI_Alltoallv(sent.buffer.get(), sent.counts.data(), sent.begins.data(), type, received.buffer.get(),
                  received.counts.data(), received.begins.data(), type, comm);
    received.each<bytes>([](std::byte* element, std::byte* at) { std::memcpy(element, at, bytes); });
  }
};

template <int bytes>
Call exchange(const Case& c, const Stage& stage) {
  return [made = std::make_shared<Exchange<bytes>>(c, stage, static_cast<int>(processes(c)))] { made->run(); };
}

}  // namespace

Contender alltoallv(const Case& c, const Stage& stage) {
  if (elements_of(c) > std::numeric_limits<int>::max()) return {"alltoallv", "more elements than an int counts"};
  // As many messages as a schedule of whole messages has.
  const Facts facts{std::nullopt, facts_of(c, stage.element.bytes, "rank")->messages};
  const auto make = [&c, &stage]() -> Call {
    switch (stage.element.bytes) {
      case 4: return exchange<4>(c, stage);
      case 8: return exchange<8>(c, stage);
      default: return exchange<16>(c, stage);
    }
  };
  return {"alltoallv", {}, facts, make};
}

}  // namespace drivers
