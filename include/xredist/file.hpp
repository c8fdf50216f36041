// SPDX-License-Identifier: BSD-3-Clause
/// file.h for C++17: checked element types and array sizes, and errors as exceptions.
///
///   xredist::write<double>(comm, layout, local, "a.npy", {.m = m, .n = n});
///   const xredist::ArrayLayout pencils("(*, BLOCK, BLOCK)", {1, 2, 2});
///   xredist::write<double>(comm, pencils, local, "u.npy", {.shape = {64, 48, 40}});
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xredist/array.hpp"
#include "xredist/file.h"
#include "xredist/view.hpp"

namespace xredist {

/// A subarray of a distributed array, and its place in a file, as xredist_array_file; empty vectors stand for NULL. The
/// array that is written or read has the strides, in elements; without them, it has no gaps.
struct ArrayFile {
  std::vector<std::int64_t> shape = {}, first = {}, first_in_file = {}, shape_in_file = {}, strides = {};
  char type_in_file = 0, format = 0, order = 0, update = 0;
  std::int64_t offset = 0;
  xredist_progress progress = nullptr;
  void* progress_context = nullptr;
  bool consume = false;
};

namespace detail {

/// A file whose elements in memory are of type T.
template <class T, class File>
File file_of(const std::string& name, File file) {
  constexpr Element element = Element::of<T>();
  file.name = name.c_str();
  file.type = element.letter == 'I' && element.bytes != sizeof(std::int32_t) ? '\0' : element.letter;
  file.bytes = static_cast<std::int64_t>(file.type == 0 ? element.bytes : 0);
  return file;
}

/// Checks the size of a local array: rows and columns up to the end of the submatrix.
template <class T>
void demand_size(const char* name, MPI_Comm comm, const Layout& layout, const View<T>& array,
                 const xredist_file& file) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto end = [](std::int64_t first, std::int64_t count) { return std::max<std::int64_t>(first, 1) - 1 + count; };
  const LocalSize size = local_size(layout, end(file.i, file.m), end(file.j, file.n), rank);
  Side{Element::of<T>(), size.rows, size.cols}.demand(name, array.element, array.data, array.ld, array.size);
}

/// Returns a file in the form of the C interface, with pointers into the ArrayFile and the name.
template <class T>
xredist_array_file described(const std::string& name, const ArrayFile& file, std::size_t dims) {
  const auto numbers = [&](const char* member, const std::vector<std::int64_t>& given, bool may_be_empty) {
    if (given.size() != dims && !(may_be_empty && given.empty()))
      invalid(std::string("file.") + member + " has " + std::to_string(given.size()) + " numbers, layout has " +
              std::to_string(dims) + " axes");
    return given.empty() ? nullptr : given.data();
  };
  xredist_array_file of_c = file_of<T>(name, xredist_array_file{});
  of_c.shape = numbers("shape", file.shape, false);
  of_c.first = numbers("first", file.first, true);
  of_c.first_in_file = numbers("first_in_file", file.first_in_file, true);
  of_c.shape_in_file = numbers("shape_in_file", file.shape_in_file, true);
  numbers("strides", file.strides, true);
  of_c.type_in_file = file.type_in_file, of_c.format = file.format, of_c.order = file.order, of_c.update = file.update;
  of_c.offset = file.offset;
  of_c.progress = file.progress, of_c.progress_context = file.progress_context;
  of_c.consume = file.consume ? 1 : 0;
  return of_c;
}

/// Checks the size of a local array: the elements up to the end of the subarray or, if the layout has a shape, all.
template <class T>
void demand_size(const char* name, MPI_Comm comm, const ArrayLayout& layout, const View<T>& array,
                 const ArrayFile& file) {
  if (array.size < 0) return;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const std::vector<std::int64_t> local = local_extents(layout, file.shape, file.first, {}, rank);
  std::int64_t needed = 1;
  for (std::size_t k = 0; k < local.size(); ++k) {
    if (local[k] == 0) return;
    needed = file.strides.empty() ? needed * local[k] : needed + (local[k] - 1) * file.strides[k];
  }
  if (array.size < needed)
    invalid(std::string(name) + " has " + std::to_string(array.size) + " elements, must have at least " +
            std::to_string(needed));
}

/// Checks the arguments. If `check` throws, makes the call that other processes wait for, which fails too.
template <class Check, class Call>
void checked_call(const Check& check, const Call& call) {
  try {
    check();
  } catch (...) {
    call();
    throw;
  }
}

/// Checks the arguments of a call with an array, and makes the call.
template <class T, class Call>
void on_array(const char* array, MPI_Comm comm, const ArrayLayout& layout, const View<T>& view, const std::string& name,
              const ArrayFile& file, const Call& call) {
  std::optional<DescribedArray> of_c;
  xredist_array_file of_t{};
  checked_call(
      [&] {
        of_c.emplace("layout", layout);
        of_t = described<T>(name, file, layout.axes.size());
        demand_size(array, comm, layout, view, file);
      },
      [&] { call(nullptr, nullptr, nullptr); });
  check(call(of_c->get(), file.strides.empty() ? nullptr : file.strides.data(), &of_t));
}

}  // namespace detail

