// SPDX-License-Identifier: BSD-3-Clause
// The functions of array.h that make plans and describe local arrays.
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/compared_arrays.hpp"
#include "api/failure.hpp"
#include "api/layout_arguments.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_handle.hpp"
#include "api/same_call.hpp"
#include "watch/watched.hpp"

using namespace xredist::core;

namespace {

// Returns the local array of a process, whose rank may be outside the grid.
ArrayPart local_array_of(const ArrayForm& form, const Axis ArrayAxis::*side, const xredist_array_layout& layout,
                         std::span<const int> ranks, int rank, const Redistribution& redistribution) {
  const auto found = std::ranges::find(ranks, rank);
  if (found == ranks.end()) return {};
  const std::vector<Index> coordinates = form.coordinates(side, found - ranks.begin());
  std::vector<Interval> held = form.held(side, coordinates);
  held.resize(as_size(layout.dims));  // copies are no axis of a local array
  std::vector<Index> extents;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const bool whole = layout.shape != nullptr;
    extents.push_back(whole ? local_count(form.axes[k].*side, coordinates[k], layout.shape[k]) : held[k].end);
  }
  std::vector<int> order = order_of(layout);
  ArrayStrides places = form.places(side, held, strides_without_gaps(extents, order), redistribution);
  return {std::move(held), std::move(extents), std::move(order), std::move(places)};
}

constexpr const char* function = "xredist_array_plan_create";

std::unique_ptr<xredist_plan> made_plan(Channel& channel, const LibraryLock& lock, const xredist_array_layout* a,
                                        const xredist_array_layout* b, const xredist_array_operation* passed,
                                        Type integer, const Failure* callers) {
  const auto check = [&] {
    if (callers != nullptr) throw *callers;
    demand(array_operation_error(a, b, *passed, integer, channel.size()));
    return passed->options;
  };
  const Options options = agreed_options(function, channel, lock, check, [&] { return compared(*a, *b, *passed); });
  auto form = std::make_shared<PlannedArray>(PlannedArray{form_of(*a, *b, *passed), {}, {}, copies_of(*b) > 1});
  const std::vector<int> ranks_a = ranks_of(first_copy(*a)), ranks_b = ranks_of(*b);
  const xredist_operation elements = matrix_operation(*passed);
  const Redistribution redistribution = form->form.redistribution(elements.bytes, operation_of(elements, integer));
  form->a = local_array_of(form->form, &ArrayAxis::a, *a, ranks_a, channel.rank(), redistribution);
  form->b = local_array_of(form->form, &ArrayAxis::b, *b, ranks_b, channel.rank(), redistribution);
  const auto grid = [&](const Axis ArrayAxis::*side, const std::vector<int>& ranks) {
    return std::make_shared<const std::vector<int>>(form->form.ranks(side, ranks));
  };
  const auto& [rows, cols] = redistribution.traffic;
  const Index columns_a = redistribution.operation.transposed ? rows.a.procs : cols.a.procs;
  auto made = std::make_unique<xredist_plan>(
      channel,
      PlanSource{function,
                 channel.grids(grid(&ArrayAxis::a, ranks_a), columns_a, grid(&ArrayAxis::b, ranks_b), cols.b.procs),
                 options, executions_of_plan});
  made->add(plan_on_channel(channel, redistribution, made->source), lock->queue);
  made->form = std::move(form);
  return made;
}

}  // namespace

void xredist::core::create_array_plan(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                                      const xredist_array_operation* operation, Type integer, const Failure* callers,
                                      xredist_plan** plan) {
  const InCall call(function);
  const auto make = [&](Channel& channel, const LibraryLock& lock, const Failure* failure) {
    return made_plan(channel, lock, a, b, operation, integer, failure);
  };
  create_plan(comm, operation, plan, callers, std::ref(make));
}

int xredist_array_plan_create(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                              const xredist_array_operation* operation, xredist_plan** plan) {
  return coded([&] { create_array_plan(comm, a, b, operation, Type::integer, nullptr, plan); });
}

int xredist_array_local_shape(const xredist_array_layout* layout, const std::int64_t shape[], int rank,
                              std::int64_t local[]) {
  return coded([&] {
    demand(first_of({null_error({"layout"}, layout), null_error({"shape"}, shape), null_error({"local"}, local)}));
    xredist_array_layout whole = *layout;
    whole.shape = shape, whole.ranks = nullptr;  // there is no communicator of which they could be ranks
    demand(layout_error("layout", &whole, std::numeric_limits<int>::max()));
    for (int k = 0; k < whole.dims; ++k) demand(beyond_error({{"shape", k, "[]"}, shape[k]}, whole.axes[k].partition));
    whole.ranks = layout->ranks;
    set_local_shape(whole, shape, rank, local);
  });
}
