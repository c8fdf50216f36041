// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/shared_memory.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>
#include <string>
#include <string_view>

#if defined(__linux__) && ATOMIC_LLONG_LOCK_FREE == 2
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace xredist::core {

#if defined(__linux__) && ATOMIC_LLONG_LOCK_FREE == 2

namespace {

// Bytes: offset of the data. The first bytes hold the cookie, by which a neighbour knows that it has opened the right
// file: process numbers mean nothing between containers. The flags follow. Neighbours write to the flags only; so where
// pages have 4096 bytes, the data are read-only to them.
constexpr std::size_t flags_at = 64, data_at = 4096;
static_assert(flags_at + sizeof(SharedMemory::Flags) <= data_at);
constexpr std::size_t segment_bytes = data_at + as_size(SharedMemory::max_bytes);

std::byte* map_file(int file, int protection, std::size_t length) {
  void* memory = mmap(nullptr, length, protection, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

SharedMemory::Flags* flags_of(std::byte* segment) {
  return std::launder(reinterpret_cast<SharedMemory::Flags*>(segment + flags_at));
}

// Returns whether files may have the size of a segment. A larger file would end the process by a signal. (Files have a
// guard of their own: files/storage/handle.cpp.)
bool file_size_allowed() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= segment_bytes;
}

}  // namespace

void SharedMemory::make() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  identity_ = {std::hash<std::string_view>{}(name), 0, getpid(), -1};
  if (!file_size_allowed()) return;
  identity_.file = memfd_create("xredist", MFD_CLOEXEC);
  if (identity_.file < 0 || ftruncate(identity_.file, static_cast<off_t>(segment_bytes)) != 0) return;
  own_ = map_file(identity_.file, PROT_READ | PROT_WRITE, segment_bytes);
  if (own_ == nullptr) return;
  // Made from the time and from an address that the system has chosen at random. (std::random_device takes 50 us.)
  const auto time = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  const auto address = reinterpret_cast<std::uintptr_t>(own_), pid = static_cast<std::uintptr_t>(identity_.pid);
  identity_.cookie = (time * 0x9e3779b97f4a7c15 ^ address << 16 ^ pid) | 1;
  new (own_ + flags_at) Flags{};
  *reinterpret_cast<std::uint64_t*>(own_) = identity_.cookie;
}

SharedMemory::~SharedMemory() {
  for (const Mapping& mapping : mapped_) munmap(mapping.memory, mapping.length);
  if (own_ != nullptr) munmap(own_, segment_bytes);
  if (made_ && identity_.file >= 0) close(identity_.file);
}

// In another container the path may name any file. O_NONBLOCK: opening a FIFO would wait for its writer.
SharedMemory::Segment SharedMemory::map(const Identity& other, Index bytes) {
  if (other.cookie == 0) return {};
  const std::size_t length = data_at + as_size(bytes);
  const auto known = std::ranges::find_if(
      mapped_, [&](const Mapping& mapping) { return mapping.cookie == other.cookie && mapping.length >= length; });
  if (known != mapped_.end()) return {flags_of(known->memory), known->memory + data_at};
  mapped_.reserve(mapped_.size() + 1);

  const std::string path = "/proc/" + std::to_string(other.pid) + "/fd/" + std::to_string(other.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return {};
  struct stat status {};
  const bool is_segment =
      fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == off_t{segment_bytes};
  std::byte* memory = is_segment ? map_file(file, PROT_READ, length) : nullptr;
  close(file);
  if (memory == nullptr) return {};
  if (*reinterpret_cast<const std::uint64_t*>(memory) != other.cookie ||
      mprotect(memory, data_at, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, length);
    return {};
  }
  mapped_.push_back({other.cookie, memory, length});
  return {flags_of(memory), memory + data_at};
}

std::byte* SharedMemory::Loan::memory() const { return from_ != nullptr ? from_->own_ + data_at : nullptr; }
SharedMemory::Flags* SharedMemory::Loan::flags() const { return from_ != nullptr ? flags_of(from_->own_) : nullptr; }

#else

void SharedMemory::make() {}
SharedMemory::~SharedMemory() = default;
SharedMemory::Segment SharedMemory::map(const Identity&, Index) { return {}; }
std::byte* SharedMemory::Loan::memory() const { return nullptr; }
SharedMemory::Flags* SharedMemory::Loan::flags() const { return nullptr; }

#endif

const SharedMemory::Identity& SharedMemory::identity() {
  if (!made_) make();
  made_ = true;
  return identity_;
}

}  // namespace xredist::core
