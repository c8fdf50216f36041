// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_PLAN_CREATE, XREDIST_RELABEL and XREDIST_LOCAL_SHAPE of module xredist, for arrays of any number of axes.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/array_layout.hpp"
#include "api/plan_calls.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_array_layout.hpp"
#include "fortran/owned_layout.hpp"
#include "scalapack/matrix_arguments.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// The lists of a plan along the axes that have some: arguments of the program. `end`: of their names, "_a".
struct ListedAxes {
  const CFI_cdesc_t *axes, *elements;
  const char* end;
};

// These lists as the C interface takes them. Throws InvalidArgument if the arguments do not fit each other.
struct OwnedAxisLists {
  std::vector<std::int64_t> elements;
  std::vector<const std::int64_t*> of_axes;  // empty: no list

  OwnedAxisLists(const ListedAxes& listed, const std::vector<std::int64_t>& shape)
      : elements(integers_of<std::int64_t>(listed.elements)) {
    const auto fail = [&](const char* name, std::string_view text) {
      throw InvalidArgument(Text() << name << listed.end << text);
    };
    if (listed.axes == nullptr && listed.elements == nullptr) return;
    if (listed.axes == nullptr) fail("lists", Text() << " is present, but listed" << listed.end << " is absent");
    if (listed.elements == nullptr) fail("listed", Text() << " is present, but lists" << listed.end << " is absent");
    const std::vector<std::int64_t> axes = integers_of<std::int64_t>(listed.axes);
    of_axes.resize(shape.size());
    std::int64_t count = 0;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      Text name = Text() << "(" << k + 1 << ") is " << axes[k];
      if (axes[k] < 1 || axes[k] > std::ssize(shape)) fail("listed", name << ", must be in 1 .. " << shape.size());
      const auto axis = as_size(axes[k] - 1);
      if (of_axes[axis] != nullptr) fail("listed", name << ", an axis that comes before");
      of_axes[axis] = elements.data() + std::min<std::int64_t>(count, std::ssize(elements));
      count += std::clamp<std::int64_t>(shape[axis], 0, max_elements);
    }
    if (std::ssize(elements) != count)
      fail("lists", Text() << " has " << elements.size() << " elements, must have " << count
                           << ", those of the axes of listed" << listed.end);
  }
};

// The layouts of A and B, with their lists, and the subarray that moves. Not copied: the structs of C point into it.
struct ArrayArguments {
  ArrayArguments(const CFI_cdesc_t* shape_list, const FortranArrayLayout& of_a, const ArrayLists& lists_a,
                 const CFI_cdesc_t* first_a_list, const ListedAxes& listed_a, const FortranArrayLayout& of_b,
                 const ArrayLists& lists_b, const CFI_cdesc_t* first_b_list, const ListedAxes& listed_b)
      : owned_a(of_a, "a", lists_a),
        owned_b(of_b, "b", lists_b),
        shape(integers_of<std::int64_t>(shape_list)),
        first_a(integers_of<std::int64_t>(first_a_list)),
        first_b(integers_of<std::int64_t>(first_b_list)),
        of_a_axes(listed_a, shape),
        of_b_axes(listed_b, shape),
        a(owned_a.get()),
        b(owned_b.get()) {
    demand_entries("shape", std::ssize(shape), "a", owned_a.axes.size());
    demand_entries("shape", std::ssize(shape), "b", owned_b.axes.size());
    if (first_a_list != nullptr) demand_entries("first_a", std::ssize(first_a), "a", owned_a.axes.size());
    if (first_b_list != nullptr) demand_entries("first_b", std::ssize(first_b), "b", owned_b.axes.size());
    operation.shape = shape.data();
    if (first_a_list != nullptr) operation.first_a = first_a.data();
    if (first_b_list != nullptr) operation.first_b = first_b.data();
    if (!of_a_axes.of_axes.empty()) operation.lists_a = of_a_axes.of_axes.data();
    if (!of_b_axes.of_axes.empty()) operation.lists_b = of_b_axes.of_axes.data();
  }
  ArrayArguments(const ArrayArguments&) = delete;
  ArrayArguments& operator=(const ArrayArguments&) = delete;

