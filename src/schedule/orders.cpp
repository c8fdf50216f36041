// SPDX-License-Identifier: BSD-3-Clause
// Schedules that depend on the numbers of processes only. A process's number is its position in its own grid,
// row-major.
#include <algorithm>

#include "layout/index.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {
namespace {

struct Numbers {
  Index a_cols, b_cols, a, b;

  explicit Numbers(const Traffic& t)
      : a_cols(t.cols.a.procs), b_cols(t.cols.b.procs), a(t.rows.a.procs * a_cols), b(t.rows.b.procs * b_cols) {}
  Index sender(Coord p) const { return p.row * a_cols + p.col; }
  Index receiver(Coord q) const { return q.row * b_cols + q.col; }
  Index both() const { return std::max(a, b); }
};

template <class Step>
Schedule numbered(Index count, Numbers numbers, Step step) {
  return {count, [numbers, step](Coord p, Coord q) {
            return Parts(Part{step(numbers.sender(p), numbers.receiver(q)), 1});
          }};
}

}  // namespace

Schedule caterpillar_schedule(const Traffic& traffic) {
  const Numbers numbers(traffic);
  const Index n = numbers.both();
  return numbered(n, numbers, [n](Index p, Index q) { return modulo(n - p - q, n); });
}

Schedule reference_schedule(const Traffic& traffic) {
  const Numbers numbers(traffic);
  const Index n = numbers.both();
  return numbered(2 * n, numbers, [n](Index p, Index q) { return 2 * modulo(n - 1 - p - q, n) + (p > q); });
}

Schedule rank_schedule(const Traffic& traffic) {
  const Numbers numbers(traffic);
  return numbered(numbers.b, numbers, [](Index, Index q) { return q; });
}

Schedule shifted_schedule(const Traffic& traffic) {
  const Numbers numbers(traffic);
  const Index n = numbers.both();
  return numbered(n, numbers, [n](Index p, Index q) { return modulo(q - p, n); });
}

}  // namespace xredist::core
