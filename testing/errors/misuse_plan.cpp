// SPDX-License-Identifier: BSD-3-Clause
// One error in a call of XREDIST_PLAN_FROM_DESCRIPTORS without INFO, or of a routine for Fortran.
#include <ISO_Fortran_binding.h>

#include <string>
#include <vector>

#include "allocations.hpp"
#include "grid.hpp"
#include "misuse.hpp"
#include "xredist/plans.h"

extern "C" {
void xredist_fortran_execute(xredist_plan* const* plan, const void* a, const void* b, xredist_int* info);
void xredist_set_context_option_(const xredist_int* ctxt, const char* name, const char* value, xredist_int* info,
                                 size_t name_length, size_t value_length);
}

namespace {

using xredist::testing::Context;
using xredist::testing::rank;
using xredist::testing::row_major;

xredist_plan* plan = nullptr;

// A correct call: from 2 x 1 processes to 1 x 2.
struct Setting {
  Context context_a{row_major(2, 1)}, context_b{row_major(1, 2)}, all{row_major(1, 2)};
  char type = 'd', uplo = 'a', diag = 'n';
  xredist_int m = 10, n = 10, ia = 1, ja = 1, ib = 1, jb = 1, ctxt = all.handle();
  xredist_int desca[9] = {1, context_a.handle(), 10, 10, 2, 2, 0, 0, 10};
  xredist_int descb[9] = {1, context_b.handle(), 10, 10, 2, 2, 0, 0, 10};
  const xredist_int *a = desca, *b = descb;
  xredist_plan** result = &plan;
  xredist_int info = 0, *informed = nullptr;

  explicit Setting(const std::string&) {}
};

// The context leaves out one of the three processes that hold A; that process does not call.
void uncovered(Setting& s) {
  const Context grid(row_major(1, 3)), context(row_major(1, 2));
  s.desca[1] = grid.handle();
  if (context.member())
    xredist_plan_from_descriptors('D', 'A', 'N', 10, 10, 1, 1, s.desca, 1, 1, s.desca, context.handle(), &plan,
                                  nullptr);
  MPI_Barrier(MPI_COMM_WORLD);  // the error ends it here; a process in MPI_Finalize might not be ended by Open MPI
}

// Fortran's routine, with a correct plan of so many rows. With `info` an error is returned, and the process stays.
void execute(const Setting& s, xredist_int rows, bool lacks_memory, xredist_int* info) {
  xredist_plan *its = nullptr, *other = nullptr;
  for (const xredist_int m : {8, 10})
    xredist_plan_from_descriptors('D', 'A', 'N', m, 10, 1, 1, s.desca, 1, 1, s.descb, s.ctxt, m == rows ? &its : &other,
                                  nullptr);
  std::vector<double> a(100, 1.0), b(100);
  CFI_CDESC_T(1) from{a.data(), sizeof(double), CFI_VERSION, 1, CFI_attribute_other, CFI_type_double, {{0, 100, 8}}};
  auto to = from;
  to.base_addr = b.data();
  if (lacks_memory) xredist::testing::fail_allocation(1);
  xredist_fortran_execute(&its, &from, &to, info);
  xredist::testing::stop_failing();
  MPI_Barrier(MPI_COMM_WORLD);
}

// With the rows of A in intervals.
void cut(const Setting& s, const std::vector<std::int64_t>& cuts, const std::vector<int>& owners) {
  const xredist_partition rows{std::ssize(owners), cuts.data(), owners.data()};
  const xredist_operation operation{'D', 'D', 'N', 'A', 'N', 'N'};
  xredist_plan_partition_from_descriptors(&operation, 10, 10, 1, 1, s.desca, &rows, nullptr, 1, 1, s.descb, nullptr,
                                          nullptr, s.ctxt, &plan, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
}

const xredist::testing::Errors<Setting> errors = {
    {"none", [](Setting&) {}},
    {"informed", [](Setting& s) { s.m = -2, s.informed = &s.info; }},
    {"type", [](Setting& s) { s.type = 'q'; }},
    {"uplo", [](Setting& s) { s.uplo = '\0'; }},
    {"diag", [](Setting& s) { s.diag = 'a'; }},
    {"m-negative", [](Setting& s) { s.m = -2; }},
    {"n-too-large", [](Setting& s) { s.jb = 4; }},
    {"ia-zero", [](Setting& s) { s.ia = 0; }},
    {"desca-null", [](Setting& s) { s.a = nullptr; }},
    {"desca-nb-zero", [](Setting& s) { s.desca[5] = 0; }},
    {"ib-zero", [](Setting& s) { s.ib = 0; }},
    {"descb-null", [](Setting& s) { s.b = nullptr; }},
    {"descb-csrc-outside", [](Setting& s) { s.descb[7] = 2; }},
    {"lld-small-on-one", [](Setting& s) { s.desca[8] = rank() == 1 ? 3 : 10; }},
    {"ctxt-invalid", [](Setting& s) { s.ctxt = -1; }},
    {"plan-null", [](Setting& s) { s.result = nullptr; }},
    {"type-differs", [](Setting& s) { s.type = rank() == 0 ? 'd' : 'c'; }},
    {"uplo-differs", [](Setting& s) { s.uplo = rank() == 0 ? 'u' : 'l'; }},
    {"n-differs", [](Setting& s) { s.n = 10 - rank(); }},
    {"desca-mb-differs", [](Setting& s) { s.desca[4] = 2 + rank(); }},
    {"a-nowhere", [](Setting& s) { s.desca[1] = -1; }},
    {"uncovered", uncovered},
    {"execute-memory", [](Setting& s) { execute(s, 10, rank() == 1, nullptr); }},
    {"execute-peer", [](Setting& s) { execute(s, 10, rank() == 1, rank() == 1 ? &s.info : nullptr); }},
    {"execute-differs", [](Setting& s) { execute(s, rank() == 1 ? 8 : 10, false, nullptr); }},
    {"option", [](Setting& s) { xredist_set_context_option_(&s.ctxt, "buffer", "1M", nullptr, 6, 2); }},
    {"operation",
     [](Setting& s) {
       const xredist_operation wrong{'D', 'D', 'X', 'A', 'N', 'N'};
       xredist_plan_operation_from_descriptors(&wrong, 10, 10, 1, 1, s.desca, 1, 1, s.descb, s.ctxt, &plan, nullptr);
     }},
    {"intervals",
     [](Setting& s) {
       cut(s, {0, 5, 4, 10}, {0, 1, 0});
     }},
    {"intervals-end",
     [](Setting& s) {
       cut(s, {0, 5, 8}, {0, 1});
     }},
    {"intervals-differ",
     [](Setting& s) {
       cut(s, {0, 5, 10}, {0, rank()});
     }},
    {"no-memory",
     [](Setting&) {
       if (rank() == 1) xredist::testing::fail_allocation(20);
     }},
};

void call(const Setting& s) {
  xredist_plan_from_descriptors(s.type, s.uplo, s.diag, s.m, s.n, s.ia, s.ja, s.a, s.ib, s.jb, s.b, s.ctxt, s.result,
                                s.informed);
}

}  // namespace

bool xredist::testing::untouched() { return plan == nullptr; }

int main(int argc, char** argv) { return xredist::testing::misuse(argc, argv, errors, call); }
