// SPDX-License-Identifier: BSD-3-Clause
// usage: wrong_pivots CASE   calls PDLASWP or PDLAPIV with a wrong argument, or lets an allocation of theirs fail. Both
// must end the program.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "grid.hpp"
#include "ranks.hpp"

extern "C" {
void pdlaswp_(const char*, const char*, const xredist_int*, double*, const xredist_int*, const xredist_int*,
              const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*);
void pdlapiv_(const char*, const char*, const char*, const xredist_int*, const xredist_int*, double*,
              const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*,
              const xredist_int*, const xredist_int*, xredist_int*);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) return 2;
  const std::string wrong = argv[1];
  {
    const xredist::testing::Context grid(xredist::testing::row_major(xredist::testing::size(), 1));
    std::array<xredist_int, 9> desc{1, grid.handle(), 8, 8, 8, 8, 0, 0, 8}, descip = desc;
    std::vector<double> a(64);
    std::vector<xredist_int> ipiv{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0};
    xredist_int n = 8, ja = 1, k2 = 8, ip = 1;
    const xredist_int one = 1;
    if (wrong == "pivot") ipiv[2] = 9;
    if (wrong == "n") n = -1;
    if (wrong == "columns") ja = 2;
    if (wrong == "rows") k2 = 9;
    if (wrong == "block") desc[4] = 0;
    if (wrong == "source") desc[7] = 1;
    if (wrong == "lld") desc[8] = 7;
    if (wrong == "context") desc[1] = -1;
    if (wrong == "ip") ip = 0;
    if (wrong == "vector") descip[4] = -3;
    if (wrong.starts_with("memory")) {
      ipiv[0] = 8;
      xredist::testing::fail_allocation(wrong.back() - '0');
    }
    const xredist::testing::Counted counted;
    if (wrong == "ip" || wrong == "vector")
      pdlapiv_("F", "R", "C", &n, &n, a.data(), &one, &one, desc.data(), ipiv.data(), &ip, &one, descip.data(),
               nullptr);
    else
      pdlaswp_("F", "R", &n, a.data(), &one, &ja, desc.data(), &one, &k2, ipiv.data());
    std::puts("not ended");
  }
  MPI_Finalize();
  return 0;
}
