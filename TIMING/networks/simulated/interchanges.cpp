// SPDX-License-Identifier: BSD-3-Clause
// usage: interchanges_smpi --cases P0xP1/BxB:... --bytes N --algorithms rows|exchange --csv FILE [OPTION VALUE]...
// Interchanges the rows of panels of an LU factorisation on SimGrid's MPI, by random pivots, and checks the matrix:
//   rows      a message each way for each interchange, one after the other, as ScaLAPACK's PDLASWP sends them (PDSWAP)
//   exchange  the exchange of libxredist_pivots
// `simulate` passes these options, and others, which have no effect. N: bytes of a process's part of the matrix.
#include "pivots/interchanges.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "layout/axis.hpp"
#include "pivots/line_exchange.hpp"

namespace {

using namespace xredist::core;

constexpr Index max_panels = 8;  // evenly spaced among all panels of the factorisation
constexpr Index element_bytes = sizeof(double);
Index messages = 0;  // that this process has sent

// The matrix of a square grid of processes, of n rows and columns; this process's part.
struct Matrix {
  Index n, block;
  Axis axis;  // of rows and of columns
  int row, col;
  MPI_Comm column;  // its ranks are process rows
  Index held;       // rows of this process, and columns
  std::vector<double> local{};

  double value(Index i, Index j) const { return static_cast<double>(i + j * n); }
};

Matrix matrix_of(Index side, Index block, Index bytes) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Index of_process = static_cast<Index>(std::sqrt(static_cast<double>(bytes) / element_bytes)) / block * block;
  Matrix a{
      of_process * side, block,     {block, side, 0, 0}, rank / static_cast<int>(side), rank % static_cast<int>(side),
      MPI_COMM_NULL,     of_process};
  MPI_Comm_split(MPI_COMM_WORLD, a.col, a.row, &a.column);
  a.local.resize(as_size(a.held * a.held));
  return a;
}

// Returns the rows or columns that a process of the axis has.
std::vector<Index> held_by(int process, const Matrix& a) {
  std::vector<Index> held;
  for (Index k = 0; k < a.n; ++k)
    if (owner(a.axis, k) == process) held.push_back(k);
  return held;
}

// Calls visit(element, row, column) for the elements of this process.
template <class Visit>
void for_elements(Matrix& a, Visit visit) {
  const std::vector<Index> rows = held_by(a.row, a), columns = held_by(a.col, a);
  double* element = a.local.data();
  for (const Index j : columns)
    for (const Index i : rows) visit(*element++, i, j);
}

// The elements of each row, of columns begin to end - 1, that this process has.
LocalLines lines_of(Matrix& a, Index begin, Index end) {
  Axis columns = a.axis;
  columns.first = begin;
  const Interval held = local_range(columns, a.col, end - begin);
  return {reinterpret_cast<std::byte*>(a.local.data() + held.begin * a.held), element_bytes, element_bytes * a.held,
          held.length(), as_size(element_bytes)};
}

void by_rows(const Interchanges& interchanges, Matrix& a, const LocalLines& lines) {
  std::vector<double> sent(as_size(lines.elements)), received(sent);
  Index k = interchanges.first;
  for (const Index pivot : interchanges.pivots) {
    const Index line = k++;
    const int process = static_cast<int>(owner(a.axis, line)), other = static_cast<int>(owner(a.axis, pivot));
    if (line == pivot || sent.empty() || (a.row != process && a.row != other)) continue;
    const auto begin = [&](Index global) {
      return reinterpret_cast<double*>(lines.data) + local_count(a.axis, a.row, global);
    };
    if (process == other) {
      for (Index j = 0; j < lines.elements; ++j) std::swap(begin(line)[j * a.held], begin(pivot)[j * a.held]);
      continue;
    }
    double* const mine = begin(a.row == process ? line : pivot);
    const int peer = a.row == process ? other : process, count = static_cast<int>(lines.elements);
    for (Index j = 0; j < lines.elements; ++j) sent[as_size(j)] = mine[j * a.held];
    MPI_Request request;
    MPI_Isend(sent.data(), count, MPI_DOUBLE, peer, 0, a.column, &request);
    MPI_Recv(received.data(), count, MPI_DOUBLE, peer, 0, a.column, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (Index j = 0; j < lines.elements; ++j) mine[j * a.held] = received[as_size(j)];
  }
}

// Returns whether each element is that of the row that `was` has for the column's panel.
bool right(Matrix& a, const std::map<Index, std::vector<Index>>& was, const std::vector<Index>& elsewhere) {
  bool equal = true;
  Index panel = -1;
  const std::vector<Index>* rows = nullptr;
  for_elements(a, [&](double element, Index i, Index j) {
    if (j / a.block != panel) {
      panel = j / a.block;
      const auto found = was.find(panel);
      rows = found == was.end() ? &elsewhere : &found->second;
    }
    equal = equal && element == a.value((*rows)[as_size(i)], j);
  });
  return equal;
}

}  // namespace

