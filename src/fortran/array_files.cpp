// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist_files for arrays of any number of axes.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "api/failure.hpp"
#include "blacs/context_files.hpp"
#include "fortran/array_fit.hpp"
#include "fortran/file_elements.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_array_layout.hpp"
#include "fortran/owned_layout.hpp"
#include "storage/files.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// The arguments of both routines, in the order of the Fortran interface.
struct ArrayFileKeywords {
  const CFI_cdesc_t *first, *first_in_file, *shape_in_file;
  const char *update, *type_in_file, *order, *format;
  const std::int64_t* offset;
  const char* descr;
  std::size_t descr_length;
  const bool* consume;
};

// A file of the C interface, its lists, its name and its description.
struct OwnedArrayFile {
  OwnedArrayFile(const CFI_cdesc_t* shape_array, const CFI_cdesc_t* array, std::string_view padded_name,
                 const ArrayFileKeywords& keywords, std::size_t dims)
      : name(trimmed(padded_name.data(), padded_name.size())),
        shape(list("shape", shape_array, dims)),
        first(list("first", keywords.first, dims)),
        first_in_file(list("first_in_file", keywords.first_in_file, dims)),
        shape_in_file(list("shape_in_file", keywords.shape_in_file, dims)),
        elements(elements_of(array, keywords.descr, keywords.descr_length)) {
    const auto letter = [](const char* passed) { return passed != nullptr && *passed != ' ' ? *passed : '\0'; };
    scalars.type = elements.type;
    if (scalars.type == 0) scalars.bytes = elements.array.element_bytes;
    scalars.update = letter(keywords.update), scalars.type_in_file = letter(keywords.type_in_file);
    scalars.order = letter(keywords.order), scalars.format = letter(keywords.format);
    scalars.offset = keywords.offset != nullptr ? *keywords.offset : 0;
    scalars.consume = *keywords.consume ? 1 : 0;
    scalars = files::with_integers_of_c(scalars, elements.descr);
  }
  /// Returns the file of the C interface, which refers to this object.
  xredist_array_file get() const {
    const auto pointer = [](const std::vector<std::int64_t>& given) { return given.empty() ? nullptr : given.data(); };
    xredist_array_file file = scalars;
    file.name = name.c_str();
    file.shape = shape.data(), file.first = pointer(first);
    file.first_in_file = pointer(first_in_file), file.shape_in_file = pointer(shape_in_file);
    if (!elements.descr.empty()) file.descr = elements.descr.c_str();
    return file;
  }

  std::string name;
  std::vector<std::int64_t> shape, first, first_in_file, shape_in_file;
  Elements elements;
  xredist_array_file scalars{};

 private:
  static std::vector<std::int64_t> list(const char* of, const CFI_cdesc_t* passed, std::size_t dims) {
    std::vector<std::int64_t> numbers = integers_of<std::int64_t>(passed);
    if (passed != nullptr) demand_entries(of, std::ssize(numbers), "layout", dims);
    return numbers;
  }
};

// The arguments of a call.
struct OnArray {
  OwnedArrayLayout layout;
  OwnedArrayFile file;
};

// The local array of a call.
struct LocalOfCall {
  FortranArray array;
  const char* name;

  // Checks the array against what a call accesses, as executions of plans do. Returns whether the array has strides of
  // its own, and sets them.
  bool operator()(const ArrayPart& accessed, files::Sizes& strides) const {
    std::string reason = mismatch(array, accessed, array.element_bytes, Type::bits);
    if (reason.empty()) return has_own_strides(array, accessed, strides);
    constexpr std::string_view plan = "the plan";
    if (const std::size_t at = reason.find(plan); at != std::string::npos)
      reason.replace(at, plan.size(), "the layout");
    throw InvalidArgument(std::string(name) + " " + reason);
  }
};

// Returns the code of a failure, and puts its sentence into the words of the module. Without memory, it stays.
int in_words_of_fortran(int code) {
  if (code == XREDIST_SUCCESS) return code;
  try {
    constexpr std::string_view member = "layout.shape", protected_member = "layout.SHAPE";  // no argument of the call
    const auto replaced = [](std::string text, std::string_view old, std::string_view by) {
      if (const std::size_t at = text.find(old); at != std::string::npos) text.replace(at, old.size(), by);
      return text;
    };
    const Failure failure = in_fortran(Failure(code, replaced(xredist_error(), member, protected_member)));
    return xredist_fail(code, replaced(failure.what(), protected_member, member).c_str());
  } catch (const std::bad_alloc&) {
    return code;
  }
}

using Work = void (*)(const files::PassedArray&, const xredist_array_file*, const Failure*);

int on_array(Work work, const char* name, const xredist_int* comm, const CFI_cdesc_t* shape, const CFI_cdesc_t* array,
             const FortranArrayLayout* layout, std::string_view file_name, const ArrayFileKeywords& keywords,
             const ArrayLists& lists) {
  return in_words_of_fortran(coded([&] {
    const LocalOfCall local{array_of(array), name};
    const auto arguments = attempt([&] {
      if (local.array.storage == Storage::foreign)
        throw InvalidArgument(std::string(name) +
                              " is described by a Fortran compiler that this library was not built with");
      OwnedArrayLayout owned(*layout, "layout", lists);
      const std::size_t dims = owned.axes.size();
      return OnArray{std::move(owned), {shape, array, file_name, keywords, dims}};
    });
    const OnArray* const passed = arguments.get();
    const xredist_array_layout of_array = passed != nullptr ? passed->layout.get() : xredist_array_layout{};
    const xredist_array_file file = passed != nullptr ? passed->file.get() : xredist_array_file{};
    work({communicator_from(*comm), &of_array, local.array.address, nullptr, std::ref(local)}, &file,
         arguments.failure());
  }));
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

#define XREDIST_ARRAY_FILE_ARGUMENTS                                                                                   \
  const FortranArrayLayout *layout, const char *file, std::size_t length, XREDIST_KEYWORDS_ONLY,                       \
      const CFI_cdesc_t *first, const CFI_cdesc_t *first_in_file, const CFI_cdesc_t *shape_in_file,                    \
      const char *update, const char *type_in_file, const char *order, const char *format, const std::int64_t *offset, \
      const char *descr, std::size_t descr_length, const bool *consume, const CFI_cdesc_t *bounds,                     \
      const CFI_cdesc_t *owners, const CFI_cdesc_t *ranks, xredist_int *info
#define XREDIST_PASSED_ARRAY_FILE                                                                   \
  layout, {file, length}, {first,  first_in_file, shape_in_file, update,       type_in_file, order, \
                           format, offset,        descr,         descr_length, consume},            \
  {                                                                                                 \
    ranks, bounds, owners                                                                           \
  }

extern "C" {

XREDIST_API void xredist_fortran_write_array(const xredist_int* comm, const CFI_cdesc_t* shape, const CFI_cdesc_t* a,
                                             XREDIST_ARRAY_FILE_ARGUMENTS) {
  const int code = on_array(xredist::files::write_array, "a", comm, shape, a, XREDIST_PASSED_ARRAY_FILE);
  set_info("XREDIST_WRITE", code, info, true);
}

XREDIST_API void xredist_fortran_read_array(const xredist_int* comm, const CFI_cdesc_t* shape, const CFI_cdesc_t* b,
                                            XREDIST_ARRAY_FILE_ARGUMENTS) {
  const int code = on_array(xredist::files::read_array, "b", comm, shape, b, XREDIST_PASSED_ARRAY_FILE);
  set_info("XREDIST_READ", code, info, true);
}

}  // extern "C"
