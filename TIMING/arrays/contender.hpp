// SPDX-License-Identifier: BSD-3-Clause
// Contenders: methods that move A to B.
#pragma once

#include <functional>
#include <string>

#include "arrays/case.hpp"

namespace arrays {

/// A contender is defined for a case if it has a function that makes the call: types, plans and buffers, collectively
/// over MPI_COMM_WORLD. The call can be repeated, and the stage must outlive it.
struct Contender {
  std::string name;
  std::function<std::function<void()>()> make = {};
};

/// A copy in memory of as many bytes as B has on this process.
Contender memory_copy(Stage& stage);

/// A plan of xredist.
Contender xredist_plan_of(Stage& stage);

/// One MPI_Alltoallw with datatypes: subarrays, where a process holds a box, and otherwise indexed types along each
/// axis. If A and B are stored in different orders, the datatypes of the sender or of the receiver permute.
enum class Permutes { nobody, sender, receiver };
Contender alltoallw(Stage& stage, Permutes who);

/// One MPI_Alltoallw into a second array in the order of A, and loops in blocks that permute this array; for boxes of
/// three axes.
Contender alltoallw_and_loops(Stage& stage);

/// FFTW's transpose (fftw_mpi_plan_many_transpose), which moves slabs along the slowest axis to slabs along the second
/// slowest: stored alike, or with these axes exchanged.
Contender fftw(Stage& stage);

/// heFFTe's reshape of boxes, by MPI_Alltoallv or by pipelined messages between pairs.
Contender heffte(Stage& stage, bool pipelined);

/// The transposes of 2DECOMP&FFT from x-pencils to y-pencils and from y-pencils to z-pencils, all stored alike.
Contender decomp2d(Stage& stage);

/// The transpose of dtFFT from x-pencils to y-pencils that are stored as y, z, x.
Contender dtfft(Stage& stage);

}  // namespace arrays
