// SPDX-License-Identifier: BSD-3-Clause
// What becomes of elements on their way: B := beta B + alpha op(A).
#pragma once

#include <complex>
#include <cstddef>

#include "layout/axis.hpp"

namespace xredist::core {

/// The type of an element. Bits: any, of which nothing is known but the size.
enum class Type { bits, integer, integer64, real, real64, complex, complex64 };

/// Bytes of an element; `bits` of them where only they are known.
Index bytes_of(Type type, Index bits);

/// Whether one of the types has all values of the other.
bool convertible(Type from, Type to);

/// Known when a plan is made. The smaller type travels.
struct Operation {
  Type a = Type::bits, b = Type::bits;
  bool transposed = false;  ///< the rows that move are columns of A
  bool conjugated = false;

  bool narrows(Index bits) const { return a != b && bytes_of(b, bits) < bytes_of(a, bits); }
  Type carried(Index bits) const { return narrows(bits) ? b : a; }

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// Known when an exchange starts; values of B's type.
struct Scalars {
  std::complex<double> alpha = 1, beta = 0;
};

// All for n elements that follow each other, at any address. Sums and products are rounded one by one, as those of
// PBLAS are.

/// y := x, as a Fortran assignment converts: to the real part, towards zero, or rounded to the nearest value.
void convert(Type from, Type to, const std::byte* x, std::byte* y, Index n);
/// y := alpha y, or 0 whatever y is if alpha is 0.
void scale(Type type, std::complex<double> alpha, std::byte* y, Index n);
void conjugate(Type type, std::byte* y, Index n);
/// y := y + beta b.
void add(Type type, std::complex<double> beta, const std::byte* b, std::byte* y, Index n);

/// The rows x cols matrix `from` becomes the cols x rows matrix `to`, both without gaps; elements of 4, 8 or 16 bytes.
void transpose(Index bytes, const std::byte* from, Index rows, Index cols, std::byte* to);

}  // namespace xredist::core
