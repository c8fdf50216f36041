// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h and array.h that make plans on a communicator.
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/compare.hpp"
#include "api/compared_arrays.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_calls.hpp"
#include "api/plan_handle.hpp"
#include "exchange/channels.hpp"
#include "plan/buffers.hpp"
#include "schedule/algorithm.hpp"
#include "settings/log.hpp"
#include "watch/watched.hpp"

void xredist_plan::add(const xredist::core::Redistribution& region, xredist::core::Queue& queue) {
  const xredist::core::Plan& part = parts->emplace_back(plan_on_channel(channel, region, source));
  a.accessed = a.accessed || part.a.accessed;
  b.accessed = b.accessed || part.b.accessed;
  queue.reserve(buffers_of(*parts));
}

namespace xredist::core {

Plan plan_on_channel(const Channel& channel, const Redistribution& redistribution, const PlanSource& source) {
  Options options = source.options;
  // Before the links are explored, the few small calls take less time than it takes to find the best schedule.
  if (!channel.explored() && options.algorithm == AlgorithmId::by_default) options.algorithm = AlgorithmId::shifted;
  Plan plan = source.plan(redistribution, options, channel.links());
  if (channel.rank() == 0 && options.verbose >= 1)
    write_log("%s plans %s", source.routine, description_of(plan).c_str());
  return plan;
}

namespace {

// What a plan needs besides the arguments, which have no errors.
struct Call {
  const char* function;
  Channel& channel;
  const LibraryLock& lock;
  const Options& options;
  Type integer;  // that 'I' names

