// SPDX-License-Identifier: BSD-3-Clause
// Names of arguments in messages: those of C, and those of the Fortran modules.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "api/arguments.hpp"

namespace xredist::testing {
namespace {

using namespace core;

TEST(ArgumentNames, AreThoseOfTheInterface) {
  const struct {
    ArgumentRef name;
    const char *in_c, *in_fortran;
  } cases[] = {{{"m"}, "m", "m"},
               {{"a", -1, ".nprow"}, "a.nprow", "a.nprow"},
               {{"a", -1, ".rows"}, "a.rows", "rows_a"},
               {{"layout", -1, ".cols"}, "layout.cols", "cols"},
               {{"b", 2, ".ranks[]"}, "b.ranks[2]", "ranks_b(3)"},
               {{"layout", 0, ".ranks[]"}, "layout.ranks[0]", "ranks(1)"},
               {{"a", 1, ".axes[].procs"}, "a.axes[1].procs", "a.grid(2)"},
               {{"a", 1, ".axes[].source"}, "a.axes[1].source", "a.source(2)"},
               {{"a", 1, ".axes[].partition"}, "a.axes[1].partition", "a, axis 2"},
               {{"b", 0, ".axes[]"}, "b.axes[0]", "b, axis 1"},
               {{"b", 3, ".order[]"}, "b.order[3]", "b.order(4)"},
               {{"operation", 0, ".first_a[]"}, "operation.first_a[0]", "first_a(1)"},
               {{"operation", -1, ".conj"}, "operation.conj", "conj"},
               {{"operation", -1, ".rows_a"}, "operation.rows_a", "list_rows_a"},
               {{"operation", 1, ".lists_b[]"}, "operation.lists_b[1]", "lists_b(2)"},
               {{"operation"}, "operation", "operation"},
               {{"grid", 1, "[]"}, "grid[1]", "grid(2)"}};
  for (const auto& [name, in_c, in_fortran] : cases) {
    EXPECT_EQ(text_of(name, Face::c), in_c);
    EXPECT_EQ(text_of(name, Face::fortran), in_fortran);
  }
}

TEST(ArgumentNames, AreOfFortranOnTheThreadThatCallsFromThere) {
  const ArgumentRef name{"grid", 1, "[]"};
  {
    const InFortran names;
    EXPECT_EQ(text_of(name), "grid(2)");
    EXPECT_EQ(first_number(), 1);
    std::string elsewhere;
    std::thread([&] { elsewhere = text_of(name); }).join();
    EXPECT_EQ(elsewhere, "grid[1]");
  }
  EXPECT_EQ(text_of(name), "grid[1]");
  EXPECT_EQ(first_number(), 0);
}

}  // namespace
}  // namespace xredist::testing
