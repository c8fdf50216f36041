// SPDX-License-Identifier: BSD-3-Clause
// A folder that all processes see.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <string>
#include <system_error>

#include "ranks.hpp"

namespace xredist::testing {

/// A new folder for the files of a test. Rank 0 makes and removes it. Collective over MPI_COMM_WORLD.
class Folder {
 public:
  Folder() {
    std::array<char, 64> name{"/tmp/xredist_XXXXXX"};
    if (rank() == 0 && mkdtemp(name.data()) == nullptr) name[0] = '\0';
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    name_ = name.data();
  }
  ~Folder() {
    MPI_Barrier(MPI_COMM_WORLD);
    std::error_code error;
    if (rank() == 0) std::filesystem::remove_all(name_, error);
    EXPECT_FALSE(error) << error.message();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& name() const { return name_; }
  std::string path(const std::string& file) const { return name_ + "/" + file; }

 private:
  std::string name_;
};

}  // namespace xredist::testing
