// SPDX-License-Identifier: BSD-3-Clause
// The functions of array.h that make plans and describe local arrays.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "api/array_layout.hpp"
#include "api/compare.hpp"
#include "api/failure.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "layout/digest.hpp"

using namespace xredist::core;

namespace {

// Returns the first element of the subarray along an axis, counted from 1.
Index first_of_axis(const std::int64_t first[], int k) { return first != nullptr ? first[k] : 1; }

// Returns the operation as one on matrices, with defaults.
xredist_operation matrix_operation(const xredist_array_operation& operation) {
  xredist_operation same{};
  same.type = operation.type, same.type_b = operation.type_b, same.bytes = operation.bytes;
  same = with_defaults(same);
  same.trans = operation.conj != 0 ? capital(operation.conj) : 'N';
  return same;
}

MaybeError sizes_error(const xredist_array_operation& operation, int dims, Index units) {
  Index elements = 1;
  for (int k = 0; k < dims; ++k) {
    const auto bad = [&](const char* member, Index value, Index min) -> MaybeError {
      if (value >= min && value <= max_elements / units) return {};
      const std::string at_most = units == 1 ? "2^40" : "2^40 / " + std::to_string(units);
      return member_error("operation", indexed(member, k), value,
                          ", must be in " + std::to_string(min) + " .. " + at_most);
    };
    const Index n = operation.shape[k];
    if (MaybeError error = first_of({bad(".shape", n, 0), bad(".first_a", first_of_axis(operation.first_a, k), 1),
                                     bad(".first_b", first_of_axis(operation.first_b, k), 1)}))
      return error;
    if (too_large(elements * units, n))
      return member_error("operation", indexed(".shape", k), n,
                          ": with the axes before it these are 2^59 elements, or pieces of them, or more");
    elements *= n;
  }
  return {};
}

MaybeError array_operation_error(const xredist_array_layout* a, const xredist_array_layout* b,
                                 const xredist_array_operation& operation, Type integer, Index size) {
  if (operation.conj != 0)
    if (MaybeError error = letter_error("NR", "N or R", {"operation", -1, ".conj"}, capital(operation.conj)))
      return error;
  const xredist_operation elements = matrix_operation(operation);
  if (MaybeError error = first_of(
          {elements_error(elements, integer), array_layout_error("a", a, size), array_layout_error("b", b, size)}))
    return error;
  if (a->dims != b->dims) return member_error("b", ".dims", b->dims, ", must be a.dims = " + std::to_string(a->dims));
  if (operation.shape == nullptr) return null_error({"operation", -1, ".shape"}, nullptr);
  const Index units = elements.type != 0 ? 1 : elements.bytes / unit_bytes(elements.bytes);
  if (MaybeError error = sizes_error(operation, a->dims, units)) return error;
  if (MaybeError error = within_array_error("a", *a, "first_a", operation.first_a, operation.shape)) return error;
  return within_array_error("b", *b, "first_b", operation.first_b, operation.shape);
}

// The names of the axes in messages: no axis has a larger number.
constexpr std::array axis_names{".axes[0]",  ".axes[1]",  ".axes[2]",  ".axes[3]",  ".axes[4]",
                                ".axes[5]",  ".axes[6]",  ".axes[7]",  ".axes[8]",  ".axes[9]",
                                ".axes[10]", ".axes[11]", ".axes[12]", ".axes[13]", ".axes[14]"};
static_assert(axis_names.size() == XREDIST_MAX_DIMS);

// Returns what processes compare: both layouts axis by axis, and the subarray.
std::array<Compared, 2 * XREDIST_MAX_DIMS + 1> compared(const xredist_array_layout& a, const xredist_array_layout& b,
                                                        const xredist_array_operation& operation) {
  std::array<Compared, 2 * XREDIST_MAX_DIMS + 1> all{};
  Digest subarray;
  for (int k = 0; k < XREDIST_MAX_DIMS; ++k) {
    const bool exists = k < a.dims;
    at(all, k) = {{"a", -1, at(axis_names, k)}, exists ? fingerprint(a, k) : 0, differs};
    at(all, XREDIST_MAX_DIMS + k) = {{"b", -1, at(axis_names, k)}, exists ? fingerprint(b, k) : 0, differs};
    if (!exists) continue;
    subarray.add(operation.shape[k]);
    subarray.add(first_of_axis(operation.first_a, k));
    subarray.add(first_of_axis(operation.first_b, k));
  }
  subarray.add(signature_of(matrix_operation(operation)));
  all.back() = {{"operation"}, subarray.number(), differs};
  return all;
}

ArrayForm form_of(const xredist_array_layout& a, const xredist_array_layout& b,
                  const xredist_array_operation& operation) {
  std::vector<ArrayAxis> axes;
  for (int k = 0; k < a.dims; ++k) {
    const Index n = operation.shape[k];
    const auto axis = [&](const xredist_array_layout& layout, Index first) {
      return axis_of(layout, k, layout.shape != nullptr ? layout.shape[k] : first + n, first);
    };
    axes.push_back(
        {axis(a, first_of_axis(operation.first_a, k) - 1), axis(b, first_of_axis(operation.first_b, k) - 1), n});
  }
  return {std::move(axes), order_of(a), order_of(b)};
}

// Returns the local array of a process, whose rank may be outside the grid.
ArrayPart local_array_of(const ArrayForm& form, const Axis ArrayAxis::*side, const xredist_array_layout& layout,
                         std::span<const int> ranks, int rank, const Redistribution& redistribution) {
  const auto found = std::ranges::find(ranks, rank);
  if (found == ranks.end()) return {};
  const std::vector<Index> coordinates = form.coordinates(side, found - ranks.begin());
  std::vector<Interval> held = form.held(side, coordinates);
  std::vector<Index> extents;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const bool whole = layout.shape != nullptr;
    extents.push_back(whole ? local_count(form.axes[k].*side, coordinates[k], layout.shape[k]) : held[k].end);
  }
  std::vector<int> order = order_of(layout);
  ArrayStrides places = form.places(side, held, strides_without_gaps(extents, order), redistribution);
  return {std::move(held), std::move(extents), std::move(order), std::move(places)};
}

