// SPDX-License-Identifier: BSD-3-Clause
// Walker & Otto 1996.
#include "papers/walker_otto.hpp"

#include <gtest/gtest.h>

#include <array>

#include "examples.hpp"
#include "layout/overlap.hpp"
#include "schedule/classes.hpp"

namespace papers {
namespace {

using xredist::testing::line;

using Figure = std::array<std::array<Index, 16>, 12>;  // [step][process]

// Figure 8 (a): the block that process p (column) sends in step k (row).
constexpr Figure figure_8a{{
    {0, 49, 98, 147, 36, 85, 134, 183, 24, 73, 122, 171, 12, 61, 110, 159},
    {144, 1, 50, 99, 180, 37, 86, 135, 168, 25, 74, 123, 156, 13, 62, 111},
    {96, 145, 2, 51, 132, 181, 38, 87, 120, 169, 26, 75, 108, 157, 14, 63},
    {48, 97, 146, 3, 84, 133, 182, 39, 72, 121, 170, 27, 60, 109, 158, 15},
    {16, 65, 114, 163, 4, 53, 102, 151, 40, 89, 138, 187, 28, 77, 126, 175},
    {160, 17, 66, 115, 148, 5, 54, 103, 184, 41, 90, 139, 172, 29, 78, 127},
    {112, 161, 18, 67, 100, 149, 6, 55, 136, 185, 42, 91, 124, 173, 30, 79},
    {64, 113, 162, 19, 52, 101, 150, 7, 88, 137, 186, 43, 76, 125, 174, 31},
    {32, 81, 130, 179, 20, 69, 118, 167, 8, 57, 106, 155, 44, 93, 142, 191},
    {176, 33, 82, 131, 164, 21, 70, 119, 152, 9, 58, 107, 188, 45, 94, 143},
    {128, 177, 34, 83, 116, 165, 22, 71, 104, 153, 10, 59, 140, 189, 46, 95},
    {80, 129, 178, 35, 68, 117, 166, 23, 56, 105, 154, 11, 92, 141, 190, 47},
}};

// Figure 8 (b): the process to which p sends.
constexpr Figure figure_8b{{
    {0, 4, 8, 12, 3, 7, 11, 15, 2, 6, 10, 14, 1, 5, 9, 13},
    {12, 0, 4, 8, 15, 3, 7, 11, 14, 2, 6, 10, 13, 1, 5, 9},
    {8, 12, 0, 4, 11, 15, 3, 7, 10, 14, 2, 6, 9, 13, 1, 5},
    {4, 8, 12, 0, 7, 11, 15, 3, 6, 10, 14, 2, 5, 9, 13, 1},
    {1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15, 2, 6, 10, 14},
    {13, 1, 5, 9, 12, 0, 4, 8, 15, 3, 7, 11, 14, 2, 6, 10},
    {9, 13, 1, 5, 8, 12, 0, 4, 11, 15, 3, 7, 10, 14, 2, 6},
    {5, 9, 13, 1, 4, 8, 12, 0, 7, 11, 15, 3, 6, 10, 14, 2},
    {2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15},
    {14, 2, 6, 10, 13, 1, 5, 9, 12, 0, 4, 8, 15, 3, 7, 11},
    {10, 14, 2, 6, 9, 13, 1, 5, 8, 12, 0, 4, 11, 15, 3, 7},
    {6, 10, 14, 2, 5, 9, 13, 1, 4, 8, 12, 0, 7, 11, 15, 3},
}};

// Figure 8 (c): the local number of the block that p sends.
constexpr Figure figure_8c{{
    {0, 3, 6, 9, 2, 5, 8, 11, 1, 4, 7, 10, 0, 3, 6, 9},
    {9, 0, 3, 6, 11, 2, 5, 8, 10, 1, 4, 7, 9, 0, 3, 6},
    {6, 9, 0, 3, 8, 11, 2, 5, 7, 10, 1, 4, 6, 9, 0, 3},
    {3, 6, 9, 0, 5, 8, 11, 2, 4, 7, 10, 1, 3, 6, 9, 0},
    {1, 4, 7, 10, 0, 3, 6, 9, 2, 5, 8, 11, 1, 4, 7, 10},
    {10, 1, 4, 7, 9, 0, 3, 6, 11, 2, 5, 8, 10, 1, 4, 7},
    {7, 10, 1, 4, 6, 9, 0, 3, 8, 11, 2, 5, 7, 10, 1, 4},
    {4, 7, 10, 1, 3, 6, 9, 0, 5, 8, 11, 2, 4, 7, 10, 1},
    {2, 5, 8, 11, 1, 4, 7, 10, 0, 3, 6, 9, 2, 5, 8, 11},
    {11, 2, 5, 8, 10, 1, 4, 7, 9, 0, 3, 6, 11, 2, 5, 8},
    {8, 11, 2, 5, 7, 10, 1, 4, 6, 9, 0, 3, 8, 11, 2, 5},
    {5, 8, 11, 2, 4, 7, 10, 1, 3, 6, 9, 0, 5, 8, 11, 2},
}};

// Figure 9 (a): the block that process q receives.
constexpr Figure figure_9a{{
    {0, 12, 24, 36, 49, 61, 73, 85, 98, 110, 122, 134, 147, 159, 171, 183},
    {1, 13, 25, 37, 50, 62, 74, 86, 99, 111, 123, 135, 144, 156, 168, 180},
    {2, 14, 26, 38, 51, 63, 75, 87, 96, 108, 120, 132, 145, 157, 169, 181},
    {3, 15, 27, 39, 48, 60, 72, 84, 97, 109, 121, 133, 146, 158, 170, 182},
    {4, 16, 28, 40, 53, 65, 77, 89, 102, 114, 126, 138, 151, 163, 175, 187},
    {5, 17, 29, 41, 54, 66, 78, 90, 103, 115, 127, 139, 148, 160, 172, 184},
    {6, 18, 30, 42, 55, 67, 79, 91, 100, 112, 124, 136, 149, 161, 173, 185},
    {7, 19, 31, 43, 52, 64, 76, 88, 101, 113, 125, 137, 150, 162, 174, 186},
    {8, 20, 32, 44, 57, 69, 81, 93, 106, 118, 130, 142, 155, 167, 179, 191},
    {9, 21, 33, 45, 58, 70, 82, 94, 107, 119, 131, 143, 152, 164, 176, 188},
    {10, 22, 34, 46, 59, 71, 83, 95, 104, 116, 128, 140, 153, 165, 177, 189},
    {11, 23, 35, 47, 56, 68, 80, 92, 105, 117, 129, 141, 154, 166, 178, 190},
}};

// Figure 9 (b): the process from which q receives.
constexpr Figure figure_9b{{
    {0, 12, 8, 4, 1, 13, 9, 5, 2, 14, 10, 6, 3, 15, 11, 7},
    {1, 13, 9, 5, 2, 14, 10, 6, 3, 15, 11, 7, 0, 12, 8, 4},
    {2, 14, 10, 6, 3, 15, 11, 7, 0, 12, 8, 4, 1, 13, 9, 5},
    {3, 15, 11, 7, 0, 12, 8, 4, 1, 13, 9, 5, 2, 14, 10, 6},
    {4, 0, 12, 8, 5, 1, 13, 9, 6, 2, 14, 10, 7, 3, 15, 11},
    {5, 1, 13, 9, 6, 2, 14, 10, 7, 3, 15, 11, 4, 0, 12, 8},
    {6, 2, 14, 10, 7, 3, 15, 11, 4, 0, 12, 8, 5, 1, 13, 9},
    {7, 3, 15, 11, 4, 0, 12, 8, 5, 1, 13, 9, 6, 2, 14, 10},
    {8, 4, 0, 12, 9, 5, 1, 13, 10, 6, 2, 14, 11, 7, 3, 15},
    {9, 5, 1, 13, 10, 6, 2, 14, 11, 7, 3, 15, 8, 4, 0, 12},
    {10, 6, 2, 14, 11, 7, 3, 15, 8, 4, 0, 12, 9, 5, 1, 13},
    {11, 7, 3, 15, 8, 4, 0, 12, 9, 5, 1, 13, 10, 6, 2, 14},
}};

// Figure 9 (c): the slot of the block that q receives.
constexpr Figure figure_9c{{
    {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3},
    {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0},
    {2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1},
    {3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
    {4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7},
    {5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 4, 4, 4, 4},
    {6, 6, 6, 6, 7, 7, 7, 7, 4, 4, 4, 4, 5, 5, 5, 5},
    {7, 7, 7, 7, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6},
    {8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11},
    {9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11, 8, 8, 8, 8},
    {10, 10, 10, 10, 11, 11, 11, 11, 8, 8, 8, 8, 9, 9, 9, 9},
    {11, 11, 11, 11, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10},
}};

// What happens in each step to the blocks of a superblock, [step][process].
struct Steps {
  std::vector<std::vector<Index>> sent, to, received, from;

  Steps(Index P, Index K, std::string_view algorithm) : sent(as_size(K), std::vector<Index>(as_size(P), -1)) {
    to = received = from = sent;
    const Traffic t{line(P, 1, P, K, P * K), point};
    const Schedule schedule = made(algorithm, t);
    for (Index p = 0; p < P; ++p)
      for (const Message& m : sends_of(t, schedule, {p, 0})) {
        Runs runs(t.rows, p, m.peer.row);  // m.rows is one of the elements that both share, a block
        Index block = 0;
        for (Index k = 0; k <= m.rows.begin; ++k) block = runs.next(1).k;
        at(at(sent, m.step), p) = block;
        at(at(to, m.step), p) = m.peer.row;
        at(at(received, m.step), m.peer.row) = block;
        at(at(from, m.step), m.peer.row) = p;
      }
  }
};

template <class Value>
void expect_figure(const std::vector<std::vector<Index>>& ours, const Figure& paper, Value value) {
  ASSERT_EQ(ours.size(), paper.size());
  for (std::size_t k = 0; k < paper.size(); ++k)
    for (std::size_t p = 0; p < paper[k].size(); ++p)
      EXPECT_EQ(value(ours[k][p]), paper[k][p]) << "step " << k << ", process " << p;
}

constexpr auto itself = [](Index x) { return x; };

// Equations 3 and 4: B = P b + p = K q + t.
TEST(WalkerOtto1996, Figure8) {
  const Steps steps(16, 12, "walker-otto");
  expect_figure(steps.sent, figure_8a, itself);
  expect_figure(steps.to, figure_8b, itself);
  expect_figure(steps.sent, figure_8c, [](Index B) { return B / 16; });
}

TEST(WalkerOtto1996, Figure9) {
  const Steps steps(16, 12, "walker-otto");
  expect_figure(steps.received, figure_9a, itself);
  expect_figure(steps.from, figure_9b, itself);
  expect_figure(steps.received, figure_9c, [](Index B) { return B % 12; });
}

// Figure 7 shows the block for B' = 0 with the layouts (a) and (b) as a picture; equation 10 and figure 8 have (a):
// block B = P K' beta + alpha = 48 beta + alpha (equation 8) with alpha the column and beta = alpha - k modulo 4.
TEST(WalkerOtto1996, Figure7aIsTheCornerOfFigure8a) {
  const Steps steps(16, 12, "walker-otto");
  for (Index k = 0; k < 4; ++k)
    for (Index alpha = 0; alpha < 4; ++alpha)
      EXPECT_EQ(at(at(steps.sent, k), alpha), 48 * modulo(alpha - k, 4) + alpha);
}

TEST(WalkerOtto1996, Figure6) {
  const Steps steps(4, 3, "walker-otto");
  const std::vector<std::vector<Index>> blocks{{0, 9, 6, 3}, {4, 1, 10, 7}, {8, 5, 2, 11}},
      processes{{0, 3, 2, 1}, {1, 0, 3, 2}, {2, 1, 0, 3}}, local{{0, 2, 1, 0}, {1, 0, 2, 1}, {2, 1, 0, 2}};
  EXPECT_EQ(steps.sent, blocks);
  EXPECT_EQ(steps.to, processes);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t p = 0; p < 4; ++p) EXPECT_EQ(steps.sent[k][p] / 4, local[k][p]);
}

// "The block at position 2 in the superblock is sent from process 2 to process 0 in each superblock."
TEST(WalkerOtto1996, Figure2) {
  const Overlap o = line(4, 1, 4, 3, 24);
  for (const Index block : {2, 14}) {
    EXPECT_EQ(owner(o.a, block), 2);
    EXPECT_EQ(owner(o.b, block), 0);
  }
}

// Section 2.2.2 says that "the first max(K, P) processes all send data to process 0" in the first step: min(K, P) do.
// In the order by number, equation 2, with P = 4 and K = 3 these are 0, 1 and 2.
TEST(WalkerOtto1996, Section222HotSpotsOfTheSimpleOrder) {
  const Traffic t{line(4, 1, 4, 3, 12), point};
  const Schedule schedule = made("wo-simple", t);
  std::vector<std::vector<Index>> to(3);
  for (Index p = 0; p < 4; ++p)
    for (const Message& m : sends_of(t, schedule, {p, 0})) at(to, m.step).push_back(m.peer.row);
  EXPECT_EQ(to, (std::vector<std::vector<Index>>{{0, 0, 0, 1}, {1, 1, 2, 2}, {2, 3, 3, 3}}));
  for (Index P = 1; P <= 12; ++P)
    for (Index K = 1; K <= 12; ++K) {
      const Traffic any{line(P, 1, P, K, P * K), point};
      const Schedule simple = made("wo-simple", any);
      Index first = 0;
      for (const Message& m : receives_of(any, simple, {0, 0})) first += m.step == 0;
      EXPECT_EQ(first, P == 1 ? 1 : std::min(P, K)) << P << " " << K;
    }
}

// The send schedule B(k, p) of equations 5 to 10, for the general case g > 1, beside the receive schedule C(k, q) of
// equation 11; equation 12, the compatibility of both (appendix B); the conditions for permutations (section 2.2.2).
TEST(WalkerOtto1996, Equations5To12) {
  for (Index P = 2; P <= 20; ++P)
    for (Index K = 1; K <= 20; ++K) {
      const Index g = std::gcd(P, K), P1 = P / g, K1 = K / g;
      const auto B = [&](Index k, Index p) {
        const Index alpha = p % g, beta = modulo(alpha - k % g + g, g), k1 = k / g, p1 = p / g;
        // Equation 7: B' = q' K' + k' = b' P' + p' for coprime K' and P', by the inverse that Euclid's algorithm finds.
        const Index q1 = modulo((p1 - k1) * inverse(K1, P1), P1);
        return g * (q1 * K1 + k1) + P * K1 * beta + alpha;
      };
      const auto C = [&](Index k, Index q) { return K * q + g * (k / g) + (q / P1 + k % g) % g; };
      const Steps steps(P, K, "walker-otto");
      for (Index k = 0; k < K; ++k) {
        std::vector<bool> taken(as_size(P), false);
        for (Index p = 0; p < P; ++p) {
          ASSERT_EQ(B(k, C(k, p) % P), C(k, p)) << P << " " << K;  // with p as q
          ASSERT_EQ(C(k, B(k, p) / K), B(k, p)) << P << " " << K;
          ASSERT_FALSE(taken[as_size(B(k, p) / K)]);
          taken[as_size(B(k, p) / K)] = true;
          if (K > P)
            continue;  // then a pair shares several blocks, and the parts of its message count their elements only
          ASSERT_EQ(at(at(steps.sent, k), p), B(k, p)) << P << " " << K;
          ASSERT_EQ(at(at(steps.received, k), p), C(k, p)) << P << " " << K;
        }
      }
    }
}

// Appendix A: B = q K + k = b P + p has one solution for each k and p if and only if K and P are coprime.
TEST(WalkerOtto1996, AppendixAUniquenessAndExistence) {
  for (Index P = 1; P <= 12; ++P)
    for (Index K = 1; K <= 12; ++K) {
      std::vector<int> solutions(as_size(P * K), 0);
      for (Index B = 0; B < P * K; ++B) ++solutions[as_size(B % K * P + B % P)];
      const bool one_each = std::ranges::all_of(solutions, [](int n) { return n == 1; });
      EXPECT_EQ(one_each, std::gcd(P, K) == 1);
    }
}

// Section 4: K r -> r runs "in reverse", with senders and receivers exchanged.
TEST(WalkerOtto1996, Section4ShrinkingIsGrowingBackwards) {
  const Traffic grows{line(6, 2, 6, 8, 96), point}, shrinks = reversed(grows);
  for (const char* const name : {"walker-otto", "wo-simple", "wo-random"}) {
    const Schedule there = made(name, grows), back = made(name, shrinks);
    for (Index p = 0; p < 6; ++p) {
      const std::vector<Message> sends = sends_of(grows, there, {p, 0}), receives = receives_of(shrinks, back, {p, 0});
      ASSERT_EQ(sends.size(), receives.size());
      for (std::size_t k = 0; k < sends.size(); ++k) {
        EXPECT_EQ(sends[k].step, receives[k].step);
        EXPECT_EQ(sends[k].peer, receives[k].peer);
      }
    }
  }
}

cases::Case case_of(int Pr, int Pc, Index r1, Index r2, Index c1, Index c2) {
  cases::Case c;
  c.a.nprow = c.b.nprow = Pr;
  c.a.npcol = c.b.npcol = Pc;
  c.a.mb = r1, c.b.mb = r2, c.a.nb = c1, c.b.nb = c2;
  c.m = Pr * std::lcm(r1, r2);
  c.n = Pc * std::lcm(c1, c2);
  for (cases::Matrix* x : {&c.a, &c.b}) x->M = c.m, x->N = c.n;
  return c;
}

std::vector<Index> steps_of_passes(const cases::Case& c) {
  std::vector<Index> steps;
  for (const cases::Case& pass : passes(c)) steps.push_back(walker_otto(traffic_of(pass)).value().count);
  return steps;
}

// Section 4: 8 processes, blocks of 4 -> 6, by way of 12: K1 = 3 and K2 = 2 steps.
TEST(WalkerOtto1996, Section4TwoPasses) {
  const cases::Case c = case_of(8, 1, 4, 6, 1, 1);
  EXPECT_EQ(steps_of_passes(c), (std::vector<Index>{3, 2}));
  EXPECT_EQ(passes(c)[0].b.mb, 12);
  EXPECT_EQ(steps_of_passes(case_of(8, 1, 4, 12, 1, 1)), (std::vector<Index>{3}));
  EXPECT_EQ(steps_of_passes(case_of(8, 1, 4, 4, 1, 1)), (std::vector<Index>{1}));
}

// Section 4: axis after axis takes K1 + K2 steps and moves all data twice; the genuine two-dimensional schedule takes
// K1 K2 steps and moves them once.
TEST(WalkerOtto1996, Section4TwoDimensions) {
  const cases::Case c = case_of(4, 6, 2, 6, 3, 12);  // K1 = 3, K2 = 4
  EXPECT_EQ(steps_of_passes(c), (std::vector<Index>{3, 4}));
  EXPECT_EQ(made("walker-otto", traffic_of(c)).count, 12);
  EXPECT_EQ(steps_of_passes(case_of(4, 4, 2, 6, 3, 5)), (std::vector<Index>{3, 5, 3}));
}

// Blocks of r become blocks of K r, or the reverse. The submatrices begin so that each large block begins together with
// a small one.
Overlap growth(Index P, Index K, Index r, Index n, xredist::testing::Random& random) {
  const Index into = random.below(K * r);  // elements into the large block
  Axis small = random_axis(random, P, r), large = random_axis(random, P, K * r);
  small.first = random.below(5) * r + into;
  large.first = random.below(3) * K * r + into;
  return random.below(2) == 0 ? Overlap(small, large, n) : Overlap(large, small, n);
}

// Every schedule moves everything, at any length and offset. In whole periods each process of walker-otto sends and
// receives one block of every superblock in each of K steps; also if K > P, where a pair has several.
TEST(WalkerOtto1996, RandomAxes) {
  xredist::testing::Random random(71);
  int several = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Index P = 1 + random.below(12), K = 1 + random.below(20), r = 1 + random.below(4);
    const bool whole = trial % 2 == 0;
    const Index periods = 1 + random.below(3), n = whole ? P * K * r * periods : 1 + random.below(400);
    const Traffic t{growth(P, K, r, n, random), trial % 3 == 0 ? growth(2, 2, 1, 8, random) : point};
    const xredist::testing::Truth truth(t);
    for (const char* const name : {"walker-otto", "wo-simple", "wo-random"}) {
      const auto ports = is_proper(name) ? xredist::testing::Ports::one : xredist::testing::Ports::unlimited;
      ASSERT_EQ(xredist::testing::fault_in(t, truth, made(name, t), ports), "") << name << "\n" << described(t);
    }
    const Schedule schedule = made("walker-otto", t);
    EXPECT_EQ(schedule.count, (P == 1 ? 1 : K) * (trial % 3 == 0 ? 2 : 1));
    if (!whole || P == 1 || trial % 3 == 0) continue;
    for (Index p = 0; p < P; ++p)
      for (const auto& list : {sends_of(t, schedule, {p, 0}), receives_of(t, schedule, {p, 0})}) {
        ASSERT_EQ(list.size(), as_size(K)) << described(t);
        for (const Message& message : list) ASSERT_EQ(message.elements(), periods * r) << described(t);
      }
    several += K > P;
  }
  EXPECT_GT(several, 50);
}

// The passes lead from A to B, each by a schedule of its own, from any offsets whose blocks begin together.
TEST(WalkerOtto1996, RandomPasses) {
  xredist::testing::Random random(74);
  int two = 0, undefined = 0;
  for (int trial = 0; trial < 500; ++trial) {
    cases::Case c = case_of(1 + static_cast<int>(random.below(6)), 1 + static_cast<int>(random.below(3)),
                            1 + random.below(9), 1 + random.below(9), 1 + random.below(4), 1 + random.below(4));
    c.m = 1 + random.below(200), c.n = 1 + random.below(20);
    c.a.i = 1 + random.below(30), c.b.i = 1 + random.below(30), c.a.j = c.b.j = 1 + random.below(9);
    c.a.rsrc = static_cast<int>(random.below(c.a.nprow)), c.b.csrc = static_cast<int>(random.below(c.b.npcol));
    for (cases::Matrix* x : {&c.a, &c.b}) x->M = x->i - 1 + c.m, x->N = x->j - 1 + c.n;
    const std::vector<cases::Case> all = passes(c);
    const bool together = c.a.nprow == 1 || (c.a.i - c.b.i) % std::gcd(c.a.mb, c.b.mb) == 0;
    ASSERT_EQ(!all.empty(), together) << described(traffic_of(c));
    ASSERT_EQ(why_no_passes(traffic_of(c)).empty(), together);
    if (all.empty()) {
      ++undefined;
      continue;
    }
    EXPECT_EQ(all.front().a, c.a);
    EXPECT_EQ(all.back().b, c.b);
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_TRUE(k == 0 || all[k - 1].b == all[k].a);
      const Traffic t = traffic_of(all[k]);
      const auto schedule = walker_otto(t);
      ASSERT_TRUE(schedule) << described(t) << "\n" << described(traffic_of(c));
      ASSERT_EQ(xredist::testing::fault_in(t, xredist::testing::Truth(t), *schedule), "") << described(t);
    }
    two += all.size() > 1;
  }
  EXPECT_GT(two, 100);
  EXPECT_GT(undefined, 50);
}

TEST(WalkerOtto1996, UndefinedCasesHaveReasons) {
  const auto why = [](const Overlap& o) { return why_undefined("walker-otto", {o, point}); };
  EXPECT_EQ(why(line(4, 2, 4, 3, 100)), "needs one block size a multiple of the other along each axis");
  EXPECT_EQ(why(line(4, 2, 5, 4, 100)), "needs as many processes before as after along each axis");
  EXPECT_EQ(why(Overlap({2, 4, 0, 1}, {4, 4, 0, 0}, 100)), "needs blocks that begin together");
  EXPECT_EQ(why(line(1024, 1, 1024, 2048, 100)), "too many blocks in a superblock");
  EXPECT_EQ(why(Overlap({2, 4, 0, 2}, {4, 4, 3, 2}, 100)), "");
}

}  // namespace
}  // namespace papers
