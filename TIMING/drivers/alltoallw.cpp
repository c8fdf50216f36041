// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <memory>

#include "drivers/contender.hpp"
#include "drivers/datatypes.hpp"

namespace drivers {
namespace {

// Returns the runs of indices within the submatrix for which owned(index) holds.
template <class Owned>
Runs runs_of(const std::vector<Index>& indices, Index length, Owned owned) {
  Runs runs;
  for (int at = 0; const Index k : indices) {
    if (k >= 0 && k < length && owned(k)) runs.append(at);
    ++at;
  }
  return runs;
}

// Returns the type of the rows of the columns.
MPI_Datatype part(const Runs& rows, const Runs& cols, Index ld, int bytes) {
  MPI_Datatype element{}, rows_of_column{}, column{}, part{};
  MPI_Type_contiguous(bytes, MPI_BYTE, &element);
  MPI_Type_indexed(rows.count(), rows.lengths.data(), rows.begins.data(), element, &rows_of_column);
  MPI_Type_create_resized(rows_of_column, 0, ld * bytes, &column);
  MPI_Type_indexed(cols.count(), cols.lengths.data(), cols.begins.data(), column, &part);
  for (MPI_Datatype* type : {&element, &rows_of_column, &column}) MPI_Type_free(type);
  return part;
}

std::shared_ptr<Datatypes> parts(const Stage& stage, const Local& own, const Matrix& other) {
  const Case& c = stage.c;
  auto made = std::make_shared<Datatypes>(stage.size());
  for (int rank = 0; rank < stage.size(); ++rank) {
    const auto coord = coord_of(other, rank);
    if (!coord) continue;
    const Runs rows = runs_of(own.rows, c.m, [&](Index k) { return row_owner(other, other.i - 1 + k) == coord->row; });
    const Runs cols = runs_of(own.cols, c.n, [&](Index k) { return col_owner(other, other.j - 1 + k) == coord->col; });
    if (rows.count() > 0 && cols.count() > 0) made->set(rank, part(rows, cols, own.ld, stage.element.bytes));
  }
  return made;
}

}  // namespace

Contender alltoallw(const Stage& stage) {
  if (stage.c.trapezoid) return {"alltoallw", "its datatypes are rectangles"};
  const auto make = [&stage]() -> Call {
    return {[&stage, out = parts(stage, stage.a, stage.c.b), in = parts(stage, stage.b, stage.c.a)] {
      out->exchange(stage.a.data.get(), stage.b.data.get(), *in, stage.comm());
    }};
  };
  return {"alltoallw", {}, make};
}

}  // namespace drivers
