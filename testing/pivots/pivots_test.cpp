// SPDX-License-Identifier: BSD-3-Clause
// Random calls of P?LASWP and P?LAPIV beside interchanges of a whole matrix, one by one, and beside ScaLAPACK's own
// routines, if the program has these, where they are right: P?LASWP backward reads other entries of IPIV
// (Reference-ScaLAPACK, issue 152), and P?LAPIV with pivots along a process row (ROWCOL = R, PIVROC = R) sends them to
// wrong processes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "grid.hpp"
#include "layout/axis.hpp"
#include "random.hpp"
#include "ranks.hpp"
#include "symbols.hpp"

extern "C" {
#define ROUTINES(p)                                                                                                  \
  void p##laswp_(const char*, const char*, const xredist_int*, void*, const xredist_int*, const xredist_int*,        \
                 const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*);                    \
  void p##lapiv_(const char*, const char*, const char*, const xredist_int*, const xredist_int*, void*,               \
                 const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*, \
                 const xredist_int*, const xredist_int*, xredist_int*);
ROUTINES(ps)
ROUTINES(pd)
ROUTINES(pc)
ROUTINES(pz)
}

static int messages = 0;  // that this process has sent
extern "C" [[gnu::visibility("default")]] int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int target,
                                                        int tag, MPI_Comm comm, MPI_Request* request) {
  ++messages;
  return PMPI_Isend(buffer, count, type, target, tag, comm, request);
}

namespace xredist::testing {
namespace {

using core::Axis;
using core::Index;

// The routines of an element type: those that the program is linked with, and ScaLAPACK's own, or nullptr.
struct Routines {
  decltype(&pdlaswp_) laswp, own_laswp;
  decltype(&pdlapiv_) lapiv, own_lapiv;
};

template <class T>
Routines routines() {
  const auto all = [](decltype(&pdlaswp_) laswp, decltype(&pdlapiv_) lapiv, const char* laswp_name,
                      const char* lapiv_name) {
    if (scalapack() == nullptr) return Routines{laswp, nullptr, lapiv, nullptr};
    return Routines{laswp, symbol<decltype(pdlaswp_)>(scalapack(), laswp_name), lapiv,
                    symbol<decltype(pdlapiv_)>(scalapack(), lapiv_name)};
  };
  if constexpr (std::is_same_v<T, float>) return all(pslaswp_, pslapiv_, "pslaswp_", "pslapiv_");
  if constexpr (std::is_same_v<T, double>) return all(pdlaswp_, pdlapiv_, "pdlaswp_", "pdlapiv_");
  if constexpr (std::is_same_v<T, std::complex<float>>) return all(pclaswp_, pclapiv_, "pclaswp_", "pclapiv_");
  if constexpr (std::is_same_v<T, std::complex<double>>) return all(pzlaswp_, pzlapiv_, "pzlaswp_", "pzlapiv_");
}

// A matrix of a grid, the local part of one process, and what is asked for.
struct Case {
  GridShape shape;
  std::array<xredist_int, 9> desc{};
  bool rows, forward;
  std::array<xredist_int, 2> first{}, count{};  // submatrix: rows and columns, from 1
};

Case draw(Random& random) {
  Case c{};
  const int nprow = random.in(1, size());
  const int npcol = random.in(1, size() / nprow);
  c.shape = {nprow, npcol, random_ranks(random, size())};
  c.shape.ranks.resize(static_cast<std::size_t>(nprow * npcol));
  c.rows = random.one_in(2);
  c.forward = random.one_in(2);
  c.desc = {1,
            -1,
            random.in(1, 40),
            random.in(1, 40),
            random.in(1, 7),
            random.in(1, 7),
            random.in(0, nprow - 1),
            random.in(0, npcol - 1),
            0};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const int whole = c.desc[2 + axis];
    c.first[axis] = random.in(1, whole);
    c.count[axis] = random.in(0, whole - c.first[axis] + 1);
  }
  return c;
}

Axis axis_of(const Case& c, std::size_t axis) {
  return {c.desc[4 + axis], axis == 0 ? c.shape.nprow : c.shape.npcol, c.desc[6 + axis], 0};
}

// The local array of a process; gaps between its columns have other values.
template <class T>
class Local {
 public:
  Local(Case& c, const Context& grid, int gap) : c_(c), at_{grid.row(), grid.col()} {
    for (std::size_t axis = 0; axis < 2; ++axis)
      held_[axis] = core::local_count(axis_of(c, axis), at_[axis], c.desc[2 + axis]);
    c.desc[8] = static_cast<xredist_int>(std::max<Index>(1, held_[0] + gap));
    elements.assign(static_cast<std::size_t>(c.desc[8] * std::max<Index>(1, held_[1])), T(-1));
    for_each([&](Index i, Index j, T& element) { element = value(i, j); });
  }
  static T value(Index i, Index j) { return T(static_cast<float>(1 + i + 100 * j)); }

