// SPDX-License-Identifier: BSD-3-Clause
#include "api/compared_arrays.hpp"

#include "api/array_layout.hpp"
#include "api/array_operation.hpp"
#include "api/matrix_operation.hpp"

namespace xredist::core {

Compared* list_layout(const ValidLayout& of, int axes, Compared* next) {
  const auto& [arguments, layout] = of;
  const auto member = [&](const char* name, int k = -1) { return ArgumentRef{of.arguments.name, k, name}; };
  *next++ = {member(".dims"), layout.dims};
  *next++ = {member(".shape"), layout.shape == nullptr, " is NULL on some processes only"};
  for (int k = 0; k < axes; ++k) {
    if (k >= layout.dims) {  // where layouts have more axes, `dims` differs
      for (int value = 0; value < 6; ++value) *next++ = {};
      continue;
    }
    const AxisArguments& axis = at(arguments.axes, k);
    const bool cyclic = axis.partition == nullptr;
    *next++ = {at(arguments.grid, k).name, axis.procs};
    *next++ = {axis.partition_name, fingerprint(axis.partition), differs};
    *next++ = {axis.block_name, cyclic ? axis.block : 0};
    *next++ = {axis.source_name, cyclic ? axis.source : 0};
    *next++ = {member(".order[]", k), layout.order != nullptr ? layout.order[k] : k};
    *next++ = {member(".shape[]", k), layout.shape != nullptr ? layout.shape[k] : 0};
  }
  *next++ = {member(".copies"), copies_of(layout)};
  *next++ = {member(".ranks"), fingerprint(layout.ranks, positions_of(layout)), differs};
  return next;
}

namespace {

// The names, in messages, of the subarray's numbers along an axis.
struct SubarrayNames {
  ArgumentRef count, first_a, first_b;
};

SubarrayNames names_in_arrays(int k) {
  return {{"operation", k, ".shape[]"}, {"operation", k, ".first_a[]"}, {"operation", k, ".first_b[]"}};
}

SubarrayNames names_in_matrices(int k) {
  if (k == 0) return {{"m"}, {"ia"}, {"ib"}};
  return {{"n"}, {"ja"}, {"jb"}};
}

template <int axes>
auto listed(const ValidLayout& a, const ValidLayout& b, const xredist_array_operation& subarray,
            const Compared& elements, SubarrayNames (*names_of)(int)) {
  ComparedAxes<axes> all{};
  Compared* next = list_layout(a, axes, all.data());
  next = list_layout(b, axes, next);
  for (int k = 0; k < axes; ++k) {
    const bool exists = k < a.whole.dims;
    const auto [count, first_a, first_b] = names_of(k);
    *next++ = {count, exists ? subarray.shape[k] : 0};
    *next++ = {first_a, exists ? first_of_axis(subarray.first_a, k) : 0};
    *next++ = {first_b, exists ? first_of_axis(subarray.first_b, k) : 0};
  }
  *next = elements;
  return all;
}

constexpr const char* elements_differ = "a letter, an option or the size of the elements differs between processes";

}  // namespace

ComparedArrays compared(const xredist_array_layout& a, const xredist_array_layout& b,
                        const xredist_array_operation& operation) {
  const Compared elements{{}, signature_of(matrix_operation(operation)), elements_differ};
  return listed<XREDIST_MAX_DIMS>({arguments_of("a", a), a}, {arguments_of("b", b), b}, operation, elements,
                                  names_in_arrays);
}

ComparedMatrices compared(const xredist_layout& a, const xredist_layout& b, const xredist_operation& operation) {
  const std::array shape{operation.m, operation.n};
  const std::array first_a{operation.ia, operation.ja}, first_b{operation.ib, operation.jb};
  xredist_array_operation subarray{};
  subarray.shape = shape.data(), subarray.first_a = first_a.data(), subarray.first_b = first_b.data();
  const Compared elements{{}, signature_of(operation), elements_differ};
  return listed<2>({arguments_of("a", a), MatrixAsArray(a).get()}, {arguments_of("b", b), MatrixAsArray(b).get()},
                   subarray, elements, names_in_matrices);
}

}  // namespace xredist::core
