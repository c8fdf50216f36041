// SPDX-License-Identifier: BSD-3-Clause
// What becomes of elements on their way: B := beta B + alpha op(A).
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>

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

/// A value of B's type. An integer of 64 bits is exact, which a double would not be.
class Scalar {
 public:
  Scalar(std::complex<double> x) : value_(x) {}
  Scalar(double x) : value_(x) {}
  template <std::integral T>
  Scalar(T x) : value_(static_cast<double>(x)), integer_(x) {}

  operator std::complex<double>() const { return value_; }
  std::int64_t integer() const { return integer_; }  ///< of an integer type
  friend bool operator==(const Scalar& x, double y) { return x.value_ == y; }

 private:
  std::complex<double> value_;
  std::int64_t integer_ = 0;
};

/// Known when an exchange starts.
struct Scalars {
  Scalar alpha = 1, beta = 0;
};

/// What unpacking makes of elements of A, or of what came of them, and of those of B: b := beta b + alpha a, with a
/// conjugated or not. Sums and products are rounded one by one, as those of PBLAS are.
struct Change {
  Change(Type from, Type to, bool conjugates, const Scalars& factors);

  Type a, b;
  bool conjugated;
  Scalars scalars;
  using Combine = void (*)(const Scalars&, const std::byte* a, std::byte* b, Index n);
  Combine combine;  ///< of B's type
};

// All for n elements that follow each other, at any address.

/// y := x, as a Fortran assignment converts: to the real part, towards zero, or rounded to the nearest value.
void convert(Type from, Type to, const std::byte* x, std::byte* y, Index n);
/// Where alpha or beta is 0, a or b is not read.
void change(const Change& how, const std::byte* a, std::byte* b, Index n);

/// The rows x cols matrix `from` becomes the cols x rows matrix `to`, both without gaps; elements of 4, 8 or 16 bytes.
void transpose(Index bytes, const std::byte* from, Index rows, Index cols, std::byte* to);

}  // namespace xredist::core
