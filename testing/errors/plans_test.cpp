// SPDX-License-Identifier: BSD-3-Clause
// Errors that end programs: routines of module xredist without INFO. plans_test has the sentences of all errors.
#include <ISO_Fortran_binding.h>

#include "allocations.hpp"
#include "fortran_plan.hpp"
#include "verdict.hpp"

extern "C" {
void xredist_fortran_execute(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                             const void* keywords_only, const CFI_cdesc_t* alpha, const CFI_cdesc_t* beta,
                             xredist_int* info);
void xredist_set_option_(const xredist_int* ctxt, const char* name, const char* value, xredist_int* info,
                         size_t name_length, size_t value_length);
}

namespace xredist::testing {
namespace {

struct Setting : CallSetting {
  char type = 'd';
  xredist_plan* plan = nullptr;
  xredist_int info = 0, *informed = nullptr;
  std::function<void(Setting&)> routine = [](Setting& s) {
    create_fortran_plan(s.ctxt, s.m, s.n, s.desca, s.descb, &s.type, &s.plan, s.informed);
  };

  void call() { routine(*this); }
  bool untouched() const { return plan == nullptr; }
};

// Executes a correct plan with `rows` rows. With `info` the error is returned.
auto execute(xredist_int rows, bool lacks_memory, bool informed) {
  return [=](Setting& s) {
    xredist_plan *wanted = nullptr, *other = nullptr;
    for (const xredist_int m : {8, 10}) {
      const xredist_operation operation{.m = m, .n = 10, .type = 'D'};
      xredist_plan_create_blacs(s.ctxt, s.desca, s.descb, &operation, nullptr, m == rows ? &wanted : &other);
    }
    std::vector<double> a(100, 1.0), b(100);
    CFI_CDESC_T(1) from{a.data(), sizeof(double), CFI_VERSION, 1, CFI_attribute_other, CFI_type_double, {{0, 100, 8}}};
    auto to = from;
    to.base_addr = b.data();
    if (lacks_memory) fail_allocation(1);
    xredist_fortran_execute(&wanted, reinterpret_cast<const CFI_cdesc_t*>(&from),
                            reinterpret_cast<const CFI_cdesc_t*>(&to), nullptr, nullptr, nullptr,
                            informed ? &s.info : nullptr);
  };
}

const std::vector<Case<Setting>> wrong_arguments = {
    {[](Setting&) {}, ""},
    {[](Setting& s) { s.m = -2, s.informed = &s.info; }, ""},
    {[](Setting& s) { s.type = 'q'; }, "XREDIST_PLAN_CREATE: type is 'Q', must be I, S, D, C or Z"},
    {[](Setting& s) { s.m = -2; }, "XREDIST_PLAN_CREATE: m is -2, must be at least 0"},
    {[](Setting& s) { s.desca[8] = rank() == 1 ? 3 : 10; },
     "desca, entry 9 (LLD_) is 3, must be at least 4, the local rows on process (1,0)"},
    {&Setting::leave_out_one, "ctxt: the context lacks 1 of the 3 processes of the grid of A"},
};

TEST(Plan, NamesTheWrongArgument) { expect_ends(wrong_arguments); }

TEST(Plan, NamesTheWrongOption) {
  const Environment lots("XREDIST_BUFFER", "lots");
  const auto set_option = [](Setting& s) { xredist_set_option_(&s.ctxt, "buffer", "1M", nullptr, 6, 2); };
  expect_ends<Setting>({
      {[](Setting&) {}, "XREDIST_PLAN_CREATE: XREDIST_BUFFER=lots: expected a size such as 64M"},
      {[&](Setting& s) { s.routine = set_option; },
       "XREDIST_SET_OPTION: XREDIST_BUFFER=lots: expected a size such as 64M"},
  });
}

TEST(Execute, SaysWhatFailed) {
  expect_ends<Setting>({
      {[](Setting& s) { s.routine = execute(10, rank() == 1, false); }, "XREDIST_EXECUTE: out of memory", Ending::some},
      {[](Setting& s) { s.routine = execute(rank() == 1 ? 8 : 10, false, false); },
       "XREDIST_EXECUTE: process 0 of the context sends ", Ending::some},
      {[](Setting& s) { s.routine = execute(10, rank() == 1, rank() == 1); },
       "XREDIST_EXECUTE: process 1 of the context has given up for lack of memory", Ending::some},
  });
}

}  // namespace
}  // namespace xredist::testing