// Counts the messages of this program, and sends them.
extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  ++messages;
  return PMPI_Isend(buffer, count, type, target, tag, comm, request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::map<std::string, std::string> options;
  for (int k = 1; k + 1 < argc; ++k) options[argv[k]] = argv[k + 1];
  int side = 0, block = 0, rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool exchange = options["--algorithms"] == "exchange";
  if (std::sscanf(options["--cases"].c_str(), "%dx%*d/%d", &side, &block) != 2 || side * side != size || block < 1 ||
      (!exchange && options["--algorithms"] != "rows")) {
    std::fputs("interchanges_smpi: see the usage\n", stderr);
    return 2;
  }
  const std::string& bytes = options["--bytes"];
  Matrix a = matrix_of(side, block, std::stoll(bytes) << (bytes.back() == 'M' ? 20 : bytes.back() == 'K' ? 10 : 0));
  for_elements(a, [&](double& element, Index i, Index j) { element = a.value(i, j); });

  std::vector<Index> elsewhere(as_size(a.n));
  std::iota(elsewhere.begin(), elsewhere.end(), 0);
  std::map<Index, std::vector<Index>> was;  // by the panels whose own columns stay
  const Index blocks = a.n / a.block, panels = std::min(max_panels, blocks - 1);
  for (Index k = 0; k < panels; ++k) was[k * blocks / panels] = elsewhere;
  std::mt19937_64 random(1);
  ExchangeMemory memory;
  std::optional<LineProcesses> column(std::in_place, a.column, false);  // no two processes share a node
  column->meet();
  double seconds = 0;
  for (const auto& [panel, rows] : was) {
    const Index first = panel * a.block;
    std::vector<Index> pivots(as_size(a.block));
    for (Index k = 0; k < a.block; ++k)
      pivots[as_size(k)] = std::uniform_int_distribution<Index>(first + k, a.n - 1)(random);
    for (const Interval& columns : {Interval{0, first}, Interval{first + a.block, a.n}}) {
      const LocalLines lines = lines_of(a, columns.begin, columns.end);
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      if (exchange) move_lines(composed({first, pivots, true}), a.axis, lines, *column, memory);
      if (!exchange) by_rows({first, pivots, true}, a, lines);
      double taken = MPI_Wtime() - begin;
      MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      seconds += taken;
    }
    for (Index k = 0; k < a.block; ++k) {
      const std::size_t line = as_size(first + k), pivot = as_size(pivots[as_size(k)]);
      std::swap(elsewhere[line], elsewhere[pivot]);
      for (auto& [other, of_other] : was)
        if (other != panel) std::swap(of_other[line], of_other[pivot]);
    }
  }
  long long counted[2] = {static_cast<long long>(messages), right(a, was, elsewhere) ? 0 : 1};
  MPI_Allreduce(MPI_IN_PLACE, counted, 2, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    std::ofstream(options["--csv"]) << "algorithm,n,grid,block,panels,messages,seconds,check\n"
                                    << options["--algorithms"] << ',' << a.n << ',' << side << 'x' << side << ','
                                    << block << ',' << panels << ',' << counted[0] << ',' << seconds << ','
                                    << (counted[1] == 0 ? "passed" : "failed") << '\n';
    std::printf("%7lld tests failed\n", counted[1]);
  }
  column.reset();
  MPI_Finalize();
  return counted[1] == 0 ? 0 : 1;
}
