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
  ArgumentRef count, first_a, first_b, list_a, list_b;
};

// Returns a hash of a list along an axis; 0 if there is none.
Index fingerprint_of(const std::int64_t* const lists[], int k, Index count) {
  return lists == nullptr ? 0 : fingerprint(lists[k], count);
}

SubarrayNames names_in_arrays(int k) {
  const auto member = [k](const char* list) { return ArgumentRef{"operation", k, list}; };
  return {member(".shape[]"), member(".first_a[]"), member(".first_b[]"), member(".lists_a[]"), member(".lists_b[]")};
}

SubarrayNames names_in_matrices(int k) {
  if (k == 0) return {{"m"}, {"ia"}, {"ib"}, {"operation", -1, ".rows_a"}, {"operation", -1, ".rows_b"}};
  return {{"n"}, {"ja"}, {"jb"}, {"operation", -1, ".cols_a"}, {"operation", -1, ".cols_b"}};
}

// `counts_a`: the elements of A's subarray along each axis.
template <int axes>
auto compared_axes(const ValidLayout& a, const ValidLayout& b, const xredist_array_operation& subarray,
                   const std::int64_t counts_a[], const Compared& elements, SubarrayNames (*names_of)(int)) {
  ComparedAxes<axes> all{};
  Compared* next = list_layout(a, axes, all.data());
  next = list_layout(b, axes, next);
  for (int k = 0; k < axes; ++k) {
    const bool exists = k < a.whole.dims;
    const auto [count, first_a, first_b, list_a, list_b] = names_of(k);
    *next++ = {count, exists ? subarray.shape[k] : 0};
    *next++ = {first_a, exists ? first_of_axis(subarray.first_a, k) : 0};
    *next++ = {first_b, exists ? first_of_axis(subarray.first_b, k) : 0};
    *next++ = {list_a, exists ? fingerprint_of(subarray.lists_a, k, counts_a[k]) : 0, differs};
    *next++ = {list_b, exists ? fingerprint_of(subarray.lists_b, k, subarray.shape[k]) : 0, differs};
  }
  *next = elements;
  return all;
}

constexpr const char* elements_differ = "a letter, an option or the size of the elements differs between processes";

}  // namespace

ComparedArrays compared(const xredist_array_layout& a, const xredist_array_layout& b,
                        const xredist_array_operation& operation) {
  const Compared elements{{}, signature_of(matrix_operation(operation)), elements_differ};
  return compared_axes<XREDIST_MAX_DIMS>({arguments_of("a", a), a}, {arguments_of("b", b), b}, operation,
                                         operation.shape, elements, names_in_arrays);
}

ComparedMatrices compared(const xredist_layout& a, const xredist_layout& b, const xredist_operation& operation) {
  const std::array shape{operation.m, operation.n};
  const std::array first_a{operation.ia, operation.ja}, first_b{operation.ib, operation.jb};
  xredist_array_operation subarray{};
  subarray.shape = shape.data(), subarray.first_a = first_a.data(), subarray.first_b = first_b.data();
  const std::array lists_a{operation.rows_a, operation.cols_a}, lists_b{operation.rows_b, operation.cols_b};
  subarray.lists_a = lists_a.data(), subarray.lists_b = lists_b.data();
  const std::array<Index, 2> counts_a = count_in_a(operation);
  const Compared elements{{}, signature_of(operation), elements_differ};
  return compared_axes<2>({arguments_of("a", a), AsArray(a).get()}, {arguments_of("b", b), AsArray(b).get()}, subarray,
                          counts_a.data(), elements, names_in_matrices);
}

}  // namespace xredist::core
