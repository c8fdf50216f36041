// SPDX-License-Identifier: BSD-3-Clause
#include "api/compared_arrays.hpp"

#include <utility>

#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/matrix_operation.hpp"

namespace xredist::core {
namespace {

// The names, in messages, of an axis of A and of B, and of the subarray's numbers along the axis.
struct AxisNames {
  ArgumentRef a, b, count, first_a, first_b;
};

AxisNames names_in_arrays(int k) {
  return {{"a", k, ".axes[]"},
          {"b", k, ".axes[]"},
          {"operation", k, ".shape[]"},
          {"operation", k, ".first_a[]"},
          {"operation", k, ".first_b[]"}};
}

AxisNames names_in_matrices(int k) {
  if (k == 0) return {{"a", -1, ".rows"}, {"b", -1, ".rows"}, {"m"}, {"ia"}, {"ib"}};
  return {{"a", -1, ".cols"}, {"b", -1, ".cols"}, {"n"}, {"ja"}, {"jb"}};
}

// The numbers of axes may differ between processes, but not the numbers of arguments, which are those of `axes` axes.
template <int axes>
auto listed(const xredist_array_layout& a, const xredist_array_layout& b, const xredist_array_operation& subarray,
            const Compared& elements, AxisNames (*names_of)(int)) {
  constexpr const char* null_on_some = " is NULL on some processes only";
  ComparedAxes<axes> all{};
  Compared* next = all.data();
  *next++ = {{"a", -1, ".dims"}, a.dims};
  for (const auto& [name, layout] : {std::pair{"a", &a}, {"b", &b}})
    *next++ = {{name, -1, ".shape"}, layout->shape == nullptr, null_on_some};
  for (int k = 0; k < axes; ++k) {
    const bool exists = k < a.dims;
    const AxisNames names = names_of(k);
    *next++ = {names.a, exists ? fingerprint(a, k) : 0, differs};
    *next++ = {names.b, exists ? fingerprint(b, k) : 0, differs};
    for (const auto& [name, layout] : {std::pair{"a", &a}, {"b", &b}}) {
      *next++ = {{name, k, ".order[]"}, exists && layout->order != nullptr ? layout->order[k] : k};
      *next++ = {{name, k, ".shape[]"}, exists && layout->shape != nullptr ? layout->shape[k] : 0};
    }
    *next++ = {names.count, exists ? subarray.shape[k] : 0};
    *next++ = {names.first_a, exists ? first_of_axis(subarray.first_a, k) : 0};
    *next++ = {names.first_b, exists ? first_of_axis(subarray.first_b, k) : 0};
  }
  *next++ = {{"b", -1, ".copies"}, copies_of(b)};
  *next++ = {{"a", -1, ".ranks"}, fingerprint(a.ranks, positions_of(a)), differs};
  *next++ = {{"b", -1, ".ranks"}, fingerprint(b.ranks, positions_of(b)), differs};
  *next = elements;
  return all;
}

constexpr const char* elements_differ = "a letter, an option or the size of the elements differs between processes";

}  // namespace

ComparedArrays compared(const xredist_array_layout& a, const xredist_array_layout& b,
                        const xredist_array_operation& operation) {
  const Compared elements{{}, signature_of(matrix_operation(operation)), elements_differ};
  return listed<XREDIST_MAX_DIMS>(a, b, operation, elements, names_in_arrays);
}

ComparedMatrices compared(const xredist_layout& a, const xredist_layout& b, const xredist_operation& operation) {
  const std::array shape{operation.m, operation.n};
  const std::array first_a{operation.ia, operation.ja}, first_b{operation.ib, operation.jb};
  xredist_array_operation subarray{};
  subarray.shape = shape.data(), subarray.first_a = first_a.data(), subarray.first_b = first_b.data();
  const Compared elements{{}, signature_of(operation), elements_differ};
  return listed<2>(MatrixAsArray(a).get(), MatrixAsArray(b).get(), subarray, elements, names_in_matrices);
}

}  // namespace xredist::core
