// SPDX-License-Identifier: BSD-3-Clause
// Errors that end programs while a plan is executed: XREDIST_EXECUTE of module xredist without INFO. The tests of
// testing/fortran have the errors of its other routines.
#include <ISO_Fortran_binding.h>

#include "allocations.hpp"
#include "verdict.hpp"
#include "xredist/blacs.h"

extern "C" void xredist_fortran_execute(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                        const void* keywords_only, const CFI_cdesc_t* alpha, const CFI_cdesc_t* beta,
                                        xredist_int* info);

namespace xredist::testing {
namespace {

// Executes one of two correct plans. With INFO the error is returned.
struct Setting : CallSetting {
  xredist_int rows = 10, info = 0;
  bool lacks_memory = false, informed = false;

  void call() {
    xredist_plan *wanted = nullptr, *other = nullptr;
    for (const xredist_int plan_rows : {8, 10}) {
      const xredist_operation operation{.m = plan_rows, .n = 10, .type = 'D'};
      xredist_plan_create_blacs(ctxt, desca, descb, nullptr, &operation, plan_rows == rows ? &wanted : &other);
    }
    std::vector<double> a(100, 1.0), b(100);
    CFI_CDESC_T(1) from{a.data(), sizeof(double), CFI_VERSION, 1, CFI_attribute_other, CFI_type_double, {{0, 100, 8}}};
    auto to = from;
    to.base_addr = b.data();
    if (lacks_memory) fail_allocation(1);
    xredist_fortran_execute(&wanted, reinterpret_cast<const CFI_cdesc_t*>(&from),
                            reinterpret_cast<const CFI_cdesc_t*>(&to), nullptr, nullptr, nullptr,
                            informed ? &info : nullptr);
  }
  bool untouched() const { return true; }
};

TEST(Execute, SaysWhatFailed) {
  expect_ends<Setting>({
      {[](Setting& s) { s.lacks_memory = rank() == 1; }, "XREDIST_EXECUTE: out of memory", Ending::some},
      {[](Setting& s) { s.rows = rank() == 1 ? 8 : 10; }, "XREDIST_EXECUTE: process 0 of the context sends ",
       Ending::some},
      {[](Setting& s) { s.lacks_memory = s.informed = rank() == 1; },
       "XREDIST_EXECUTE: process 1 of the context has given up for lack of memory", Ending::some},
  });
}

}  // namespace
}  // namespace xredist::testing
