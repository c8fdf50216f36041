// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist_solvers, whose optional arguments are pointers that may be NULL.
#include <algorithm>
#include <cstddef>
#include <optional>
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

// Returns the rules of a solver, by default "scalapack". A blank name has no rules.
xredist_rules rules_of(const char* solver, std::size_t length) {
  const std::string name = solver != nullptr ? trimmed(solver, length) : "scalapack";
  return name.empty() ? xredist_rules{} : rules_for(name.c_str());
}

// Replace a rule if the argument is present.
void set_rule(int& rule, const xredist_int* passed) {
  if (passed != nullptr) rule = narrowed(*passed);
}
template <class Value, class Passed>
void set_rule(Value& rule, const Passed* passed) {
  if (passed != nullptr) rule = *passed;
}

// Fits a layout on a communicator. `callers`: the failure of the caller, or nullptr.
void fit_ranks(MPI_Comm comm, Index m, Index n, const xredist_layout& a, const xredist_rules* rules,
               const Failure* callers, FortranLayout& b, const CFI_cdesc_t& ranks) {
  demand(communicator_error(comm));
  auto memory = attempt([&] {
    const CFI_index_t elements = size_of_vector(ranks), size = size_of(comm);
    if (elements < size)
      throw InvalidArgument(Text() << "ranks has " << elements << " elements, must have " << size
                                   << ", one for each process");
    return std::vector<int>(as_size(size));
  });
  std::vector<int>* const chosen = memory.get();
  xredist_layout fitted{};
  fit_on_communicator(comm, m, n, &a, rules, callers != nullptr ? callers : memory.failure(), &fitted,
                      chosen != nullptr ? chosen->data() : nullptr);
  b = {fitted.nprow, fitted.npcol, static_cast<xredist_int>(fitted.mb), static_cast<xredist_int>(fitted.nb), 0, 0};
  set_integers(ranks, *chosen);
}

// Returns the bytes of the data to tell. Throws InvalidArgument for data whose size is unknown.
Index bytes_of(const CFI_cdesc_t* data) {
  if (data->rank == 0) return static_cast<Index>(data->elem_len);
  const FortranArray array = array_of(data);
  if (array.storage != Storage::contiguous || array.elements == unknown_size)
    throw InvalidArgument("data is not contiguous, or its size is unknown: pass an array with a shape");
  return array.elements * array.element_bytes;
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

// On a context, the matrices have array descriptors, and B's local array has `rows` and `cols`; on a communicator, the
// matrices have layouts, and B has `ranks`.
XREDIST_API void xredist_fortran_fit(const xredist_int* place, const xredist_int* m, const xredist_int* n,
                                     XREDIST_KEYWORDS_ONLY, const char* solver, std::size_t solver_length,
                                     const xredist_int* processes, const xredist_int* per_node,
                                     const xredist_int* multiple, const xredist_int* share, const xredist_int* block,
                                     const xredist_int* min_block, const xredist_int* max_block,
                                     const xredist_int* blocks, const xredist_int* flat, const char* grid,
                                     const char* power, const xredist_int* columns, const CFI_cdesc_t* rows_a,
                                     const CFI_cdesc_t* cols_a, const CFI_cdesc_t* owners_rows_a,
                                     const CFI_cdesc_t* owners_cols_a, xredist_int* info, const xredist_int* desca,
                                     xredist_int* descb, xredist_int* rows, xredist_int* cols, const FortranLayout* a,
                                     FortranLayout* b, const CFI_cdesc_t* ranks, const CFI_cdesc_t* ranks_a) {
  const int code = coded_in_fortran([&] {
    xredist_rules rules{};
    std::optional<OwnedLayout> owned;
    const auto made = attempt([&] {
      rules = rules_of(solver, solver_length);
      set_rule(rules.processes, processes), set_rule(rules.per_node, per_node), set_rule(rules.multiple, multiple);
      set_rule(rules.share, share), set_rule(rules.block, block), set_rule(rules.min_block, min_block);
      set_rule(rules.max_block, max_block), set_rule(rules.blocks, blocks), set_rule(rules.flat, flat);
      set_rule(rules.grid, grid), set_rule(rules.power, power), set_rule(rules.columns, columns);
      owned.emplace(a != nullptr ? *a : FortranLayout{}, ranks_a, "ranks_a",
                    OwnedPartition(rows_a, owners_rows_a, nullptr, "rows_a"),
                    OwnedPartition(cols_a, owners_cols_a, nullptr, "cols_a"));
    });
    const xredist_layout layout = owned ? owned->get() : xredist_layout{};
    if (desca != nullptr)
      fit_on_context(*place, *m, *n, desca, layout.rows, layout.cols, &rules, made.failure(), descb, rows, cols);
    else
      fit_ranks(communicator_from(*place), *m, *n, layout, &rules, made.failure(), *b, *ranks);
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
      return std::pair(
          OwnedLayout(*b, ranks, "ranks", {nullptr, nullptr, nullptr, "rows"}, {nullptr, nullptr, nullptr, "cols"}),
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