  OwnedArrayLayout owned_a, owned_b;
  std::vector<std::int64_t> shape, first_a, first_b;
  OwnedAxisLists of_a_axes, of_b_axes;
  xredist_array_layout a, b;
  xredist_array_operation operation{};
};

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_plan_create_arrays(
    xredist_plan** plan, const xredist_int* comm, const CFI_cdesc_t* shape, const FortranArrayLayout* a,
    const FortranArrayLayout* b, const char* type, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* first_a,
    const CFI_cdesc_t* first_b, const char* type_b, const char* conj, const xredist_int* bytes,
    const CFI_cdesc_t* bounds_a, const CFI_cdesc_t* bounds_b, const CFI_cdesc_t* owners_a, const CFI_cdesc_t* owners_b,
    const CFI_cdesc_t* places_a, const CFI_cdesc_t* places_b, const CFI_cdesc_t* listed_a, const CFI_cdesc_t* listed_b,
    const CFI_cdesc_t* lists_a, const CFI_cdesc_t* lists_b, const CFI_cdesc_t* ranks_a, const CFI_cdesc_t* ranks_b,
    xredist_int* info) {
  const int code = coded_in_fortran([&] {
    std::optional<ArrayArguments> passed;
    const auto made = attempt([&] {
      passed.emplace(shape, *a, ArrayLists{ranks_a, bounds_a, owners_a, places_a, "_a"}, first_a,
                     ListedAxes{listed_a, lists_a, "_a"}, *b, ArrayLists{ranks_b, bounds_b, owners_b, places_b, "_b"},
                     first_b, ListedAxes{listed_b, lists_b, "_b"});
      xredist_array_operation& operation = passed->operation;
      operation.type = letter_of(type), operation.type_b = letter_of(type_b), operation.conj = letter_of(conj);
      operation.bytes = bytes == nullptr ? 0 : *bytes;
    });
    create_plan(communicator_from(*comm), passed ? &passed->a : nullptr, passed ? &passed->b : nullptr,
                passed ? &passed->operation : nullptr, fortran_integer, made.failure(), plan);
  });
  set_info("XREDIST_PLAN_CREATE", code, info, true);
}

XREDIST_API void xredist_fortran_relabel_array(
    const xredist_int* comm, const CFI_cdesc_t* shape, const FortranArrayLayout* a, const FortranArrayLayout* b,
    const CFI_cdesc_t* ranks, double kept[2], XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* first_a,
    const CFI_cdesc_t* first_b, const CFI_cdesc_t* bounds_a, const CFI_cdesc_t* bounds_b, const CFI_cdesc_t* owners_a,
    const CFI_cdesc_t* owners_b, const CFI_cdesc_t* listed_a, const CFI_cdesc_t* listed_b, const CFI_cdesc_t* lists_a,
    const CFI_cdesc_t* lists_b, const CFI_cdesc_t* ranks_a, const CFI_cdesc_t* ranks_b, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    ArrayArguments passed(shape, *a, {ranks_a, bounds_a, owners_a, nullptr, "_a"}, first_a, {listed_a, lists_a, "_a"},
                          *b, {ranks_b, bounds_b, owners_b, nullptr, "_b"}, first_b, {listed_b, lists_b, "_b"});
    passed.operation.bytes = 1;
    const Index positions = positions_of(passed.b);
    if (size_of_vector(*ranks) < positions)
      throw InvalidArgument(Text() << "ranks has " << size_of_vector(*ranks) << " elements, must have at least "
                                   << positions << ", one for each process of b");
    std::vector<int> chosen(as_size(positions));
    demand_success(
        xredist_array_relabel(communicator_from(*comm), &passed.a, &passed.b, &passed.operation, chosen.data(), kept));
    set_integers(*ranks, chosen);
  });
  set_info("XREDIST_RELABEL", code, info);
}

XREDIST_API void xredist_fortran_local_shape(const FortranArrayLayout* layout, const CFI_cdesc_t* shape,
                                             const xredist_int* rank, const CFI_cdesc_t* local, XREDIST_KEYWORDS_ONLY,
                                             const CFI_cdesc_t* bounds, const CFI_cdesc_t* owners,
                                             const CFI_cdesc_t* places, const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const OwnedArrayLayout owned(*layout, "layout", {ranks, bounds, owners, places});
    const std::vector<std::int64_t> whole = integers_of<std::int64_t>(shape);
    demand_entries("shape", std::ssize(whole), "layout", owned.axes.size());
    demand_entries("local", size_of_vector(*local), "layout", owned.axes.size());
    const xredist_array_layout in_c = owned.get();
    std::vector<std::int64_t> counts(whole.size());
    demand_success(xredist_array_local_shape(&in_c, whole.data(), narrowed(*rank), counts.data()));
    set_integers(*local, counts);
  });
  set_info("XREDIST_LOCAL_SHAPE", code, info);
}

}  // extern "C"
