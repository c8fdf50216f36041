// SPDX-License-Identifier: BSD-3-Clause
// Headers of NumPy's files. Format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file/numbers.hpp"

namespace xredist::files {

/// The contents of a header.
struct NpyHeader {
  std::string descr;         ///< the type of the elements, as NumPy writes it: "<f8"
  bool fortran_order;        ///< the first axis is contiguous; otherwise the last one
  std::vector<Index> shape;  ///< up to max_dims sizes; none: one element
  Index bytes;               ///< size of the header: the first element follows it
};

/// The number of bytes at the beginning of a file that npy_header_bytes() takes.
inline constexpr Index npy_prefix_bytes = 12;

/// Returns the size of the header of a file that begins with `prefix`, of npy_prefix_bytes, or of all bytes of a
/// shorter file. Throws FileError if the file is not NumPy's.
Index npy_header_bytes(std::string_view prefix);

/// Returns the contents of a header of any version of the format. Refuses what NumPy refuses, and some forms that no
/// program writes. Throws FileError.
NpyHeader parse_npy_header(std::string_view header);

/// Returns the sentence about an array that has more dimensions than the maximum.
std::string too_many_dimensions(Index dims, int most);

/// Returns the header that NumPy writes (version 1.0), with a multiple of 64 bytes.
std::string npy_header(std::string_view descr, bool fortran_order, std::span<const Index> shape);

/// An element of a file: the letter of its type, if plans convert it ('I', 'S', 'D', 'C' or 'Z'; otherwise 0), and its
/// size in bytes.
struct FileElement {
  char letter;
  Index bytes;
};

/// Returns the element that NumPy describes: no letter for elements that are only copied, such as "<i2" and, where
/// bytes have another order, ">f8". Returns nothing for structured types, Python objects, elements of more than 2^20
/// bytes or characters, and what NumPy does not know.
std::optional<FileElement> element_of(std::string_view descr);

/// Returns whether two descriptions are equal, in whatever form: "=f8" and "<f8", "?" and "|b1".
bool describe_same_elements(std::string_view descr, std::string_view other);

/// Returns a valid description in the form that NumPy writes, with the order of bytes: "<f8" for "f8", "|i1" for "i1".
std::string full_descr(std::string_view descr);

/// Returns the size of an element with this letter; 0 if no type has the letter.
Index bytes_of(char letter);

/// Returns NumPy's description of a type. `bytes`: size of an element without a letter.
std::string descr_of(char letter, Index bytes);

}  // namespace xredist::files
