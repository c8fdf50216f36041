// SPDX-License-Identifier: BSD-3-Clause
// Names that the documents' statements in C++ use and do not declare.
#include <xredist/version.h>

#include <cstdio>
#include <vector>
#include <xredist/array.hpp>
#include <xredist/blacs.hpp>
#include <xredist/file.hpp>
#include <xredist/fit.hpp>
#include <xredist/relabel.hpp>
#include <xredist/xredist.hpp>

inline MPI_Comm comm;
inline xredist_int m, n, ctxt, desca[9];
void solve(std::vector<double>& matrix, const xredist_int* desc, std::vector<double>& values);
inline std::vector<double> a, b, local;
inline xredist::Layout layout;