  // Calls visit(row, column, element) for all elements of this process.
  template <class Visit>
  void for_each(Visit visit) {
    for (Index i = 0; i < c_.desc[2]; ++i) {
      if (core::owner(axis_of(c_, 0), i) != at_[0]) continue;
      for (Index j = 0; j < c_.desc[3]; ++j) {
        if (core::owner(axis_of(c_, 1), j) != at_[1]) continue;
        const Index place =
            core::local_count(axis_of(c_, 0), at_[0], i) + core::local_count(axis_of(c_, 1), at_[1], j) * c_.desc[8];
        visit(i, j, elements[static_cast<std::size_t>(place)]);
      }
    }
  }
  std::vector<T> elements{};

 private:
  const Case& c_;
  std::array<int, 2> at_;
  std::array<Index, 2> held_{};
};

// Interchanges lines first + k and pivots[k] (from 1) one by one. Returns the line that each line had been, from 0.
std::vector<Index> permuted(Index lines, Index first, const std::vector<Index>& pivots, bool forward) {
  std::vector<Index> was(static_cast<std::size_t>(lines));
  std::iota(was.begin(), was.end(), 0);
  for (std::size_t step = 0; step < pivots.size(); ++step) {
    const std::size_t k = forward ? step : pivots.size() - 1 - step;
    std::swap(was[static_cast<std::size_t>(first - 1) + k], was[static_cast<std::size_t>(pivots[k] - 1)]);
  }
  return was;
}

template <class T>
void expect_moved(const Case& c, Local<T>& local, const std::vector<T>& before, const std::vector<Index>& was,
                  const std::string& text) {
  std::vector<T> expected = before;
  std::swap(local.elements, expected);  // for_each() visits the expected elements
  const std::size_t across = c.rows ? 1 : 0;
  local.for_each([&](Index i, Index j, T& element) {
    const Index position = c.rows ? j : i;
    if (position < c.first[across] - 1 || position >= c.first[across] - 1 + c.count[across]) return;
    element = c.rows ? Local<T>::value(was[static_cast<std::size_t>(i)], j)
                     : Local<T>::value(i, was[static_cast<std::size_t>(j)]);
  });
  std::swap(local.elements, expected);
  EXPECT_EQ(std::memcmp(local.elements.data(), expected.data(), expected.size() * sizeof(T)), 0) << text;
}

std::string text_of(const Case& c, unsigned seed) {
  std::string text = "seed " + std::to_string(seed) + (c.rows ? ", rows" : ", columns") +
                     (c.forward ? " forward, grid " : " backward, grid ") + std::to_string(c.shape.nprow) + "x" +
                     std::to_string(c.shape.npcol) + ", DESCA";
  for (const xredist_int entry : c.desc) text += " " + std::to_string(entry);
  return text;
}

std::vector<Index> random_pivots(Random& random, Index count, Index lines) {
  std::vector<Index> pivots(static_cast<std::size_t>(count));
  for (Index& pivot : pivots) pivot = 1 + random.below(lines);
  return pivots;
}

template <class T>
void laswp(unsigned seed) {
  Random random(seed);
  Case c = draw(random);
  const std::size_t axis = c.rows ? 0 : 1;
  const Index lines = c.desc[2 + axis], block = c.desc[4 + axis];
  // All pivots of a call belong to one block, unless one process has all lines.
  const Index k1 = random.in(1, static_cast<int>(lines));
  const Index end = axis_of(c, axis).procs == 1 ? lines : std::min(lines, (k1 - 1) / block * block + block);
  const Index k2 = k1 - 1 + random.below(end - k1 + 2);
  const std::vector<Index> pivots = random_pivots(random, k2 - k1 + 1, lines);
  const int gap = random.in(0, 2);
  const Context grid(c.shape);
  if (!grid.member()) return;
  c.desc[1] = grid.handle();
  Local<T> local(c, grid, gap);
  const std::vector<T> before = local.elements;
  const Index place = core::local_count(axis_of(c, axis), axis == 0 ? grid.row() : grid.col(), k1 - 1);
  std::vector<xredist_int> ipiv(static_cast<std::size_t>(lines + block), -7);
  std::copy(pivots.begin(), pivots.end(), ipiv.begin() + place);
  const xredist_int n = c.count[1 - axis], first = static_cast<xredist_int>(k1), last = static_cast<xredist_int>(k2);
  const auto call = [&](decltype(&pdlaswp_) routine) {
    routine(c.forward ? "Forward" : "b", c.rows ? "Rowwise" : "c", &n, local.elements.data(), &c.first[0], &c.first[1],
            c.desc.data(), &first, &last, ipiv.data());
  };
  call(routines<T>().laswp);
  expect_moved(c, local, before, permuted(lines, k1, pivots, c.forward), text_of(c, seed));
  if (!c.forward || routines<T>().own_laswp == nullptr) return;
  const std::vector<T> moved = std::exchange(local.elements, before);
  call(routines<T>().own_laswp);
  EXPECT_EQ(std::memcmp(local.elements.data(), moved.data(), moved.size() * sizeof(T)), 0) << text_of(c, seed);
}

// A vector of pivots lies along the lines that move (aligned), or across them; then other process rows or columns than
// the first have no pivots.
template <class T>
void lapiv(unsigned seed) {
  Random random(seed);
  Case c = draw(random);
  const std::size_t axis = c.rows ? 0 : 1;
  const bool aligned = random.one_in(2);
  const std::size_t along = aligned ? axis : 1 - axis;
  const Index lines = c.desc[2 + axis], count = c.count[axis];
  const std::vector<Index> pivots = random_pivots(random, count, lines);
  const int gap = random.in(0, 2);
  // ScaLAPACK's own routine takes an aligned vector only if it has the blocks of A, and begins at the same process.
  const bool tied = aligned && random.one_in(2);
  const Context grid(c.shape);
  if (!grid.member()) return;
  c.desc[1] = grid.handle();
  Local<T> local(c, grid, gap);
  const std::vector<T> before = local.elements;
  Case vector = c;
  const Index procs = axis_of(c, along).procs;
  vector.desc[4 + along] = tied ? c.desc[4 + along] : random.in(1, 7);
  vector.desc[6 + along] = tied ? c.desc[6 + along] : static_cast<xredist_int>(random.below(procs));
  const Index begin = tied ? c.first[axis] : 1 + random.below(5);
  const Axis vector_axis = axis_of(vector, along);
  vector.desc[2 + along] = static_cast<xredist_int>(begin + count + vector_axis.procs * vector.desc[4 + along]);
  const int here = along == 0 ? grid.row() : grid.col(), other = along == 0 ? grid.col() : grid.row();
  std::vector<xredist_int> ipiv(
      static_cast<std::size_t>(core::local_count(vector_axis, here, vector.desc[2 + along]) + vector.desc[4 + along]),
      -7);
  for (Index k = 0; k < count; ++k)
    if (core::owner(vector_axis, begin - 1 + k) == here && (aligned || other == 0))
      ipiv[static_cast<std::size_t>(core::local_count(vector_axis, here, begin - 1 + k))] =
          static_cast<xredist_int>(pivots[static_cast<std::size_t>(k)] - c.first[axis] + begin);
  const xredist_int index = static_cast<xredist_int>(begin), one = 1;
  const auto call = [&](decltype(&pdlapiv_) routine) {
    std::vector<xredist_int> workspace(200);
    routine(c.forward ? "f" : "Backward", c.rows ? "r" : "Columns", along == 0 ? "Column" : "r", &c.count[0],
            &c.count[1], local.elements.data(), &c.first[0], &c.first[1], c.desc.data(), ipiv.data(),
            along == 0 ? &index : &one, along == 0 ? &one : &index, vector.desc.data(), workspace.data());
  };
  call(routines<T>().lapiv);
  const bool moves = count > 1;  // a single interchange is none, as in ScaLAPACK's own routine
  expect_moved(c, local, before, permuted(lines, c.first[axis], moves ? pivots : std::vector<Index>{}, c.forward),
               text_of(c, seed));
  if (!tied || routines<T>().own_lapiv == nullptr) return;
  const std::vector<T> moved = std::exchange(local.elements, before);
  call(routines<T>().own_lapiv);
  EXPECT_EQ(std::memcmp(local.elements.data(), moved.data(), moved.size() * sizeof(T)), 0) << text_of(c, seed);
}

template <class T>
class Pivots : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Pivots, Types);

