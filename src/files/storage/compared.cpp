// SPDX-License-Identifier: BSD-3-Clause
#include "storage/compared.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "storage/failure.hpp"
#include "storage/marks.hpp"

namespace xredist::files {
namespace {

// A hash of numbers.
class Digest {
 public:
  void add(Index value) {
    sum_ = (sum_ ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
    sum_ ^= sum_ >> 29;
  }
  // Returns a number in 1 .. 2^62, which may be negated.
  Index number() const { return static_cast<Index>(sum_ >> 2) + 1; }

 private:
  std::uint64_t sum_ = 1;
};

}  // namespace

Index digest_of(std::string_view text) {
  Digest digest;
  for (const char letter : text) digest.add(static_cast<unsigned char>(letter));
  return digest.number();
}

Index digest_of(const xredist_partition* partition) {
  if (partition == nullptr) return 0;
  Digest digest;
  for (Index k = 0; k <= partition->count; ++k) digest.add(partition->bounds[k]);
  for (Index k = 0; k < partition->count; ++k) digest.add(partition->owners != nullptr ? partition->owners[k] : k);
  return digest.number();
}

Index digest_of_ranks(const xredist_layout& layout) {
  Digest digest;
  for (Index k = 0; k < Index{layout.nprow} * layout.npcol; ++k)
    digest.add(layout.ranks != nullptr ? layout.ranks[k] : k);
  return digest.number();
}

void demand_ranks(const xredist_layout& layout, int size) {
  if (layout.ranks == nullptr) return;
  std::vector<bool> seen(as_size(size), false);
  for (Index k = 0; k < Index{layout.nprow} * layout.npcol; ++k) {
    const int rank = layout.ranks[k];
    const auto refuse = [&](const std::string& rest) {
      throw InvalidArgument("layout.ranks[" + std::to_string(k) + "] is " + std::to_string(rank) + ", " + rest);
    };
    if (rank < 0 || rank >= size) refuse("must be a rank of the communicator, 0 .. " + std::to_string(size - 1));
    if (seen[as_size(rank)]) refuse("which an earlier position has already");
    seen[as_size(rank)] = true;
  }
}

void find_maxima(Index* values, int count, MPI_Comm comm) {
  const InWait wait("agreement by a reduction, which ends when all processes have called");
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MAX, comm, &request);
  demand_success(xredist_wait_mpi(&request));
}

void fail_as_different(const Compared& argument, Index least, Index greatest) {
  std::array<char, 128> text{};
  if (argument.shows_values)
    std::snprintf(text.data(), text.size(), "%s differs between processes: from %lld to %lld", argument.name,
                  static_cast<long long>(least), static_cast<long long>(greatest));
  else
    std::snprintf(text.data(), text.size(), "%s differs between processes", argument.name);
  throw InvalidArgument(text.data());
}

}  // namespace xredist::files
