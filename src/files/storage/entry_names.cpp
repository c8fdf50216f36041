// SPDX-License-Identifier: BSD-3-Clause
#include "storage/entry_names.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

namespace xredist::files {
namespace {

thread_local bool names_are_of_fortran = false;

// Names that differ without an entry.
struct OtherName {
  std::string_view in_c;
  const char* in_fortran;
};
constexpr OtherName other_names[] = {{"layout.ranks", "ranks"}, {"layout.rows", "rows"}, {"layout.cols", "cols"},
                                     {"file.name", "file"},     {"rows", "file_rows"},   {"cols", "file_cols"}};

const char* name_in_fortran(const char* name) {
  const auto* found = std::ranges::find(other_names, std::string_view(name), &OtherName::in_c);
  return found != std::end(other_names) ? found->in_fortran : name;
}

}  // namespace

InFortran::InFortran() noexcept { names_are_of_fortran = true; }
InFortran::~InFortran() { names_are_of_fortran = false; }

std::array<char, 64> entry_name(const char* list, int k, const char* member) noexcept {
  using namespace std::string_view_literals;
  std::array<char, 64> name{};
  const auto print = [&](const char* format, auto... values) {
    std::snprintf(name.data(), name.size(), format, values...);
  };
  const bool of_axes = list == "layout.axes"sv;
  if (names_are_of_fortran) list = name_in_fortran(list);
  if (k < 0)
    print("%s", list);
  else if (!names_are_of_fortran)
    print("%s[%d]%s", list, k, member);
  else if (!of_axes)
    print("%s(%d)", list, k + 1);
  else
    print(member == ".procs"sv ? "layout.grid(%d)" : "layout, axis %d", k + 1);
  return name;
}

}  // namespace xredist::files
