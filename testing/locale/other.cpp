// SPDX-License-Identifier: BSD-3-Clause
// Preloaded: changes the locale of a program before it begins, in C++ (1.000.000 for a million, 1,5) and, if the locale
// of the environment is installed, in C.
#include <clocale>
#include <iostream>
#include <locale>
#include <string>

namespace {

struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

[[gnu::constructor]] void change() {
  const std::ios_base::Init streams;
  const std::locale other(std::locale::classic(), new Grouped);
  std::locale::global(other);
  for (std::ostream* stream : {&std::cout, &std::cerr}) stream->imbue(other);
  std::setlocale(LC_NUMERIC, "");
}

}  // namespace
