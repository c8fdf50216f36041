// SPDX-License-Identifier: BSD-3-Clause
// The examples of doc/cpp.rst, which includes the text between the marks.
#include <gtest/gtest.h>

#include <algorithm>

// [include]
#include <xredist/relabel.hpp>
#include <xredist/xredist.hpp>
// [end]

#include "ranks.hpp"

namespace xredist::testing {
namespace {

TEST(Examples, Operation) {
  const int processes = size();
  const std::int64_t n = 10;
  const MPI_Comm comm = MPI_COMM_WORLD;
  // [operation]
  // A has slabs of rows. B is the transpose in blocks of 2 x 2, in double precision.
  std::vector<std::int64_t> bounds = {0};
  for (int k = 1; k <= processes; ++k) bounds.push_back(k * n / processes);
  const xredist::Layout slabs{.nprow = processes, .npcol = 1, .nb = n, .rows = xredist::Partition{bounds}};
  const xredist::Layout blocks{.nprow = 1, .npcol = processes, .mb = 2, .nb = 2};
  const xredist::Plan<float, double> plan(comm, slabs, blocks, {.m = n, .n = n, .trans = 'T'});

  const auto size_a = xredist::local_size(slabs, n, n, rank()), size_b = xredist::local_size(blocks, n, n, rank());
  std::vector<float> a(size_a.elements(), 1);
  std::vector<double> b(size_b.elements(), 1);
  plan.execute(a, b);          // B := A^T
  plan.execute(a, b, 2, 0.5);  // B := 0.5 B + 2 A^T
  // [end]
  EXPECT_EQ(b, std::vector<double>(size_b.elements(), 2.5));

  // [fill]
  const auto [rows, cols] = xredist::local_to_global(slabs, n, n, rank());  // a Hilbert matrix
  for (std::size_t c = 0; c < cols.size(); ++c)
    for (std::size_t r = 0; r < rows.size(); ++r)
      a[r + c * rows.size()] = 1.0f / static_cast<float>(rows[r] + cols[c] - 1);
  const xredist::Place last = xredist::global_to_local(slabs, n, n);  // process, local row and local column
  // [end]
  EXPECT_EQ(last.rank, processes - 1);
  EXPECT_TRUE(last.rank != rank() || a.back() == 1.0f / 19);
  for (std::size_t k = 0; k < a.size(); ++k)
    a[k] = static_cast<float>(rows[k % rows.size()] + 100 * cols[k / rows.size()]);

  // [list]
  // Every second row of A, from the last one on.
  std::vector<std::int64_t> every_second;
  for (std::int64_t row = n; row > 0; row -= 2) every_second.push_back(row);
  const std::int64_t m = n / 2;
  const xredist::Plan<float> selection(comm, slabs, blocks, {.m = m, .n = n, .rows_a = every_second.data()});
  const auto size_selected = xredist::local_size(blocks, m, n, rank());
  std::vector<float> selected(size_selected.elements());
  selection.execute({a.data(), size_a.rows}, selected);
  // [end]
  const auto [rows_b, cols_b] = xredist::local_to_global(blocks, m, n, rank());
  for (std::size_t k = 0; k < selected.size(); ++k) {
    const std::int64_t row = every_second[static_cast<std::size_t>(rows_b[k % rows_b.size()] - 1)];
    EXPECT_EQ(selected[k], static_cast<float>(row + 100 * cols_b[k / rows_b.size()]));
  }
  std::fill(a.begin(), a.end(), 1.0f);

  // [start]
  xredist::Request request = plan.start({a.data(), size_a.rows}, {b.data(), size_b.rows});
  while (!request.test()) {
    // compute
  }
  // [end]
  EXPECT_EQ(b, std::vector<double>(size_b.elements(), 1));

  std::vector<double> c(a.begin(), a.end()), d(b.size());
  // [batch]
  const xredist::Plan<double> copy(comm, slabs, blocks, {.m = n, .n = n});
  xredist::Request batch = xredist::start({plan.job(a, b, 3), copy.job(c, d)});
  batch.wait(0);  // B is complete
  batch.wait();   // all are complete
  // [end]
  EXPECT_EQ(b, std::vector<double>(size_b.elements(), 3));
  EXPECT_EQ(d, std::vector<double>(d.size(), 1));

  // [move]
  std::vector<double, xredist::Allocator<double>> from(size_a.elements()), to(size_b.elements());
  std::fill(from.begin(), from.end(), 1.0);
  copy.move(from, to);  // pages of `to` come, and pages of `from` go, as elements move
  // [end]
  EXPECT_EQ(std::count(to.begin(), to.end(), 1.0), std::ssize(to));

  // [letters]
  const char type = 'D';  // known when the program runs
  const xredist::Plan untyped(comm, slabs, blocks, {.m = n, .n = n, .type = type});
  untyped.execute(c, d, 2.0);
  // [end]
  EXPECT_EQ(d, std::vector<double>(d.size(), 2));

  std::string text;
  // [error]
  try {
    untyped.execute(a, d);
  } catch (const xredist::Error& error) {
    text = error.what();  // "a has elements of type S and 4 bytes, the plan of type D and 8 bytes"
  }
  // [end]
  EXPECT_EQ(text, "a has elements of type S and 4 bytes, the plan of type D and 8 bytes");

  // [relabel]
  xredist::Layout target = blocks;
  target.ranks = xredist::relabelled(comm, slabs, target, {.m = n, .n = n}).ranks;
  const xredist::Plan<double> less(comm, slabs, target, {.m = n, .n = n});
  // [end]
  EXPECT_LE(less.query().bytes_sent, 8 * n * n);
}

}  // namespace
}  // namespace xredist::testing
