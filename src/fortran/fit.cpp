// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist_solvers, whose optional arguments are pointers that may be NULL.
#include "scalapack/fit.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "api/errors.hpp"
#include "fortran/arrays.hpp"
#include "fortran/info.hpp"
#include "fortran/layout.hpp"

namespace xredist::core {
namespace {

// The optional arguments that both forms of XREDIST_FIT have, in the order of the Fortran interface.
struct Keywords {
  const CFI_cdesc_t* solver;
  const xredist_int *processes, *per_node, *multiple, *share, *block, *min_block, *max_block, *blocks, *flat;
  const char *grid, *power;
  const xredist_int* columns;
  const CFI_cdesc_t *rows_a, *cols_a, *owners_rows_a, *owners_cols_a;
};

// Returns the rules of the solver, with those that are passed in their places.
xredist_rules rules_of(const Keywords& keywords, MaybeError& error) {
  std::string solver = "scalapack";
  if (keywords.solver != nullptr)
    solver = trimmed(static_cast<const char*>(keywords.solver->base_addr), keywords.solver->elem_len);
  xredist_rules rules{};
  if (!solver.empty() && xredist_rules_for(solver.c_str(), &rules) != 0) keep_first(error, xredist_error());
  const auto set = [](auto& rule, const auto* passed) {
    if (passed != nullptr) rule = *passed;
  };
  const auto set_int = [](int& rule, const xredist_int* passed) {
    if (passed != nullptr) rule = narrowed(*passed);
  };
  set_int(rules.processes, keywords.processes);
  set_int(rules.per_node, keywords.per_node);
  set_int(rules.multiple, keywords.multiple);
  set(rules.share, keywords.share);
  set(rules.block, keywords.block);
  set(rules.min_block, keywords.min_block);
  set(rules.max_block, keywords.max_block);
  set_int(rules.blocks, keywords.blocks);
  set_int(rules.flat, keywords.flat);
  set(rules.grid, keywords.grid);
  set(rules.power, keywords.power);
  set(rules.columns, keywords.columns);
  return rules;
}

// Returns the bytes of the data to tell, and the error of data whose size is unknown.
Index bytes_of(const CFI_cdesc_t* data, MaybeError& error) {
  if (data->rank == 0) return static_cast<Index>(data->elem_len);
  const FortranArray array = array_of(data);
  if (array.storage == Storage::contiguous && array.elements != unknown_size)
    return array.elements * array.element_bytes;
  keep_first(error, "data is not contiguous, or its size is unknown: pass an array with a shape");
  return 0;
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

#define XREDIST_RULES                                                                                                 \
  const CFI_cdesc_t *solver, const xredist_int *processes, const xredist_int *per_node, const xredist_int *multiple,  \
      const xredist_int *share, const xredist_int *block, const xredist_int *min_block, const xredist_int *max_block, \
      const xredist_int *blocks, const xredist_int *flat, const char *grid, const char *power,                        \
      const xredist_int *columns, const CFI_cdesc_t *rows_a, const CFI_cdesc_t *cols_a,                               \
      const CFI_cdesc_t *owners_rows_a, const CFI_cdesc_t *owners_cols_a
#define XREDIST_PASSED_RULES                                                                                       \
  Keywords {                                                                                                       \
    solver, processes, per_node, multiple, share, block, min_block, max_block, blocks, flat, grid, power, columns, \
        rows_a, cols_a, owners_rows_a, owners_cols_a                                                               \
  }

extern "C" {

XREDIST_API void xredist_fortran_fit_blacs(const xredist_int* ctxt, const xredist_int* m, const xredist_int* n,
                                           const xredist_int* desca, xredist_int* descb, xredist_int* rows,
                                           xredist_int* cols, XREDIST_KEYWORDS_ONLY, XREDIST_RULES, xredist_int* info) {
  int code = 0;
  const int failed = coded([&] {
    const Keywords keywords = XREDIST_PASSED_RULES;
    MaybeError error;
    const OwnedPartition of_rows(keywords.rows_a, keywords.owners_rows_a, "rows_a", error);
    const OwnedPartition of_cols(keywords.cols_a, keywords.owners_cols_a, "cols_a", error);
    const xredist_rules rules = rules_of(keywords, error);
    code = fit_on_context(*ctxt, *m, *n, desca, of_rows.get(), of_cols.get(), &rules, error, descb, rows, cols);
  });
  set_info("XREDIST_FIT", failed != 0 ? failed : code, info, true);
}

XREDIST_API void xredist_fortran_fit_comm(const xredist_int* comm, const xredist_int* m, const xredist_int* n,
                                          const FortranLayout* a, FortranLayout* b, const CFI_cdesc_t* ranks,
                                          XREDIST_KEYWORDS_ONLY, XREDIST_RULES, const CFI_cdesc_t* ranks_a,
                                          xredist_int* info) {
  const int code = coded([&] {
    const Keywords keywords = XREDIST_PASSED_RULES;
    MaybeError error;
    const OwnedPartition of_rows(keywords.rows_a, keywords.owners_rows_a, "rows_a", error);
    const OwnedPartition of_cols(keywords.cols_a, keywords.owners_cols_a, "cols_a", error);
    const std::vector<int> of_a = integers_of<int>(ranks_a);
    const xredist_layout layout = layout_from(*a, of_a, "ranks_a", of_rows, of_cols, error);
    const xredist_rules rules = rules_of(keywords, error);
    const MPI_Comm handle = communicator_from(*comm);
    int size = 0;
    if (!communicator_error(handle)) MPI_Comm_size(handle, &size);
    if (ranks->dim[0].extent < size)
      keep_first(error, "ranks has " + std::to_string(ranks->dim[0].extent) + " elements, must have " +
                            std::to_string(size) + ", one for each process");
    std::vector<int> chosen(as_size(size));
    xredist_layout of_b{};
    // Without A the call fails, after other processes have stopped waiting for this one.
    const int fitted = xredist_fit(handle, *m, *n, error ? nullptr : &layout, &rules, &of_b, chosen.data());
    demand(error);
    if (fitted != 0) throw InvalidArgument(xredist_error());
    *b = {of_b.nprow, of_b.npcol, static_cast<xredist_int>(of_b.mb), static_cast<xredist_int>(of_b.nb), 0, 0};
    for (std::size_t k = 0; k < chosen.size(); ++k)
      *reinterpret_cast<xredist_int*>(static_cast<char*>(ranks->base_addr) +
                                      static_cast<CFI_index_t>(k) * ranks->dim[0].sm) = chosen[k];
  });
  set_info("XREDIST_FIT", code, info, true);
}

XREDIST_API void xredist_fortran_fit_free(const xredist_int* ctxt, xredist_int* info) {
  set_info("XREDIST_FIT_FREE", xredist_fit_free(*ctxt), info);
}

XREDIST_API void xredist_fortran_tell_blacs(const xredist_int* ctxt, const xredist_int* descb, const CFI_cdesc_t* data,
                                            xredist_int* info) {
  int code = 0;
  const int failed = coded([&] {
    MaybeError error;
    const Index bytes = bytes_of(data, error);
    code = tell_on_context(*ctxt, descb, data->base_addr, bytes, error);
  });
  set_info("XREDIST_TELL", failed != 0 ? failed : code, info, true);
}

XREDIST_API void xredist_fortran_tell_comm(const xredist_int* comm, const FortranLayout* b, const CFI_cdesc_t* data,
                                           XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* ranks, xredist_int* info) {
  int code = 0;
  const int failed = coded([&] {
    MaybeError error;
    const OwnedPartition whole(nullptr, nullptr, "rows", error);
    const std::vector<int> of_b = integers_of<int>(ranks);
    const xredist_layout layout = layout_from(*b, of_b, "ranks", whole, whole, error);
    const Index bytes = bytes_of(data, error);
    demand(error);
    code = xredist_tell(communicator_from(*comm), &layout, data->base_addr, bytes);
  });
  set_info("XREDIST_TELL", failed != 0 ? failed : code, info);
}

}  // extern "C"
