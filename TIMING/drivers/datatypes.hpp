// SPDX-License-Identifier: BSD-3-Clause
// The arguments of MPI_Alltoallw.
#pragma once

#include <mpi.h>

#include <vector>

#include "layout/index.hpp"

namespace drivers {

using xredist::core::as_size, xredist::core::at;

/// Runs of consecutive numbers, as MPI_Type_indexed takes them.
class Runs {
 public:
  int count() const { return static_cast<int>(lengths.size()); }

  /// Appends a number, which is greater than those before.
  void append(int number) {
    if (count() > 0 && begins.back() + lengths.back() == number) {
      ++lengths.back();
    } else {
      begins.push_back(number);
      lengths.push_back(1);
    }
  }

  std::vector<int> lengths, begins;
};

/// The datatypes of one side: for each rank of the other side, the part of the local array that it sends or receives.
class Datatypes {
 public:
  explicit Datatypes(int size) : counts_(as_size(size)), displacements_(counts_), types_(counts_.size(), MPI_BYTE) {}
  ~Datatypes() {
    for (std::size_t k = 0; k < types_.size(); ++k)
      if (counts_[k] > 0) MPI_Type_free(&types_[k]);
  }
  Datatypes(const Datatypes&) = delete;
  Datatypes& operator=(const Datatypes&) = delete;

  /// Commits and owns the type of the part for a rank.
  void set(int rank, MPI_Datatype part) {
    MPI_Type_commit(&part);
    at(counts_, rank) = 1;
    at(types_, rank) = part;
  }

  /// Sends the parts of a to b, where `in` has the parts. Collective.
  void exchange(const void* a, void* b, const Datatypes& in, MPI_Comm comm) const {
    MPI_Alltoallw(a, counts_.data(), displacements_.data(), types_.data(), b, in.counts_.data(),
                  in.displacements_.data(), in.types_.data(), comm);
  }

 private:
  std::vector<int> counts_, displacements_;
  std::vector<MPI_Datatype> types_;
};

}  // namespace drivers
