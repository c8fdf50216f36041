// SPDX-License-Identifier: BSD-3-Clause
// Files as module xredist_files passes them: the struct of the C interface, and texts.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "api/failure.hpp"
#include "blacs/context_files.hpp"
#include "fortran/arrays.hpp"
#include "scalapack/matrix_arguments.hpp"

namespace xredist::core {

/// Returns the letter of an array's elements in the C interface; '\0' if they have none.
inline char letter_of_elements(const FortranArray& array) {
  constexpr std::pair<Type, char> letters[] = {
      {fortran_integer, 'I'}, {Type::real, 'S'}, {Type::real64, 'D'}, {Type::complex, 'C'}, {Type::complex64, 'Z'}};
  const Type type = element_type(array);
  for (const auto& [named, letter] : letters)
    if (named == type) return letter;
  return '\0';
}

/// A file of the C interface, xredist_file or xredist_array_file, with its texts. Not copied: `in_c` points into it.
template <class File>
struct OwnedFile {
  /// The texts may end with blanks. Elements that `descr_text` describes are copied; without it, the elements have the
  /// type of the array.
  OwnedFile(const File& numbers, std::string_view name_text, std::string_view descr_text, const FortranArray& array)
      : name(trimmed(name_text.data(), name_text.size())),
        descr(trimmed(descr_text.data(), descr_text.size())),
        in_c(numbers) {
    if (descr_text.empty()) in_c.type = letter_of_elements(array);
    if (in_c.type == 0) in_c.bytes = array.element_bytes;
    if (in_c.type == 0 && descr_text.empty()) descr = descr_of(array);
    in_c = files::with_integers_of_c(in_c, descr);
    in_c.name = name.c_str();
    if (!descr.empty()) in_c.descr = descr.c_str();
  }
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  std::string name, descr;
  File in_c;
};

/// Runs the body of a routine for files, whose messages name arguments of Fortran, and returns its code.
template <class Body>
int coded_with_files(const Body& body) noexcept {
  const InFortran names;
  return coded(body);
}

}  // namespace xredist::core
