// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_LOCAL_SIZE and XREDIST_DESCINIT of module xredist: NUMROC and DESCINIT, for partitions too.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "api/errors.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"
#include "scalapack/fortran.hpp"
#include "scalapack/fortran_layout.hpp"

namespace xredist::core {
namespace {

// The arguments of one dimension, as messages name them.
struct Names {
  std::string_view size, block, source;
  const char *partition, *range;
};
constexpr Names descinit_rows{"m", "mb", "rsrc", "rows", "the grid's rows"};
constexpr Names descinit_cols{"n", "nb", "csrc", "cols", "the grid's columns"};
constexpr Names descriptor_rows{"desc, entry 3 (M_)", "desc, entry 5 (MB_)", "desc, entry 7 (RSRC_)", "rows",
                                "the grid's rows"};
constexpr Names descriptor_cols{"desc, entry 4 (N_)", "desc, entry 6 (NB_)", "desc, entry 8 (CSRC_)", "cols",
                                "the grid's columns"};

// One dimension of a matrix over `procs` rows, or columns, of a grid.
class Dimension {
 public:
  Dimension(const Names& names, Index size, Index block, Index source, const CFI_cdesc_t* bounds,
            const CFI_cdesc_t* owners)
      : names_(names),
        size_(size),
        block_(block),
        source_(source),
        partition_(bounds, owners, names.partition, found_) {}

  Checked size_error() const { return bounds_error({names_.size}, size_, 0); }
  Checked block_error() const { return cyclic() ? bounds_error({names_.block}, block_, 1) : Checked(); }
  Checked source_error(Index procs) const {
    return cyclic() ? range_error({names_.source}, source_, procs, names_.range) : Checked();
  }
  Checked partition_error(Index procs) const {
    if (Checked error = first_of({found_, core::partition_error({names_.partition}, partition_.get(), procs)}))
      return error;
    if (cyclic() || partition_.bounds.back() == size_) return {};
    return ArgumentError{{names_.partition},
                         ": the last of bounds is " + std::to_string(partition_.bounds.back()) + ", must be " +
                             std::string(names_.size) + " = " + std::to_string(size_)};
  }
  Checked error(Index procs) const {
    return first_of({size_error(), block_error(), source_error(procs), partition_error(procs)});
  }

  bool cyclic() const { return !partition_.present; }
  xredist_int local_size(Index procs, Index process) const {
    return static_cast<xredist_int>(
        local_count(make_axis(partition_.get(), block_, procs, source_, 0), process, size_));
  }

 private:
  const Names& names_;
  Index size_, block_, source_;
  Checked found_;  // an error in the arrays of the partition
  OwnedPartition partition_;
};

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_local_size_blacs(const xredist_int* desc, xredist_int* local_rows,
                                                  xredist_int* local_cols, XREDIST_KEYWORDS_ONLY,
                                                  const CFI_cdesc_t* rows, const CFI_cdesc_t* cols,
                                                  const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
                                                  xredist_int* info) {
  const int code = coded([&] {
    *local_rows = *local_cols = 0;
    const Grid grid = grid_of(desc[ctxt_]);
    if (!grid.member()) return;
    const Dimension of_rows(descriptor_rows, desc[m_], desc[mb_], desc[rsrc_], rows, owners_rows);
    const Dimension of_cols(descriptor_cols, desc[n_], desc[nb_], desc[csrc_], cols, owners_cols);
    demand(first_of({of_rows.error(grid.nprow), of_cols.error(grid.npcol)}));
    *local_rows = of_rows.local_size(grid.nprow, grid.myrow);
    *local_cols = of_cols.local_size(grid.npcol, grid.mycol);
  });
  report("XREDIST_LOCAL_SIZE", code, info);
}

XREDIST_API void xredist_fortran_local_size_comm(const FortranLayout* layout, const xredist_int* m,
                                                 const xredist_int* n, const xredist_int* rank, xredist_int* local_rows,
                                                 xredist_int* local_cols, XREDIST_KEYWORDS_ONLY,
                                                 const CFI_cdesc_t* rows, const CFI_cdesc_t* cols,
                                                 const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
                                                 const CFI_cdesc_t* ranks, xredist_int* info) {
  int code = 0;
  const int failed = coded([&] {
    *local_rows = *local_cols = 0;
    Checked error;
    const OwnedPartition of_rows(rows, owners_rows, "rows", error), of_cols(cols, owners_cols, "cols", error);
    const std::vector<int> of_grid = integers_of<int>(ranks);
    const xredist_layout in_c = layout_from(*layout, of_grid, "ranks", of_rows, of_cols, error);
    demand(error);
    Index size[2] = {};
    code = xredist_local_size(&in_c, *m, *n, narrowed(*rank), &size[0], &size[1]);
    *local_rows = static_cast<xredist_int>(size[0]), *local_cols = static_cast<xredist_int>(size[1]);
  });
  report("XREDIST_LOCAL_SIZE", failed != 0 ? failed : code, info);
}

// INFO is -k if argument k is invalid, as in DESCINIT. For a dimension with a partition, the block size and source of
// the descriptor are 0, which no routine without partitions accepts.
XREDIST_API void xredist_fortran_descinit(xredist_int* desc, const xredist_int* m, const xredist_int* n,
                                          const xredist_int* mb, const xredist_int* nb, const xredist_int* rsrc,
                                          const xredist_int* csrc, const xredist_int* ctxt, const xredist_int* lld,
                                          xredist_int* info, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* rows,
                                          const CFI_cdesc_t* cols, const CFI_cdesc_t* owners_rows,
                                          const CFI_cdesc_t* owners_cols) {
  int argument = 0;
  const auto check = [&](int position, const Checked& error) {
    argument = position;
    demand(error);
  };
  const int code = coded([&] {
    std::fill_n(desc, lld_ + 1, 0);
    const Grid grid = grid_of(*ctxt);
    const Dimension of_rows(descinit_rows, *m, *mb, *rsrc, rows, owners_rows);
    const Dimension of_cols(descinit_cols, *n, *nb, *csrc, cols, owners_cols);
    check(2, of_rows.size_error());
    check(3, of_cols.size_error());
    check(4, of_rows.block_error());
    check(5, of_cols.block_error());
    check(8, context_error({"ctxt"}, *ctxt));
    check(6, of_rows.source_error(grid.nprow));
    check(7, of_cols.source_error(grid.npcol));
    check(11, of_rows.partition_error(grid.nprow));
    check(12, of_cols.partition_error(grid.npcol));
    const xredist_int min_lld = std::max<xredist_int>(1, of_rows.local_size(grid.nprow, grid.myrow));
    if (lld != nullptr) check(9, bounds_error({"lld"}, *lld, min_lld));
    const auto if_cyclic = [](const Dimension& x, xredist_int value) { return x.cyclic() ? value : 0; };
    const xredist_int made[] = {1,
                                *ctxt,
                                *m,
                                *n,
                                if_cyclic(of_rows, *mb),
                                if_cyclic(of_cols, *nb),
                                if_cyclic(of_rows, *rsrc),
                                if_cyclic(of_cols, *csrc),
                                lld != nullptr ? *lld : min_lld};
    std::ranges::copy(made, desc);
  });
  report("XREDIST_DESCINIT", code == XREDIST_INVALID_ARGUMENT ? -argument : code, info);
}

}  // extern "C"
