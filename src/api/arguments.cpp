// SPDX-License-Identifier: BSD-3-Clause
#include "api/arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>

#include "layout/partition.hpp"

namespace xredist::core {
namespace {

std::span<const Index> bounds_of(const xredist_partition& partition) {
  return {partition.bounds, static_cast<std::size_t>(partition.count) + 1};
}

std::span<const int> owners_of(const xredist_partition& partition) {
  return partition.owners == nullptr ? std::span<const int>()
                                     : std::span(partition.owners, static_cast<std::size_t>(partition.count));
}

// Returns whether an axis has n elements from `first` on. A CYCLIC one has no end.
bool reaches(const xredist_partition* cuts, Index first, Index n) {
  return cuts == nullptr || n <= cuts->bounds[cuts->count] - (first - 1);
}

// Checks all values but intervals.
bool valid(const xredist_layout* layout, int size) {
  if (layout == nullptr || layout->nprow < 1 || layout->npcol < 1) return false;
  const auto cyclic = [](Index block, int source, int procs) {
    return block >= 1 && block <= max_elements && source >= 0 && source < procs;
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

}  // namespace

bool usable(MPI_Comm comm) {
  int running = 0, over = 0, inter = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running == 0 || over != 0 || comm == MPI_COMM_NULL) return false;
  MPI_Comm_test_inter(comm, &inter);
  return inter == 0;
}

std::vector<int> ranks_of(const xredist_layout& layout) {
  std::vector<int> ranks(static_cast<std::size_t>(layout.nprow) * static_cast<std::size_t>(layout.npcol));
  if (layout.ranks != nullptr)
    std::copy_n(layout.ranks, ranks.size(), ranks.begin());
  else
    std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Checked first_of(std::initializer_list<Checked> errors) {
  for (const Checked& error : errors)
    if (error) return error;
  return {};
}

int code_of(const Checked& error, std::initializer_list<std::string_view> arguments) {
  if (!error) return 0;
  return -1 - static_cast<int>(std::ranges::find(arguments, error->argument.argument) - arguments.begin());
}

Checked intervals_error(const ArgumentRef& argument, const xredist_partition* cuts, Index procs) {
  if (cuts == nullptr) return {};
  const auto error = [&](const std::string& reason) { return ArgumentError{argument, ": " + reason}; };
  if (cuts->count < 0 || cuts->count > max_intervals)
    return error("count is " + std::to_string(cuts->count) + ", must be in 0 .. 2^31 - 2");
  if (cuts->bounds == nullptr) return error("bounds is NULL");
  const std::string reason = Partition::error_in(bounds_of(*cuts), owners_of(*cuts), procs);
  return reason.empty() ? Checked() : error(reason);
}

Axis make_axis(const xredist_partition* partition, Index block, Index procs, Index source, Index first) {
  if (partition == nullptr) return {block, procs, source, first};
  return {std::make_shared<const Partition>(bounds_of(*partition), owners_of(*partition), procs), first};
}

Layout layout_of(const xredist_layout& layout, Index i, Index j) {
  return {make_axis(layout.rows, layout.mb, layout.nprow, layout.rsrc, i - 1),
          make_axis(layout.cols, layout.nb, layout.npcol, layout.csrc, j - 1)};
}

Checked size_error(Index m, Index n) {
  if (m < 0 || m > max_elements) return ArgumentError{{"m"}, {}};
  if (n < 0 || n > max_elements || too_large(m, n)) return ArgumentError{{"n"}, {}};
  return {};
}

Checked submatrix_error(const Submatrices& matrices, Index m, Index n, bool transposed, int size) {
  const auto& [a, ia, ja, b, ib, jb] = matrices;
  const auto error_unless = [](bool right, std::string_view name) {
    return right ? Checked() : ArgumentError{{name}, {}};
  };
  const auto is_index = [](Index i) { return i >= 1 && i <= max_elements; };
  if (Checked error = first_of({
          error_unless(valid(a, size), "a"),
          error_unless(is_index(ia), "ia"),
          error_unless(is_index(ja), "ja"),
          error_unless(valid(b, size), "b"),
          error_unless(is_index(ib), "ib"),
          error_unless(is_index(jb), "jb"),
      }))
    return error;
  if (Checked error = first_of({
          intervals_error({.argument = "a", .detail = ", rows"}, a->rows, a->nprow),
          intervals_error({.argument = "a", .detail = ", cols"}, a->cols, a->npcol),
          intervals_error({.argument = "b", .detail = ", rows"}, b->rows, b->nprow),
          intervals_error({.argument = "b", .detail = ", cols"}, b->cols, b->npcol),
      }))
    return error;
  return first_of({
      error_unless(reaches(a->rows, ia, transposed ? n : m), "ia"),
      error_unless(reaches(a->cols, ja, transposed ? m : n), "ja"),
      error_unless(reaches(b->rows, ib, m), "ib"),
      error_unless(reaches(b->cols, jb, n), "jb"),
  });
}

Index fingerprint(const xredist_partition* cuts) {
  if (cuts == nullptr) return 0;
  std::uint64_t sum = 1;
  const auto add = [&sum](Index value) {
    sum = (sum ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
  };
  add(cuts->count);
  if (cuts->bounds != nullptr && cuts->count >= 0 && cuts->count <= max_intervals) {
    for (const Index cut : bounds_of(*cuts)) add(cut);
    for (const int owner : owners_of(*cuts)) add(owner);
  }
  return static_cast<Index>(sum >> 2) + 1;
}

std::string trimmed(const char* text, std::size_t length) {
  const std::string_view padded(text, length);
  return std::string(padded.substr(0, padded.find_last_not_of(' ') + 1));
}

}  // namespace xredist::core
