// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include "drivers/contender.hpp"

namespace drivers {
namespace {

// Runs of consecutive local rows or columns, as MPI_Type_indexed takes them.
struct Blocks {
  std::vector<int> lengths, begins;

  int count() const { return static_cast<int>(lengths.size()); }
};

// Returns the runs of indices within the submatrix for which owned(index) holds.
template <class Owned>
Blocks blocks_of(const std::vector<Index>& indices, Index length, Owned owned) {
  Blocks blocks;
  bool continues = false;
  for (int at = 0; const Index k : indices) {
    const bool has = k >= 0 && k < length && owned(k);
    if (has && !continues) {
      blocks.begins.push_back(at);
      blocks.lengths.push_back(0);
    }
    if (has) ++blocks.lengths.back();
    continues = has;
    ++at;
  }
  return blocks;
}

// The datatypes of one matrix: for each rank of the other matrix, the part of the local array that it sends or
// receives.
class Parts {
 public:
  Parts(const Stage& stage, const Local& own, const Matrix& other)
      : counts(as_size(stage.size())), displacements(counts), types(counts.size(), MPI_BYTE) {
    const Case& c = stage.c;
    for (int rank = 0; rank < stage.size(); ++rank) {
      const auto coord = coord_of(other, rank);
      if (!coord) continue;
      const Blocks rows =
          blocks_of(own.rows, c.m, [&](Index k) { return row_owner(other, other.i - 1 + k) == coord->row; });
      const Blocks cols =
          blocks_of(own.cols, c.n, [&](Index k) { return col_owner(other, other.j - 1 + k) == coord->col; });
      if (rows.count() == 0 || cols.count() == 0) continue;
      at(counts, rank) = 1;
      at(types, rank) = part(rows, cols, own.ld, stage.element.bytes);
    }
  }
  ~Parts() {
    for (std::size_t k = 0; k < types.size(); ++k)
      if (counts[k] > 0) MPI_Type_free(&types[k]);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::vector<int> counts, displacements;
  std::vector<MPI_Datatype> types;

 private:
  // Returns the type of the rows of the columns.
  static MPI_Datatype part(const Blocks& rows, const Blocks& cols, Index ld, int bytes) {
    MPI_Datatype element{}, rows_of_column{}, column{}, part{};
    MPI_Type_contiguous(bytes, MPI_BYTE, &element);
    MPI_Type_indexed(rows.count(), rows.lengths.data(), rows.begins.data(), element, &rows_of_column);
    MPI_Type_create_resized(rows_of_column, 0, ld * bytes, &column);
    MPI_Type_indexed(cols.count(), cols.lengths.data(), cols.begins.data(), column, &part);
    MPI_Type_commit(&part);
    for (MPI_Datatype* type : {&element, &rows_of_column, &column}) MPI_Type_free(type);
    return part;
  }
};

}  // namespace

Contender alltoallw(const Stage& stage) {
  if (stage.c.trapezoid) return {"alltoallw", "its datatypes are rectangles"};
  const auto make = [&stage]() -> Call {
    return {[&stage, out = std::make_shared<Parts>(stage, stage.a, stage.c.b),
             in = std::make_shared<Parts>(stage, stage.b, stage.c.a)] {
      MPI_Alltoallw(stage.a.data.get(), out->counts.data(), out->displacements.data(), out->types.data(),
                    stage.b.data.get(), in->counts.data(), in->displacements.data(), in->types.data(), stage.comm());
    }};
  };
  return {"alltoallw", {}, make};
}

}  // namespace drivers
