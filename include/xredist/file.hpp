// SPDX-License-Identifier: BSD-3-Clause
/// file.h for C++17: checked element types and array sizes, and errors as exceptions.
///
///   xredist::write<double>(comm, layout, local, "a.npy", {.m = m, .n = n});
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "xredist/file.h"
#include "xredist/view.hpp"

namespace xredist {
namespace detail {

/// A file whose elements in memory are of type T.
template <class T>
xredist_file file_of(const std::string& name, xredist_file file) {
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

/// Returns the matrix in a file of NumPy (xredist_file_query).
inline xredist_file_info file_info(MPI_Comm comm, const std::string& name) {
  xredist_file_info info{};
  check(xredist_file_query(comm, name.c_str(), &info));
  return info;
}

}  // namespace xredist
