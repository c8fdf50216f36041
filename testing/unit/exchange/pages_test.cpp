// SPDX-License-Identifier: BSD-3-Clause
// The pages of an array that go back to the system.
#include "exchange/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

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

// The first page is locked, so the release fails as soon as pages that are no neighbours are given up.
TEST(Pages, StayOnceTheSystemHasRefused) {
  const Memory memory;
  std::byte* const a = memory.begin();
  ASSERT_NE(a, nullptr);
  if (syscall(SYS_mlock, a, page) != 0) GTEST_SKIP() << "no memory can be locked";  // ASan's mlock() does nothing
  Pages pages(a, a + Memory::bytes);
  pages.give_up(a, a + page);
  pages.give_up(a + 2 * page, a + 3 * page + page / 2);
  EXPECT_TRUE(pages.empty());
  pages.give_up(a + 5 * page, a + 6 * page);
  pages.release();
  for (Index k = 0; k < Memory::bytes; ++k) ASSERT_EQ(a[k], std::byte{1}) << "byte " << k;
}

#endif

}  // namespace
}  // namespace xredist::core