  // Returns a plan without parts. Ranks are row-major.
  std::unique_ptr<xredist_plan> plan_between(std::vector<int> ranks_a, Index columns_a, std::vector<int> ranks_b,
                                             Index columns_b) const {
    const auto shared = [](std::vector<int>& ranks) {
      return std::make_shared<const std::vector<int>>(std::move(ranks));
    };
    return std::make_unique<xredist_plan>(
        channel, PlanSource{function, channel.grids(shared(ranks_a), columns_a, shared(ranks_b), columns_b), options,
                            executions_of_plan});
  }
};

// Sets the axes of a local matrix, which has the rows and columns of the process up to the end of the submatrix. Lists
// and places may have others than the last of them at the greatest local index. `transposed`: the rows of `part.at` are
// columns of the grid.
void set_local_matrix(ArrayPart& local, const LocalPart& part, const Layout& whole, const std::array<Index, 2>& end,
                      bool transposed, Index bytes) {
  Interval rows = part.rows, cols = part.cols;
  if (part.at) {
    rows.end = local_extent(whole.rows, transposed ? part.at->col : part.at->row, end[0]);
    cols.end = local_extent(whole.cols, transposed ? part.at->row : part.at->col, end[1]);
  }
  set_local_matrix(local, rows, cols, rows.end, bytes);
}

std::unique_ptr<xredist_plan> plan_of(const xredist_layout& a, const xredist_layout& b,
                                      const xredist_operation& operation, const Call& call) {
  auto made = call.plan_between(ranks_of(a), a.npcol, ranks_of(b), b.npcol);
  const auto& [m, n, ia, ja, ib, jb] =
      std::tie(operation.m, operation.n, operation.ia, operation.ja, operation.ib, operation.jb);
  const Layout whole_a = layout_of(a, ia, ja), whole_b = layout_of(b, ib, jb);
  const auto [layout_a, layout_b] = with_lists({whole_a, whole_b}, operation);
  for (const auto& [region, of_elements] : parts_of(operation, call.integer))
    made->add(redistribution_of(layout_a, layout_b, operation.m, operation.n, region, operation.bytes, of_elements),
              call.lock->queue);
  const Plan& part = made->parts->front();  // that of a mirrored triangle has the same rows and columns
  const bool transposed = part.redistribution.operation.transposed;
  set_local_matrix(made->a, part.a, whole_a, end_of_a(operation), transposed, part.redistribution.element_bytes_a());
  set_local_matrix(made->b, part.b, whole_b, end_of_b(operation), false, part.redistribution.element_bytes_b());
  return made;
}

// One of the arrays of a plan of arrays.
struct Side {
  const Axis ArrayAxis::*axis;
  const xredist_array_layout& layout;
  std::vector<Index> whole;  // the size of the array along each axis
  Index bytes;               // of an element
};

// Sets the axes of a local array, and the places of its elements if this process is in the grid and the array without
// gaps does not exceed memory.
void set_local_part(const Side& side, const ArrayForm& form, int rank, const Redistribution& moved, ArrayPart& local,
                    std::optional<ArrayStrides>& places) {
  const xredist_array_layout& layout = side.layout;
  const std::size_t dims = as_size(layout.dims);
  std::vector<Interval> held(dims);
  std::vector<Index> extents(dims);
  const std::vector<int> order = order_of(layout);
  if (const auto coordinates = coordinates_of(layout, rank)) {
    held = form.held(side.axis, std::span(*coordinates).first(dims));
    for (std::size_t k = 0; k < dims; ++k)
      extents[k] =
          local_extent(axis_of(layout, static_cast<int>(k), side.whole[k], 0), (*coordinates)[k], side.whole[k]);
    if (const auto strides = strides_without_gaps(extents, order, side.bytes))
      places = form.places(side.axis, held, *strides, moved);
  }
  set_local_array(local, order, held, extents, side.bytes);
}

std::unique_ptr<xredist_plan> plan_of(const xredist_array_layout& a, const xredist_array_layout& b,
                                      const xredist_array_operation& operation, const Call& call) {
  auto array =
      std::make_shared<PlannedArray>(PlannedArray{.form = form_of(a, b, operation), .copied = copies_of(b) > 1});
  const ArrayForm& form = array->form;
  const xredist_operation elements = matrix_operation(operation);
  const Redistribution moved = form.redistribution(elements.bytes, operation_of(elements, call.integer));
  const xredist_array_layout one_a = first_copy(a);
  const Side side_a{&ArrayAxis::a, one_a, whole_shape(a, operation.shape, operation.first_a, operation.lists_a),
                    moved.element_bytes_a()},
      side_b{&ArrayAxis::b, b, whole_shape(b, operation.shape, operation.first_b, operation.lists_b),
             moved.element_bytes_b()};
  const auto& [rows, cols] = moved.traffic;
  auto made =
      call.plan_between(form.ranks(side_a.axis, ranks_of(one_a)), (moved.operation.transposed ? rows : cols).a.procs,
                        form.ranks(side_b.axis, ranks_of(b)), cols.b.procs);
  made->add(moved, call.lock->queue);
  set_local_part(side_a, form, call.channel.rank(), moved, made->a, array->a);
  set_local_part(side_b, form, call.channel.rank(), moved, made->b, array->b);
  made->form = std::move(array);
  return made;
}

// Makes a plan, and sets *plan. The overloads of operation_error(), compared() and plan_of() are what matrices and
// arrays do not share. `given`: the operation as passed, with its defaults, also if NULL was passed. Unless the option
// "check" is local, the reduction that compares the arguments follows the plan, which is made without communication. So
// all processes throw the same failure, and none keeps a plan that another one has no memory for.
template <class Layout, class Operation>
void create(const char* function, MPI_Comm comm, const Layout* a, const Layout* b, const Operation* passed,
            const Operation& given, Type integer, const Failure* callers, xredist_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  demand(communicator_error(comm));
  LibraryLock lock;
  Channel& channel = channel_of(comm, lock);
  channel.explore(lock->progress);
  std::unique_ptr<xredist_plan> made;
  const auto make = [&] {
    if (callers != nullptr) throw *callers;
    demand(first_of({null_error({"operation"}, passed), null_error({"plan"}, plan)}));
    demand(operation_error(a, b, given, integer, channel.size()));
    const Options options = options_of(given.options, channel.options());
    made = plan_of(*a, *b, given, {function, channel, lock, options, integer});
  };
  if (channel.options().check == Options::Check::local) {
    make();
  } else {
    demand_same_function(function, channel.comm(), lock->progress);
    const auto listed = [&] { return make(), compared(*a, *b, given); };
    agreed_values(attempt(listed), channel.comm(), lock->progress);
  }
  *plan = made.release();
}

}  // namespace

void create_plan(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b, const xredist_operation* operation,
                 Type integer, const Failure* callers, xredist_plan** plan) {
  constexpr const char* function = "xredist_plan_create";
  const InCall call(function, operation != nullptr ? CallSize{.m = operation->m, .n = operation->n} : CallSize{});
  create(function, comm, a, b, operation, with_defaults(operation != nullptr ? *operation : xredist_operation{}),
         integer, callers, plan);
}

void create_plan(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                 const xredist_array_operation* operation, Type integer, const Failure* callers, xredist_plan** plan) {
  constexpr const char* function = "xredist_array_plan_create";
  const InCall call(function);
  create(function, comm, a, b, operation, operation != nullptr ? *operation : xredist_array_operation{}, integer,
         callers, plan);
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_plan_create(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                        const xredist_operation* operation, xredist_plan** plan) {
  return coded([&] { create_plan(comm, a, b, operation, Type::integer, nullptr, plan); });
}

int xredist_array_plan_create(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                              const xredist_array_operation* operation, xredist_plan** plan) {
  return coded([&] { create_plan(comm, a, b, operation, Type::integer, nullptr, plan); });
}
