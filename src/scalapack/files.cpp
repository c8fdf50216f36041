// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices that array descriptors describe (blacs.h).
#include "scalapack/files.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "scalapack/context.hpp"
#include "storage/files.hpp"
#include "storage/together.hpp"
#include "xredist/blacs.h"

namespace xredist::core {
namespace {

// What an array descriptor says about the layout. Only members of the grid know these numbers.
struct Described {
  Index nprow, npcol, m, n, mb, nb, rsrc, csrc;
};
constexpr Index unknown_number = std::numeric_limits<Index>::min();

// The layout of a matrix on a context, which all of its processes know after one reduction.
class ContextLayout {
 public:
  ContextLayout(xredist_int ctxt, const xredist_int* desc, const xredist_partition* rows, const xredist_partition* cols)
      : channel_(channel_for_files(communicator(ctxt))) {
    const bool outside = desc == nullptr || desc[ctxt_] == -1;
    const Grid grid = outside ? Grid{-1, -1, -1, -1} : grid_of(desc[ctxt_]);
    if (grid.member()) ld_ = desc[lld_];
    std::vector<int> positions;
    together(channel_, [&] {
      if (desc == nullptr) throw InvalidArgument("desc is NULL");
      positions.resize(2 * as_size(channel_.size()));
    });
    const Described described = agreed(grid, desc);
    {
      LibraryLock lock;
      gather_positions(grid, {-1, -1, -1, -1}, positions, channel_, lock->progress);
    }
    together(channel_, [&] {
      if (described.nprow == unknown_number) throw InvalidArgument("desc: no process of ctxt is in its grid");
      ranks_.resize(as_size(described.nprow * described.npcol), -1);
    });
    for (int rank = 0; rank < channel_.size(); ++rank)
      if (const int position = at(positions, rank); position >= 0) at(ranks_, position) = rank;
    size_ = {described.m, described.n};
    layout_ = {.nprow = static_cast<int>(described.nprow),
               .npcol = static_cast<int>(described.npcol),
               .mb = described.mb,
               .nb = described.nb,
               .rsrc = static_cast<int>(described.rsrc),
               .csrc = static_cast<int>(described.csrc),
               .ranks = ranks_.data(),
               .rows = rows,
               .cols = cols};
  }
  ContextLayout(const ContextLayout&) = delete;
  ContextLayout& operator=(const ContextLayout&) = delete;

  DistributedMatrix matrix(MPI_Comm comm, char name, void* data, std::optional<Index> size) const {
    return {comm, &layout_, {name, data, ld_, size}, fortran_integer};
  }

  // Checks that the submatrix ends within the matrix.
  MaybeError end_error(const xredist_file* file) const {
    if (file == nullptr) return {};
    const auto beyond = [](const char* name, Index first, Index count, Index size) {
      if (count <= size - (std::max<Index>(first, 1) - 1)) return MaybeError();
      return value_error(
          {name}, count,
          ": the submatrix reaches beyond the matrix of desc, which has " + std::to_string(size) + " rows (columns)");
    };
    return first_of({beyond("m", file->i, file->m, size_[0]), beyond("n", file->j, file->n, size_[1])});
  }

 private:
  // Returns the numbers of the grid's members; throws on all processes if they differ.
  Described agreed(const Grid& grid, const xredist_int* desc) const {
    std::array<Index, 16> numbers{};  // maxima, and negative minima
    numbers.fill(unknown_number);
    if (grid.member()) {
      const Index mine[] = {grid.nprow, grid.npcol, desc[m_], desc[n_], desc[mb_], desc[nb_], desc[rsrc_], desc[csrc_]};
      for (std::size_t k = 0; k < 8; ++k) numbers[k] = mine[k], numbers[k + 8] = -mine[k];
    }
    LibraryLock lock;
    reduce(numbers.data(), 16, MPI_INT64_T, MPI_MAX, channel_.comm(), lock->progress);
    for (std::size_t k = 0; k < 8; ++k)
      if (numbers[k] != unknown_number && numbers[k] != -numbers[k + 8])
        throw InvalidArgument("desc differs between processes");
    return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7]};
  }

  const Channel& channel_;
  Index ld_ = 0;
  std::array<Index, 2> size_{};
  std::vector<int> ranks_;
  xredist_layout layout_{};
};

}  // namespace

void write_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_partition* rows,
                      const xredist_partition* cols, void* a, std::optional<Index> size, const xredist_file* file,
                      const MaybeError& found) {
  demand(first_of({mpi_error({"ctxt"}), context_error({"ctxt"}, ctxt)}));
  const ContextLayout layout(ctxt, desca, rows, cols);
  write_matrix(layout.matrix(communicator(ctxt), 'a', a, size), file, first_of({found, layout.end_error(file)}));
}

void read_on_context(xredist_int ctxt, const xredist_int* descb, const xredist_partition* rows,
                     const xredist_partition* cols, void* b, std::optional<Index> size, const xredist_file* file,
                     const MaybeError& found) {
  demand(first_of({mpi_error({"ctxt"}), context_error({"ctxt"}, ctxt)}));
  const ContextLayout layout(ctxt, descb, rows, cols);
  read_matrix(layout.matrix(communicator(ctxt), 'b', b, size), file, first_of({found, layout.end_error(file)}));
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_write_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_partition* rows,
                        const xredist_partition* cols, const void* a, const xredist_file* file) {
  return coded([&] { write_on_context(ctxt, desca, rows, cols, const_cast<void*>(a), {}, file, {}); });
}

int xredist_read_blacs(xredist_int ctxt, const xredist_int* descb, const xredist_partition* rows,
                       const xredist_partition* cols, void* b, const xredist_file* file) {
  return coded([&] { read_on_context(ctxt, descb, rows, cols, b, {}, file, {}); });
}
