// SPDX-License-Identifier: BSD-3-Clause
#include "api/array_operation.hpp"

#include <string>
#include <utility>
#include <vector>

#include "api/array_layout.hpp"
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

// Checks the subarray. `units`: pieces in which an element is copied. `copies`: of the array.
MaybeError sizes_error(const xredist_array_operation& operation, int dims, Index units, Index copies) {
  Index elements = 1;
  for (int k = 0; k < dims; ++k) {
    const auto bad = [&](const char* list, Index value, Index min) -> MaybeError {
      if (value >= min && value <= max_elements / units) return {};
      const std::string at_most = units == 1 ? "2^40" : "2^40 / " + std::to_string(units);
      return value_error({"operation", k, list}, value, ", must be in " + std::to_string(min) + " .. " + at_most);
    };
    const Index n = operation.shape[k];
    if (MaybeError error = first_of({bad(".shape[]", n, 0), bad(".first_a[]", first_of_axis(operation.first_a, k), 1),
                                     bad(".first_b[]", first_of_axis(operation.first_b, k), 1)}))
      return error;
    if (too_large(elements * units, n))
      return value_error({"operation", k, ".shape[]"}, n,
                         ": with the axes before it these are 2^59 elements, or pieces of them, or more");
    elements *= n;
  }
  if (too_large(elements * units, copies))
    return value_error({"b", -1, ".copies"}, copies, ": the copies have 2^59 elements, or pieces of them, or more");
  return {};
}

}  // namespace

MaybeError array_operation_error(const xredist_array_layout* a, const xredist_array_layout* b,
                                 const xredist_array_operation& operation, Type integer, Index size) {
  if (MaybeError error = reserved_error({"operation", -1, ".reserved"}, operation.reserved)) return error;
  if (operation.conj != 0)
    if (MaybeError error = letter_error("NR", "N or R", {"operation", -1, ".conj"}, capital(operation.conj)))
      return error;
  const xredist_operation elements = matrix_operation(operation);
  if (MaybeError error = first_of(
          {elements_error(elements, integer), array_layout_error("a", a, size), array_layout_error("b", b, size)}))
    return error;
  if (a->dims != b->dims)
    return value_error({"b", -1, ".dims"}, b->dims, ", must be a.dims = " + std::to_string(a->dims));
  if (operation.shape == nullptr) return null_error({"operation", -1, ".shape"}, nullptr);
  const Index units = elements.type != 0 ? 1 : elements.bytes / unit_bytes(elements.bytes);
  if (MaybeError error = sizes_error(operation, a->dims, units, copies_of(*b))) return error;
  if (MaybeError error = within_array_error("a", *a, ".first_a[]", operation.first_a, operation.shape)) return error;
  return within_array_error("b", *b, ".first_b[]", operation.first_b, operation.shape);
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
  std::vector<int> order_a = order_of(a), order_b = order_of(b);
  if (const Index copies = copies_of(b); copies > 1) {
    axes.push_back({{copies, 1, 0, 0}, {1, copies, 0, 0}, copies});
    order_a.push_back(a.dims);
    order_b.push_back(b.dims);
  }
  return {std::move(axes), order_a, order_b};
}

}  // namespace xredist::core
