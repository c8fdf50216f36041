// SPDX-License-Identifier: BSD-3-Clause
#include "copy/operation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace xredist::core {
namespace {

template <class T>
struct Complex {
  T real, imaginary;
};

template <class T>
constexpr bool is_complex_number = false;
template <class T>
constexpr bool is_complex_number<Complex<T>> = true;

// Calls visit(T()) for the type T that `type` names; does nothing for Type::bits.
template <class Visit>
void with(Type type, Visit visit) {
  const auto is = [&](Type candidate, auto element) {
    if (type == candidate) visit(element);
  };
  is(Type::integer, std::int32_t());
  is(Type::integer64, std::int64_t());
  is(Type::real, float());
  is(Type::real64, double());
  is(Type::complex, Complex<float>());
  is(Type::complex64, Complex<double>());
}

template <class T>
T load(const std::byte* from, Index k) {
  T x;
  std::memcpy(&x, from + k * static_cast<Index>(sizeof(T)), sizeof(T));
  return x;
}

template <class T>
void store(std::byte* to, Index k, const T& x) {
  std::memcpy(to + k * static_cast<Index>(sizeof(T)), &x, sizeof(T));
}

template <class To, class From>
To converted(const From& x) {
  if constexpr (is_complex_number<To> && is_complex_number<From>)
    return {converted<decltype(To::real)>(x.real), converted<decltype(To::real)>(x.imaginary)};
  else if constexpr (is_complex_number<To>)
    return {converted<decltype(To::real)>(x), 0};
  else if constexpr (is_complex_number<From>)
    return converted<To>(x.real);
  else
    return static_cast<To>(x);
}

template <class T>
T value_of(const Scalar& scalar) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(scalar.integer());
  const std::complex<double> x = scalar;
  return converted<T>(Complex<double>{x.real(), x.imag()});
}

// Integers wrap around on overflow.
template <class T>
T sum(const T& x, const T& y) {
  if constexpr (is_complex_number<T>)
    return {x.real + y.real, x.imaginary + y.imaginary};
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::make_unsigned_t<T>(x) + std::make_unsigned_t<T>(y));
  else
    return x + y;
}

template <class T>
T product(const T& x, const T& y) {
  if constexpr (is_complex_number<T>)
    return {x.real * y.real - x.imaginary * y.imaginary, x.real * y.imaginary + x.imaginary * y.real};
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::make_unsigned_t<T>(x) * std::make_unsigned_t<T>(y));
  else
    return x * y;
}

void conjugate(Type type, std::byte* y, Index n) {
  with(type, [&]<class T>(T) {
    if constexpr (is_complex_number<T>)
      for (Index k = 0; k < n; ++k) {
        const T x = load<T>(y, k);
        store(y, k, T{x.real, -x.imaginary});
      }
  });
}

// Elements with the factor 0 are not read. Elements with the factor 1 stay as they are: a complex product would change
// infinities and the signs of zeros.
enum class Factor { zero, one, other };

Factor kind_of(std::complex<double> factor) {
  return factor == 0.0 ? Factor::zero : factor == 1.0 ? Factor::one : Factor::other;
}

template <Factor kind, class T>
T multiple(const T& factor, const std::byte* x, Index k) {
  if constexpr (kind == Factor::zero)
    return T();
  else if constexpr (kind == Factor::one)
    return load<T>(x, k);
  else
    return product(factor, load<T>(x, k));
}

// Computes b := beta b + alpha a.
template <class T, Factor of_a, Factor of_b>
void axpby_kernel(const Scalars& scalars, const std::byte* a, std::byte* b, Index n) {
  const T alpha = value_of<T>(scalars.alpha), beta = value_of<T>(scalars.beta);
  for (Index k = 0; k < n; ++k) {
    T y = multiple<of_a>(alpha, a, k);
    if constexpr (of_b != Factor::zero) y = sum(y, multiple<of_b>(beta, b, k));
    store(b, k, y);
  }
}

template <class T, Factor of_a>
Update::Axpby axpby_with(Factor of_b) {
  using enum Factor;
  return of_b == zero  ? axpby_kernel<T, of_a, zero>
         : of_b == one ? axpby_kernel<T, of_a, one>
                       : axpby_kernel<T, of_a, other>;
}

template <class T>
Update::Axpby axpby_with(Factor of_a, Factor of_b) {
  using enum Factor;
  return of_a == zero ? axpby_with<T, zero>(of_b) : of_a == one ? axpby_with<T, one>(of_b) : axpby_with<T, other>(of_b);
}

// Elements: converted and conjugated ones stay in the first cache until they are added.
constexpr Index chunk_elements = 512;

}  // namespace

Index bytes_of(Type type, Index bits) {
  if (type == Type::bits) return bits;
  with(type, [&](auto element) { bits = sizeof element; });
  return bits;
}

Update::Update(Type from, Type to, bool conjugates, const Scalars& factors)
    : a(from), b(to), conjugated(conjugates), scalars(factors), axpby(nullptr) {
  with(b, [&]<class T>(T) { axpby = axpby_with<T>(kind_of(scalars.alpha), kind_of(scalars.beta)); });
}

bool convertible(Type from, Type to) {
  using enum Type;
  constexpr std::array<std::array<Type, 2>, 7> pairs{{{integer, real64},
                                                      {integer, complex64},
                                                      {real, real64},
                                                      {real, complex},
                                                      {real, complex64},
                                                      {real64, complex64},
                                                      {complex, complex64}}};
  return from == to || std::ranges::any_of(pairs, [&](const auto& pair) {
           return (pair[0] == from && pair[1] == to) || (pair[0] == to && pair[1] == from);
         });
}

void convert(Type from, Type to, const std::byte* x, std::byte* y, Index n) {
  with(from, [&]<class From>(From) {
    with(to, [&]<class To>(To) {
      for (Index k = 0; k < n; ++k) store(y, k, converted<To>(load<From>(x, k)));
    });
  });
}

void make_real(Type type, std::byte* x) {
  with(type, [&]<class T>(T) {
    if constexpr (is_complex_number<T>) store(x, 0, T{load<T>(x, 0).real, 0});
  });
}

void update(const Update& how, const std::byte* a, std::byte* b, Index n) {
  if (how.a == how.b && !how.conjugated) return how.axpby(how.scalars, a, b, n);
  std::array<std::byte, chunk_elements * sizeof(Complex<double>)> chunk;
  const Index step_a = bytes_of(how.a, 0), step_b = bytes_of(how.b, 0);
  for (Index done = 0; done < n; done += chunk_elements) {
    const Index count = std::min(chunk_elements, n - done);
    convert(how.a, how.b, a + done * step_a, chunk.data(), count);
    if (how.conjugated) conjugate(how.b, chunk.data(), count);
    how.axpby(how.scalars, chunk.data(), b + done * step_b, count);
  }
}

}  // namespace xredist::core
