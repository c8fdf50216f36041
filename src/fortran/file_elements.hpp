// SPDX-License-Identifier: BSD-3-Clause
// Files as module xredist_files passes them: the struct of the C interface, texts, and the elements of local arrays.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "api/failure.hpp"
#include "blacs/context_files.hpp"
#include "fortran/arrays.hpp"
#include "scalapack/matrix_arguments.hpp"
#include "storage/entry_names.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::core {

/// The texts of a file, which may end with blanks.
struct FileTexts {
  std::string_view name, descr;
};

/// A local array, and what the C interface says about its elements.
struct Elements {
  FortranArray array;
  char type = 0;
  std::string descr{};  ///< NumPy's description, of elements without a letter; may be empty
};

/// Returns the array and its elements. Those that the argument DESCR describes are copied.
inline Elements elements_of(const CFI_cdesc_t* passed, std::string_view descr) {
  Elements elements{.array = array_of(passed)};
  if (!descr.empty()) {
    elements.descr = trimmed(descr.data(), descr.size());
    return elements;
  }
  const Type type = element_type(elements.array);
  constexpr std::pair<Type, char> letters[] = {
      {fortran_integer, 'I'}, {Type::real, 'S'}, {Type::real64, 'D'}, {Type::complex, 'C'}, {Type::complex64, 'Z'}};
  for (const auto& [named, letter] : letters)
    if (named == type) elements.type = letter;
  if (elements.type == 0) elements.descr = descr_of(elements.array);
  return elements;
}

/// A file of the C interface, xredist_file or xredist_array_file, with its texts. Not copied: `in_c` points into it.
template <class File>
struct OwnedFile {
  OwnedFile(const File& numbers, const FileTexts& texts, const CFI_cdesc_t* array)
      : name(trimmed(texts.name.data(), texts.name.size())), elements(elements_of(array, texts.descr)), in_c(numbers) {
    in_c.type = elements.type;
    if (in_c.type == 0) in_c.bytes = elements.array.element_bytes;
    in_c = files::with_integers_of_c(in_c, elements.descr);
    in_c.name = name.c_str();
    if (!elements.descr.empty()) in_c.descr = elements.descr.c_str();
  }
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;

  std::string name;
  Elements elements;
  File in_c;
};

/// Runs the body of a routine for files, whose messages name arguments of Fortran, and returns its code.
template <class Body>
int coded_with_files(const Body& body) noexcept {
  const InFortran names;
  const files::InFortran names_in_files;
  return files::coded(body);
}

}  // namespace xredist::core
