// SPDX-License-Identifier: BSD-3-Clause
#include "api/array_operation.hpp"

#include <string>
#include <utility>
#include <vector>

#include "api/array_layout.hpp"
#include "api/layout_arguments.hpp"
#include "api/matrix_operation.hpp"

namespace xredist::core {
xredist_operation matrix_operation(const xredist_array_operation& operation) {
  xredist_operation same{};
  same.type = operation.type, same.type_b = operation.type_b, same.bytes = operation.bytes;
  same.options = operation.options;
  same = with_defaults(same);
  same.trans = operation.conj != 0 ? capital(operation.conj) : 'N';
  return same;
}

namespace {

const std::int64_t* list_of(const std::int64_t* const lists[], int k) { return lists != nullptr ? lists[k] : nullptr; }

std::vector<ListArguments> lists_of(const char* member, const std::int64_t* const lists[], int dims) {
  std::vector<ListArguments> all;
  all.reserve(as_size(dims));
  for (int k = 0; k < dims; ++k) all.push_back({{"operation", k, member}, list_of(lists, k)});
  return all;
}

// Checks the subarray, of layouts without errors. `units`: pieces in which an element is copied.
MaybeError subarray_error(const LayoutArguments& of_a, const xredist_array_layout& a, const LayoutArguments& of_b,
                          const xredist_array_layout& b, const xredist_array_operation& operation, Index units) {
  std::vector<Named> count, first_a, first_b;
  for (int k = 0; k < a.dims; ++k) {
    const auto member = [&](const char* list) { return ArgumentRef{"operation", k, list}; };
    count.push_back({member(".shape[]"), operation.shape[k]});
    first_a.push_back({member(".first_a[]"), first_of_axis(operation.first_a, k)});
    first_b.push_back({member(".first_b[]"), first_of_axis(operation.first_b, k)});
  }
  for (const auto* first : {&first_a, &first_b})
    for (const auto& [name, index] : *first)
      if (MaybeError error = bounds_error(name, index, Least{1}, max_elements / units)) return error;
  std::vector<Named> elements = count;
  elements.push_back({{"b", -1, ".copies"}, copies_of(b)});
  const Index longest = max_elements / units;
  const std::vector<ListArguments> lists_a = lists_of(".lists_a[]", operation.lists_a, a.dims),
                                   lists_b = lists_of(".lists_b[]", operation.lists_b, a.dims);
  if (MaybeError error = shape_error(elements, units)) return error;
  if (MaybeError error = first_of({within_error(of_a, first_a, count, a.shape, longest, lists_a),
                                   within_error(of_b, first_b, count, b.shape, longest, lists_b)}))
    return error;
  return repeated_error(lists_b, count);
}

}  // namespace

MaybeError operation_error(const xredist_array_layout* a, const xredist_array_layout* b,
                           const xredist_array_operation& operation, Type integer, Index size) {
  if (MaybeError error = reserved_error({"operation", -1, ".reserved"}, operation.reserved)) return error;
  if (operation.conj != 0)
    if (MaybeError error = letter_error("NR", "N or R", {"operation", -1, ".conj"}, capital(operation.conj)))
      return error;
  const xredist_operation elements = matrix_operation(operation);
  if (MaybeError error = elements_error(elements, integer)) return error;
  for (const auto& [name, layout] : {std::pair{"a", a}, {"b", b}})
    if (MaybeError error = unreadable_error(name, layout)) return error;
  const LayoutArguments of_a = arguments_of("a", *a), of_b = arguments_of("b", *b);
  if (MaybeError error = first_of({layout_error(of_a, *a, size), layout_error(of_b, *b, size)})) return error;
  if (a->dims != b->dims) return value_error({"b", -1, ".dims"}, b->dims, Text() << ", must be a.dims = " << a->dims);
  if (operation.shape == nullptr) return null_error({"operation", -1, ".shape"}, nullptr);
  const Index units = elements.type != 0 ? 1 : elements.bytes / unit_bytes(elements.bytes);
  return subarray_error(of_a, *a, of_b, *b, operation, units);
}

std::vector<Index> whole_shape(const xredist_array_layout& layout, const std::int64_t shape[],
                               const std::int64_t first[], const std::int64_t* const lists[]) {
  std::vector<Index> whole;
  whole.reserve(as_size(layout.dims));
  for (int k = 0; k < layout.dims; ++k)
    whole.push_back(layout.shape != nullptr ? layout.shape[k]
                                            : end_of(list_of(lists, k), first_of_axis(first, k) - 1, shape[k]));
  return whole;
}

ArrayForm form_of(const xredist_array_layout& a, const xredist_array_layout& b,
                  const xredist_array_operation& operation) {
  const std::int64_t* const shape = operation.shape;
  const auto axes_of = [shape](const xredist_array_layout& layout, const std::int64_t firsts[],
                               const std::int64_t* const lists[], bool distinct) {
    const std::vector<Index> whole = whole_shape(layout, shape, firsts, lists);
    std::vector<Axis> all;
    all.reserve(as_size(layout.dims));
    for (int k = 0; k < layout.dims; ++k)
      all.push_back(with_list(axis_of(layout, k, at(whole, k), first_of_axis(firsts, k) - 1), list_of(lists, k),
                              shape[k], distinct));
    return all;
  };
  std::vector<Axis> of_a = axes_of(a, operation.first_a, operation.lists_a, false),
                    of_b = axes_of(b, operation.first_b, operation.lists_b, true);
  std::vector<ArrayAxis> axes;
  axes.reserve(as_size(a.dims));
  for (int k = 0; k < a.dims; ++k) axes.push_back({std::move(at(of_a, k)), std::move(at(of_b, k)), shape[k]});
  std::vector<int> order_a = order_of(a), order_b = order_of(b);
  if (const Index copies = copies_of(b); copies > 1) {
    axes.push_back({{copies, 1, 0, 0}, {1, copies, 0, 0}, copies});
    order_a.push_back(a.dims);
    order_b.push_back(b.dims);
  }
  return {std::move(axes), order_a, order_b};
}

}  // namespace xredist::core
