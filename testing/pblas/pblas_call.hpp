// SPDX-License-Identifier: BSD-3-Clause
// Calls of PBLAS's routines by their names, in ScaLAPACK and in the library.
#pragma once

#include <dlfcn.h>

#include <complex>
#include <cstddef>
#include <cstring>
#include <string>

#include "symbols.hpp"
#include "xredist/integer.h"

namespace xredist::testing {

using Value = std::complex<double>;
using Function = void (*)();

inline std::size_t bytes_of(char letter) { return letter == 's' ? 4 : letter == 'z' ? 16 : 8; }
inline bool is_complex(char letter) { return letter == 'c' || letter == 'z'; }

/// Stores a value as an element of the type `letter`.
inline void put(char letter, std::byte* to, Value x) {
  const double d[] = {x.real(), x.imag()};
  const float s[] = {static_cast<float>(d[0]), static_cast<float>(d[1])};
  const bool single = letter == 's' || letter == 'c';
  std::memcpy(to, single ? static_cast<const void*>(s) : d, bytes_of(letter));
}

/// Returns ScaLAPACK's own routine.
inline Function scalapacks(const std::string& name) {
  return reinterpret_cast<Function>(dlsym(scalapack(), name.c_str()));
}
/// Returns the library's routine.
inline Function ours(const std::string& name) { return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name.c_str())); }

/// The arguments of a call.
struct PblasCall {
  char letter;          ///< s, d, c or z: the type
  std::string letters;  ///< UPLO and TRANS, as far as the routine has them
  xredist_int m, n;
  Value alpha;
  const void* a;
  xredist_int ia, ja;
  const xredist_int* desca;
  Value beta;
  void* c;
  xredist_int ic, jc;
  const xredist_int* descc;
};

inline void call(Function routine, const PblasCall& x) {
  std::byte alpha[16], beta[16];
  put(x.letter, alpha, x.alpha);
  put(x.letter, beta, x.beta);
  const auto with = [&](auto... letters) {
    using P = const void*;
    using I = const xredist_int*;
    reinterpret_cast<void (*)(decltype(letters)..., I, I, P, P, I, I, I, P, void*, I, I, I)>(routine)(
        letters..., &x.m, &x.n, alpha, x.a, &x.ia, &x.ja, x.desca, beta, x.c, &x.ic, &x.jc, x.descc);
  };
  if (x.letters.size() == 2)
    with(&x.letters[0], &x.letters[1]);
  else if (x.letters.size() == 1)
    with(&x.letters[0]);
  else
    with();
}

}  // namespace xredist::testing
