// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a call of file.h after their checks.
#pragma once

#include <memory>

#include "storage/compared.hpp"
#include "storage/distributed.hpp"
#include "storage/shared_failure.hpp"
#include "storage/subarray.hpp"

namespace xredist::files {

/// A call whose arguments are right, and equal on all processes.
struct Call {
  std::unique_ptr<const DistributedArray> array;
  Subarray subarray;
};

/// Returns the call that `checked` makes of the arguments of this process, unless it throws on some process, or the
/// arguments differ that `compare_layout` and compare(Subarray) list. `callers`: the code of a failure of the caller,
/// whose sentence xredist_error() has. Collective: two reductions. All processes throw the same failure.
template <class Checked, class CompareLayout>
Call agreed_call(MPI_Comm comm, int callers, const Checked& checked, const CompareLayout& compare_layout) {
  Call call = on_all(comm, [&] {
    demand_success(callers);
    return checked();
  });
  ComparedArguments arguments;
  compare_layout(arguments);
  compare(call.subarray, arguments);
  arguments.demand_equal(comm);
  return call;
}

}  // namespace xredist::files
