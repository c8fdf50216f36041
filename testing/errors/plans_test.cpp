// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of XREDIST_PLAN_FROM_DESCRIPTORS without INFO, and of routines for Fortran.
#include "xredist/plans.h"

#include <ISO_Fortran_binding.h>

#include "allocations.hpp"
#include "verdict.hpp"

// Fortran's routines, which no header declares.
extern "C" {
void xredist_fortran_execute(xredist_plan* const* plan, const void* a, const void* b, xredist_int* info);
void xredist_set_context_option_(const xredist_int* ctxt, const char* name, const char* value, xredist_int* info,
                                 size_t name_length, size_t value_length);
}

namespace xredist::testing {
namespace {

struct Setting : CallSetting {
  char type = 'd', uplo = 'a', diag = 'n';
  const xredist_int *a = desca, *b = descb;
  xredist_plan *plan = nullptr, **result = &plan;
  xredist_int info = 0, *informed = nullptr;
  std::function<void(Setting&)> routine = [](Setting& s) {
    xredist_plan_from_descriptors(s.type, s.uplo, s.diag, s.m, s.n, s.ia, s.ja, s.a, s.ib, s.jb, s.b, s.ctxt, s.result,
                                  s.informed);
  };

  void call() { routine(*this); }
  bool untouched() const { return plan == nullptr; }
  /// Makes the context known to all processes, so that an error can be found without communication.
  void call_once() {
    if (all.member()) call();
    plan = nullptr;
  }
};

// Executes a correct plan with `rows` rows. With `info` the error is returned.
auto execute(xredist_int rows, bool lacks_memory, bool informed) {
  return [=](Setting& s) {
    xredist_plan *wanted = nullptr, *other = nullptr;
    for (const xredist_int m : {8, 10})
      xredist_plan_from_descriptors('D', 'A', 'N', m, 10, 1, 1, s.desca, 1, 1, s.descb, s.ctxt,
                                    m == rows ? &wanted : &other, nullptr);
    std::vector<double> a(100, 1.0), b(100);
    CFI_CDESC_T(1) from{a.data(), sizeof(double), CFI_VERSION, 1, CFI_attribute_other, CFI_type_double, {{0, 100, 8}}};
    auto to = from;
    to.base_addr = b.data();
    if (lacks_memory) fail_allocation(1);
    xredist_fortran_execute(&wanted, &from, &to, informed ? &s.info : nullptr);
  };
}

// Makes a plan whose A has rows in intervals.
auto cut(const std::vector<std::int64_t>& cuts, const std::vector<int>& owners) {
  return [=](Setting& s) {
    const xredist_partition rows{std::ssize(owners), cuts.data(), owners.data()};
    const xredist_operation operation{'D', 'D', 'N', 'A', 'N', 'N'};
    xredist_plan_partition_from_descriptors(&operation, 10, 10, 1, 1, s.desca, &rows, nullptr, 1, 1, s.descb, nullptr,
                                            nullptr, s.ctxt, &s.plan, nullptr);
  };
}

void make_wrong_operation(Setting& s) {
  const xredist_operation wrong{'D', 'D', 'X', 'A', 'N', 'N'};
  xredist_plan_operation_from_descriptors(&wrong, 10, 10, 1, 1, s.desca, 1, 1, s.descb, s.ctxt, &s.plan, nullptr);
}

const std::vector<Case<Setting>> wrong_arguments = {
    {[](Setting&) {}, ""},
    {[](Setting& s) { s.m = -2, s.informed = &s.info; }, ""},
    {[](Setting& s) { s.type = 'q'; },
     "XREDIST_PLAN_FROM_DESCRIPTORS: argument 1 (TYPE) is 'Q', must be I, S, D, C or Z"},
    {[](Setting& s) { s.uplo = '\0'; }, "argument 2 (UPLO) is character 0, must be A, U or L"},
    {[](Setting& s) { s.diag = 'a'; }, "argument 3 (DIAG) is 'A', must be N or U"},
    {[](Setting& s) { s.m = -2; }, "argument 4 (M) is -2, must be at least 0"},
    {[](Setting& s) { s.jb = 4; },
     "argument 5 (N) is 10: with argument 10 (JB) = 4 it reaches beyond argument 11 (DESCB), entry 4 (N_) = 10"},
    {[](Setting& s) { s.ia = 0; }, "argument 6 (IA) is 0, must be at least 1"},
    {[](Setting& s) { s.a = nullptr; }, "argument 8 (DESCA) is NULL"},
    {[](Setting& s) { s.desca[5] = 0; }, "argument 8 (DESCA), entry 6 (NB_) is 0, must be at least 1"},
    {[](Setting& s) { s.ib = 0; }, "argument 9 (IB) is 0, must be at least 1"},
    {[](Setting& s) { s.b = nullptr; }, "argument 11 (DESCB) is NULL"},
    {[](Setting& s) { s.descb[7] = 2; },
     "argument 11 (DESCB), entry 8 (CSRC_) is 2, must be in 0 .. 1, the grid's columns"},
    {[](Setting& s) { s.call_once(), s.desca[8] = 3; },
     "argument 8 (DESCA), entry 9 (LLD_) is 3, must be at least 4, the local rows on process (1,0)", Ending::one},
    {[](Setting& s) { s.ctxt = -1; }, "argument 12 (CTXT) is -1, not a context with this process"},
    {[](Setting& s) { s.result = nullptr; }, "argument 13 (PLAN) is NULL"},
    {[](Setting& s) { s.type = rank() == 0 ? 'd' : 'c'; }, "argument 1 (TYPE) differs between processes"},
    {[](Setting& s) { s.uplo = rank() == 0 ? 'u' : 'l'; }, "argument 2 (UPLO) differs between processes"},
    {[](Setting& s) { s.n = 10 - rank(); }, "argument 5 (N) differs between processes: from 9 to 10"},
    {[](Setting& s) { s.desca[4] = 2 + rank(); },
     "argument 8 (DESCA), entry 5 (MB_) differs between processes: from 2 to 3"},
    {[](Setting& s) { s.desca[1] = -1; },
     "argument 8 (DESCA), entry 2 (CTXT_): no process of the context is in the grid of A"},
    {&Setting::leave_out_one, "argument 12 (CTXT): the context lacks 1 of the 3 processes of the grid of A"},
    {[](Setting& s) { s.routine = make_wrong_operation; }, "argument 1 (OPERATION): trans is wrong"},
    {[](Setting& s) {
       s.routine = cut({0, 5, 4, 10}, {0, 1, 0});
     },
     "XREDIST_PLAN_PARTITION_FROM_DESCRIPTORS: argument 7 (ROWS_A): bounds[2] is 4, less than the one before"},
    {[](Setting& s) {
       s.routine = cut({0, 5, 8}, {0, 1});
     },
     "argument 7 (ROWS_A): the last of bounds is 8, must be argument 6 (DESCA), entry 3 (M_) = 10"},
    {[](Setting& s) {
       s.routine = cut({0, 5, 10}, {0, rank()});
     },
     "argument 7 (ROWS_A) differs between processes"},
};

TEST(Plan, NamesTheWrongArgument) { expect_ends(wrong_arguments); }

TEST(Plan, NamesTheWrongOption) {
  const Environment lots("XREDIST_BUFFER", "lots");
  const auto set_option = [](Setting& s) { xredist_set_context_option_(&s.ctxt, "buffer", "1M", nullptr, 6, 2); };
  expect_ends<Setting>({
      {[](Setting&) {}, "XREDIST_PLAN_FROM_DESCRIPTORS: XREDIST_BUFFER=lots: expected a whole number"},
      {[&](Setting& s) { s.routine = set_option; },
       "XREDIST_SET_CONTEXT_OPTION: a variable XREDIST_... in the environment has an invalid value"},
  });
}

TEST(Execute, SaysWhatFailed) {
  expect_ends<Setting>({
      {[](Setting& s) { s.routine = execute(10, rank() == 1, false); }, "XREDIST_EXECUTE: out of memory", Ending::some},
      {[](Setting& s) { s.routine = execute(rank() == 1 ? 8 : 10, false, false); },
       "XREDIST_EXECUTE: processes pass different arguments", Ending::some},
      {[](Setting& s) { s.routine = execute(10, rank() == 1, rank() == 1); },
       "XREDIST_EXECUTE: another process lacks memory", Ending::some},
  });
}

}  // namespace
}  // namespace xredist::testing
