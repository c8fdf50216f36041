// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic on elements: B := beta B + alpha op(A).
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "layout/axis.hpp"

namespace xredist::core {

/// The type of an element. `bits`: any type of which only the size is known.
enum class Type { bits, integer, integer64, real, real64, complex, complex64 };

/// Returns the bytes of an element. `bits`: the answer for Type::bits.
Index bytes_of(Type type, Index bits);

/// Returns whether one of the types has all values of the other.
bool convertible(Type from, Type to);

inline bool is_complex(Type type) { return type == Type::complex || type == Type::complex64; }

/// The part of the arithmetic that a plan knows. Packets carry the smaller of the two types.
struct Operation {
  Type a = Type::bits, b = Type::bits;
  bool transposed = false;  ///< the rows that move are columns of the array A
  bool conjugated = false;
  bool real_diagonal = false;  ///< the imaginary parts of A's diagonal count as 0; only of a triangle, not transposed

  bool narrows(Index bits) const { return a != b && bytes_of(b, bits) < bytes_of(a, bits); }
  Type carried(Index bits) const { return narrows(bits) ? b : a; }

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// A value of B's type. Integers of 64 bits are exact, which they would not be as a double.
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

/// The factors of an exchange.
struct Scalars {
  Scalar alpha = 1, beta = 0;
};

/// b := beta b + alpha a, with a converted to the type of b, and conjugated or not. Products and sums are rounded one
/// by one, as those of PBLAS are.
struct Update {
  Update(Type from, Type to, bool conjugates, const Scalars& factors);

  Type a, b;
  bool conjugated;
  Scalars scalars;
  using Axpby = void (*)(const Scalars&, const std::byte* a, std::byte* b, Index n);
  Axpby axpby;  ///< the kernel for the type of b
};

// The functions below take arrays of n contiguous elements at any address.

/// Computes y := x, converted as by a Fortran assignment: to a real type, the real part of x, rounded to nearest; to a
/// complex type, with an imaginary part of 0 unless x is complex; to an integer type, truncated towards zero.
void convert(Type from, Type to, const std::byte* x, std::byte* y, Index n);
/// Sets the imaginary part of one complex element to 0.
void make_real(Type type, std::byte* x);
/// Updates b. Reads a only if alpha is not 0, and b only if beta is not 0.
void update(const Update& how, const std::byte* a, std::byte* b, Index n);

}  // namespace xredist::core
