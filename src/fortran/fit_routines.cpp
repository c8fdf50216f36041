// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist_solvers, whose optional arguments are pointers that may be NULL.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "api/communicator_fit.hpp"
#include "exchange/communicator.hpp"
#include "fortran/arrays.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_layout.hpp"
#include "scalapack/context_fit.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// The optional arguments that both forms of XREDIST_FIT have, in the order of the Fortran interface.
struct FitKeywords {
  const char* solver;
  std::size_t solver_length;
  const xredist_int *processes, *per_node, *multiple, *share, *block, *min_block, *max_block, *blocks, *flat;
  const char *grid, *power;
  const xredist_int* columns;
  const CFI_cdesc_t *rows_a, *cols_a, *owners_rows_a, *owners_cols_a;
};

// Returns the rules of the solver, with those that are passed in their places.
xredist_rules rules_of(const FitKeywords& keywords) {
  std::string solver = "scalapack";
  if (keywords.solver != nullptr) solver = trimmed(keywords.solver, keywords.solver_length);
  xredist_rules rules{};
  if (!solver.empty()) rules = rules_for(solver.c_str());
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

// Returns the bytes of the data to tell. Throws InvalidArgument for data whose size is unknown.
Index bytes_of(const CFI_cdesc_t* data) {
  if (data->rank == 0) return static_cast<Index>(data->elem_len);
  const FortranArray array = array_of(data);
  if (array.storage != Storage::contiguous || array.elements == unknown_size)
    throw InvalidArgument("data is not contiguous, or its size is unknown: pass an array with a shape");
  return array.elements * array.element_bytes;
}

// The arguments of a fit on a context.
struct FitOnContext {
  explicit FitOnContext(const FitKeywords& keywords)
      : rows_a(keywords.rows_a, keywords.owners_rows_a, "rows_a"),
        cols_a(keywords.cols_a, keywords.owners_cols_a, "cols_a"),
        rules(rules_of(keywords)) {}
  OwnedPartition rows_a, cols_a;
  xredist_rules rules;
};

// The layout of a fit on a communicator of `size` processes, and the memory for the chosen ranks.
struct FitOnCommunicator {
  FitOnCommunicator(const FitKeywords& keywords, const FortranLayout& of_a, const CFI_cdesc_t* ranks_a,
                    const CFI_cdesc_t* ranks, int size)
      : a(of_a, ranks_a, "ranks_a", {keywords.rows_a, keywords.owners_rows_a, "rows_a"},
          {keywords.cols_a, keywords.owners_cols_a, "cols_a"}),
        chosen(as_size(size)) {
    if (const CFI_index_t elements = size_of_vector(*ranks); elements < size)
      throw InvalidArgument("ranks has " + std::to_string(elements) + " elements, must have " + std::to_string(size) +
                            ", one for each process");
  }
  OwnedLayout a;
  std::vector<int> chosen;
};

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

#define XREDIST_RULES                                                                                                \
  const char *solver, std::size_t solver_length, const xredist_int *processes, const xredist_int *per_node,          \
      const xredist_int *multiple, const xredist_int *share, const xredist_int *block, const xredist_int *min_block, \
      const xredist_int *max_block, const xredist_int *blocks, const xredist_int *flat, const char *grid,            \
      const char *power, const xredist_int *columns, const CFI_cdesc_t *rows_a, const CFI_cdesc_t *cols_a,           \
      const CFI_cdesc_t *owners_rows_a, const CFI_cdesc_t *owners_cols_a
#define XREDIST_PASSED_RULES                                                                                      \
  FitKeywords {                                                                                                   \
    solver, solver_length, processes, per_node, multiple, share, block, min_block, max_block, blocks, flat, grid, \
        power, columns, rows_a, cols_a, owners_rows_a, owners_cols_a                                              \
  }

extern "C" {

XREDIST_API void xredist_fortran_fit_blacs(const xredist_int* ctxt, const xredist_int* m, const xredist_int* n,
                                           const xredist_int* desca, xredist_int* descb, xredist_int* rows,
                                           xredist_int* cols, XREDIST_KEYWORDS_ONLY, XREDIST_RULES, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const FitKeywords keywords = XREDIST_PASSED_RULES;
    auto arguments = attempt([&] { return FitOnContext(keywords); });
    const FitOnContext* const passed = arguments.get();
    fit_on_context(*ctxt, *m, *n, desca, passed != nullptr ? passed->rows_a.get() : nullptr,
                   passed != nullptr ? passed->cols_a.get() : nullptr, passed != nullptr ? &passed->rules : nullptr,
                   arguments.failure(), descb, rows, cols);
  });
  set_info("XREDIST_FIT", code, info, true);
}

XREDIST_API void xredist_fortran_fit_comm(const xredist_int* comm, const xredist_int* m, const xredist_int* n,
                                          const FortranLayout* a, FortranLayout* b, const CFI_cdesc_t* ranks,
                                          XREDIST_KEYWORDS_ONLY, XREDIST_RULES, const CFI_cdesc_t* ranks_a,
                                          xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const FitKeywords keywords = XREDIST_PASSED_RULES;
    const MPI_Comm handle = communicator_from(*comm);
    demand(communicator_error(handle));
    const int size = size_of(handle);
    auto rules = attempt([&] { return rules_of(keywords); });
    auto arguments = attempt([&] { return FitOnCommunicator(keywords, *a, ranks_a, ranks, size); });
    FitOnCommunicator* const passed = arguments.get();
    const xredist_layout layout = passed != nullptr ? passed->a.get() : xredist_layout{};
    xredist_layout of_b{};
    fit_on_communicator(handle, *m, *n, &layout, rules.get(),
                        rules.failure() != nullptr ? rules.failure() : arguments.failure(), &of_b,
                        passed != nullptr ? passed->chosen.data() : nullptr);
    *b = {of_b.nprow, of_b.npcol, static_cast<xredist_int>(of_b.mb), static_cast<xredist_int>(of_b.nb), 0, 0};
    set_integers(*ranks, passed->chosen);
  });
  set_info("XREDIST_FIT", code, info, true);
}

XREDIST_API void xredist_fortran_fit_free(const xredist_int* ctxt, xredist_int* info) {
  set_info("XREDIST_FIT_FREE", xredist_fit_free(*ctxt), info);
}

XREDIST_API void xredist_fortran_tell_blacs(const xredist_int* ctxt, const xredist_int* descb, const CFI_cdesc_t* data,
                                            xredist_int* info) {
  const int code = coded_in_fortran([&] {
    auto bytes = attempt([&] { return bytes_of(data); });
    tell_on_context(*ctxt, descb, data->base_addr, bytes.get() != nullptr ? *bytes.get() : 0, bytes.failure());
  });
  set_info("XREDIST_TELL", code, info, true);
}

XREDIST_API void xredist_fortran_tell_comm(const xredist_int* comm, const FortranLayout* b, const CFI_cdesc_t* data,
                                           XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    auto arguments = attempt([&] {
      return std::pair(OwnedLayout(*b, ranks, "ranks", {nullptr, nullptr, "rows"}, {nullptr, nullptr, "cols"}),
                       bytes_of(data));
    });
    const auto* const passed = arguments.get();
    const xredist_layout of_b = passed != nullptr ? passed->first.get() : xredist_layout{};
    tell_on_communicator(communicator_from(*comm), &of_b, data->base_addr, passed != nullptr ? passed->second : 0,
                         arguments.failure());
  });
  set_info("XREDIST_TELL", code, info, true);
}

}  // extern "C"
