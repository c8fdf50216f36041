// SPDX-License-Identifier: BSD-3-Clause
/// Distributions of matrices for C++17, as values, their local arrays, and errors as exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "xredist/xredist.h"

namespace xredist {

/// what() is the sentence of xredist_error(), or of a check of the C++ headers.
class Error : public std::runtime_error {
 public:
  Error(xredist_code code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  xredist_code code() const noexcept { return code_; }

 private:
  xredist_code code_;
};

/// Throws the exception for a code that a function of xredist.h returned, unless it is XREDIST_SUCCESS.
inline void check(int code) {
  if (code == XREDIST_NO_MEMORY) throw std::bad_alloc();
  if (code != XREDIST_SUCCESS) throw Error(static_cast<xredist_code>(code), xredist_error());
}

/// Intervals of one dimension, as xredist_partition: bounds {0, 30, 42}; without owners, interval i belongs to i;
/// without places, a process stores its intervals in the order of the matrix.
struct Partition {
  std::vector<std::int64_t> bounds = {};
  std::vector<int> owners = {};
  std::vector<std::int64_t> places = {};
};

/// The distribution of a matrix, as xredist_layout. Without ranks, the grid has the processes 0, 1, 2 ... row by row.
struct Layout {
  int nprow = 0, npcol = 0;
  std::int64_t mb = 0, nb = 0;
  int rsrc = 0, csrc = 0;
  std::vector<int> ranks = {};
  std::optional<Partition> rows = std::nullopt, cols = std::nullopt;
};

using Operation = xredist_operation;

namespace detail {

[[noreturn]] inline void invalid(const std::string& sentence) { throw Error(XREDIST_INVALID_ARGUMENT, sentence); }

inline xredist_partition described(const char* name, const std::optional<Partition>& partition) {
  if (!partition) return {};
  const auto& [bounds, owners, places] = *partition;
  if (bounds.empty()) invalid(std::string(name) + ": bounds is empty, must have at least one number");
  const std::size_t count = bounds.size() - 1;
  const auto demand = [&](const char* list, std::size_t size) {
    if (size != 0 && size != count)
      invalid(std::string(name) + ": there are " + std::to_string(size) + list + std::to_string(count));
  };
  demand(" owners, must be ", owners.size());
  demand(" places, must be ", places.size());
  return {static_cast<std::int64_t>(count), bounds.data(), owners.empty() ? nullptr : owners.data(),
          places.empty() ? nullptr : places.data()};
}

/// A layout in the form of the C interface, with pointers into the Layout.
class Described {
 public:
  Described(const char* name, const Layout& x)
      : rows_(described((name + std::string(".rows")).c_str(), x.rows)),
        cols_(described((name + std::string(".cols")).c_str(), x.cols)) {
    const std::int64_t positions = std::int64_t{x.nprow} * x.npcol;
    if (!x.ranks.empty() && static_cast<std::int64_t>(x.ranks.size()) != positions)
      invalid(std::string(name) + ".ranks has " + std::to_string(x.ranks.size()) +
              " entries, must have nprow npcol = " + std::to_string(positions));
    layout_.nprow = x.nprow, layout_.npcol = x.npcol;
    layout_.mb = x.mb, layout_.nb = x.nb;
    layout_.rsrc = x.rsrc, layout_.csrc = x.csrc;
    layout_.ranks = x.ranks.empty() ? nullptr : x.ranks.data();
    layout_.rows = x.rows ? &rows_ : nullptr;
    layout_.cols = x.cols ? &cols_ : nullptr;
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  operator const xredist_layout&() const { return layout_; }

 private:
  xredist_partition rows_, cols_;
  xredist_layout layout_;
};

}  // namespace detail

struct LocalSize {
  std::int64_t rows, cols;
  std::size_t elements() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
};

/// Returns the size of the local array of process `rank` for an m x n matrix; 0 x 0 outside the grid.
inline LocalSize local_size(const Layout& layout, std::int64_t m, std::int64_t n, int rank) {
  LocalSize size{};
  const detail::Described described("layout", layout);
  const xredist_layout& of_c = described;
  check(xredist_local_size(&of_c, m, n, rank, &size.rows, &size.cols));
  return size;
}

/// The rows and columns of a matrix, counted from 1, that a process stores, in their local order.
struct GlobalIndices {
  std::vector<std::int64_t> rows, cols;
};

/// Returns the indices of the local rows and columns of process `rank` in an m x n matrix; none outside the grid. Local
/// row r, counted from 1, is row rows[r - 1] of the matrix.
inline GlobalIndices local_to_global(const Layout& layout, std::int64_t m, std::int64_t n, int rank) {
  const LocalSize size = local_size(layout, m, n, rank);
  GlobalIndices indices{std::vector<std::int64_t>(static_cast<std::size_t>(size.rows)),
                        std::vector<std::int64_t>(static_cast<std::size_t>(size.cols))};
  const detail::Described described("layout", layout);
  const xredist_layout& of_c = described;
  check(xredist_local_to_global(&of_c, m, n, rank, indices.rows.data(), indices.cols.data()));
  return indices;
}

/// Where an element is: its process, and its row and column in the local array of this process, counted from 1.
struct Place {
  int rank;
  std::int64_t row, col;
};

/// Returns the places of the elements (rows[k], cols[k]), counted from 1.
inline std::vector<Place> global_to_local(const Layout& layout, const std::vector<std::int64_t>& rows,
                                          const std::vector<std::int64_t>& cols) {
  if (rows.size() != cols.size())
    detail::invalid("cols has " + std::to_string(cols.size()) + " entries, must have as many as rows, " +
                    std::to_string(rows.size()));
  std::vector<int> ranks(rows.size());
  std::vector<std::int64_t> local_rows(rows.size()), local_cols(rows.size());
  const detail::Described described("layout", layout);
  const xredist_layout& of_c = described;
  check(xredist_global_to_local(&of_c, static_cast<std::int64_t>(rows.size()), rows.data(), cols.data(), ranks.data(),
                                local_rows.data(), local_cols.data()));
  std::vector<Place> places;
  places.reserve(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) places.push_back({ranks[k], local_rows[k], local_cols[k]});
  return places;
}
/// Returns the place of one element.
inline Place global_to_local(const Layout& layout, std::int64_t row, std::int64_t col) {
  Place place{};
  const detail::Described described("layout", layout);
  const xredist_layout& of_c = described;
  check(xredist_global_to_local(&of_c, 1, &row, &col, &place.rank, &place.row, &place.col));
  return place;
}

}  // namespace xredist
