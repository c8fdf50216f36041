// SPDX-License-Identifier: BSD-3-Clause
// Names that the documents' statements in C++ use and do not declare.
#include <xredist/version.h>

#include <cstdio>
#include <vector>
#include <xredist/blacs.hpp>
#include <xredist/relabel.hpp>
#include <xredist/xredist.hpp>

inline MPI_Comm comm;
inline std::int64_t m, n;
inline std::vector<double> a, b;
