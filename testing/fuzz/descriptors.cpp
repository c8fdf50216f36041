// SPDX-License-Identifier: BSD-3-Clause
// ScaLAPACK's array descriptors with 64-bit integers. The reference decides in 128 bits, by the definitions of
// ScaLAPACK's manual, whether a call is right; each error must name an argument that exists.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "demand.hpp"
#include "layout/partition.hpp"
#include "scalapack/matrix_arguments.hpp"

namespace xredist::core {

// The checks get their grid as an argument, so the program's BLACS has no grid.
const Blacs& blacs() {
  static const Blacs none{[](xredist_int, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow,
                             xredist_int* mycol) { *nprow = *npcol = *myrow = *mycol = -1; },
                          nullptr, nullptr};
  return none;
}

}  // namespace xredist::core

namespace xredist::testing {
namespace {

using namespace core;

constexpr Wide largest = Wide{1} << 40;
constexpr std::string_view gemr2d_arguments[] = {"M",  "N",     "A",    "IA",     "JA",     "DESCA",  "B",     "IB",
                                                 "JB", "DESCB", "CTXT", "ROWS_A", "COLS_A", "ROWS_B", "COLS_B"};
constexpr std::string_view tran_arguments[] = {"M", "N", "A", "IA", "JA", "DESCA", "B", "IB", "JB", "DESCB"};

// Draws a small number, one near a limit, or any.
Index draw_number(FuzzedDataProvider& input) {
  constexpr Index near[] = {0, Index{1} << 31, Index{1} << 40, Index{1} << 59, INT64_MAX, INT64_MIN};
  switch (input.ConsumeIntegralInRange(0, 5)) {
    case 0: return input.ConsumeIntegral<Index>();
    case 1: {
      const Index base = input.PickValueInArray(near), off = input.ConsumeIntegralInRange<Index>(-2, 2);
      return static_cast<Index>(static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(off));
    }
    default: return input.ConsumeIntegralInRange<Index>(-1, 20);
  }
}

struct Intervals {
  std::vector<Index> bounds{0};
  std::vector<int> owners;
  bool has_owners = true;

  explicit Intervals(FuzzedDataProvider& input) {
    const int count = input.ConsumeIntegralInRange(0, 5);
    if (input.ConsumeIntegralInRange(0, 9) == 0) bounds[0] = draw_number(input);
    for (int k = 0; k < count; ++k) {
      const bool plain = input.ConsumeIntegralInRange(0, 9) > 0 && bounds.back() < largest;
      bounds.push_back(plain ? bounds.back() + input.ConsumeIntegralInRange<Index>(0, 7) : draw_number(input));
      owners.push_back(input.ConsumeIntegralInRange(-1, 9));
    }
    has_owners = input.ConsumeIntegralInRange(0, 4) > 0;
  }
  xredist_partition partition() const {
    return {static_cast<std::int64_t>(owners.size()), bounds.data(), has_owners ? owners.data() : nullptr};
  }
};

// One dimension of a matrix as the reference sees it.
struct Dimension {
  Wide size, block, source, first, count, procs, me;
  const Intervals* intervals;

  bool is_right(bool pblas, bool empty) const {
    if (size < (pblas && !empty ? 1 : 0) || size > largest) return false;
    if (intervals == nullptr) {
      if (block < 1 || block > largest || source < 0 || source >= procs) return false;
    } else if (!intervals_are_right()) {
      return false;
    }
    if (first < 1 || first > largest) return false;
    return (pblas && empty) || (first - 1 <= size && first - 1 + count <= size);
  }

  bool intervals_are_right() const {
    const auto& [bounds, owners, has_owners] = *intervals;
    if (bounds.front() != 0 || bounds.back() > largest || bounds.back() != size) return false;
    if (!std::ranges::is_sorted(bounds)) return false;
    if (!has_owners || owners.empty()) return static_cast<Wide>(owners.size()) <= procs;
    return std::ranges::all_of(owners, [&](int owner) { return owner >= 0 && owner < procs; });
  }

