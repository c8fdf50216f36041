// SPDX-License-Identifier: BSD-3-Clause
// The elements of local arrays that Fortran programs write to files, or read.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "fortran/arrays.hpp"
#include "scalapack/matrix_arguments.hpp"

namespace xredist::core {

/// A local array, and what the C interface says about its elements.
struct Elements {
  FortranArray array;
  char type = 0;
  std::string descr{};  ///< NumPy's description, of elements without a letter; may be empty
};

/// Returns the array and its elements. Those that the argument DESCR describes are copied.
inline Elements elements_of(const CFI_cdesc_t* passed, const char* descr, std::size_t descr_length) {
  Elements elements{.array = array_of(passed)};
  if (descr_length > 0) {
    elements.descr = trimmed(descr, descr_length);
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

}  // namespace xredist::core
