// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/matrices.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <type_traits>

namespace cases {
namespace {

// Returns the rows (columns) that `own` says are held here, of `length`, as indices relative to `first`.
template <class Own>
std::vector<Index> held(Index length, Index first, Own own) {
  std::vector<Index> indices;
  for (Index k = 0; k < length; ++k)
    if (own(k)) indices.push_back(k - first);
  return indices;
}

}  // namespace

Local local_part(const Matrix& x, int rank, int bytes) {
  Local local{};
  const auto coord = coord_of(x, rank);
  if (!coord) return local;
  local.rows = held(x.M, x.i - 1, [&](Index k) { return row_owner(x, k) == coord->row; });
  local.cols = held(x.N, x.j - 1, [&](Index k) { return col_owner(x, k) == coord->col; });
  local.ld = std::max<Index>(1, static_cast<Index>(local.rows.size()));
  local.data = std::make_unique_for_overwrite<std::byte[]>(as_size(local.elements() * bytes));
  return local;
}

namespace {

// Returns a value that the type represents exactly and that is not negative. Double and complex values differ for all
// elements; values of the other types differ at least for neighbours.
template <class T>
T value_of(Index i, Index j) {
  if constexpr (std::is_same_v<T, int>)
    return static_cast<int>((i * 65537 + j) & 0x7fffffff);
  else if constexpr (std::is_same_v<T, float>)
    return static_cast<float>((i * 4099 + j) & 0xffffff);
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(i * (Index{1} << 26) + j);
  else
    return {static_cast<typename T::value_type>(i & 0xffffff), static_cast<typename T::value_type>(j & 0xffffff)};
}

template <class T>
T* column(const Local& x, std::size_t col) {
  return reinterpret_cast<T*>(x.at(col, sizeof(T)));
}

template <class T>
void fill_a(const Matrix& x, Local& a) {
  for (std::size_t j = 0; j < a.cols.size(); ++j)
    for (std::size_t i = 0; i < a.rows.size(); ++i)
      column<T>(a, j)[i] = value_of<T>(a.rows[i] + x.i - 1, a.cols[j] + x.j - 1);
}

template <class T>
const T blank = T(-1);

template <class T>
void blank_b(Local& b) {
  std::fill_n(column<T>(b, 0), b.elements(), blank<T>);  // ld is the number of rows
}

template <class T>
std::string described(const Case& c, Index i, Index j, T found, T expected) {
  std::ostringstream text;
  text.precision(17);
  text << "B(" << i + c.b.i << "," << j + c.b.j << ") is " << found << ", should be " << expected;
  return text.str();
}

template <class T>
Wrong check(const Case& c, const Local& b) {
  const xredist::core::Region region = region_of(c);
  Wrong wrong;
  for (std::size_t l = 0; l < b.cols.size(); ++l) {
    const Index j = b.cols[l];
    const bool within = j >= 0 && j < c.n;
    const xredist::core::Interval moved = within ? rows_of(region, j, c.m) : xredist::core::Interval{0, 0};
    const T* const found = column<T>(b, l);
    for (std::size_t k = 0; k < b.rows.size(); ++k) {
      const Index i = b.rows[k];
      const T expected = i >= moved.begin && i < moved.end ? value_of<T>(i + c.a.i - 1, j + c.a.j - 1) : blank<T>;
      if (found[k] == expected) continue;
      if (wrong.count++ == 0) wrong.first = described(c, i, j, found[k], expected);
    }
  }
  return wrong;
}

template <class T>
constexpr Element element(char letter, const char* name) {
  return {letter, name, sizeof(T), fill_a<T>, blank_b<T>, check<T>};
}

constexpr Element elements[] = {
    element<int>('i', "integer"),
    element<float>('s', "real"),
    element<double>('d', "double precision"),
    element<std::complex<float>>('c', "complex"),
    element<std::complex<double>>('z', "double complex"),
};

}  // namespace

const Element& element_of(char letter) {
  for (const Element& e : elements)
    if (e.letter == letter) return e;
  throw std::invalid_argument(std::string("no element type ") + letter);
}

}  // namespace cases