  // ScaLAPACK's NUMROC, or the sum over the intervals.
  Wide local() const {
    Wide held = 0;
    if (intervals != nullptr) {
      for (std::size_t k = 0; k < intervals->owners.size(); ++k)
        if ((intervals->has_owners ? intervals->owners[k] : static_cast<int>(k)) == me)
          held += intervals->bounds[k + 1] - intervals->bounds[k];
      return held;
    }
    const Wide distance = (procs + me - source) % procs, blocks = size / block, extra = blocks % procs;
    held = blocks / procs * block;
    return held + (distance < extra ? block : distance == extra ? size % block : 0);
  }
};

void run(FuzzedDataProvider& input) {
  const bool pblas = input.ConsumeIntegralInRange(0, 3) == 0, a = input.ConsumeBool();
  const Routine routine = pblas ? Routine{.name = "PDTRAN",
                                          .arguments = tran_arguments,
                                          .style = input.ConsumeBool() ? ErrorStyle::number : ErrorStyle::sentence,
                                          .of_pblas = true,
                                          .long_desca = input.ConsumeBool()}
                                : Routine{.name = "PDGEMR2D",
                                          .arguments = gemr2d_arguments,
                                          .style = input.ConsumeBool() ? ErrorStyle::names : ErrorStyle::sentence};
  const Grid grid{input.ConsumeIntegralInRange(1, 9), input.ConsumeIntegralInRange(1, 9), 0, 0};
  const Grid mine{grid.nprow, grid.npcol, input.ConsumeIntegralInRange(0, grid.nprow - 1),
                  input.ConsumeIntegralInRange(0, grid.npcol - 1)};
  std::array<xredist_int, 9> desc{1, 0};
  for (const Entry entry : {m_, n_, mb_, nb_, rsrc_, csrc_, lld_}) desc[entry] = draw_number(input);
  const Index m = draw_number(input), n = draw_number(input), i = draw_number(input), j = draw_number(input);
  const bool transposed = input.ConsumeBool();
  const Intervals rows(input), cols(input);
  const xredist_partition row_partition = rows.partition(), col_partition = cols.partition();
  const bool in_rows = !pblas && input.ConsumeBool(), in_cols = !pblas && input.ConsumeBool();

  const Which which = a ? Which::a : Which::b;
  const MatrixArguments matrix{
      which, desc.data(), {i, j}, {in_rows ? &row_partition : nullptr, in_cols ? &col_partition : nullptr}};
  const SubmatrixSize submatrix = size_of(m, n, a && transposed);

  const Wide area = static_cast<Wide>(m) * n;
  const bool sizes_right = m >= 0 && n >= 0 && m <= largest && n <= largest && area < (Wide{1} << 59);
  const MaybeError sizes = size_error(routine, m, n);
  demand(!sizes == sizes_right, "M and N are accepted where they are right", sizes ? sizes->reason : "");
  if (sizes) return;

  const bool swapped = a && transposed, empty = m == 0 || n == 0;
  const Dimension by_rows{desc[m_],        desc[mb_],  desc[rsrc_], i,
                          swapped ? n : m, mine.nprow, mine.myrow,  in_rows ? &rows : nullptr};
  const Dimension by_cols{desc[n_],        desc[nb_],  desc[csrc_], j,
                          swapped ? m : n, mine.npcol, mine.mycol,  in_cols ? &cols : nullptr};
  bool right = by_rows.is_right(pblas, empty) && by_cols.is_right(pblas, empty);
  const MaybeError dimensions = dimensions_error(routine, matrix, submatrix, mine);
  demand(!dimensions == right, "dimensions are accepted where they are right", dimensions ? dimensions->reason : "");

  if (right) {
    const bool holds = (in_cols || by_cols.local() > 0) && !(pblas && empty);
    const Wide least = std::max<Wide>(holds ? by_rows.local() : 0, pblas ? 1 : 0);
    right = desc[lld_] >= least && desc[lld_] <= largest;
  }
  const MaybeError error = matrix_error(routine, matrix, submatrix, mine);
  demand(!error == right, "a matrix is accepted where it is right", error ? error->reason : "");
  if (!error) return;
  demand(routine.has(error->argument.argument), "an error names an argument", error->argument.argument);
  const InvalidRoutineArgument failure(routine, *error);
  demand(*failure.what() != '\0' && failure.number > 0, "an error has a sentence and a number");
}

}  // namespace
}  // namespace xredist::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  xredist::testing::run(input);
  return 0;
}
