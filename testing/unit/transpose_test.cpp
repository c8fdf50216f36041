// SPDX-License-Identifier: BSD-3-Clause
// A packet of a transposed array has the bytes that a packet of the array itself has, which packer_test.cpp tests.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "copy/packer.hpp"

namespace xredist::core {
namespace {

using Bytes = std::vector<std::byte>;

struct Random {
  std::mt19937_64 engine{47};
  Index from_to(Index first, Index last) { return std::uniform_int_distribution<Index>(first, last)(engine); }
  Axis axis() {
    const Index procs = from_to(1, 3);
    return {from_to(1, 60), procs, from_to(0, procs - 1), from_to(0, 9)};
  }
};

Index local_end(const Axis& axis, Index p, Index n) { return local_count(axis, p, axis.first + n); }

// Packs all chunks of the message p -> q from an array and from its transpose. Returns the number of elements.
Index check(Random& random, const Layout& a, const Layout& b, Index m, Index n, const Region& region, Type type) {
  const Index bytes = bytes_of(type, 0);
  const Redistribution plain = redistribution_of(a, b, m, n, region, bytes),
                       transposed = redistribution_of({a.cols, a.rows}, b, m, n, region, bytes, {type, type, true});
  const Coord p{random.from_to(0, a.rows.procs - 1), random.from_to(0, a.cols.procs - 1)};
  const std::vector<Partner> rows = partners(plain.traffic.rows, p.row), cols = partners(plain.traffic.cols, p.col);
  if (rows.empty() || cols.empty()) return 0;
  const Index height = local_end(a.rows, p.row, m), width = local_end(a.cols, p.col, n);
  const Index ld = height + random.from_to(0, 3), transposed_ld = width + random.from_to(0, 3);
  Bytes array(as_size(ld * width * bytes)), other(as_size(transposed_ld * height * bytes));
  for (std::byte& byte : array) byte = static_cast<std::byte>(random.engine());
  for (Index k = 0; k < height * width * bytes; ++k) {
    const Index byte = k % bytes, i = k / bytes % height, j = k / bytes / height;
    at(other, (j + i * transposed_ld) * bytes + byte) = at(array, (i + j * ld) * bytes + byte);
  }
  const Index limit = random.from_to(0, 1) == 0 ? Index{1} << 20 : bytes * random.from_to(1, 900);
  Chunks chunks(transposed, p, {rows[0].peer, cols[0].peer}, {0, rows[0].length}, {0, cols[0].length}, limit, nullptr,
                true, true);
  Packer packer(random.from_to(1, 3), 1);
  Index packed = 0;
  while (const auto chunk = chunks.next()) {
    const Index most = chunk->rows.count * chunk->cols.count * bytes;
    EXPECT_LE(most, std::max(limit, bytes));
    Bytes expected(as_size(most)), found(as_size(most));
    packed += packer.pack(plain, *chunk, {array.data(), ld}, expected.data());
    packer.pack(transposed, *chunk, {other.data(), transposed_ld}, found.data());
    EXPECT_TRUE(found == expected) << chunk->rows.count << " x " << chunk->cols.count << " of " << bytes << " bytes";
  }
  return packed / bytes;
}

TEST(Transpose, PacksAsTheArrayItself) {
  Random random;
  Index elements = 0;
  for (int trial = 0; trial < 100 && !HasFailure(); ++trial) {
    const Index m = random.from_to(1, 300), n = random.from_to(1, 300);
    const Region region = trial % 3 == 0 ? Region{} : trapezoid(trial % 3 == 1 ? 'U' : 'L', 'N', m, n);
    const Layout a{random.axis(), random.axis()}, b{random.axis(), random.axis()};
    for (const Type type : {Type::real, Type::real64, Type::complex64})
      elements += check(random, a, b, m, n, region, type);
  }
  EXPECT_GT(elements, 0);
}

}  // namespace
}  // namespace xredist::core
