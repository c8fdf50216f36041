// SPDX-License-Identifier: BSD-3-Clause
#include "api/compared_arrays.hpp"

#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/matrix_operation.hpp"

namespace xredist::core {
namespace {

// The names, in messages, of an axis of A and of B, and of the subarray's numbers along the axis.
struct AxisNames {
  ArgumentRef a, b, count, first_a, first_b;
  const char* difference;  // follows the names of numbers, as in Compared
};

// The subarray is a part of the operation.
AxisNames names_in_arrays(int axis) {
  constexpr ArgumentRef operation{"operation"};
  return {{"a", axis, ".axes[]"}, {"b", axis, ".axes[]"}, operation, operation, operation, differs};
}

AxisNames names_in_matrices(int axis) {
  if (axis == 0) return {{"a", -1, ".rows"}, {"b", -1, ".rows"}, {"m"}, {"ia"}, {"ib"}, nullptr};
  return {{"a", -1, ".cols"}, {"b", -1, ".cols"}, {"n"}, {"ja"}, {"jb"}, nullptr};
}

// The numbers of axes may differ between processes, but not the numbers of arguments. `elements`: the operation on the
// elements.
ComparedArrays listed(const xredist_array_layout& a, const xredist_array_layout& b,
                      const xredist_array_operation& subarray, const Compared& elements, AxisNames (*names_of)(int)) {
  ComparedArrays all{};
  Compared* next = all.data();
  for (int k = 0; k < XREDIST_MAX_DIMS; ++k) {
    const bool exists = k < a.dims;
    const AxisNames names = names_of(k);
    const auto number = [&](const ArgumentRef& name, Index value) { *next++ = {name, value, names.difference}; };
    *next++ = {names.a, exists ? fingerprint(a, k) : 0, differs};
    *next++ = {names.b, exists ? fingerprint(b, k) : 0, differs};
    number(names.count, exists ? subarray.shape[k] : 0);
    number(names.first_a, exists ? first_of_axis(subarray.first_a, k) : 0);
    number(names.first_b, exists ? first_of_axis(subarray.first_b, k) : 0);
  }
  *next++ = {{"b", -1, ".copies"}, copies_of(b), differs};
  *next++ = {{"a", -1, ".ranks"}, fingerprint(a.ranks, positions_of(a)), differs};
  *next++ = {{"b", -1, ".ranks"}, fingerprint(b.ranks, positions_of(b)), differs};
  *next = elements;
  return all;
}

}  // namespace

ComparedArrays compared(const xredist_array_layout& a, const xredist_array_layout& b,
                        const xredist_array_operation& operation) {
  const Compared elements{{"operation"}, signature_of(matrix_operation(operation)), differs};
  return listed(a, b, operation, elements, names_in_arrays);
}

ComparedArrays compared(const xredist_layout& a, const xredist_layout& b, const xredist_operation& operation) {
  const std::array shape{operation.m, operation.n};
  const std::array first_a{operation.ia, operation.ja}, first_b{operation.ib, operation.jb};
  xredist_array_operation subarray{};
  subarray.shape = shape.data(), subarray.first_a = first_a.data(), subarray.first_b = first_b.data();
  const Compared elements{
      {}, signature_of(operation), "a letter, an option or the size of the elements differs between processes"};
  return listed(MatrixAsArray(a).get(), MatrixAsArray(b).get(), subarray, elements, names_in_matrices);
}

}  // namespace xredist::core