/// Writes a submatrix of a matrix of elements T (xredist_write). `file`: its members but for name, type and bytes.
template <class T>
void write(MPI_Comm comm, const Layout& layout, detail::Argument<const T> a, const std::string& name,
           const xredist_file& file) {
  detail::checked_call([&] { detail::demand_size<const T>("a", comm, layout, a.view, file); },
                       [&] { xredist_write(comm, nullptr, nullptr, 0, nullptr); });
  const detail::Described described("layout", layout);
  const xredist_layout& of_c = described;
  const xredist_file of_t = detail::file_of<T>(name, file);
  check(xredist_write(comm, &of_c, a.view.data, a.view.ld, &of_t));
}

/// Reads a submatrix (xredist_read).
template <class T>
void read(MPI_Comm comm, const Layout& layout, detail::Argument<T> b, const std::string& name,
          const xredist_file& file) {
  detail::checked_call([&] { detail::demand_size<T>("b", comm, layout, b.view, file); },
                       [&] { xredist_read(comm, nullptr, nullptr, 0, nullptr); });
  const detail::Described described("layout", layout);
  const xredist_layout& of_c = described;
  const xredist_file of_t = detail::file_of<T>(name, file);
  check(xredist_read(comm, &of_c, b.view.data, b.view.ld, &of_t));
}

/// Writes a subarray of an array of elements T (xredist_array_write).
template <class T>
void write(MPI_Comm comm, const ArrayLayout& layout, detail::Argument<const T> a, const std::string& name,
           const ArrayFile& file) {
  detail::on_array("a", comm, layout, a.view, name, file,
                   [&](const xredist_array_layout* of_c, const std::int64_t* strides, const xredist_array_file* of_t) {
                     return xredist_array_write(comm, of_c, a.view.data, strides, of_t);
                   });
}

/// Reads a subarray (xredist_array_read).
template <class T>
void read(MPI_Comm comm, const ArrayLayout& layout, detail::Argument<T> b, const std::string& name,
          const ArrayFile& file) {
  detail::on_array("b", comm, layout, b.view, name, file,
                   [&](const xredist_array_layout* of_c, const std::int64_t* strides, const xredist_array_file* of_t) {
                     return xredist_array_read(comm, of_c, b.view.data, strides, of_t);
                   });
}

/// Returns the matrix in a file of NumPy (xredist_file_query).
inline xredist_file_info file_info(MPI_Comm comm, const std::string& name) {
  xredist_file_info info{};
  check(xredist_file_query(comm, name.c_str(), &info));
  return info;
}

/// Returns the array in a file of NumPy (xredist_array_file_query).
inline xredist_array_file_info array_file_info(MPI_Comm comm, const std::string& name) {
  xredist_array_file_info info{};
  check(xredist_array_file_query(comm, name.c_str(), &info));
  return info;
}

}  // namespace xredist
