#include "orders.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace walker_otto {

std::vector<int> simple_order(const Growth& g, int p) {
  std::vector<int> blocks;
  for (int k = 0; k < g.K; ++k) blocks.push_back(k * g.P + p);
  return blocks;
}

std::vector<int> random_order(const Growth& g, int p, unsigned seed) {
  std::vector<int> blocks = simple_order(g, p);
  std::mt19937 random(seed * 7919u + static_cast<unsigned>(p));
  std::ranges::shuffle(blocks, random);
  return blocks;
}

// The receive schedule is the simpler one; a send schedule is what all receive schedules together say.
std::vector<int> optimal_order(const Growth& g, int p) {
  std::vector<int> blocks(static_cast<std::size_t>(g.K));
  for (int q = 0; q < g.P; ++q) {
    const std::vector<int> received = optimal_receives(g, q);
    for (std::size_t k = 0; k < received.size(); ++k)
      if (g.holder(received[k]) == p) blocks[k] = received[k];
  }
  return blocks;
}

std::vector<int> optimal_receives(const Growth& g, int q) {
  const int common = std::gcd(g.P, g.K);
  std::vector<int> blocks;
  for (int k = 0; k < g.K; ++k)
    blocks.push_back(g.K * q + k / common * common + (q / (g.P / common) + k % common) % common);
  return blocks;
}

}  // namespace walker_otto
