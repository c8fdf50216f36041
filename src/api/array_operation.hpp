// SPDX-License-Identifier: BSD-3-Clause
// Operations of array.h: errors in them, and the subarrays that they stand for.
#pragma once

#include <cstdint>
#include <vector>

#include "api/arguments.hpp"
#include "copy/array_form.hpp"
#include "copy/operation.hpp"
#include "xredist/array.h"

namespace xredist::core {

/// Returns the operation on the elements as one on matrices, with its defaults.
xredist_operation matrix_operation(const xredist_array_operation& operation);

/// Checks the layouts of A and B on `size` processes, and the operation. `integer`: the type that 'I' names.
MaybeError operation_error(const xredist_array_layout* a, const xredist_array_layout* b,
                           const xredist_array_operation& operation, Type integer, Index size);

/// Returns the first element of the subarray along an axis, counted from 1.
inline Index first_of_axis(const std::int64_t first[], int k) { return first != nullptr ? first[k] : 1; }

/// Returns the size of the whole array along each axis: that of the layout or, if the layout has none, up to the end of
/// the subarray. There are no errors.
std::vector<Index> whole_shape(const xredist_array_layout& layout, const std::int64_t shape[],
                               const std::int64_t first[], const std::int64_t* const lists[]);

/// Returns the subarray. If B has copies, they are one more axis: A is whole along that axis, and each process of B has
/// one element. There are no errors.
ArrayForm form_of(const xredist_array_layout& a, const xredist_array_layout& b,
                  const xredist_array_operation& operation);

}  // namespace xredist::core
