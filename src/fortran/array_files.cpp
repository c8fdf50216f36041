// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_WRITE and XREDIST_READ of module xredist_files for arrays of any number of axes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/failure.hpp"
#include "fortran/array_fit.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_array_layout.hpp"
#include "fortran/owned_file.hpp"
#include "fortran/owned_layout.hpp"
#include "storage/files.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// Returns the members that a file of an array has in common with one of a matrix.
xredist_array_file as_array_file(const xredist_file& file) {
  xredist_array_file same{};
  same.update = file.update, same.type_in_file = file.type_in_file;
  same.order = file.order, same.format = file.format;
  same.offset = file.offset, same.consume = file.consume;
  return same;
}

// Returns a list with an entry for each axis; NULL if the argument is absent. `kept`: gets its numbers.
const std::int64_t* axes_list(const char* name, const CFI_cdesc_t* passed, std::size_t dims,
                              std::vector<std::int64_t>& kept) {
  if (passed == nullptr) return nullptr;
  kept = integers_of<std::int64_t>(passed);
  demand_entries(name, std::ssize(kept), "layout", dims);
  return kept.data();
}

// The local array of a call.
struct LocalOfCall {
  FortranArray array;
  char name;

  // Checks the array against what a call accesses, as executions of plans do. Returns whether the array has strides of
  // its own, and sets them.
  bool operator()(const ArrayPart& accessed, files::Sizes& strides) const {
    const Text reason = mismatch(array, accessed, array.element_bytes, Type::bits, "the layout");
    if (!reason.empty()) throw InvalidArgument(Text() << name << " " << reason);
    return has_own_strides(array, accessed, strides);
  }
};

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

// `name`: of the array, 'a' to write it and 'b' to read into it. Lists may be absent (NULL).
XREDIST_API void xredist_fortran_array_file(char name, const xredist_int* comm, const CFI_cdesc_t* shape,
                                            const CFI_cdesc_t* array, const FortranArrayLayout* layout,
                                            const xredist_file* numbers, XREDIST_KEYWORDS_ONLY, const char* file,
                                            std::size_t length, const char* descr, std::size_t descr_length,
                                            const CFI_cdesc_t* first, const CFI_cdesc_t* first_in_file,
                                            const CFI_cdesc_t* shape_in_file, const CFI_cdesc_t* bounds,
                                            const CFI_cdesc_t* owners, const CFI_cdesc_t* places,
                                            const CFI_cdesc_t* ranks, xredist_int* info) {
  const bool writes = name == 'a';
  const int code = coded_with_files([&] {
    const LocalOfCall local{array_of(array), name};
    xredist_array_layout of_array{};
    std::optional<OwnedArrayLayout> owned;
    std::array<std::vector<std::int64_t>, 4> lists;
    std::optional<OwnedFile<xredist_array_file>> owned_file;
    const auto made = attempt([&] {
      if (local.array.storage == Storage::foreign)
        throw InvalidArgument(Text() << name
                                     << " is described by a Fortran compiler that this library was not built with");
      of_array = owned.emplace(*layout, "layout", ArrayLists{ranks, bounds, owners, places}).get();
      const std::size_t dims = owned->axes.size();
      xredist_array_file in_c = as_array_file(*numbers);
      in_c.shape = axes_list("shape", shape, dims, lists[0]);
      in_c.first = axes_list("first", first, dims, lists[1]);
      in_c.first_in_file = axes_list("first_in_file", first_in_file, dims, lists[2]);
      in_c.shape_in_file = axes_list("shape_in_file", shape_in_file, dims, lists[3]);
      owned_file.emplace(in_c, std::string_view(file, length), std::string_view(descr, descr_length), local.array);
    });
    const auto work = writes ? xredist::files::write_array : xredist::files::read_array;
    work({communicator_from(*comm), &of_array, {.data = local.array.address, .fit = std::ref(local)}},
         owned_file ? &owned_file->in_c : nullptr, made.failure());
  });
  set_info(writes ? "XREDIST_WRITE" : "XREDIST_READ", code, info, true);
}

}  // extern "C"
