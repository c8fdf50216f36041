// SPDX-License-Identifier: BSD-3-Clause
/// Local arrays for C++17, with checked element types and sizes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "xredist/layout.hpp"

namespace xredist {
namespace detail {

/// The type of elements, of an array or of one side of a plan.
struct Element {
  char letter = 0;        // 'I' (any signed integer), 'S', 'D', 'C', 'Z'; 0: another type
  std::size_t bytes = 0;  // 0: unknown

  template <class T>
  static constexpr Element of() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_void_v<U>)
      return {};
    else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>)
      return {'I', sizeof(U)};
    else
      return {std::is_same_v<U, float>                  ? 'S'
              : std::is_same_v<U, double>               ? 'D'
              : std::is_same_v<U, std::complex<float>>  ? 'C'
              : std::is_same_v<U, std::complex<double>> ? 'Z'
                                                        : '\0',
              sizeof(U)};
  }
  std::string text() const {
    return (letter != 0 ? std::string("type ") + letter : std::string("no letter")) + " and " + std::to_string(bytes) +
           " bytes";
  }
};

/// The elements of A or B in a plan, and the part of the local array that executions may access.
struct Side {
  Element element;
  std::int64_t rows = 0, cols = 0;  // 0: unknown

  void demand(const char* name, const Element& of_array, const void* data, std::int64_t ld, std::int64_t size) const {
    if (of_array.bytes != 0 &&
        (of_array.bytes != element.bytes || (element.letter != 0 && of_array.letter != element.letter)))
      invalid(std::string(name) + " has elements of " + of_array.text() + ", the plan of " + element.text());
    if (rows == 0 || cols == 0 || data == nullptr || size < 0) return;
    const std::int64_t needed = (cols - 1) * std::max(ld, rows) + rows;
    if (size < needed)
      invalid(std::string(name) + " has " + std::to_string(size) + " elements, must have at least " +
              std::to_string(needed) + ", for " + std::to_string(rows) + " rows and " + std::to_string(cols) +
              " columns");
  }
};

/// alpha or beta in the type of B.
using Scalar = std::array<std::byte, 16>;

template <class T>
Scalar bytes_of(const T& value) {
  static_assert(sizeof(T) <= sizeof(Scalar));
  Scalar scalar{};
  std::memcpy(scalar.data(), &value, sizeof(T));
  return scalar;
}

template <class T>
Scalar scalar_of(const T& value, const Element& type) {
  if constexpr (!std::is_same_v<T, std::complex<double>>) {
    return bytes_of(value);  // a plan that knows T has the type of T
  } else {
    if (type.letter == 'Z') return bytes_of(value);
    if (type.letter == 'C') return bytes_of(std::complex<float>(value));
    if (value.imag() != 0) invalid(std::string("alpha or beta is complex, B has type ") + type.letter);
    if (type.letter == 'D') return bytes_of(value.real());
    if (type.letter == 'S') return bytes_of(static_cast<float>(value.real()));
    const double limit = std::ldexp(1.0, 8 * static_cast<int>(type.bytes) - 1);
    if (std::floor(value.real()) != value.real() || value.real() < -limit || value.real() >= limit)
      invalid("alpha or beta is " + std::to_string(value.real()) + ", must be an integer of B's type");
    const auto integer = static_cast<std::int64_t>(value.real());
    return type.bytes == 4 ? bytes_of(static_cast<std::int32_t>(integer)) : bytes_of(integer);
  }
}

/// True for containers that own their elements; a span owns none.
template <class Container>
struct OwnsElements : std::negation<std::is_trivially_destructible<Container>> {};
template <class T, std::size_t size>
struct OwnsElements<std::array<T, size>> : std::true_type {};
template <class Argument>
inline constexpr bool is_temporary_container =
    !std::is_reference_v<Argument> && OwnsElements<std::remove_const_t<Argument>>::value;

}  // namespace detail

/// A local array with column-major elements, from a pointer or a container, with its leading dimension. The leading
/// dimension 0 stands for the plan's own. The size of a container is checked. View<void> takes elements of any type. A
/// temporary container does not compile: its elements would be gone while the exchange is under way.
template <class T>
struct View {
  View(std::nullptr_t = nullptr) {}
  template <class U,
            class = std::enable_if_t<std::is_convertible_v<U*, T*> &&
                                     (std::is_void_v<T> || std::is_same_v<std::remove_cv_t<U>, std::remove_cv_t<T>>)>>
  View(U* pointer, std::int64_t leading = 0, std::int64_t elements = -1)
      : data(pointer), ld(leading), size(elements), element(detail::Element::of<U>()) {}
  template <
      class Container, class Pointer = decltype(std::declval<Container&>().data()),
      class = std::enable_if_t<std::is_constructible_v<View, Pointer> && !detail::is_temporary_container<Container>>>
  View(Container&& container, std::int64_t leading = 0)
      : View(container.data(), leading, static_cast<std::int64_t>(container.size())) {}
  template <class Container, std::enable_if_t<detail::is_temporary_container<Container>, int> = 0>
  View(Container&& container, std::int64_t leading = 0) = delete;

  T* data = nullptr;
  std::int64_t ld = 0, size = -1;  // -1: unknown
  detail::Element element = {};
};

namespace detail {

/// An argument of a call that returns when the exchange has ended: a temporary container lives as long.
template <class T>
struct Argument {
  template <class Array, class... Rest, class = std::enable_if_t<std::is_constructible_v<View<T>, Array&, Rest...>>>
  Argument(Array&& array, Rest... rest) : view(array, rest...) {}
  View<T> view;
};

}  // namespace detail

}  // namespace xredist
