// SPDX-License-Identifier: BSD-3-Clause
/// fit.h for C++17:
///
///   const xredist::FittedMatrix fitted = xredist::fit(ctxt, n, n, desca, xredist::rules_for("elpa"));
///   std::vector<double> local(fitted.elements()), w(n);
///   if (fitted.member()) solve(local, fitted.desc.data(), w);
///   xredist::tell(ctxt, fitted.desc.data(), w.data(), w.size());
///
/// With a communicator, fit() takes and returns a Layout. The functions with a ctxt are in blacs.hpp, and need a
/// library with BLACS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "xredist/fit.h"
#include "xredist/layout.hpp"

namespace xredist {

using Rules = xredist_rules;

/// Returns the rules of a solver (xredist_rules_for).
inline Rules rules_for(const std::string& solver) {
  Rules rules;
  check(xredist_rules_for(solver.c_str(), &rules));
  return rules;
}

/// Returns the layout that xredist_fit chooses, with its ranks.
inline Layout fit(MPI_Comm comm, std::int64_t m, std::int64_t n, const Layout& a,
                  const Rules& rules = rules_for("scalapack")) {
  int running = 0, over = 0, size = 1;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running != 0 && over == 0 && comm != MPI_COMM_NULL) MPI_Comm_size(comm, &size);
  Layout b;
  b.ranks.resize(static_cast<std::size_t>(size));
  std::optional<detail::Described> described;
  try {
    described.emplace("a", a);
  } catch (...) {  // other processes may wait for this one
    xredist_fit(comm, m, n, nullptr, &rules, nullptr, nullptr);
    throw;
  }
  const xredist_layout& of_a = *described;
  xredist_layout of_c;
  check(xredist_fit(comm, m, n, &of_a, &rules, &of_c, b.ranks.data()));
  b.nprow = of_c.nprow, b.npcol = of_c.npcol;
  b.mb = of_c.mb, b.nb = of_c.nb;
  b.ranks.resize(static_cast<std::size_t>(b.nprow) * static_cast<std::size_t>(b.npcol));
  return b;
}

/// Copies `count` values from the first process of B's grid to all processes (xredist_tell).
template <class T>
void tell(MPI_Comm comm, const Layout& b, T* values, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied as bytes");
  const detail::Described described("b", b);
  const xredist_layout& of_b = described;
  check(xredist_tell(comm, &of_b, values, static_cast<std::int64_t>(count * sizeof(T))));
}

}  // namespace xredist
