// SPDX-License-Identifier: BSD-3-Clause
// Numbers in tables, files and arguments have one form.
#pragma once

#include <iostream>
#include <locale>

namespace cases {

/// Makes the program read and write numbers as in the locale C, by functions of C and by streams, whatever locale a
/// library of the program (MPI's plugins, a tracer) has chosen. Called once, before streams are made, by `main`, which
/// alone may decide that.
inline void use_classic_locale() {
  std::locale::global(std::locale::classic());  // also calls setlocale
  for (std::ostream* stream : {&std::cout, &std::cerr}) stream->imbue(std::locale::classic());
  std::cin.imbue(std::locale::classic());
}

}  // namespace cases
