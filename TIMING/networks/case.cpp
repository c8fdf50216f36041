#include "case.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>
#include <stdexcept>
#include <vector>

namespace networks {
namespace {

Distribution distribution(const std::string& text) {
  static const std::regex form(R"((\d{1,6})(?:x(\d{1,6}))?/(\d{1,9})(?:x(\d{1,9}))?)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) throw std::invalid_argument("no distribution: " + text);
  const auto number = [&](std::size_t i) { return found[i].matched ? std::stoll(found[i]) : 1; };
  const Distribution d{number(1), number(2), number(3), number(4)};
  if (std::min({d.nprow, d.npcol, d.mb, d.nb}) < 1) throw std::invalid_argument("numbers begin at 1: " + text);
  return d;
}

// A whole number of periods, one at least, near `wanted`; any number where nothing is distributed.
Index whole_periods(double wanted, Index p, Index r, Index q, Index s) {
  const Index period = p == 1 && q == 1 ? 1 : std::lcm(p * r, q * s);
  return std::max<Index>(1, std::llround(wanted / static_cast<double>(period))) * period;
}

// elements[p * q_count + q]: how many of an axis p of A and q of B have in common.
std::vector<Index> common(Index n, Index p_count, Index r, Index q_count, Index s) {
  std::vector<Index> elements(static_cast<std::size_t>(p_count * q_count), 0);
  for (Index k = 0; k < n; ++k) ++elements[static_cast<std::size_t>(k / r % p_count * q_count + k / s % q_count)];
  return elements;
}

}  // namespace

Index Case::processes() const { return std::max(a.processes(), b.processes()); }

xredist::core::Traffic Case::traffic() const {
  return {xredist::core::overlap({a.mb, a.nprow, 0, 0}, {b.mb, b.nprow, 0, 0}, m),
          xredist::core::overlap({a.nb, a.npcol, 0, 0}, {b.nb, b.npcol, 0, 0}, n)};
}

Case make_case(const std::string& name, Index bytes) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) throw std::invalid_argument("no case: " + name);
  Case c{name, distribution(name.substr(0, colon)), distribution(name.substr(colon + 1)), 0, 0};
  const double elements = static_cast<double>(bytes) / sizeof(double);
  c.m = whole_periods(std::sqrt(elements), c.a.nprow, c.a.mb, c.b.nprow, c.b.mb);
  c.n = whole_periods(elements / static_cast<double>(c.m), c.a.npcol, c.a.nb, c.b.npcol, c.b.nb);
  return c;
}

Index port_bytes(const Case& c) {
  const auto rows = common(c.m, c.a.nprow, c.a.mb, c.b.nprow, c.b.mb);
  const auto cols = common(c.n, c.a.npcol, c.a.nb, c.b.npcol, c.b.nb);
  std::vector<Index> sent(static_cast<std::size_t>(c.a.processes()), 0),
      received(static_cast<std::size_t>(c.b.processes()), 0);
  for (Index p = 0; p < c.a.processes(); ++p)
    for (Index q = 0; q < c.b.processes(); ++q) {
      if (p == q) continue;
      const Index elements = rows[static_cast<std::size_t>(p / c.a.npcol * c.b.nprow + q / c.b.npcol)] *
                             cols[static_cast<std::size_t>(p % c.a.npcol * c.b.npcol + q % c.b.npcol)];
      sent[static_cast<std::size_t>(p)] += elements;
      received[static_cast<std::size_t>(q)] += elements;
    }
  return static_cast<Index>(sizeof(double)) * std::max(std::ranges::max(sent), std::ranges::max(received));
}

}  // namespace networks