constexpr unsigned cases = 150;

TYPED_TEST(Pivots, LaswpInterchangesLines) {
  for (unsigned seed = 0; seed < cases && !anywhere(this->HasFailure()); ++seed) laswp<TypeParam>(seed);
}

TYPED_TEST(Pivots, LapivInterchangesLines) {
  for (unsigned seed = 0; seed < cases && !anywhere(this->HasFailure()); ++seed) lapiv<TypeParam>(seed);
}

// Several panels, and several parts of the interchanges. Processes of a node send messages only if the environment says
// so.
TEST(Pivots, ManyLongLines) {
  const Context grid(row_major(size(), 1));
  const xredist_int n = 100'000, columns = 9, block = 10, zero = 0, one = 1;
  const Axis axis{block, size(), 0, 0};
  const Index held = core::local_count(axis, rank(), n);
  const std::array<xredist_int, 9> desc{
      1, grid.handle(), n, columns, block, columns, zero, zero, static_cast<xredist_int>(held)};
  Random random(7);
  const std::vector<Index> pivots = random_pivots(random, n, n), was = permuted(n, 1, pivots, false);
  std::vector<double> local(static_cast<std::size_t>(held * columns));
  std::vector<xredist_int> ipiv(static_cast<std::size_t>(held + block));
  std::vector<Index> global;
  for (Index k = 0; k < n; ++k)
    if (core::owner(axis, k) == rank()) global.push_back(k);
  for (std::size_t k = 0; k < global.size(); ++k) {
    ipiv[k] = static_cast<xredist_int>(pivots[static_cast<std::size_t>(global[k])]);
    for (Index j = 0; j < columns; ++j)
      local[k + static_cast<std::size_t>(j * held)] = static_cast<double>(global[k] + j * n);
  }
  messages = 0;
  pdlapiv_("B", "R", "C", &n, &columns, local.data(), &one, &one, desc.data(), ipiv.data(), &one, &one, desc.data(),
           nullptr);
  const char* const shared = std::getenv("XREDIST_SHARED");
  EXPECT_EQ(messages > 0, size() > 1 && shared != nullptr && std::string_view(shared) == "0");
  for (std::size_t k = 0; k < global.size(); ++k)
    for (Index j = 0; j < columns; ++j)
      ASSERT_EQ(local[k + static_cast<std::size_t>(j * held)],
                static_cast<double>(was[static_cast<std::size_t>(global[k])] + j * n))
          << "row " << global[k] << ", column " << j;
}

}  // namespace
}  // namespace xredist::testing
