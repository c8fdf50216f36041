// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_PLAN_CREATE, XREDIST_RELABEL and XREDIST_LOCAL_SHAPE of module xredist, for arrays of any number of axes.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "api/array_layout.hpp"
#include "api/plan_handle.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_array_layout.hpp"
#include "fortran/owned_layout.hpp"
#include "scalapack/matrix_arguments.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// The optional arguments of XREDIST_PLAN_CREATE, in the order of the Fortran interface.
struct ArrayPlanKeywords {
  const char* type;
  const CFI_cdesc_t *first_a, *first_b;
  const char *type_b, *conj;
  const xredist_int* bytes;
  ArrayLists a, b;
};

// The arguments of a plan.
struct ArrayArguments {
  ArrayArguments(const CFI_cdesc_t* shape_array, const FortranArrayLayout& of_a, const FortranArrayLayout& of_b,
                 const ArrayPlanKeywords& of)
      : a(of_a, "a", of.a),
        b(of_b, "b", of.b),
        shape(integers_of<std::int64_t>(shape_array)),
        first_a(integers_of<std::int64_t>(of.first_a)),
        first_b(integers_of<std::int64_t>(of.first_b)),
        keywords(of) {
    demand_entries("shape", std::ssize(shape), "a", a.axes.size());
    demand_entries("shape", std::ssize(shape), "b", b.axes.size());
    if (keywords.first_a != nullptr) demand_entries("first_a", std::ssize(first_a), "a", a.axes.size());
    if (keywords.first_b != nullptr) demand_entries("first_b", std::ssize(first_b), "b", b.axes.size());
  }
  /// Returns the operation of the C interface, which refers to this object.
  xredist_array_operation operation() const {
    const auto list = [](const std::vector<std::int64_t>& given) { return given.empty() ? nullptr : given.data(); };
    return {.shape = shape.data(),
            .first_a = list(first_a),
            .first_b = list(first_b),
            .type = letter_of(keywords.type),
            .type_b = letter_of(keywords.type_b),
            .conj = letter_of(keywords.conj),
            .bytes = keywords.bytes == nullptr ? 0 : *keywords.bytes};
  }

  OwnedArrayLayout a, b;
  std::vector<std::int64_t> shape, first_a, first_b;
  ArrayPlanKeywords keywords;
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
    const CFI_cdesc_t* ranks_a, const CFI_cdesc_t* ranks_b, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const auto arguments = attempt([&] {
      return ArrayArguments(shape, *a, *b,
                            {type,
                             first_a,
                             first_b,
                             type_b,
                             conj,
                             bytes,
                             {ranks_a, bounds_a, owners_a, "_a"},
                             {ranks_b, bounds_b, owners_b, "_b"}});
    });
    const ArrayArguments* const passed = arguments.get();
    const xredist_array_layout layout_a = passed != nullptr ? passed->a.get() : xredist_array_layout{};
    const xredist_array_layout layout_b = passed != nullptr ? passed->b.get() : xredist_array_layout{};
    const xredist_array_operation operation = passed != nullptr ? passed->operation() : xredist_array_operation{};
    create_plan(communicator_from(*comm), &layout_a, &layout_b, &operation, fortran_integer, arguments.failure(), plan);
  });
  set_info("XREDIST_PLAN_CREATE", code, info, true);
}

XREDIST_API void xredist_fortran_relabel_array(
    const xredist_int* comm, const CFI_cdesc_t* shape, const FortranArrayLayout* a, const FortranArrayLayout* b,
    const CFI_cdesc_t* ranks, double kept[2], XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* first_a,
    const CFI_cdesc_t* first_b, const CFI_cdesc_t* bounds_a, const CFI_cdesc_t* bounds_b, const CFI_cdesc_t* owners_a,
    const CFI_cdesc_t* owners_b, const CFI_cdesc_t* ranks_a, const CFI_cdesc_t* ranks_b, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const ArrayArguments passed(shape, *a, *b,
                                {nullptr,
                                 first_a,
                                 first_b,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 {ranks_a, bounds_a, owners_a, "_a"},
                                 {ranks_b, bounds_b, owners_b, "_b"}});
    const xredist_array_layout layout_a = passed.a.get(), layout_b = passed.b.get();
    xredist_array_operation operation = passed.operation();
    operation.bytes = 1;
    const Index positions = positions_of(layout_b);
    if (size_of_vector(*ranks) < positions)
      throw InvalidArgument("ranks has " + std::to_string(size_of_vector(*ranks)) + " elements, must have at least " +
                            std::to_string(positions) + ", one for each process of b");
    std::vector<int> chosen(as_size(positions));
    demand_success(
        xredist_array_relabel(communicator_from(*comm), &layout_a, &layout_b, &operation, chosen.data(), kept));
    set_integers(*ranks, chosen);
  });
  set_info("XREDIST_RELABEL", code, info);
}

XREDIST_API void xredist_fortran_local_shape(const FortranArrayLayout* layout, const CFI_cdesc_t* shape,
                                             const xredist_int* rank, const CFI_cdesc_t* local, XREDIST_KEYWORDS_ONLY,
                                             const CFI_cdesc_t* bounds, const CFI_cdesc_t* owners,
                                             const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const OwnedArrayLayout owned(*layout, "layout", {ranks, bounds, owners});
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
