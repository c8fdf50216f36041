// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/packed.hpp"

#include <numeric>

namespace drivers {
namespace {

// Returns owner(k) of each index k; -1 for an index outside the submatrix.
template <class Owner>
std::vector<Index> owners(const std::vector<Index>& indices, Index length, Owner owner) {
  std::vector<Index> result(indices);
  for (Index& k : result) k = k < 0 || k >= length ? -1 : owner(k);
  return result;
}

template <int size, bool packs>
void copied(const Side& side) {
  std::vector<std::byte*> next;
  for (const int begin : side.begins) next.push_back(side.at(begin));
  side.walk([&](std::size_t rank, std::byte* element) {
    std::memcpy(packs ? next[rank] : element, packs ? element : next[rank], size);
    next[rank] += size;
  });
}

template <bool packs>
void copy(const Side& side) {
  if (side.bytes == 4) copied<4, packs>(side);
  if (side.bytes == 8) copied<8, packs>(side);
  if (side.bytes == 16) copied<16, packs>(side);
}

constexpr auto nothing = [](const Packed&) { return nullptr; };

}  // namespace

Side::Side(const Case& c, int element_bytes, int ranks, const Local& o, const Matrix& x)
    : own(o),
      other(x),
      region(region_of(c)),
      m(c.m),
      bytes(element_bytes),
      rows(owners(own.rows, m, [&x](Index k) { return row_owner(x, x.i - 1 + k); })),
      cols(owners(own.cols, c.n, [&x](Index k) { return col_owner(x, x.j - 1 + k); })),
      counts(as_size(ranks)),
      begins(counts.size()) {
  walk([&](std::size_t rank, std::byte*) { ++counts[rank]; });
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  const auto total = as_size(begins.back() + counts.back());
  buffer = std::make_unique_for_overwrite<std::byte[]>(total * as_size(bytes));
}

void Side::pack() const { copy<true>(*this); }
void Side::unpack() const { copy<false>(*this); }

Packed::Packed(const Stage& stage, const Case& c, const Local& a, const Local& b)
    : comm(stage.comm()),
      out(c, stage.element.bytes, stage.size(), a, c.b),
      in(c, stage.element.bytes, stage.size(), b, c.a) {
  MPI_Comm_rank(comm, &me);
  MPI_Type_contiguous(out.bytes, MPI_BYTE, &type);
  MPI_Type_commit(&type);
}

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

}  // namespace drivers
