#include "exchange/neighbours.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <string_view>

#include "exchange/attribute.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace xredist {
namespace {

// Of each process. Its first bytes hold the cookie, by which a neighbour knows that it has opened the
// right file: process numbers mean nothing between containers.
constexpr std::size_t segment_bytes = (std::size_t{2} << 20) + 4096;
constexpr std::size_t data_at = 4096;

struct Identity {
  std::uint64_t node, cookie;  // cookie 0: has nothing to share
  std::int32_t pid, file;
};

#ifdef __linux__

std::byte* map_file(int file, int protection) {
  void* memory = mmap(nullptr, segment_bytes, protection, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

// The process's own segment and those that it has mapped; freed at MPI_Finalize.
struct Segments {
  Identity identity{};
  std::byte* own = nullptr;
  std::map<std::uint64_t, std::byte*> mapped;  // by cookie

  Segments() {
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    identity.node = std::hash<std::string_view>{}(name);
    identity.pid = getpid();
    identity.file = memfd_create("xredist", MFD_CLOEXEC);
    if (identity.file < 0 || ftruncate(identity.file, segment_bytes) != 0) return;
    own = map_file(identity.file, PROT_READ | PROT_WRITE);
    if (own == nullptr) return;
    // When, and where in an address space laid out at random: a random_device takes 50 us, half of a first small call.
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    const auto where = reinterpret_cast<std::uintptr_t>(own), who = static_cast<std::uintptr_t>(identity.pid);
    identity.cookie = (now * 0x9e3779b97f4a7c15 ^ where << 16 ^ who) | 1;
    *reinterpret_cast<std::uint64_t*>(own) = identity.cookie;
  }
  ~Segments() {
    for (const auto& [cookie, memory] : mapped) munmap(memory, segment_bytes);
    if (own != nullptr) munmap(own, segment_bytes);
    if (identity.file >= 0) close(identity.file);
  }
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  std::byte* map(std::int32_t pid, std::int32_t number, std::uint64_t cookie) {
    if (const auto known = mapped.find(cookie); known != mapped.end()) return known->second;
    const std::string path = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(number);
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return nullptr;
    const bool large_enough = lseek(file, 0, SEEK_END) == static_cast<off_t>(segment_bytes);
    std::byte* memory = large_enough ? map_file(file, PROT_READ) : nullptr;
    close(file);
    if (memory == nullptr) return nullptr;
    if (*reinterpret_cast<const std::uint64_t*>(memory) != cookie) {
      munmap(memory, segment_bytes);
      return nullptr;
    }
    return mapped[cookie] = memory;
  }
};

#else

struct Segments {
  Identity identity{};
  std::byte* own = nullptr;
  std::byte* map(std::int32_t, std::int32_t, std::uint64_t) { return nullptr; }
};

#endif

Segments& segments() {
  if (Segments* known = attached<Segments>(MPI_COMM_SELF)) return *known;
  return attach(MPI_COMM_SELF, std::make_unique<Segments>());
}

// The most processes that one node has.
Index fullest_node(const std::vector<Identity>& all) {
  std::map<std::uint64_t, Index> count;
  Index most = 0;
  for (const Identity& one : all) most = std::max(most, ++count[one.node]);
  return most;
}

}  // namespace

Neighbours::Neighbours(MPI_Comm comm, bool wanted) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (!wanted || size == 1) return;
  Segments& known = segments();
  std::vector<Identity> all(static_cast<std::size_t>(size));
  MPI_Allgather(&known.identity, sizeof(Identity), MPI_BYTE, all.data(), sizeof(Identity), MPI_BYTE, comm);
  for (int other = 0; other < size; ++other) {
    const Identity& one = all[static_cast<std::size_t>(other)];
    if (other != rank && one.node == known.identity.node)
      neighbours_.push_back({other, one.pid, one.file, one.cookie});
  }
  // Whether all can: each tries the next on its node.
  int can = known.identity.cookie != 0;
  if (can && !neighbours_.empty()) {
    const auto after = std::ranges::upper_bound(neighbours_, rank, {}, &Neighbour::rank);
    const Neighbour& next = after == neighbours_.end() ? neighbours_.front() : *after;
    can = next.cookie != 0 && known.map(next.pid, next.file, next.cookie) != nullptr;
  }
  MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, comm);
  const Index most = fullest_node(all);
  if (!can || most == 1) {
    neighbours_.clear();
    return;
  }
  everyone_ = most == size;
  own_ = known.own + data_at;
  bytes_ = std::clamp<Index>((Index{16} << 20) / most, Index{64} << 10, static_cast<Index>(segment_bytes - data_at));
}

const Neighbours::Neighbour* Neighbours::find(int rank) const {
  const auto found = std::ranges::lower_bound(neighbours_, rank, {}, &Neighbour::rank);
  return found != neighbours_.end() && found->rank == rank ? &*found : nullptr;
}

const std::byte* Neighbours::memory_of(int rank) {
  auto& neighbour = const_cast<Neighbour&>(*find(rank));
  if (neighbour.memory == nullptr) {
    const std::byte* memory = segments().map(neighbour.pid, neighbour.file, neighbour.cookie);
    if (memory == nullptr) throw std::bad_alloc();
    neighbour.memory = memory + data_at;
  }
  return neighbour.memory;
}

}  // namespace xredist
