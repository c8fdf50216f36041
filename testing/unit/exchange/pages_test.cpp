// SPDX-License-Identifier: BSD-3-Clause
// The pages of an array that go back to the system.
#include "exchange/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace xredist::core {
namespace {

#ifdef __linux__

// Private memory, each byte of which is 1.
class Memory {
 public:
  static constexpr Index bytes = Index{2} << 20;

  Memory() {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    begin_ = static_cast<std::byte*>(memory);
    std::memset(begin_, 1, bytes);
  }
  ~Memory() {
    if (begin_ != nullptr) munmap(begin_, bytes);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::byte* begin() const { return begin_; }

 private:
  std::byte* begin_ = nullptr;
};

const Index page = sysconf(_SC_PAGESIZE);

// Returns whether the system may use huge pages for the memory at the address, as /proc/self/smaps says.
bool may_be_huge(const std::byte* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream smaps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(smaps, line);) {
    unsigned long first = 0, last = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &last) == 2) here = first <= wanted && wanted < last;
    if (here && line.starts_with("VmFlags:")) return line.find(" nh") == std::string::npos;
  }
  ADD_FAILURE() << "the address is in no mapping";
  return false;
}

// Otherwise khugepaged would fill the holes of an array in huge pages.
TEST(Pages, AreSmallFromTheBeginning) {
  const Memory memory, other;
  ASSERT_NE(memory.begin(), nullptr);
  ASSERT_NE(other.begin(), nullptr);
  if (madvise(other.begin(), Memory::bytes, MADV_HUGEPAGE) != 0) GTEST_SKIP() << "the system has no huge pages";
  madvise(memory.begin(), Memory::bytes, MADV_HUGEPAGE);
  const Pages pages(memory.begin(), memory.begin() + Memory::bytes);
  EXPECT_FALSE(may_be_huge(memory.begin() + Memory::bytes / 2));
  EXPECT_TRUE(may_be_huge(other.begin() + Memory::bytes / 2));
  ask_for_small_pages(other.begin(), other.begin() + Memory::bytes);
  EXPECT_FALSE(may_be_huge(other.begin() + Memory::bytes / 2));
}

TEST(Pages, GoBackWhenAllBytesHaveBeenGivenUp) {
  const Memory memory;
  std::byte* const a = memory.begin();
  ASSERT_NE(a, nullptr);
  Pages pages(a, a + Memory::bytes);
  pages.give_up(a, a + page + page / 2);
  pages.release();
  EXPECT_EQ(a[0], std::byte{0});
  EXPECT_EQ(a[page], std::byte{1});
  pages.give_up(a + page + page / 2, a + 2 * page);
  pages.release();
  EXPECT_EQ(a[page], std::byte{0});
  EXPECT_EQ(a[2 * page], std::byte{1});
}

// A release passes over pages that stay, or that have gone already.
TEST(Pages, GoBackInAnyOrder) {
  const Memory memory;
  std::byte* const a = memory.begin();
  ASSERT_NE(a, nullptr);
  Pages pages(a, a + Memory::bytes);
  for (const Index number : {7, 2, 5, 4}) pages.give_up(a + number * page, a + (number + 1) * page);
  pages.release();
  const auto gone = [&] {
    std::string numbers;
    for (Index k = 0; k < 10; ++k)
      if (a[k * page] == std::byte{0}) numbers += std::to_string(k);
    return numbers;
  };
  EXPECT_EQ(gone(), "2457");
  a[4 * page] = std::byte{2};
  for (const Index number : {6, 3}) pages.give_up(a + number * page, a + (number + 1) * page);
  pages.release();
  EXPECT_EQ(gone(), "23567");
}

// The first page is locked, so the release fails before the pages that are no neighbours go back.
TEST(Pages, StayOnceTheSystemHasRefused) {
  const Memory memory;
  std::byte* const a = memory.begin();
  ASSERT_NE(a, nullptr);
  if (syscall(SYS_mlock, a, page) != 0) GTEST_SKIP() << "no memory can be locked";  // ASan's mlock() does nothing
  Pages pages(a, a + Memory::bytes);
  pages.give_up(a, a + page);
  pages.give_up(a + 2 * page, a + 3 * page + page / 2);
  pages.release();
  EXPECT_TRUE(pages.empty());
  pages.give_up(a + 5 * page, a + 6 * page);
  pages.release();
  for (Index k = 0; k < Memory::bytes; ++k) ASSERT_EQ(a[k], std::byte{1}) << "byte " << k;
}

#endif

}  // namespace
}  // namespace xredist::core
