// SPDX-License-Identifier: BSD-3-Clause
// The elements that a redistribution moves, and the operation on them.
#pragma once

#include <optional>

#include "copy/operation.hpp"
#include "layout/layout.hpp"
#include "layout/traffic.hpp"

namespace xredist::core {

/// B := beta B + alpha op(A) for the elements of a region. Equal on all processes that take part. Rows and columns are
/// those of B: if A is transposed, the rows of A in `traffic`, and those of its grid, are columns of the array.
///
/// Elements of `traffic`, transfers and chunks have 1, 2, 4, 8 or 16 bytes. An element of the matrices that has another
/// size and no type is a column of `units` such elements. Example: 24 bytes are three units of 8. The array of a
/// transposed A has the units of an element one after the other, too: they are not transposed.
struct Redistribution {
  Traffic traffic;
  Region region;
  Index bytes;  ///< bytes of a unit in a packet
  Operation operation{};
  Index units = 1;  ///< rows of the traffic in a row of the matrices

  bool whole() const { return region.kind == Region::Kind::all; }
  /// Return the bytes of a unit in the arrays.
  Index bytes_a() const { return bytes_of(operation.a, bytes); }
  Index bytes_b() const { return bytes_of(operation.b, bytes); }
  /// Return the bytes of an element of the matrices.
  Index element_bytes_a() const { return units * bytes_a(); }
  Index element_bytes_b() const { return units * bytes_b(); }
};

/// Returns the bytes of the units in which elements without a type are copied: the largest power of two, at most 16,
/// that divides `bytes`, the size of an element.
Index unit_bytes(Index bytes);

/// Returns the redistribution of an m x n submatrix of B. m, n and the layouts are in elements of the matrices.
/// `bytes`: bytes of an element, used if the operation does not know the types of A and B.
Redistribution redistribution_of(const Layout& a, const Layout& b, Index m, Index n, const Region& region, Index bytes,
                                 const Operation& operation = {});

/// Returns the redistribution of an array of any number of axes. `traffic`: in elements of the array; its columns stay
/// as they are.
Redistribution redistribution_of(const Traffic& traffic, Index bytes, const Operation& operation);

/// Returns how elements of type `from` (those of A, or of a packet) update B; nothing if B becomes a copy of them.
std::optional<Update> update_by(Type from, const Redistribution& redistribution, const Scalars& scalars);

/// Returns whether each element of the region becomes a copy of its element of A, bit by bit and not transposed.
bool is_copy(const Redistribution& redistribution, const Scalars& scalars);

}  // namespace xredist::core
