#include "case.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace xschedule {
namespace {

constexpr Index most_elements = Index{1} << 62;
constexpr Index most_messages = Index{1} << 22;  // a plan keeps them all: 128 MB
constexpr double most_walk = 1 << 28;            // blocks looked at, about a second for each algorithm

Index whole_period(const Axis& a, const Axis& b, const char* axis) {
  const Index cycle_a = a.block * a.procs, cycle_b = b.block * b.procs;  // both below 2^62
  Index length;
  if (__builtin_mul_overflow(cycle_a / std::gcd(cycle_a, cycle_b), cycle_b, &length) || length > most_elements)
    throw std::invalid_argument(std::string("--size: needed, for a period of the ") + axis + " exceeds 2^62 elements");
  return length;
}

// Blocks that a look at the messages of one process each, for all of them, walks.
double walk_of(const Overlap& o) {
  const auto length = static_cast<double>(std::min(o.n, period(o)));
  return length / static_cast<double>(o.a.block) + length / static_cast<double>(o.b.block) +
         static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs);
}

Index messages_along(const Overlap& o) {
  Index count = 0;
  for (Index p = 0; p < o.a.procs; ++p) count += static_cast<Index>(partners(o, p).size());
  return count;
}

// sends_of() walks both axes for every sender.
void check_work(const Traffic& t) {
  const double processes = static_cast<double>(std::max(t.cols.a.procs, t.cols.b.procs)) * walk_of(t.rows) +
                           static_cast<double>(std::max(t.rows.a.procs, t.rows.b.procs)) * walk_of(t.cols);
  if (processes > most_walk)
    throw std::invalid_argument("grids, block sizes, --size: too many processes or blocks in a period to list");
  if (const Index count = messages_of(t); count > most_messages)
    throw std::invalid_argument("grids: " + std::to_string(count) + " messages, more than the " +
                                std::to_string(most_messages) + " that can be listed");
}

std::string described(const Layout& x) {
  const auto pair = [](Index i, Index j) { return std::to_string(i) + "x" + std::to_string(j); };
  std::string text = pair(x.rows.procs, x.cols.procs) + " processes, blocks " + pair(x.rows.block, x.cols.block);
  if (x.rows.first > 0 || x.cols.first > 0)
    text += ", from element (" + std::to_string(x.rows.first) + "," + std::to_string(x.cols.first) + ")";
  if (x.rows.source > 0 || x.cols.source > 0)
    text += ", source (" + std::to_string(x.rows.source) + "," + std::to_string(x.cols.source) + ")";
  return text;
}

std::string described(const Axis& x) {
  const std::string first = x.first > 0 ? ", from element " + std::to_string(x.first) : "";
  return "CYCLIC(" + std::to_string(x.block) + ") on " + std::to_string(x.procs) + " processes" + first;
}

std::string title_of(const Layout& a, const Layout& b, const Size& size) {
  const bool vector = a.cols == line(1, 1).cols && b.cols == a.cols && size.n == 1;
  if (vector) return described(a.rows) + " -> " + described(b.rows) + ", " + std::to_string(size.m) + " elements";
  return described(a) + " -> " + described(b) + ", " + std::to_string(size.m) + "x" + std::to_string(size.n) +
         " elements";
}

}  // namespace

Layout line(Index procs, Index block, Index first) { return {{block, procs, 0, first}, {1, 1, 0, 0}}; }

Index messages_of(const Traffic& traffic) { return messages_along(traffic.rows) * messages_along(traffic.cols); }

Case make_case(const Layout& a, const Layout& b, std::optional<Size> size, const Network& network) {
  if (!size) size = Size{whole_period(a.rows, b.rows, "rows"), whole_period(a.cols, b.cols, "columns")};
  if (size->m > most_elements / size->n) throw std::invalid_argument("--size: more than 2^62 elements");
  const Case c{.title = title_of(a, b, *size),
               .a = a,
               .b = b,
               .traffic = {overlap(a.rows, b.rows, size->m), overlap(a.cols, b.cols, size->n)},
               .network = network};
  check_work(c.traffic);
  return c;
}

}  // namespace xschedule
