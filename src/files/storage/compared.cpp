// SPDX-License-Identifier: BSD-3-Clause
#include "storage/compared.hpp"

#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "storage/entry_names.hpp"
#include "storage/marks.hpp"
#include "storage/shared_failure.hpp"

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

// Throws the failure that an argument differs between processes.
[[noreturn]] void fail_as_different(const Compared& argument, Index least, Index greatest) {
  const std::array<char, 64> name = entry_name(argument.name, argument.axis);
  std::array<char, 128> text{};
  if (argument.shows_values)
    std::snprintf(text.data(), text.size(), "%s differs between processes: from %lld to %lld", name.data(),
                  static_cast<long long>(least), static_cast<long long>(greatest));
  else
    std::snprintf(text.data(), text.size(), "%s differs between processes", name.data());
  throw InvalidArgument(text.data());
}

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

Index digest_of(const xredist_axis& axis) {
  Digest digest;
  digest.add(axis.procs != 0 ? axis.procs : 1);
  digest.add(axis.partition == nullptr ? axis.block : 0);
  digest.add(axis.partition == nullptr ? Index{axis.source} : digest_of(axis.partition));
  return digest.number();
}

Index digest_of_list(const int* list, Index count) {
  Digest digest;
  for (Index k = 0; k < count; ++k) digest.add(list != nullptr ? list[k] : k);
  return digest.number();
}

void demand_ranks(const int* ranks, Index positions, int size) {
  if (ranks == nullptr) return;
  std::vector<bool> seen(as_size(size), false);
  for (Index k = 0; k < positions; ++k) {
    const auto refuse = [&](const std::string& rest) {
      throw InvalidArgument(std::string(entry_name("layout.ranks", static_cast<int>(k)).data()) + " is " +
                            std::to_string(ranks[k]) + ", " + rest);
    };
    if (ranks[k] < 0 || ranks[k] >= size)
      refuse("must be a rank of the communicator, 0 .. " + std::to_string(size - 1));
    if (seen[as_size(ranks[k])]) refuse("which an earlier position has already");
    seen[as_size(ranks[k])] = true;
  }
}

void ComparedArguments::demand_equal(MPI_Comm comm) const {
  std::array<Index, 2 * std::tuple_size_v<decltype(list_)>> maxima;
  for (std::size_t k = 0; k < count_; ++k) maxima.at(k) = list_.at(k).value, maxima.at(count_ + k) = -list_.at(k).value;
  const InWait wait("agreement by a reduction, which ends when all processes have called");
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, maxima.data(), static_cast<int>(2 * count_), MPI_INT64_T, MPI_MAX, comm, &request);
  demand_success(xredist_wait_mpi(&request));
  for (std::size_t k = 0; k < count_; ++k)
    if (maxima.at(k) != -maxima.at(count_ + k)) fail_as_different(list_.at(k), -maxima.at(count_ + k), maxima.at(k));
}

}  // namespace xredist::files
