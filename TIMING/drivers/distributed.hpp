// SPDX-License-Identifier: BSD-3-Clause
// Block-cyclic matrices of doubles that array descriptors describe, and their products with vectors.
#pragma once

#include <array>
#include <vector>

namespace drivers {

using Descriptor = std::array<int, 9>;
enum Entry { dtype_, ctxt_, m_, n_, mb_, nb_, rsrc_, csrc_, lld_ };
using Vector = std::vector<double>;  ///< of a whole row or column of a matrix; equal on all processes

/// The part of a matrix on this process.
struct Distributed {
  Descriptor desc;              ///< desc[ctxt_] is -1 on a process outside the grid
  std::vector<int> rows, cols;  ///< indices, from 0, of the local rows and columns
  Vector local = Vector(1);     ///< column-major, with leading dimension desc[lld_]; at least one element
};

/// Returns a matrix of zeros, with the leading dimension that fits.
Distributed zeros(Descriptor desc);

/// Sets each element (i, j), which count from 0.
void fill(Distributed& x, double (*element)(int i, int j));

/// The elements of a matrix that take part in a product. The diagonal of `unit_lower` has ones.
enum class Part { all, lower, unit_lower, upper };

/// Returns the product of x, or of its transpose, with v. Collective over MPI_COMM_WORLD.
Vector product(const Distributed& x, Part part, bool transposed, const Vector& v);

/// Returns the square root of the sum of squares of all elements. Collective over MPI_COMM_WORLD.
double norm(const Distributed& x);
double norm(const Vector& v);
Vector difference(Vector x, const Vector& y);

}  // namespace drivers
