// SPDX-License-Identifier: BSD-3-Clause
#include "api/arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>

#include "layout/cuts.hpp"

namespace xredist::core {
namespace {

std::span<const Index> cuts_of(const xredist_cuts& its) {
  return {its.cuts, static_cast<std::size_t>(its.intervals) + 1};
}

std::span<const int> owners_of(const xredist_cuts& its) {
  return its.owners == nullptr ? std::span<const int>()
                               : std::span(its.owners, static_cast<std::size_t>(its.intervals));
}

// Whether n elements are within the axis; CYCLIC ones have no end.
bool reaches(const Axis& axis, Index n) { return is_cyclic(axis) || n <= axis.cuts->extent() - axis.first; }

}  // namespace

bool usable(MPI_Comm comm) {
  int running = 0, over = 0, inter = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running == 0 || over != 0 || comm == MPI_COMM_NULL) return false;
  MPI_Comm_test_inter(comm, &inter);
  return inter == 0;
}

bool valid(const xredist_layout* layout, int size) {
  if (layout == nullptr || layout->nprow < 1 || layout->npcol < 1) return false;
  const auto cyclic = [](Index block, int source, int procs) {
    return block >= 1 && block <= most_elements && source >= 0 && source < procs;
  };
  if (layout->rows == nullptr && !cyclic(layout->mb, layout->rsrc, layout->nprow)) return false;
  if (layout->cols == nullptr && !cyclic(layout->nb, layout->csrc, layout->npcol)) return false;
  const Index processes = Index{layout->nprow} * layout->npcol;
  if (processes > size) return false;
  if (layout->ranks == nullptr) return true;
  std::vector<bool> seen(static_cast<std::size_t>(size), false);
  return std::all_of(layout->ranks, layout->ranks + processes, [&](int rank) {
    if (rank < 0 || rank >= size || seen[static_cast<std::size_t>(rank)]) return false;
    seen[static_cast<std::size_t>(rank)] = true;
    return true;
  });
}

std::vector<int> ranks_of(const xredist_layout& layout) {
  std::vector<int> ranks(static_cast<std::size_t>(layout.nprow) * static_cast<std::size_t>(layout.npcol));
  if (layout.ranks != nullptr)
    std::copy_n(layout.ranks, ranks.size(), ranks.begin());
  else
    std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

std::string wrong_cuts(const xredist_cuts* cuts, Index procs) {
  if (cuts == nullptr) return {};
  if (cuts->intervals < 0 || cuts->intervals > most_intervals)
    return "intervals is " + std::to_string(cuts->intervals) + ", must be in 0 .. 2^31 - 2";
  if (cuts->cuts == nullptr) return "cuts is NULL";
  return Cuts::wrong(cuts_of(*cuts), owners_of(*cuts), procs);
}

std::string wrong_cuts(const xredist_layout& layout) {
  if (const std::string rows = wrong_cuts(layout.rows, layout.nprow); !rows.empty()) return "rows: " + rows;
  if (const std::string cols = wrong_cuts(layout.cols, layout.npcol); !cols.empty()) return "cols: " + cols;
  return {};
}

std::shared_ptr<const Cuts> kept(const xredist_cuts* cuts, Index procs) {
  return cuts == nullptr ? nullptr : std::make_shared<const Cuts>(cuts_of(*cuts), owners_of(*cuts), procs);
}

Layout layout_of(const xredist_layout& layout, Index i, Index j) {
  return {{layout.mb, layout.nprow, layout.rsrc, i - 1, kept(layout.rows, layout.nprow)},
          {layout.nb, layout.npcol, layout.csrc, j - 1, kept(layout.cols, layout.npcol)}};
}

int wrong_places(const Submatrices& its, int size, int first) {
  const auto within = [](Index place) { return place >= 1 && place <= most_elements; };
  if (!valid(its.a, size)) return -first;
  if (!within(its.ia)) return -first - 1;
  if (!within(its.ja)) return -first - 2;
  if (!valid(its.b, size)) return -first - 3;
  if (!within(its.ib)) return -first - 4;
  return within(its.jb) ? 0 : -first - 5;
}

int wrong_ends(const Layout& a, const Layout& b, Index m, Index n, bool transposed, int first) {
  if (!reaches(a.rows, transposed ? n : m)) return -first - 1;
  if (!reaches(a.cols, transposed ? m : n)) return -first - 2;
  if (!reaches(b.rows, m)) return -first - 4;
  return reaches(b.cols, n) ? 0 : -first - 5;
}

Index fingerprint(const xredist_cuts* cuts) {
  if (cuts == nullptr) return 0;
  std::uint64_t sum = 1;
  const auto add = [&sum](Index value) {
    sum = (sum ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
  };
  add(cuts->intervals);
  if (cuts->cuts != nullptr && cuts->intervals >= 0 && cuts->intervals <= most_intervals) {
    for (const Index cut : cuts_of(*cuts)) add(cut);
    for (const int owner : owners_of(*cuts)) add(owner);
  }
  return static_cast<Index>(sum >> 2) + 1;
}

std::string trimmed(const char* text, std::size_t length) {
  const std::string_view padded(text, length);
  return std::string(padded.substr(0, padded.find_last_not_of(' ') + 1));
}

}  // namespace xredist::core
