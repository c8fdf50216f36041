// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of XREDIST_PLAN_FROM_DESCRIPTORS without INFO, and of routines for Fortran.
#include "xredist/plans.h"

#include <memory>

#include "allocations.hpp"
#include "grid.hpp"
#include "verdict.hpp"

namespace xredist::testing {
namespace {

// A correct call: from 2x1 processes to 1x2.
struct Setting {
  Context context_a{row_major(2, 1)}, context_b{row_major(1, 2)}, all{row_major(1, 2)};
  std::unique_ptr<Context> three;
  char type = 'd', uplo = 'a', diag = 'n';
  xredist_int m = 10, n = 10, ia = 1, ja = 1, ib = 1, jb = 1, ctxt = all.handle();
  xredist_int desca[9] = {1, context_a.handle(), 10, 10, 2, 2, 0, 0, 10};
  xredist_int descb[9] = {1, context_b.handle(), 10, 10, 2, 2, 0, 0, 10};
  const xredist_int *a = desca, *b = descb;
  xredist_plan *plan = nullptr, **result = &plan;
  xredist_int info = 0, *informed = nullptr;
  std::function<void(Setting&)> other_call;

  void call() {
    if (other_call)
      other_call(*this);
    else
      xredist_plan_from_descriptors(type, uplo, diag, m, n, ia, ja, a, ib, jb, b, ctxt, result, informed);
  }
  bool untouched() const { return plan == nullptr; }
};

// The context lacks one of the three processes of A's grid.
void leave_out_one(Setting& s) {
  s.three = std::make_unique<Context>(row_major(1, 3));
  s.desca[1] = s.three->handle();
}

// Instead of the plan's routine, executes a correct plan with `rows` rows. With `info` the error is returned.
std::function<void(Setting&)> execute(xredist_int rows, bool lacks_memory, bool informed) {
  return [=](Setting& s) {
    xredist_plan *wanted = nullptr, *other = nullptr;
    for (const xredist_int m : {8, 10})
      xredist_plan_from_descriptors('D', 'A', 'N', m, 10, 1, 1, s.desca, 1, 1, s.descb, s.ctxt,
                                    m == rows ? &wanted : &other, nullptr);
    const std::vector<double> a(100, 1.0);
    std::vector<double> b(100);
    if (lacks_memory) fail_allocation(1);
    xredist_execute_(&wanted, a.data(), b.data(), informed ? &s.info : nullptr);
  };
}

// Instead of the plan's routine, makes a plan whose A has rows in intervals.
std::function<void(Setting&)> cut(const std::vector<std::int64_t>& cuts, const std::vector<int>& owners) {
  return [=](Setting& s) {
    const xredist_cuts rows{std::ssize(owners), cuts.data(), owners.data()};
    const xredist_operation operation{'D', 'D', 'N', 'A', 'N', 'N'};
    xredist_plan_cuts_from_descriptors(&operation, 10, 10, 1, 1, s.desca, &rows, nullptr, 1, 1, s.descb, nullptr,
                                       nullptr, s.ctxt, &s.plan, nullptr);
  };
}

void make_wrong_operation(Setting& s) {
  const xredist_operation wrong{'D', 'D', 'X', 'A', 'N', 'N'};
  xredist_plan_operation_from_descriptors(&wrong, 10, 10, 1, 1, s.desca, 1, 1, s.descb, s.ctxt, &s.plan, nullptr);
}

void set_option(Setting& s) { xredist_set_context_option_(&s.ctxt, "buffer", "1M", nullptr, 6, 2); }

// After a correct call, with which all processes have met the context.
void lld_small_on_one(Setting& s) {
  if (s.all.member()) s.call();
  s.plan = nullptr;
  s.desca[8] = 3;
}

TEST(Plan, NamesTheWrongArgument) {
  expect_ends<Setting>({
      {"none", [](Setting&) {}, ""},
      {"informed", [](Setting& s) { s.m = -2, s.informed = &s.info; }, ""},
      {"type", [](Setting& s) { s.type = 'q'; },
       "XREDIST_PLAN_FROM_DESCRIPTORS: argument 1 (TYPE) is 'Q', must be I, S, D, C or Z"},
      {"uplo", [](Setting& s) { s.uplo = '\0'; }, "argument 2 (UPLO) is character 0, must be A, U or L"},
      {"diag", [](Setting& s) { s.diag = 'a'; }, "argument 3 (DIAG) is 'A', must be N or U"},
      {"m-negative", [](Setting& s) { s.m = -2; }, "argument 4 (M) is -2, must be at least 0"},
      {"n-too-large", [](Setting& s) { s.jb = 4; },
       "argument 5 (N) is 10: with argument 10 (JB) = 4 it reaches beyond argument 11 (DESCB), entry 4 (N_) = 10"},
      {"ia-zero", [](Setting& s) { s.ia = 0; }, "argument 6 (IA) is 0, must be at least 1"},
      {"desca-null", [](Setting& s) { s.a = nullptr; }, "argument 8 (DESCA) is NULL"},
      {"desca-nb-zero", [](Setting& s) { s.desca[5] = 0; },
       "argument 8 (DESCA), entry 6 (NB_) is 0, must be at least 1"},
      {"ib-zero", [](Setting& s) { s.ib = 0; }, "argument 9 (IB) is 0, must be at least 1"},
      {"descb-null", [](Setting& s) { s.b = nullptr; }, "argument 11 (DESCB) is NULL"},
      {"descb-csrc-outside", [](Setting& s) { s.descb[7] = 2; },
       "argument 11 (DESCB), entry 8 (CSRC_) is 2, must be in 0 .. 1, the grid's columns"},
      {.name = "lld-small-on-one",
       .change = lld_small_on_one,
       .text = "argument 8 (DESCA), entry 9 (LLD_) is 3, must be at least 4, the local rows on process (1,0)",
       .alone = true},
      {"ctxt-invalid", [](Setting& s) { s.ctxt = -1; }, "argument 12 (CTXT) is -1, not a context with this process"},
      {"plan-null", [](Setting& s) { s.result = nullptr; }, "argument 13 (PLAN) is NULL"},
      {"type-differs", [](Setting& s) { s.type = rank() == 0 ? 'd' : 'c'; },
       "argument 1 (TYPE) differs between processes"},
      {"uplo-differs", [](Setting& s) { s.uplo = rank() == 0 ? 'u' : 'l'; },
       "argument 2 (UPLO) differs between processes"},
      {"n-differs", [](Setting& s) { s.n = 10 - rank(); }, "argument 5 (N) differs between processes: from 9 to 10"},
      {"desca-mb-differs", [](Setting& s) { s.desca[4] = 2 + rank(); },
       "argument 8 (DESCA), entry 5 (MB_) differs between processes: from 2 to 3"},
      {"a-nowhere", [](Setting& s) { s.desca[1] = -1; },
       "argument 8 (DESCA), entry 2 (CTXT_): no process of the context is in the grid of A"},
      {"uncovered", leave_out_one, "argument 12 (CTXT): the context lacks 1 of the 3 processes of the grid of A"},
      {"operation", [](Setting& s) { s.other_call = make_wrong_operation; }, "argument 1 (OPERATION): trans is wrong"},
      {"intervals",
       [](Setting& s) {
         s.other_call = cut({0, 5, 4, 10}, {0, 1, 0});
       },
       "XREDIST_PLAN_CUTS_FROM_DESCRIPTORS: argument 7 (ROWS_A): cuts[2] is 4, less than the one before"},
      {"intervals-end",
       [](Setting& s) {
         s.other_call = cut({0, 5, 8}, {0, 1});
       },
       "argument 7 (ROWS_A): the last of cuts is 8, must be argument 6 (DESCA), entry 3 (M_) = 10"},
      {"intervals-differ",
       [](Setting& s) {
         s.other_call = cut({0, 5, 10}, {0, rank()});
       },
       "argument 7 (ROWS_A) differs between processes"},
  });
}

TEST(Plan, NamesTheWrongOption) {
  expect_ends<Setting>({
      {.name = "plan",
       .change = [](Setting&) {},
       .text = "XREDIST_PLAN_FROM_DESCRIPTORS: XREDIST_BUFFER=lots: expected a whole number",
       .environment = "XREDIST_BUFFER=lots"},
      {.name = "option",
       .change = [](Setting& s) { s.other_call = set_option; },
       .text = "XREDIST_SET_CONTEXT_OPTION: a variable XREDIST_... in the environment has an invalid value",
       .environment = "XREDIST_BUFFER=lots"},
  });
}

TEST(Execute, SaysWhatFailed) {
  expect_ends<Setting>({
      {.name = "execute-memory",
       .change = [](Setting& s) { s.other_call = execute(10, rank() == 1, false); },
       .text = "XREDIST_EXECUTE: out of memory",
       .late = true},
      {.name = "execute-differs",
       .change = [](Setting& s) { s.other_call = execute(rank() == 1 ? 8 : 10, false, false); },
       .text = "XREDIST_EXECUTE: processes pass different arguments",
       .late = true},
      {.name = "execute-peer",
       .change = [](Setting& s) { s.other_call = execute(10, rank() == 1, rank() == 1); },
       .text = "XREDIST_EXECUTE: another process lacks memory",
       .late = true},
  });
}

}  // namespace
}  // namespace xredist::testing