std::unique_ptr<xredist_plan> made_plan(Channel& channel, const LibraryLock& lock, const xredist_array_layout* a,
                                        const xredist_array_layout* b, const xredist_array_operation* passed,
                                        Type integer, const Failure* callers) {
  channel.explore(lock->progress);
  const Options& options = channel.options();
  const auto checked = [&] {
    if (callers != nullptr) throw *callers;
    demand(null_error({"operation"}, passed));
    demand(array_operation_error(a, b, *passed, integer, channel.size()));
    return compared(*a, *b, *passed);
  };
  if (options.check != 0)
    agreed_values(attempt(checked), channel.comm(), lock->progress);
  else
    checked();
  auto form = std::make_shared<PlannedArray>(PlannedArray{form_of(*a, *b, *passed), {}, {}});
  const std::vector<int> ranks_a = ranks_of(*a), ranks_b = ranks_of(*b);
  const xredist_operation elements = matrix_operation(*passed);
  const Redistribution redistribution = form->form.redistribution(elements.bytes, operation_of(elements, integer));
  form->a = local_array_of(form->form, &ArrayAxis::a, *a, ranks_a, channel.rank(), redistribution);
  form->b = local_array_of(form->form, &ArrayAxis::b, *b, ranks_b, channel.rank(), redistribution);
  auto made = std::make_unique<xredist_plan>(
      channel, PlanSource{"xredist_array_plan_create", form->form.ranks(&ArrayAxis::a, ranks_a),
                          form->form.ranks(&ArrayAxis::b, ranks_b), options, executions_of_plan});
  made->add(plan_on_channel(channel, redistribution, made->source), lock->queue);
  made->form = std::move(form);
  return made;
}

}  // namespace

void xredist::core::create_array_plan(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                                      const xredist_array_operation* operation, Type integer, const Failure* callers,
                                      xredist_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  demand(communicator_error(comm));
  LibraryLock lock;
  Channel& channel = channel_of(comm, lock);
  const auto arguments = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(null_error({"plan"}, plan));
  });
  *plan = made_plan(channel, lock, a, b, operation, integer, arguments.failure()).release();
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
    demand(array_layout_error("layout", &whole, std::numeric_limits<int>::max()));
    demand(within_array_error("layout", whole, "first", nullptr, shape));
    const Index size = positions_of(whole);
    const Index position =
        layout->ranks == nullptr ? rank : std::find(layout->ranks, layout->ranks + size, rank) - layout->ranks;
    const bool member = position >= 0 && position < size;
    Index rest = member ? position : 0;
    for (int k = layout->dims; k-- > 0;) {
      const Axis axis = axis_of(whole, k, shape[k], 0);
      local[k] = member ? local_count(axis, rest % axis.procs, shape[k]) : 0;
      rest /= axis.procs;
    }
  });
}
